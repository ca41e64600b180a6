package mte

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/testing/fixture/sourcefiles"
)

var ceacHeader = sourcefiles.Header("mte_ceac/2026_0001.csv") + "\n"

func TestCEAC(t *testing.T) {
	t.Parallel()
	dir := publish(t, map[string]string{"2026_0012.csv": "CEAC\n" + ceacHeader +
		"1;2024;SP;EXEMPLO LTDA 12345678909;11.222.333/0001-81;FAZENDA, ZONA RURAL;05/04/2024;26/05/2025 07/04/2026;TAC nº 1 – 123.456.789-09\n" +
		"2;2024;SP;EXEMPLO LTDA;11.222.333/0002-62;;26/05/2026;;\n" +
		"3;2024;SP;PESSOA SINTETICA;000.000.001-91;;;26/05/2025;\n"})
	got, err := load(t, CEAC(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	want := []rows.Record{
		{
			// The dates of the CEAC stand in the other column, as some versions have them.
			Where: rows.Where{Line: 4}, Owner: rowstest.Owner(t, "11222333000262"), Order: rows.Descending("20260526"),
			Values: []string{"2", "2026_0012", "2024", "SP", "EXEMPLO LTDA", "11.222.333/0002-62", "", "26/05/2026", "", "", ""},
		},
		{
			Where: rows.Where{Line: 3}, Owner: rowstest.Owner(t, "11222333000181"), Order: rows.Descending("20260407"),
			Values: []string{
				"1", "2026_0012", "2024", "SP", "EXEMPLO LTDA ***456789**", "11.222.333/0001-81", "FAZENDA, ZONA RURAL", "05/04/2024",
				"26/05/2025 07/04/2026", `[{"inicio":"26/05/2025","fim":null},{"inicio":"07/04/2026","fim":null}]`, "TAC nº 1 – ***456789**",
			},
		},
	}
	if diff := gocmp.Diff(want, got.Served(t)); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if got.Facts.Period != "2026_0012" || got.Figures.Read != 3 || got.Figures.Dropped[notCompany] != 1 {
		t.Errorf("facts %+v, figures %+v", got.Facts, got.Figures)
	}
}

// Columns may stand in any order, and there may be further ones.
func TestCEACColumnsByName(t *testing.T) {
	t.Parallel()
	dir := publish(t, map[string]string{"2026_0012.csv": "Termo de Ajustamento de Conduta MTE;CNAE;CNPJ/CPF;Inclusão no CEAC;ID;Empregador;UF;Inclusão no Cadastro de Empregadores;Estabelecimento;Ano da ação fiscal\n" +
		"TAC;0120-4/00;11.222.333/0001-81;07/04/2026;1;EXEMPLO;SP;05/04/2024;FAZENDA;2024\n"})
	got, err := load(t, CEAC(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"1", "2026_0012", "2024", "SP", "EXEMPLO", "11.222.333/0001-81", "FAZENDA", "05/04/2024", "07/04/2026",
		`[{"inicio":"07/04/2026","fim":null}]`, "TAC",
	}
	if diff := gocmp.Diff(want, got.Served(t)[0].Values); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

func TestCEACVersion(t *testing.T) {
	t.Parallel()
	text := func(id string) string { return ceacHeader + id + ";2024;SP;EXEMPLO;11.222.333/0001-81;;;07/04/2026;\n" }
	cases := []struct {
		name, asked       string
		files             map[string]string
		id, label, period string
	}{
		{"the newest", "", map[string]string{"2025_0010.csv": text("1"), "2026_0002.csv": text("2"), "2026_0001.csv": text("3")}, "2", "2026_0002", "2026_0002"},
		{"with a prefix", "", map[string]string{"ceac_2025_0001.csv": text("1")}, "1", "2025_0001", "2025_0001"},
		{"the operator's", "2025_0010", map[string]string{"2025_0010.csv": text("1"), "2026_0002.csv": text("2")}, "1", "2025_0010", "2025_0010"},
		{"the operator's label", "especial", map[string]string{"2025_0010.csv": text("1"), "2026_0002.csv": text("2")}, "2", "especial", "2026_0002"},
		{"none in the name", "2026_0003", map[string]string{"ceac.csv": text("1")}, "1", "2026_0003", ""},
		{"none at all", "", map[string]string{"ceac_20250001.csv": text("1")}, "1", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := load(t, CEAC(), publish(t, c.files), c.asked)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff([]string{c.id, c.label, "2024"}, got.Served(t)[0].Values[:3]); diff != "" || got.Facts.Period != c.period {
				t.Errorf("period %q, want %q; values (-want +got):\n%s", got.Facts.Period, c.period, diff)
			}
		})
	}
}
