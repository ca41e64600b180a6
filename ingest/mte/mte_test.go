package mte

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"

	"razao/ingest/frame"
	"razao/internal/cnpj"
	"razao/internal/source"
)

// collector keeps what a loader adds.
type collector struct {
	mu      sync.Mutex
	records []frame.Record
}

func (c *collector) Add(r *frame.Record) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := *r
	kept.Values = nil
	for _, v := range r.Values {
		kept.Values = append(kept.Values, strings.Clone(v))
	}
	c.records = append(c.records, kept)
	return nil
}

func (c *collector) Close() error { return nil }

// result is what a loader made of a folder; records are in the order in which they are served.
type result struct {
	records []frame.Record
	facts   frame.Facts
	figures *frame.Figures
	rejects []string // columns
}

func load(t *testing.T, l frame.Loader, from, period string) (*result, error) {
	t.Helper()
	in, err := frame.Find(t.Context(), from, t.TempDir(), frame.FindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	in.Period, in.Workers, in.Scratch = period, 2, t.TempDir()
	var c collector
	out := frame.NewOutput(func(string) frame.Sink { return &c }, nil)
	facts, err := l.Read(t.Context(), in, out)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(c.records, func(a, b frame.Record) int {
		return cmp.Or(cmp.Compare(a.Owner.Root, b.Owner.Root), cmp.Compare(a.Order, b.Order), cmp.Compare(a.Where.Line, b.Where.Line))
	})
	r := &result{records: c.records, facts: facts, figures: out.Figures()}
	for _, reject := range out.Rejects() {
		r.rejects = append(r.rejects, reject.Column)
	}
	return r, nil
}

// publish writes files as the ministry does: Windows-1252, CRLF, none after the last line.
func publish(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		text = strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\r\n")
		raw, err := charmap.Windows1252.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(raw), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func owner(t *testing.T, number string) frame.Owner {
	t.Helper()
	f, err := cnpj.ParseFull(cnpj.Unmask(number))
	if err != nil {
		t.Fatalf("%s: %v", number, err)
	}
	return frame.Owner{Root: f.Root(), Order: f.Order()}
}

// values returns one field of all records.
func values(fields frame.Fields, name string, records []frame.Record) []string {
	var all []string
	for _, r := range records {
		all = append(all, r.Values[fields.Position(name)])
	}
	return all
}

func TestFieldsAreThoseOfTheSource(t *testing.T) {
	t.Parallel()
	for id, fields := range map[string]frame.Fields{employers: employerFields(), ceac: ceacFields()} {
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
		loader frame.Loader
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
