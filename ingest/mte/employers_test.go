package mte

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/testing/fixture/sourcefiles"
)

var employerHeader = sourcefiles.Header("mte_empregadores/cadastro_de_empregadores.csv") + "\n"

const companionText = `Cadastro de Empregadores que tenham submetido trabalhadores a condições análogas à escravidão
(Portaria Interministerial MTE/MDHC/MIR nº 18 de 13/09/2024)
Atualização periódica de 6 de abril de 2026. Cadastro atualizado em 04/09/2026.
ID      	Ano da ação fiscal	UF	Empregador
(*1) Incluído em cumprimento à sentença do processo 0000001-01.2024.5.08.0001
(*2), (*3) Incluído a pedido de 123.456.789-09 – Exemplo
 	 	 	 	DENÚNCIAS
xrLabelNumeracaoPagina
`

func TestEmpregadores(t *testing.T) {
	t.Parallel()
	dir := publish(t, map[string]string{
		"cadastro_de_empregadores.csv": "Relatório gerado;por engano\n\n" + employerHeader +
			"7;2024;PE;EXEMPLO D’OESTE LTDA;11.222.333/0001-81;RUA UM,  Nº 50 – CENTRO;20;0120-4/00;20/05/2025;05/04/2024 a 10/05/2024, 09/04/2025\n" +
			"8;;;PESSOA SINTETICA (*1);000.000.001-91;;5;;;04/11/2025\n" +
			"9;;;11.222.333 EXEMPLO 12345678909 (*1) (*2);11.222.333/0002-62;CASA DO 123.456.789-09;0007;;;06/10/2025\n" +
			"10;2023;SP;EXEMPLO;11.222.333/0001-81;;1;;;em 2025\n" +
			";;;;;;;;;\n" +
			"Página 1;;;;;;;;;\n",
		"cadastro_de_empregadores.txt": companionText,
	})
	got, err := load(t, Empregadores(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	want := []rows.Record{
		{
			Where: rows.Where{Line: 6}, Owner: rowstest.Owner(t, "11222333000262"), Order: rows.Descending("20251006"),
			Values: []string{
				"9", "", "", "11.222.333 EXEMPLO ***456789**", "11.222.333/0002-62", "CASA DO ***456789**", "7", "", "", "06/10/2025",
				`[{"inicio":"06/10/2025","fim":null}]`,
				"Incluído em cumprimento à sentença do processo 0000001-01.2024.5.08.0001 Incluído a pedido de ***456789** – Exemplo",
			},
		},
		{
			Where: rows.Where{Line: 4}, Owner: rowstest.Owner(t, "11222333000181"), Order: rows.Descending("20250409"),
			Values: []string{
				"7", "2024", "PE", "EXEMPLO D’OESTE LTDA", "11.222.333/0001-81", "RUA UM,  Nº 50 – CENTRO", "20", "0120-4/00", "20/05/2025",
				"05/04/2024 a 10/05/2024, 09/04/2025",
				`[{"inicio":"05/04/2024","fim":"10/05/2024"},{"inicio":"09/04/2025","fim":null}]`, "",
			},
		},
		{
			Where: rows.Where{Line: 7}, Owner: rowstest.Owner(t, "11222333000181"), Order: rows.Descending(""),
			Values: []string{"10", "2023", "SP", "EXEMPLO", "11.222.333/0001-81", "", "1", "", "", "em 2025", "", ""},
		},
	}
	if diff := gocmp.Diff(want, got.Served(t)); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	wantFacts := rows.Facts{Period: "2026-09-04", Notes: []string{"Atualização da edição periódica de 2026-04-06."}}
	if diff := gocmp.Diff(wantFacts, got.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	wantFigures := &rows.Figures{Read: 6, Dropped: map[string]int64{notCompany: 1, notRow: 2}, Marked: map[string]int64{}}
	if diff := gocmp.Diff(wantFigures, got.Figures); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
}

// TestLinesAfterTheRows checks that decoration behind the rows is dropped, or rejected by its number of
// columns, and never loaded.
func TestLinesAfterTheRows(t *testing.T) {
	t.Parallel()
	const row = "1;2024;PE;EXEMPLO;11.222.333/0001-81;;1;;;06/10/2025\n"
	for _, rest := range []string{"", "xrLabelNumeracaoPagina\n", "\n\n", "1 de 20;;;;;;;;;\n", "-1;2024;PE;EXEMPLO;11.222.333/0001-81;;1;;;06/10/2025\n"} {
		dir := publish(t, map[string]string{"cadastro_de_empregadores.csv": employerHeader + row + rest})
		got, err := load(t, Empregadores(), dir, "")
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Served(t)) != 1 {
			t.Errorf("%d records before %q", len(got.Served(t)), rest)
		}
	}
}

func TestNumbersThatAreNone(t *testing.T) {
	t.Parallel()
	dir := publish(t, map[string]string{"cadastro_de_empregadores.csv": employerHeader +
		"1;20x4;PE;EXEMPLO;11.222.333/0001-81;;1;;;06/10/2025\n" +
		"2;2024;PE;EXEMPLO;11.222.333/0001-81;;dois;;;06/10/2025\n" +
		"3;0;PE;EXEMPLO;11.222.333/0001-81;;00;;;06/10/2025\n"})
	got, err := load(t, Empregadores(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff([]string{"Ano da ação fiscal", "Trabalhadores envolvidos"}, got.Rejected()); diff != "" {
		t.Errorf("rejected columns (-want +got):\n%s", diff)
	}
	if len(got.Served(t)) != 1 || got.Served(t)[0].Values[1] != "0" || got.Served(t)[0].Values[6] != "0" {
		t.Errorf("records %v", got.Served(t))
	}
}

func TestEdition(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, text, period string
		notes              []string
	}{
		{"updated", "Atualização periódica de 6 de abril de 2026. Cadastro atualizado em 04/09/2026.", "2026-09-04", []string{"Atualização da edição periódica de 2026-04-06."}},
		{"edition alone", "Atualização periódica de 6 de abril de 2026.", "2026-04-06", nil},
		{"update alone", "Cadastro  atualizado em\n04/09/2026", "2026-09-04", nil},
		{"the same day", "Atualização periódica de 04 de setembro de 2026. Cadastro atualizado em 04/09/2026.", "2026-09-04", nil},
		{"first of a month", "Atualização periódica de 1º de Outubro de 2025", "2025-10-01", nil},
		{"March", "Atualização periódica de 31 de março de 2025", "2025-03-31", nil},
		{"no such month", "Atualização periódica de 6 de brumário de 2026", "", nil},
		{"no such day", "Cadastro atualizado em 31/02/2026", "", nil},
		{"the decree's date", "(Portaria Interministerial nº 18 de 13/09/2024)", "", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want := rows.Facts{Period: c.period, Notes: c.notes}
			if diff := gocmp.Diff(want, parseCompanion(c.text).facts()); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
		})
	}
}

// The text file has the table's name. Without it a load has no period and no footnotes.
func TestCompanion(t *testing.T) {
	t.Parallel()
	table := employerHeader + "1;2024;PE;EXEMPLO LTDA (*3);11.222.333/0001-81;;1;;;06/10/2025\n"
	const note = "Incluído a pedido de ***456789** – Exemplo"
	cases := []struct {
		name         string
		files        map[string]string
		period, note string
	}{
		{"beside the table", map[string]string{"cadastro_de_empregadores.csv": table, "cadastro_de_empregadores.txt": companionText}, "2026-09-04", note},
		{"any case", map[string]string{"Cadastro_de_Empregadores.CSV": table, "cadastro_de_empregadores.TXT": companionText}, "2026-09-04", note},
		{"another name", map[string]string{"lista.csv": table, "lista.txt": companionText}, "2026-09-04", note},
		{"another table's", map[string]string{"lista.csv": table, "leia-me.txt": companionText}, "", ""},
		{"none", map[string]string{"cadastro_de_empregadores.csv": table, "2026_0012.csv": ceacHeader}, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := load(t, Empregadores(), publish(t, c.files), "")
			if err != nil {
				t.Fatal(err)
			}
			if got.Facts.Period != c.period {
				t.Errorf("period %q, want %q", got.Facts.Period, c.period)
			}
			if diff := gocmp.Diff([]string{c.note}, values(employerFields(), "nota", got.Served(t))); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
			if diff := gocmp.Diff([]string{"EXEMPLO LTDA"}, values(employerFields(), "empregador", got.Served(t))); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
			if lost := got.Figures.Marked["nota_sem_texto"]; (lost == 1) != (c.note == "") {
				t.Errorf("%d notes without text", lost)
			}
		})
	}
}

func TestUnmark(t *testing.T) {
	t.Parallel()
	c := &companion{notes: map[string]string{"(*1)": "Um.", "(*2)": "Dois.", "(*10)": "Dez."}}
	cases := []struct{ published, name, note string }{
		{"EXEMPLO LTDA", "EXEMPLO LTDA", ""},
		{"EXEMPLO LTDA (*1)", "EXEMPLO LTDA", "Um."},
		{"EXEMPLO LTDA(*10)", "EXEMPLO LTDA", "Dez."},
		{"EXEMPLO LTDA (*1), (*2)", "EXEMPLO LTDA", "Um. Dois."},
		{"EXEMPLO LTDA (*7)", "EXEMPLO LTDA", ""},
		{"EXEMPLO (*1) LTDA", "EXEMPLO (*1) LTDA", ""},
		{"EXEMPLO (EM LIQUIDACAO)", "EXEMPLO (EM LIQUIDACAO)", ""},
		{"(*1)", "", "Um."},
		{"", "", ""},
	}
	for _, k := range cases {
		if name, note := c.unmark(k.published); name != k.name || note != k.note {
			t.Errorf("unmark(%q) = %q, %q; want %q, %q", k.published, name, note, k.name, k.note)
		}
	}
}

func TestFootnotesInUTF8(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"(*1) Sentença", "\ufeff(*1) Sentença", "(*1) Senten\xe7a"} {
		text, err := decode([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(map[string]string{"(*1)": "Sentença"}, parseCompanion(text).notes); diff != "" {
			t.Errorf("notes of %q (-want +got):\n%s", raw, diff)
		}
	}
}
