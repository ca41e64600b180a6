package cgu

import (
	"archive/zip"
	"bytes"
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
	kept.Order = strings.Clone(r.Order)
	kept.Owner.Published = strings.Clone(r.Owner.Published)
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
		return cmp.Or(
			cmp.Compare(a.Owner.Root, b.Owner.Root), cmp.Compare(a.Order, b.Order),
			cmp.Compare(a.Where.File, b.Where.File), cmp.Compare(a.Where.Line, b.Where.Line))
	})
	r := &result{records: c.records, facts: facts, figures: out.Figures()}
	for _, reject := range out.Rejects() {
		r.rejects = append(r.rejects, reject.Column)
	}
	return r, nil
}

// publish writes files as the CGU does.
func publish(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), windows1252(t, text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func windows1252(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return []byte(raw)
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

func owner(t *testing.T, number string) frame.Owner {
	t.Helper()
	f, err := cnpj.ParseFull(number)
	if err != nil {
		t.Fatalf("%s: %v", number, err)
	}
	return frame.Owner{Root: f.Root(), Order: f.Order()}
}

// values returns those of a record by field, without the empty ones.
func values(fields frame.Fields, r *frame.Record) map[string]string {
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
	for id, fields := range map[string]frame.Fields{
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
	record := func(line int64, number string) frame.Record {
		return frame.Record{
			Where: frame.Where{Line: line}, Owner: owner(t, "11222333000181"), Order: "0001 " + number,
			Values: []string{"11222333000181", "ASSOCIAÇÃO DO EXEMPLO", number, "Ministério do Exemplo - Unidades com vínculo direto", "MOTIVO NÃO ESPECIFICADO"},
		}
	}
	if diff := gocmp.Diff([]frame.Record{record(3, "039516"), record(2, "825977")}, got.records); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if got.facts.Period != "2026-09-28" || got.figures.Read != 3 || got.figures.Dropped[notCompany] != 1 {
		t.Errorf("facts %+v, figures %+v", got.facts, got.figures)
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
			if len(got.records) != 1 || got.records[0].Values[2] != c.number || got.facts.Period != c.period {
				t.Errorf("records %v of %q, want %s of %q", got.records, got.facts.Period, c.number, c.period)
			}
		})
	}
	t.Run("in a zip", func(t *testing.T) {
		t.Parallel()
		var buf bytes.Buffer
		z := zip.NewWriter(&buf)
		w, err := z.Create("20260928_CEPIM.csv")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(windows1252(t, cepim("7"))); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "20260928_CEPIM.zip")
		if err := os.WriteFile(path, buf.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := load(t, CEPIM(), path, "")
		if err != nil {
			t.Fatal(err)
		}
		if len(got.records) != 1 || got.records[0].Values[2] != "7" || got.facts.Period != "2026-09-28" {
			t.Errorf("records %v of %q", got.records, got.facts.Period)
		}
	})
}

func TestRefused(t *testing.T) {
	t.Parallel()
	ceis, cnep := sanctionTable(t, "ceis", nil), sanctionTable(t, "cnep", map[string]string{"CADASTRO": "CNEP"})
	const sircad = `"Tipo de Pessoa";"CPF ou CNPJ do Sancionado";"Nome Informado pelo Órgão Sancionador";"Tipo Sanção"` + "\r\n"
	cases := []struct {
		name   string
		loader frame.Loader
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
