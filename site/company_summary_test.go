package site_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// groupsOf returns the groups of a page's summary in words, by their headings.
func groupsOf(t *testing.T, page pagetest.Document) map[string][]string {
	t.Helper()
	groups := map[string][]string{}
	for _, group := range page.At(t, "resumo").All("div") {
		heading := group.All("dt")[0].Text()
		for _, line := range group.All("dd") {
			groups[heading] = append(groups[heading], strings.Join(strings.Fields(line.Text()), " "))
		}
	}
	return groups
}

// TestSummary reads what the first screen answers, for companies of every kind.
func TestSummary(t *testing.T) {
	t.Parallel()
	h := sitetest.Records(t)
	nothing := func(lines ...string) []string {
		all := []string{"Dívida ativa nada nesta carga", "Sanções e acordos nada nesta carga 4 de 6 fontes sem carga", "Contratos como fornecedor nada nesta carga", "Contratos como contratante nada nesta carga", "Empréstimos do BNDES nada nesta carga"}
		for _, line := range lines {
			for i := range all {
				if subject, _, _ := strings.Cut(all[i], " nada"); strings.HasPrefix(line, subject) {
					all[i] = line
				}
			}
		}
		return all
	}
	for _, c := range []struct {
		name, path string
		want       map[string][]string
	}{
		{"several establishments", "/12345678000195", map[string][]string{
			"Situação": {"Ativa desde 14/03/2009", "Abertura : 14/03/2009"},
			"Tamanho":  {"3 estabelecimentos ativos", "de 4, em SP", "Capital : R$ 480.000,00", "Porte : Empresa de Pequeno Porte"},
			"Pessoas":  {"2 nomes no quadro societário", "Estrela Participações S.A.", "Marta Figueira Inventada"},
			"Com o poder público, a empresa toda": {
				"Dívida ativa R$ 990.040,50 46 registros", "Sanções e acordos 1 em vigor 2 registros; 4 de 6 fontes sem carga", "Contratos como fornecedor R$ 25.925,92 21 registros",
				"Contratos como contratante nada nesta carga", "Empréstimos do BNDES R$ 10.423.861,30 2 registros",
			},
		}},
		{"a branch", "/1234567800A479", map[string][]string{
			"Com o poder público, só este CNPJ": nothing("Dívida ativa 1 registro nenhum entra na soma"),
		}},
		{"an individual in a register", "/" + sitetest.MEINumber, map[string][]string{
			"Tamanho":             {"1 estabelecimento ativo", "Capital : R$ 1.500,00", "Porte : Microempresa"},
			"Pessoas":             {"Empresário individual, MEI ou não, não tem sócios: a empresa é a própria pessoa.", "Por ser de pessoa física, a página não mostra rua, telefone nem e-mail e não aparece em buscadores. A API os traz."},
			"Com o poder público": nothing("Sanções e acordos 1 em vigor 1 registro; 4 de 6 fontes sem carga"),
		}},
		{"a public body", "/" + sitetest.CityNumber, map[string][]string{
			"Com o poder público": nothing("Contratos como contratante R$ 25.925,92 21 registros"),
		}},
		{"more partners than are named", "/" + fixture.Full(t, fixture.Chain).String() + "?socios_pagina=3", map[string][]string{
			"Pessoas": {"130 nomes no quadro societário", "Acionista 000 Ficticio", "Acionista 001 Ficticio", "Acionista 002 Ficticio"},
		}},
		{"closed", "/" + fixture.Full(t, fixture.Closed).String(), map[string][]string{
			"Tamanho": {"1 estabelecimento, não ativo", "Capital : R$ 30.000,00", "Porte : Microempresa"},
		}},
	} {
		page := h.Page(t, c.path)
		got := groupsOf(t, page)
		for group, want := range c.want {
			if fmt.Sprintf("%q", got[group]) != fmt.Sprintf("%q", want) {
				t.Errorf("%s, %s:\n got %q\nwant %q", c.name, group, got[group], want)
			}
		}
		if len(got) != 4 {
			t.Errorf("%s: %q", c.name, got)
		}
		// Every link leads somewhere on the page, and the facts do not repeat the summary.
		for text, address := range page.At(t, "resumo").Links() {
			if fragment, ok := strings.CutPrefix(address, "#"); ok {
				page.At(t, fragment)
			} else if !strings.HasPrefix(address, "/") {
				t.Errorf("%s: %s leads to %q", c.name, text, address)
			}
		}
		pagetest.Texts(t, page.At(t, "cadastro").Text(), nil, []string{"Capital", "Porte", "Abertura", "Motivo", "Estabelecimentos"})
	}
}

// TestSummaryOfWhatCannotBeRead: a source that was never loaded, one that cannot be read and one
// without records are said in different words.
func TestSummaryOfWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	h := sitetest.LoadRecords(t)
	snap := fixture.Acquire(t, h.Stores.Live)
	for _, id := range []string{"pgfn", "ceis"} {
		if _, err := h.Stores.Pool.Exec(t.Context(), `DROP TABLE `+pgx.Identifier{fmt.Sprintf("load_%06d", snap.LoadOf(id)), "record"}.Sanitize()); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Join(groupsOf(t, h.Page(t, "/12345678000195"))["Com o poder público, a empresa toda"], "\n")
	pagetest.Texts(t, lines, []string{
		"Dívida ativa não foi possível consultar agora\n", "Sanções e acordos não foi possível consultar agora 1 de 6 fontes; 4 de 6 fontes sem carga\n", "Contratos como contratante nada nesta carga",
	}, nil)
	sitetest.LoadEmployers(t, h.Stores, "12345678000195", "RUA DAS PALMEIRAS 214, CAMPINAS/SP")
	listed := strings.Join(groupsOf(t, h.Page(t, "/12345678000195"))["Com o poder público, a empresa toda"], "\n")
	pagetest.Texts(t, listed, []string{"Sanções e acordos 1 em vigor 1 registro; não foi possível consultar agora 1 de 6 fontes; 4 de 6 fontes sem carga"}, nil)

	unloaded := strings.Join(groupsOf(t, sitetest.Released(t).Page(t, "/12345678000195"))["Com o poder público, a empresa toda"], "\n")
	pagetest.Texts(t, unloaded, []string{"Dívida ativa sem carga", "Sanções e acordos sem carga", "Empréstimos do BNDES sem carga"}, []string{"nada nesta carga", "consultar"})
}

// TestSummaryOfTheTwin expects the same lines about public records in the Markdown.
func TestSummaryOfTheTwin(t *testing.T) {
	t.Parallel()
	h := sitetest.Records(t)
	h.Texts(t, "/12345678000195.md", []string{
		"## Com o poder público, a empresa toda\n", "- **Dívida ativa:** R$\u00a0990.040,50, 46 registros\n", "- **Sanções e acordos:** 1 em vigor, 2 registros; 4 de 6 fontes sem carga\n",
		"- **Contratos como contratante:** nada nesta carga\n", "Outros registros: Habilitação aduaneira (1); ",
	}, nil)
}
