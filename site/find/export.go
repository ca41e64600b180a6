package find

import (
	"context"
	"iter"
	"math/big"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/page"
)

// companiesFile returns the handler of /busca.csv, /empresas.csv or /empresas/todas.csv: up to most
// results, in the order of the page. name begins the name of the file.
func (hs *Handlers) companiesFile(m layout, name string, most int) gin.HandlerFunc {
	return hs.pages.Export(func(c *gin.Context, snap *snapshot.Snapshot) (page.Table, error) {
		q, err := hs.readQuery(c, snap, m)
		switch {
		case err != nil:
			return page.Table{}, err
		case q.words && q.empty(): // an empty search has no results on its page either
			return page.Table{}, &page.InvalidParameter{
				Loc: []string{"query", "q"}, Type: "missing", What: "O texto da busca", Msg: "Escreva o que buscar ou escolha um filtro.",
			}
		}
		numbers, err := snap.Numbers(c.Request.Context(), q.forIndex(), most+1)
		if err != nil {
			return page.Table{}, err
		}
		t := page.Table{Of: Exported(), File: name + "-" + snap.Load.Period, Page: q.with(), More: len(numbers) > most}
		numbers = numbers[:min(most, len(numbers))]
		t.Most, t.Rows = len(numbers), func(ctx context.Context) iter.Seq2[[]string, error] { return hs.rows(ctx, snap, numbers) }
		return t, nil
	})
}

// rows reads the rows of a file of companies.
func (hs *Handlers) rows(ctx context.Context, snap *snapshot.Snapshot, numbers []cnpj.Full) iter.Seq2[[]string, error] {
	columns := Columns()
	return func(yield func([]string, error) bool) {
		for m, err := range snap.Read(ctx, numbers) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(columns.Row(NewRow(hs.atlas, snap, m)), nil) {
				return
			}
		}
	}
}

// Exported describes the columns of /empresas.csv and /busca.csv for the data dictionary.
func Exported() record.Table {
	return record.Table{
		Name: "empresas.csv", Title: "Empresas de uma lista ou busca", Fields: Columns().Fields(),
		About: "As empresas de uma lista, até 10.000 em /empresas.csv e 1.000.000 em /empresas/todas.csv, ou de uma busca, até 1.000.000 em /busca.csv, na ordem da página, para quem entrou na conta. Códigos vêm em palavras. De pessoas físicas, como empresários individuais, MEI e produtores rurais, faltam rua, CEP, telefone e e-mail.",
	}
}

// Row is a row of the export. It holds what visitors may see, because the request's snapshot is
// one for visitors.
type Row struct {
	*snapshot.Match
	atlas *territory.Atlas
	snap  *snapshot.Snapshot
	where wording.Address
}

// NewRow returns the row of an establishment.
func NewRow(atlas *territory.Atlas, snap *snapshot.Snapshot, m *snapshot.Match) *Row {
	return &Row{m, atlas, snap, wording.PublishedAddressOf(atlas, snap, &m.Establishment)}
}

func (m *Row) describe(kind record.Domain, code string) string {
	return wording.Published(m.snap, kind, code)
}

// Columns returns the columns: published fields under their own names, with most codes in words.
func Columns() page.Columns[*Row] {
	company, establishment := record.CompanyTable(), record.EstablishmentTable()
	as := func(f record.Field, of func(*Row) string) page.Column[*Row] {
		return page.Column[*Row]{Field: f, Of: of}
	}
	inWords := func(t *record.Table, name, about string, of func(*Row) string) page.Column[*Row] {
		f := t.Field(name)
		return as(record.Field{Name: name, Kind: record.Text, About: about, Personal: f.Personal}, of)
	}
	column := page.NewColumn[*Row]
	return page.Columns[*Row]{
		as(establishment.Field("cnpj"), func(m *Row) string { return m.Establishment.CNPJ.String() }),
		inWords(&company, "razao_social", "razão social; sem ela, o nome fantasia ou o CNPJ", (*Row).Name),
		as(establishment.Field("nome_fantasia"), func(m *Row) string { return m.Establishment.NomeFantasia }),
		inWords(&establishment, "identificador_matriz_filial", "Matriz ou Filial", func(m *Row) string {
			return m.describe(record.DomainMatrizFilial, m.Establishment.IdentificadorMatrizFilial)
		}),
		inWords(&establishment, "situacao_cadastral", "situação cadastral, em palavras", func(m *Row) string {
			return m.describe(record.DomainSituacao, m.Establishment.SituacaoCadastral)
		}),
		as(establishment.Field("data_situacao_cadastral"), func(m *Row) string { return m.Establishment.DataSituacaoCadastral.String() }),
		as(establishment.Field("data_inicio_atividade"), func(m *Row) string { return m.Establishment.DataInicioAtividade.String() }),
		inWords(&company, "natureza_juridica", "natureza jurídica, em palavras", func(m *Row) string {
			return m.describe(record.DomainNatureza, m.Company.NaturezaJuridica)
		}),
		inWords(&company, "porte_empresa", "porte, em palavras", func(m *Row) string { return m.describe(record.DomainPorte, m.Company.PorteEmpresa) }),
		as(company.Field("capital_social"), func(m *Row) string { return capital(m.Company.CapitalSocial) }),
		as(establishment.Field("cnae_fiscal_principal"), func(m *Row) string { return m.Establishment.CNAEFiscalPrincipal }),
		column("descricao_cnae", record.Text, "atividade principal, em palavras", func(m *Row) string {
			return wording.ActivityOf(m.snap, m.Establishment.CNAEFiscalPrincipal).Text
		}),
		as(establishment.Field("uf"), func(m *Row) string { return m.Establishment.UF }),
		column("codigo_municipio", record.Code, "código do município na Receita Federal, quatro dígitos", func(m *Row) string { return m.Establishment.Municipio }),
		as(establishment.Field("codigo_municipio_ibge"), func(m *Row) string { return m.atlas.IBGE(m.Establishment.Municipio) }),
		inWords(&establishment, "municipio", "nome do município, ou cidade no exterior", func(m *Row) string { return m.where.Municipality }),
		as(establishment.Field("cep"), func(m *Row) string { return m.where.CEP }),
		inWords(&establishment, "logradouro", "tipo e nome do logradouro, número, complemento e bairro", func(m *Row) string {
			return strings.Join(strings.Fields(m.where.Street), " ")
		}),
		as(establishment.Field("correio_eletronico"), func(m *Row) string { return m.Establishment.CorreioEletronico }),
		inWords(&establishment, "telefone_1", "primeiro telefone, com DDD", func(m *Row) string {
			return ptbr.Phone(m.Establishment.DDD1, m.Establishment.Telefone1)
		}),
		inWords(&establishment, "telefone_2", "segundo telefone, com DDD", func(m *Row) string {
			return ptbr.Phone(m.Establishment.DDD2, m.Establishment.Telefone2)
		}),
	}
}

// capital writes cents as 1234.56, "" when the amount is unknown.
func capital(cents record.Cents) string {
	if cents == record.NoCents {
		return ""
	}
	return page.Decimal(big.NewInt(int64(cents)))
}
