package cgu

import (
	"maps"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/testing/fixture/sourcefiles"
)

// sanctionHeader is the published one.
func sanctionHeader(id string) []string {
	return strings.Split(sourcefiles.Header(id+"/20260930_"+strings.ToUpper(id)+".csv"), ";")
}

// sanctionTable writes a file whose rows have a default in every cell that is not given.
func sanctionTable(t *testing.T, id string, rows ...map[string]string) string {
	t.Helper()
	header := sanctionHeader(id)
	lines := [][]string{header}
	for _, row := range rows {
		cells := map[string]string{
			"CADASTRO": strings.ToUpper(id), "CÓDIGO DA SANÇÃO": "9900001", "TIPO DE PESSOA": "J", "CPF OU CNPJ DO SANCIONADO": "11222333000181",
			"NOME DO SANCIONADO": "EXEMPLO & CIA LTDA", "NÚMERO DO PROCESSO": "99999.000001/2026-00", "CATEGORIA DA SANÇÃO": "Suspensão",
			"VALOR DA MULTA": "0,00", "DATA INÍCIO SANÇÃO": "25/03/2026", "ABRAGÊNCIA DA SANÇÃO": "Sem Informação",
		}
		maps.Copy(cells, row)
		var line []string
		for _, name := range header {
			line = append(line, cells[name])
		}
		lines = append(lines, line)
	}
	return table(lines...)
}

func TestCEISRecord(t *testing.T) {
	t.Parallel()
	dir := publish(t, map[string]string{"20260930_CEIS.csv": sanctionTable(t, "ceis", map[string]string{
		"NOME DO SANCIONADO":                    " EXEMPLO & CIA LTDA 12345678909 ",
		"NOME INFORMADO PELO ÓRGÃO SANCIONADOR": "EXEMPLO  E CIA",
		"RAZÃO SOCIAL - CADASTRO RECEITA":       "EXEMPLO & CIA LTDA",
		"NOME FANTASIA - CADASTRO RECEITA":      "O EXEMPLO",
		"DATA FINAL SANÇÃO":                     "24/03/2028",
		"DATA PUBLICAÇÃO":                       "26/03/2026",
		"PUBLICAÇÃO":                            "Sem Informação",
		"DETALHAMENTO DO MEIO DE PUBLICAÇÃO":    "Diário Oficial – Seção 3",
		"DATA DO TRÂNSITO EM JULGADO":           "Sem informação",
		"ÓRGÃO SANCIONADOR":                     "Governo do Exemplo",
		"UF ÓRGÃO SANCIONADOR":                  "SP",
		"ESFERA ÓRGÃO SANCIONADOR":              "ESTADUAL",
		"FUNDAMENTAÇÃO LEGAL":                   "LEI 1 - ART. 2;;LEI 3 - I; II",
		"DATA ORIGEM INFORMAÇÃO":                "27/03/2026",
		"ORIGEM INFORMAÇÕES":                    "Governo do Exemplo",
		"OBSERVAÇÕES":                           "linha 1\nsócio 123.456.789-09 \"com aspas\" e ; ponto e vírgula",
	})})
	got, err := load(t, CEIS(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	want := []rows.Record{{
		Where: rows.Where{Line: 2},
		Owner: rowstest.Owner(t, "11222333000181"),
		Order: rows.Descending("20260325") + "9900001",
		Values: []string{
			"CEIS", "9900001", "J", "11222333000181", "EXEMPLO & CIA LTDA ***456789**", "EXEMPLO  E CIA", "EXEMPLO & CIA LTDA", "O EXEMPLO",
			"99999.000001/2026-00", "Suspensão", "25/03/2026", "24/03/2028", "26/03/2026", "Sem Informação", "Diário Oficial – Seção 3",
			"Sem informação", "Sem Informação", "Governo do Exemplo", "SP", "ESTADUAL", "LEI 1 - ART. 2;;LEI 3 - I; II", "27/03/2026",
			"Governo do Exemplo", "linha 1\nsócio ***456789** \"com aspas\" e ; ponto e vírgula",
		},
	}}
	if diff := gocmp.Diff(want, got.Served(t)); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff(rows.Facts{Period: "2026-09-30"}, got.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestSanctionedDocuments(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, person, document string
		want                   *rows.Owner // nil: left out
	}{
		{"head office", "J", "11222333000181", &rows.Owner{Root: rowstest.Owner(t, "11222333000181").Root, Order: 1}},
		{"branch", "J", "11222333000262", &rows.Owner{Root: rowstest.Owner(t, "11222333000181").Root, Order: 2}},
		{"with letters", "J", "12ABC34501DE35", &rows.Owner{Root: rowstest.Owner(t, "12ABC34501DE35").Root, Order: rowstest.Owner(t, "12ABC34501DE35").Order}},
		{"wrong check digits", "J", "11222333000182", &rows.Owner{Root: rowstest.Owner(t, "11222333000181").Root, Order: 1, Published: "11222333000182"}},
		{"company without type", "", "11222333000181", &rows.Owner{Root: rowstest.Owner(t, "11222333000181").Root, Order: 1}},
		{"person", "F", "12345678909", nil},
		{"person filled with zeros", "F", "00012345678909", nil},
		{"seven digits", "", "1234567", nil},
		{"nine digits", "", "000123456", nil},
		{"eleven digits", "", "12345678909", nil},
		{"nothing", "J", "", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := publish(t, map[string]string{"20260930_CEIS.csv": sanctionTable(t, "ceis", map[string]string{
				"TIPO DE PESSOA": c.person, "CPF OU CNPJ DO SANCIONADO": c.document,
			})})
			got, err := load(t, CEIS(), dir, "")
			if err != nil {
				t.Fatal(err)
			}
			if c.want == nil {
				if len(got.Served(t)) != 0 || got.Figures.Dropped[notCompany] != 1 {
					t.Errorf("records %v, figures %+v", got.Served(t), got.Figures)
				}
				return
			}
			if len(got.Served(t)) != 1 {
				t.Fatalf("%d records, figures %+v", len(got.Served(t)), got.Figures)
			}
			if diff := gocmp.Diff(*c.want, got.Served(t)[0].Owner); diff != "" {
				t.Errorf("owner (-want +got):\n%s", diff)
			}
		})
	}
}

// The newest sanctions are served first, those of one day by their code, those without a day last.
func TestSanctionOrder(t *testing.T) {
	t.Parallel()
	row := func(code, start string) map[string]string {
		return map[string]string{"CÓDIGO DA SANÇÃO": code, "DATA INÍCIO SANÇÃO": start}
	}
	dir := publish(t, map[string]string{"20260930_CEIS.csv": sanctionTable(t, "ceis",
		row("5", ""), row("4", "31/12/2019"), row("6", "Sem informação"), row("3", "01/01/2020"), row("1", "02/01/2026"), row("2", "02/01/2026"))})
	got, err := load(t, CEIS(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, r := range got.Served(t) {
		codes = append(codes, r.Values[1])
	}
	if diff := gocmp.Diff([]string{"1", "2", "3", "4", "5", "6"}, codes); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
}

func TestSpellingsOfTheScope(t *testing.T) {
	t.Parallel()
	published := sanctionTable(t, "ceis", map[string]string{"ABRAGÊNCIA DA SANÇÃO": "No órgão sancionador"})
	for _, text := range []string{published, strings.Replace(published, "ABRAGÊNCIA", "ABRANGÊNCIA", 1)} {
		got, err := load(t, CEIS(), publish(t, map[string]string{"20260930_CEIS.csv": text}), "")
		if err != nil {
			t.Fatal(err)
		}
		if v := values(sanctionFields("ceis"), &got.Served(t)[0]); v["abrangencia_sancao"] != "No órgão sancionador" {
			t.Errorf("values %v", v)
		}
	}
}

func TestFine(t *testing.T) {
	t.Parallel()
	cases := []struct {
		published, want string
		rejected        bool
	}{
		{"517662,90", "517662.90", false},
		{"1.234.567,80", "1234567.80", false},
		{"0,00", "0.00", false},
		{"", "", false},
		{"a fixar", "", true},
	}
	for _, c := range cases {
		t.Run(c.published, func(t *testing.T) {
			t.Parallel()
			dir := publish(t, map[string]string{"20260930_CNEP.csv": sanctionTable(t, "cnep", map[string]string{"VALOR DA MULTA": c.published})})
			got, err := load(t, CNEP(), dir, "")
			if err != nil {
				t.Fatal(err)
			}
			if c.rejected {
				if diff := gocmp.Diff([]string{"VALOR DA MULTA"}, got.Rejected()); diff != "" || len(got.Served(t)) != 0 {
					t.Errorf("records %v, rejects (-want +got):\n%s", got.Served(t), diff)
				}
				return
			}
			v := values(sanctionFields("cnep"), &got.Served(t)[0])
			if v["valor_multa"] != c.want || v["cadastro"] != "CNEP" || v["data_inicio_sancao"] != "25/03/2026" {
				t.Errorf("values %v, want a fine of %q", v, c.want)
			}
		})
	}
}
