package site

import (
	"context"
	"errors"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/registry"
	"razao/internal/signin"
	"razao/internal/snapshot"
)

const (
	maxExported    = 10_000 // rows of /empresas.csv
	exportedAtOnce = 500    // companies read in one batch
)

// companiesCSV answers /empresas.csv: the first companies of a listing, in the order of their numbers. Who has not signed
// in is asked to.
func (s *Site) companiesCSV(c *gin.Context) {
	if _, err := s.visitor(c); errors.Is(err, signin.ErrSignedOut) {
		c.Header("Cache-Control", "no-store")
		c.Redirect(http.StatusSeeOther, loginAddress("", "", c.Request.URL.RequestURI()))
		return
	} else if err != nil {
		s.failOutside(c, err)
		return
	}
	s.sendTable(c, "private, no-store", func(c *gin.Context, snap *snapshot.Snapshot) (file, error) {
		in, err := s.inquiry(c, snap, s.listingManner(place{}))
		if err != nil {
			return file{}, err
		}
		ctx := c.Request.Context()
		var numbers []cnpj.Full
		err = snap.Index.Each(ctx, in.query(), maxExported, func(number cnpj.Full) error {
			numbers = append(numbers, number)
			return nil
		})
		if err != nil {
			return file{}, err
		}
		slices.Sort(numbers)
		rows, err := s.exported(ctx, snap, numbers)
		if err != nil {
			return file{}, err
		}
		body, err := encodeTable(exportHeader(), rows)
		return file{"empresas-" + snap.Load.Period + ".csv", body}, err
	})
}

// exportHeader names the columns: the published fields by their own names.
func exportHeader() []string {
	return []string{
		"cnpj", "razao_social", "nome_fantasia", "identificador_matriz_filial", "situacao_cadastral", "data_situacao_cadastral",
		"data_inicio_atividade", "natureza_juridica", "porte_empresa", "capital_social", "cnae_fiscal_principal", "descricao_cnae",
		"uf", "codigo_municipio", "codigo_municipio_ibge", "municipio", "cep", "logradouro", "correio_eletronico", "telefone_1", "telefone_2",
	}
}

// exported returns a row for each establishment, in the order of numbers, which rises.
func (s *Site) exported(ctx context.Context, snap *snapshot.Snapshot, numbers []cnpj.Full) ([][]string, error) {
	rows := make([][]string, 0, len(numbers))
	var heads map[cnpj.Root]*registry.Head
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
		rows = append(rows, s.exportedRow(snap, head, &e))
	}
	return rows, nil
}

// exportedRow shows of an individual entrepreneur no street, mail or telephone, as the pages do.
func (s *Site) exportedRow(snap *snapshot.Snapshot, h *registry.Head, e *registry.Establishment) []string {
	where := s.address(snap, e)
	var mail, first, second string
	if isPrivate(h) {
		where = where.withoutStreet()
	} else {
		mail, first, second = e.CorreioEletronico, ptbr.Phone(e.DDD1, e.Telefone1), ptbr.Phone(e.DDD2, e.Telefone2)
	}
	row := []string{
		e.CNPJ.String(), nameOf(h, e), e.NomeFantasia, describe(snap, registry.DomainMatrizFilial, e.IdentificadorMatrizFilial),
		describe(snap, registry.DomainSituacao, e.SituacaoCadastral), isoDate(e.DataSituacaoCadastral), isoDate(e.DataInicioAtividade),
		describe(snap, registry.DomainNatureza, h.Company.NaturezaJuridica), describe(snap, registry.DomainPorte, h.Company.PorteEmpresa),
		capitalOf(h), e.CNAEFiscalPrincipal, activityOf(snap, e.CNAEFiscalPrincipal).Text,
		e.UF, e.Municipio, s.atlas.IBGE(e.Municipio), where.Municipality, where.CEP, strings.Join(strings.Fields(where.Street), " "), mail, first, second,
	}
	for i := range row {
		row[i] = inert(row[i])
	}
	return row
}

// isoDate writes 2026-12-31, "" when there is no date.
func isoDate(d registry.Date) string {
	if d == 0 {
		return ""
	}
	return d.Time().Format("2006-01-02")
}

func capitalOf(h *registry.Head) string {
	if h.Company.CapitalSocial == registry.NoCents {
		return ""
	}
	return plainAmount(big.NewInt(int64(h.Company.CapitalSocial)))
}

// plainAmount writes cents as 1234567.89.
func plainAmount(cents *big.Int) string {
	digits := cents.String()
	if len(digits) < 3 {
		digits = strings.Repeat("0", 3-len(digits)) + digits
	}
	return digits[:len(digits)-2] + "." + digits[len(digits)-2:]
}
