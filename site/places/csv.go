package places

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/snapshot"
	"razao/site/page"
)

// municipalitiesCSV answers /municipios.csv: all rows of /municipios with the same filters, or
// those of a comparison. The unfiltered file is kept for the snapshot by order and format.
func (hs *Handlers) municipalitiesCSV(c *gin.Context, snap *snapshot.Snapshot) (page.Table, error) {
	all, q, rows, err := hs.narrowed(c, snap)
	if err != nil {
		return page.Table{}, err
	}
	chosen, err := hs.readChosen(c)
	if err != nil {
		return page.Table{}, err
	}
	if chosen != nil {
		rows = slices.DeleteFunc(rows, func(r placeRow) bool { return !slices.Contains(chosen, r.Municipality) })
	}
	ranking := make([]*rankingRow, len(rows))
	for i, row := range rows {
		ranking[i] = &rankingRow{row, all.Year, snap.Load.Period}
	}
	name := ptbr.Join("-", "municipios", strings.ToLower(q.uf.Code), q.slug, snap.Load.Period)
	t := page.TableOf(Exported(), exported(), ranking, name, q.address("/municipios"))
	if q.uf.Code+q.name == "" && chosen == nil {
		t.CacheKey = rankingKey(q.by.Name)
	}
	return t, nil
}

// rankingKey is the key under which the unfiltered /municipios.csv is kept, by its order.
type rankingKey string

// Exported describes the columns of /municipios.csv for the data dictionary.
func Exported() record.Table {
	return record.Table{Name: "municipios.csv", Title: "Ranking dos municípios", About: "Todos os municípios, ou os de um estado ou de um nome, na ordem pedida.", Fields: exported().Fields()}
}

// rankingRow is a row of /municipios.csv. year is that of the openings, month the period of the load.
type rankingRow struct {
	placeRow
	year  int
	month string
}

// peopled returns text, or "" when the population is unknown.
func (r *rankingRow) peopled(text string) string {
	if r.Population == 0 {
		return ""
	}
	return text
}

// exported returns the columns of /municipios.csv in file order.
func exported() page.Columns[*rankingRow] {
	column := page.NewColumn[*rankingRow]
	return page.Columns[*rankingRow]{
		column("posicao", record.Count, "posição no país, na ordem pedida: por empresas ativas quando nenhuma é", func(r *rankingRow) string { return strconv.FormatInt(r.Position, 10) }),
		column("municipio", record.Text, "nome do município", func(r *rankingRow) string { return r.Name }),
		column("uf", record.Text, "sigla do estado", func(r *rankingRow) string { return r.UF }),
		column("codigo_municipio", record.Code, "código do município na Receita Federal, quatro dígitos", func(r *rankingRow) string { return r.Municipality.RFB }),
		column("codigo_municipio_ibge", record.IBGECode, "código do município no IBGE, sete dígitos", func(r *rankingRow) string { return r.Municipality.IBGE }),
		column("empresas_ativas", record.Count, "empresas com a matriz ativa no município", func(r *rankingRow) string { return strconv.FormatInt(r.ActiveCompanies, 10) }),
		column("estabelecimentos_ativos", record.Count, "matrizes e filiais ativas", func(r *rankingRow) string { return strconv.FormatInt(r.ActiveEstablishments, 10) }),
		column("ano_aberturas", record.Count, "ano das aberturas", func(r *rankingRow) string { return strconv.Itoa(r.year) }),
		column("aberturas", record.Count, "estabelecimentos abertos nesse ano", func(r *rankingRow) string { return strconv.FormatInt(r.OpenedInYear, 10) }),
		column("baixadas", record.Count, "estabelecimentos baixados, de qualquer ano", func(r *rankingRow) string { return strconv.FormatInt(r.ClosedEstablishments, 10) }),
		column("capital_social", record.Amount, "soma do capital social dessas empresas, sem o que nenhuma empresa tem, como R$ 999.999.999.999,00", func(r *rankingRow) string { return page.Decimal(r.Capital) }),
		column("ano_populacao", record.Count, "ano da estimativa de população; vazio, como as duas colunas seguintes, sem estimativa ou quando as empresas são fictícias", func(r *rankingRow) string { return r.peopled(strconv.Itoa(territory.PopulationYear)) }),
		column("populacao", record.Count, "habitantes nesse ano, segundo o IBGE", func(r *rankingRow) string { return r.peopled(strconv.Itoa(r.Population)) }),
		column("empresas_ativas_por_mil_habitantes", record.Rate, "empresas ativas por mil habitantes, com três casas", func(r *rankingRow) string {
			return r.peopled(strconv.FormatFloat(r.PerThousand(), 'f', 3, 64))
		}),
		column("competencia", record.Text, "mês da carga, AAAA-MM", func(r *rankingRow) string { return r.month }),
		column("empresas_capital_improvavel", record.Count, "empresas ativas de capital improvável, que capital_social não conta", func(r *rankingRow) string { return strconv.FormatInt(r.ImplausibleCompanies, 10) }),
		column("capital_social_publicado", record.Amount, "soma do capital social com o dessas empresas", func(r *rankingRow) string { return page.Decimal(r.PublishedCapital) }),
	}
}
