package mte

import (
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

// publish writes files as the ministry does: Windows-1252, CRLF, none after the last line.
func publish(t *testing.T, files map[string]string) string {
	t.Helper()
	encoded := map[string]string{}
	for name, text := range files {
		encoded[name] = sourcefiles.Windows1252(t, strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\r\n"))
	}
	return sourcefiles.WriteAll(t, encoded)
}

// values returns one field of all records.
func values(fields rows.Fields, name string, records []rows.Record) []string {
	var all []string
	for _, r := range records {
		all = append(all, r.Values[fields.Position(name)])
	}
	return all
}

func TestFieldsAreThoseOfTheSource(t *testing.T) {
	t.Parallel()
	for id, fields := range map[string]rows.Fields{employers: employerFields(), ceac: ceacFields()} {
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

func TestRefused(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		loader rows.Loader
		files  map[string]string
		want   []string // parts of the error
	}{
		{"the PDF alone", Empregadores(), map[string]string{"cadastro_de_empregadores.pdf": "x"}, []string{"cadastro_de_empregadores.csv", "cadastro_de_empregadores.pdf"}},
		{"CEAC for the Cadastro", Empregadores(), map[string]string{"2026_0012.csv": ceacHeader}, []string{"2026_0012.csv", "TRABALHADORES ENVOLVIDOS"}},
		{"Cadastro for CEAC", CEAC(), map[string]string{"2026_0012.csv": employerHeader}, []string{"2026_0012.csv", "INCLUSAO NO CEAC"}},
		{"no header", Empregadores(), map[string]string{"cadastro_de_empregadores.csv": "1;2;3\n"}, []string{"cadastro_de_empregadores.csv"}},
		{"no version", CEAC(), map[string]string{"CEAC.xlsx": "x", "a.csv": "x", "b.csv": "x"}, []string{"AAAA_NNNN.csv", "CEAC.xlsx, a.csv, b.csv"}},
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
