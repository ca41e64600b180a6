package assistant

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
)

// TestNetworksAsTheyAre: a company that the load does not have has no name but in the tie, homonyms are shown, two partners of each other are one
// chain, and more chains than fit are not all.
func TestNetworksAsTheyAre(t *testing.T) {
	t.Parallel()
	const a, b, absent = "20000001", "20000002", "29999999"
	rows := [][]string{fixture.CompanyRow(a, b, "777888", "PROCURADOR FICTICIO"), fixture.CompanyRow(b, a, "777888", "PROCURADOR FICTICIO"), fixture.CompanyRow(a, absent, "777888", "PROCURADOR FICTICIO")}
	for company, age := range map[string]string{a: "3", b: "8"} {
		row := fixture.PersonRow(company, "456789", "MARTA FIGUEIRA INVENTADA")
		row[10] = age
		rows = append(rows, row)
	}
	ends := []string{"20000003", "20000004"}
	for i := range fewPaths + 1 {
		for _, company := range ends {
			rows = append(rows, fixture.PersonRow(company, fmt.Sprintf("%06d", 100_000+i), fmt.Sprintf("SOCIA COMUM %d", i)))
		}
	}
	l := fixture.Empty(t)
	l.Publish(t, fixture.Network(t, append(ends, a, b), rows))
	assistant := open(t, &l.Served)
	const said = "São homônimos, ao menos 2 pessoas: as linhas têm faixas etárias diferentes, 21 a 30 anos e 71 a 80 anos."
	n, err := assistant.Network(t.Context(), NetworkQuery{De: a, Profundidade: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range n.Membros {
		if (m.ID == absent) != (m.Nome == "") || (m.ID == "456789-marta-figueira-inventada") != (m.Homonimos == said) {
			t.Errorf("%+v", m)
		}
	}
	for _, text := range []string{"CNPJ 29999999 (fora da carga) em EMPRESA 20000001 LTDA", "com o nome EMPRESA 29999999 LTDA", "(456789-marta-figueira-inventada): " + said} {
		if !strings.Contains(n.Text(), text) {
			t.Errorf("no %q: %s", text, n.Text())
		}
	}
	circle, err := assistant.Paths(t.Context(), PathQuery{De: a, Para: b})
	if err != nil || !slices.EqualFunc(circle.Caminhos, [][]string{{a, b}}, slices.Equal) || !circle.Completo || len(circle.Vinculos) != 2 {
		t.Errorf("%+v, %v", circle, err)
	}
	many, err := assistant.Paths(t.Context(), PathQuery{De: ends[0], Para: ends[1]})
	if err != nil || len(many.Caminhos) != fewPaths || many.Completo || many.Completa || !strings.Contains(many.Text(), "Há outros caminhos, tão curtos como estes.") {
		t.Errorf("%+v, %v", many, err)
	}
	held, err := assistant.Partnerships(t.Context(), PartnershipsQuery{Nome: "Marta Figueira Inventada"})
	if err != nil || len(held.Itens) != 2 || held.Aviso != homonyms+" MARTA FIGUEIRA INVENTADA (456789-marta-figueira-inventada): "+said {
		t.Errorf("%+v, %v", held, err)
	}
}
