package find

import (
	"context"
	"errors"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/registry/pack"
	"razao/internal/signin"
	"razao/internal/snapshot"
	"razao/site/page"
	"razao/site/places"
	"razao/site/wording"
)

const (
	maxExported    = 10_000 // rows of /empresas.csv
	exportedAtOnce = 500    // companies read in one batch
)

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
	rows, err := rm.exported(c.Request.Context(), snap, q.forIndex())
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

// exported returns a row for each of the first establishments that a query finds, in the order of their numbers.
func (rm *Room) exported(ctx context.Context, snap *snapshot.Snapshot, query index.Query) ([][]string, error) {
	var numbers []cnpj.Full
	err := snap.Index.Each(ctx, query, maxExported, func(number cnpj.Full) error {
		numbers = append(numbers, number)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(numbers)
	rows := make([][]string, 0, len(numbers))
	var heads map[cnpj.Root]*pack.Head
	for i, number := range numbers {
		if i%exportedAtOnce == 0 {
			var err error
			if heads, err = headsOf(ctx, snap, numbers[i:min(i+exportedAtOnce, len(numbers))]); err != nil {
				return nil, err
			}
		}
		head, ok := heads[number.Root()]
		if !ok {
			return nil, errIndexAhead
		}
		e, err := snap.Establishment(ctx, head, number.Order())
		if err != nil {
			return nil, err
		}
		rows = append(rows, rm.exportedRow(snap, head, &e))
	}
	return rows, nil
}

// exportedRow shows of an individual entrepreneur no street, mail or telephone, as the pages do.
func (rm *Room) exportedRow(snap *snapshot.Snapshot, h *pack.Head, e *record.Establishment) []string {
	where := wording.AddressOf(rm.atlas, snap, e)
	var mail, first, second string
	if wording.IsPrivate(h) {
		where = where.WithoutStreet()
	} else {
		mail, first, second = e.CorreioEletronico, ptbr.Phone(e.DDD1, e.Telefone1), ptbr.Phone(e.DDD2, e.Telefone2)
	}
	row := []string{
		e.CNPJ.String(), wording.NameOf(h, e), e.NomeFantasia, wording.Describe(snap, record.DomainMatrizFilial, e.IdentificadorMatrizFilial),
		wording.Describe(snap, record.DomainSituacao, e.SituacaoCadastral), isoDate(e.DataSituacaoCadastral), isoDate(e.DataInicioAtividade),
		wording.Describe(snap, record.DomainNatureza, h.Company.NaturezaJuridica), wording.Describe(snap, record.DomainPorte, h.Company.PorteEmpresa),
		capitalOf(h), e.CNAEFiscalPrincipal, wording.ActivityOf(snap, e.CNAEFiscalPrincipal).Text,
		e.UF, e.Municipio, rm.atlas.IBGE(e.Municipio), where.Municipality, where.CEP, strings.Join(strings.Fields(where.Street), " "), mail, first, second,
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

func capitalOf(h *pack.Head) string {
	if h.Company.CapitalSocial == record.NoCents {
		return ""
	}
	return page.Decimal(big.NewInt(int64(h.Company.CapitalSocial)))
}
