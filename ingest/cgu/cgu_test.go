package cgu

import (
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/data/source"
	"razao/internal/testing/fixture/sourcefiles"
)

func load(t *testing.T, l rows.Loader, from, period string) (*rowstest.Loaded, error) {
	t.Helper()
	return rowstest.Load(t, l, from, rows.FindOptions{Period: period, Workers: 2})
}

// publish writes files as the CGU does.
func publish(t *testing.T, files map[string]string) string {
	t.Helper()
	encoded := map[string]string{}
	for name, text := range files {
		encoded[name] = sourcefiles.Windows1252(t, text)
	}
	return sourcefiles.WriteAll(t, encoded)
}

// table writes rows of cells, all in quotes.
func table(rows ...[]string) string {
	var b strings.Builder
	for _, cells := range rows {
		for i, cell := range cells {
			if i > 0 {
				b.WriteByte(';')
			}
			b.WriteString(`"` + strings.ReplaceAll(cell, `"`, `""`) + `"`)
		}
		b.WriteString("\r\n")
	}
	return b.String()
}

// values returns those of a record by field, without the empty ones.
func values(fields rows.Fields, r *rows.Record) map[string]string {
	m := map[string]string{}
	for i, f := range fields {
		if r.Values[i] != "" {
			m[f.Name] = r.Values[i]
		}
	}
	return m
}

func TestFieldsAreThoseOfTheSource(t *testing.T) {
	t.Parallel()
	for id, fields := range map[string]rows.Fields{
		"ceis": sanctionFields("ceis"), "cnep": sanctionFields("cnep"), "cepim": cepimFields(), leniency: agreementFields(),
	} {
		s, ok := source.Find(id)
		if !ok {
			t.Errorf("no source %s", id)
			continue
		}
		var got, want []string
		for _, f := range fields {
			got = append(got, f.Name)
		}
		for _, f := range s.Fields {
			want = append(want, f.Name)
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("fields of %s (-source +loader):\n%s", id, diff)
		}
	}
}

func TestCEPIM(t *testing.T) {
	t.Parallel()
	dir := publish(t, map[string]string{"20260928_CEPIM.csv": table(
		[]string{"CNPJ ENTIDADE", "NOME ENTIDADE", "NÚMERO CONVÊNIO", "ÓRGÃO CONCEDENTE", "MOTIVO DO IMPEDIMENTO"},
		[]string{"11222333000181", "ASSOCIAÇÃO DO EXEMPLO", "825977", "Ministério do Exemplo - Unidades com vínculo direto", "MOTIVO NÃO ESPECIFICADO"},
		[]string{"11222333000181", "ASSOCIAÇÃO DO EXEMPLO", "039516", "Ministério do Exemplo - Unidades com vínculo direto", "MOTIVO NÃO ESPECIFICADO"},
		[]string{"", "ENTIDADE SEM NÚMERO", "039517", "Ministério do Exemplo", ""},
	)})
	got, err := load(t, CEPIM(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	record := func(line int64, number string) rows.Record {
		return rows.Record{
			Where: rows.Where{Line: line}, Owner: rowstest.Owner(t, "11222333000181"), Order: "0001 " + number,
			Values: []string{"11222333000181", "ASSOCIAÇÃO DO EXEMPLO", number, "Ministério do Exemplo - Unidades com vínculo direto", "MOTIVO NÃO ESPECIFICADO"},
		}
	}
	if diff := gocmp.Diff([]rows.Record{record(3, "039516"), record(2, "825977")}, got.Served(t)); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if got.Facts.Period != "2026-09-28" || got.Figures.Read != 3 || got.Figures.Dropped[notCompany] != 1 {
		t.Errorf("facts %+v, figures %+v", got.Facts, got.Figures)
	}
}

// The day of the name decides among several files; a zip is read like what it holds.
func TestWhichFile(t *testing.T) {
	t.Parallel()
	cepim := func(number string) string {
		return table(
			[]string{"CNPJ ENTIDADE", "NOME ENTIDADE", "NÚMERO CONVÊNIO", "ÓRGÃO CONCEDENTE", "MOTIVO DO IMPEDIMENTO"},
			[]string{"11222333000181", "ASSOCIAÇÃO DO EXEMPLO", number, "Ministério do Exemplo", ""})
	}
	cases := []struct {
		name, asked    string
		files          map[string]string
		number, period string
	}{
		{"the newest", "", map[string]string{"20260927_CEPIM.csv": cepim("1"), "20260928_CEPIM.csv": cepim("2"), "20260930_CEIS.csv": "x"}, "2", "2026-09-28"},
		{"the operator's", "2026-09-27", map[string]string{"20260927_CEPIM.csv": cepim("1"), "20260928_CEPIM.csv": cepim("2")}, "1", "2026-09-27"},
		{"an operator's label", "teste", map[string]string{"20260927_CEPIM.csv": cepim("1"), "20260928_CEPIM.csv": cepim("2")}, "2", "2026-09-28"},
		{"any case", "", map[string]string{"20260928_cepim.CSV": cepim("1")}, "1", "2026-09-28"},
		{"no day", "", map[string]string{"CEPIM.csv": cepim("1")}, "1", ""},
		{"no calendar day", "", map[string]string{"20269928_CEPIM.csv": cepim("1"), "20260101_CEPIM.csv": cepim("2")}, "2", "2026-01-01"},
		{"the only table", "", map[string]string{"impedidas.csv": cepim("1"), "leia-me.txt": "x"}, "1", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := load(t, CEPIM(), publish(t, c.files), c.asked)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Served(t)) != 1 || got.Served(t)[0].Values[2] != c.number || got.Facts.Period != c.period {
				t.Errorf("records %v of %q, want %s of %q", got.Served(t), got.Facts.Period, c.number, c.period)
			}
		})
	}
	t.Run("in a zip", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(publish(t, map[string]string{"20260928_CEPIM.zip/20260928_CEPIM.csv": cepim("7")}), "20260928_CEPIM.zip")
		got, err := load(t, CEPIM(), path, "")
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Served(t)) != 1 || got.Served(t)[0].Values[2] != "7" || got.Facts.Period != "2026-09-28" {
			t.Errorf("records %v of %q", got.Served(t), got.Facts.Period)
		}
	})
}

func TestRefused(t *testing.T) {
	t.Parallel()
	ceis, cnep := sanctionTable(t, "ceis", nil), sanctionTable(t, "cnep", map[string]string{"CADASTRO": "CNEP"})
	const sircad = `"Tipo de Pessoa";"CPF ou CNPJ do Sancionado";"Nome Informado pelo Órgão Sancionador";"Tipo Sanção"` + "\r\n"
	cases := []struct {
		name   string
		loader rows.Loader
		files  map[string]string
		want   []string // parts of the error
	}{
		{"CNEP as CEIS", CEIS(), map[string]string{"20260930_CEIS.csv": cnep}, []string{"20260930_CEIS.csv line 2", `"CNEP" instead of "CEIS"`}},
		{"CNEP alone for CEIS", CEIS(), map[string]string{"20260930_CNEP.csv": cnep}, []string{"20260930_CNEP.csv line 2", "another register", "AAAAMMDD_CEIS.csv"}},
		{"CEIS for CNEP", CNEP(), map[string]string{"20260930_CNEP.csv": ceis}, []string{"20260930_CNEP.csv", "VALOR DA MULTA"}},
		{"SIRCAD", CEIS(), map[string]string{"20140101_CEIS.csv": sircad}, []string{"20140101_CEIS.csv", "SIRCAD", "CÓDIGO DA SANÇÃO"}},
		{"other files", CEIS(), map[string]string{"a.csv": "x", "b.csv": "x", "c.pdf": "x"}, []string{"AAAAMMDD_CEIS.csv", "a.csv, b.csv, c.pdf"}},
		{"another register's columns", CEPIM(), map[string]string{"20260930_CEIS.csv": ceis}, []string{"20260930_CEIS.csv", "CNPJ ENTIDADE"}},
		{"no agreements", AcordosLeniencia(), map[string]string{"20260813_Efeitos.csv": "x"}, []string{"AAAAMMDD_Acordos.csv", "20260813_Efeitos.csv"}},
		{"no effects", AcordosLeniencia(), map[string]string{"20260813_Acordos.csv": "x"}, []string{"20260813_Acordos.csv", "AAAAMMDD_Efeitos.csv"}},
		{"effects of another day", AcordosLeniencia(), map[string]string{"20260813_Acordos.csv": "x", "20260812_Efeitos.csv": "x"}, []string{"20260813_Acordos.csv", "20260812_Efeitos.csv"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := load(t, c.loader, publish(t, c.files), "")
			if err == nil {
				t.Fatal("was loaded")
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not say %q", err, part)
				}
			}
		})
	}
}
