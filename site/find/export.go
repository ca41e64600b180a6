package find

import (
	"errors"
	"math/big"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/signin"
	"razao/internal/snapshot"
	"razao/site/page"
	"razao/site/places"
	"razao/site/wording"
)

const maxExported = 10_000 // rows of /empresas.csv

// companiesCSV answers /empresas.csv: the first companies of a listing, in the order of their numbers. Who has not signed
// in is asked to.
func (rm *Room) companiesCSV() gin.HandlerFunc {
	table := rm.pages.Table("private, no-store", rm.exportedTable)
	return func(c *gin.Context) {
		switch _, err := rm.pages.Visitor(c); {
		case errors.Is(err, signin.ErrSignedOut):
			c.Header("Cache-Control", "no-store")
			c.Redirect(http.StatusSeeOther, page.LoginPath("", "", c.Request.URL.RequestURI()))
		case err != nil:
			rm.pages.Fail(c, err)
		default:
			table(c)
		}
	}
}

// exportedTable makes the file of what a request asks for.
func (rm *Room) exportedTable(c *gin.Context, snap *snapshot.Snapshot) (page.File, error) {
	q, err := rm.readQuery(c, snap, rm.listingLayout(places.Place{}))
	if err != nil {
		return page.File{}, err
	}
	var rows [][]string
	err = snap.Export(c.Request.Context(), q.forIndex(), maxExported, func(m *snapshot.Match) { rows = append(rows, rm.exportedRow(snap, m)) })
	if err != nil {
		return page.File{}, err
	}
	body, err := page.EncodeCSV(exportHeader(), rows)
	return page.File{Name: "empresas-" + snap.Load.Period + ".csv", Body: body}, err
}

// exportHeader names the columns: the published fields by their own names.
func exportHeader() []string {
	return []string{
		"cnpj", "razao_social", "nome_fantasia", "identificador_matriz_filial", "situacao_cadastral", "data_situacao_cadastral",
		"data_inicio_atividade", "natureza_juridica", "porte_empresa", "capital_social", "cnae_fiscal_principal", "descricao_cnae",
		"uf", "codigo_municipio", "codigo_municipio_ibge", "municipio", "cep", "logradouro", "correio_eletronico", "telefone_1", "telefone_2",
	}
}

// exportedRow has what visitors may see, as the snapshot of the request gives it.
func (rm *Room) exportedRow(snap *snapshot.Snapshot, m *snapshot.Match) []string {
	e := &m.Establishment
	where := wording.AddressOf(rm.atlas, snap, e)
	row := []string{
		e.CNPJ.String(), m.Name(), e.NomeFantasia, wording.Describe(snap, record.DomainMatrizFilial, e.IdentificadorMatrizFilial),
		wording.Describe(snap, record.DomainSituacao, e.SituacaoCadastral), isoDate(e.DataSituacaoCadastral), isoDate(e.DataInicioAtividade),
		wording.Describe(snap, record.DomainNatureza, m.Company.NaturezaJuridica), wording.Describe(snap, record.DomainPorte, m.Company.PorteEmpresa),
		capital(m.Company.CapitalSocial), e.CNAEFiscalPrincipal, wording.ActivityOf(snap, e.CNAEFiscalPrincipal).Text,
		e.UF, e.Municipio, rm.atlas.IBGE(e.Municipio), where.Municipality, where.CEP, strings.Join(strings.Fields(where.Street), " "),
		e.CorreioEletronico, ptbr.Phone(e.DDD1, e.Telefone1), ptbr.Phone(e.DDD2, e.Telefone2),
	}
	for i := range row {
		row[i] = page.Inert(row[i])
	}
	return row
}

// isoDate writes 2026-12-31, "" when there is no date.
func isoDate(d record.Date) string {
	if d == 0 {
		return ""
	}
	return d.Time().Format("2006-01-02")
}

// capital writes 1234.56, "" when the amount is unknown.
func capital(cents record.Cents) string {
	if cents == record.NoCents {
		return ""
	}
	return page.Decimal(big.NewInt(int64(cents)))
}
