package find

import (
	"errors"
	"math/big"
	"net/http"
	"net/netip"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/people/signin"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
	"razao/site/wording"
)

const (
	maxExported = 10_000 // rows of a file, which is built in memory

	exportsPerMinute, exportsAtOnce = 20, 10 // of an account
	exportsOfAddress                = 60     // of a client address, a minute and at once
)

// companiesCSV returns the handler of /busca.csv or /empresas.csv. A search is exported in its
// order, a listing in CNPJ order. name begins the name of the file. Visitors who are not signed in
// are redirected to /login and back. The file is never cached for others, and costs as much as many
// pages: it has a limit of its own.
func (hs *Handlers) companiesCSV(m layout, name string) gin.HandlerFunc {
	table := hs.pages.Table(web.Nobody, func(c *gin.Context, snap *snapshot.Snapshot, form page.Form) (page.File, error) {
		body, err := hs.exportedTable(c, snap, m, form)
		return page.File{Name: name + "-" + snap.Load.Period + ".csv", Body: body}, err
	})
	return func(c *gin.Context) {
		who, err := hs.pages.Visitor(c)
		if err == nil {
			err = hs.takeExport(web.ClientOf(c), int64(who.Account))
		}
		switch {
		case errors.Is(err, signin.ErrSignedOut):
			c.Redirect(http.StatusSeeOther, page.LoginPath("", "", c.Request.URL.RequestURI()))
		case err != nil:
			hs.pages.Fail(c, err)
		default:
			table(c)
		}
	}
}

// takeExport takes a file of the account and of the client address: one person may have many of
// either. The error is a *web.TooManyError.
func (hs *Handlers) takeExport(client netip.Addr, account int64) error {
	if err := hs.exports.TakeAccount(account); err != nil {
		return err
	}
	return hs.exportsFrom.Take(client)
}

// exportedTable encodes the rows that a request asks for. The snapshot visits matches in CNPJ
// order, which reads records sequentially; nth restores the order of the search. Cells are made
// inert against CSV injection (OWASP).
func (hs *Handlers) exportedTable(c *gin.Context, snap *snapshot.Snapshot, m layout, form page.Form) ([]byte, error) {
	q, err := hs.readQuery(c, snap, m)
	switch {
	case err != nil:
		return nil, err
	case q.words && q.empty(): // an empty search has no results on its page either
		return nil, &page.InvalidParameter{
			Loc: []string{"query", "q"}, Type: "missing", What: "O texto da busca", Msg: "Escreva o que buscar ou escolha um filtro.",
		}
	}
	rows, n := make([][]string, maxExported), 0
	columns := exported()
	err = snap.Export(c.Request.Context(), q.forIndex(), maxExported, func(nth int, m *snapshot.Match) {
		row := columns.Row(&match{m, hs.atlas, snap, wording.PublishedAddressOf(hs.atlas, snap, &m.Establishment)})
		for i := range row {
			row[i] = page.Inert(row[i])
		}
		if !q.words {
			nth = n
		}
		rows[nth] = row
		n++
	})
	if err != nil {
		return nil, err
	}
	return columns.Encode(rows[:n], form)
}

// Exported describes the columns of /empresas.csv and /busca.csv for the data dictionary.
func Exported() record.Table {
	return record.Table{
		Name: "empresas.csv", Title: "Empresas de uma lista ou busca", Fields: exported().Fields(),
		About: "As primeiras 10.000 empresas de uma lista ou, em busca.csv, de uma busca, para quem entrou na conta. Códigos vêm em palavras. De pessoas físicas, como empresários individuais, MEI e produtores rurais, faltam rua, CEP, telefone e e-mail.",
	}
}

// match is a row of the export. It holds what visitors may see, because the request's snapshot is
// one for visitors.
type match struct {
	*snapshot.Match
	atlas *territory.Atlas
	snap  *snapshot.Snapshot
	where wording.Address
}

func (m *match) describe(kind record.Domain, code string) string {
	return wording.Published(m.snap, kind, code)
}

// exported returns the columns: published fields under their own names, with most codes in words.
func exported() page.Columns[*match] {
	company, establishment := record.CompanyTable(), record.EstablishmentTable()
	as := func(f record.Field, of func(*match) string) page.Column[*match] {
		return page.Column[*match]{Field: f, Of: of}
	}
	said := func(t *record.Table, name, about string, of func(*match) string) page.Column[*match] {
		f := t.Field(name)
		return as(record.Field{Name: name, Kind: record.Text, About: about, Personal: f.Personal}, of)
	}
	column := page.NewColumn[*match]
	return page.Columns[*match]{
		as(establishment.Field("cnpj"), func(m *match) string { return m.Establishment.CNPJ.String() }),
		said(&company, "razao_social", "razão social; sem ela, o nome fantasia ou o CNPJ", (*match).Name),
		as(establishment.Field("nome_fantasia"), func(m *match) string { return m.Establishment.NomeFantasia }),
		said(&establishment, "identificador_matriz_filial", "Matriz ou Filial", func(m *match) string {
			return m.describe(record.DomainMatrizFilial, m.Establishment.IdentificadorMatrizFilial)
		}),
		said(&establishment, "situacao_cadastral", "situação cadastral, em palavras", func(m *match) string {
			return m.describe(record.DomainSituacao, m.Establishment.SituacaoCadastral)
		}),
		as(establishment.Field("data_situacao_cadastral"), func(m *match) string { return m.Establishment.DataSituacaoCadastral.String() }),
		as(establishment.Field("data_inicio_atividade"), func(m *match) string { return m.Establishment.DataInicioAtividade.String() }),
		said(&company, "natureza_juridica", "natureza jurídica, em palavras", func(m *match) string {
			return m.describe(record.DomainNatureza, m.Company.NaturezaJuridica)
		}),
		said(&company, "porte_empresa", "porte, em palavras", func(m *match) string { return m.describe(record.DomainPorte, m.Company.PorteEmpresa) }),
		as(company.Field("capital_social"), func(m *match) string { return capital(m.Company.CapitalSocial) }),
		as(establishment.Field("cnae_fiscal_principal"), func(m *match) string { return m.Establishment.CNAEFiscalPrincipal }),
		column("descricao_cnae", record.Text, "atividade principal, em palavras", func(m *match) string {
			return wording.ActivityOf(m.snap, m.Establishment.CNAEFiscalPrincipal).Text
		}),
		as(establishment.Field("uf"), func(m *match) string { return m.Establishment.UF }),
		column("codigo_municipio", record.Code, "código do município na Receita Federal, quatro dígitos", func(m *match) string { return m.Establishment.Municipio }),
		as(establishment.Field("codigo_municipio_ibge"), func(m *match) string { return m.atlas.IBGE(m.Establishment.Municipio) }),
		said(&establishment, "municipio", "nome do município, ou cidade no exterior", func(m *match) string { return m.where.Municipality }),
		as(establishment.Field("cep"), func(m *match) string { return m.where.CEP }),
		said(&establishment, "logradouro", "tipo e nome do logradouro, número, complemento e bairro", func(m *match) string {
			return strings.Join(strings.Fields(m.where.Street), " ")
		}),
		as(establishment.Field("correio_eletronico"), func(m *match) string { return m.Establishment.CorreioEletronico }),
		said(&establishment, "telefone_1", "primeiro telefone, com DDD", func(m *match) string {
			return ptbr.Phone(m.Establishment.DDD1, m.Establishment.Telefone1)
		}),
		said(&establishment, "telefone_2", "segundo telefone, com DDD", func(m *match) string {
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
