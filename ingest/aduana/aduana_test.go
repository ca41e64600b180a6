package aduana

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/data/source"
	"razao/internal/testing/fixture/sourcefiles"
)

// load runs the loader over files given as name, contents, name, contents.
func load(t *testing.T, files ...string) ([]rows.Record, *rows.Figures, error) {
	t.Helper()
	got, err := rowstest.Load(t, Habilitacao(), sourcefiles.Write(t, files...), rows.FindOptions{Period: "2026-08"})
	if diff := cmp.Diff(rows.Facts{}, got.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	return got.All(t), got.Figures, err
}

func TestHabilitacao(t *testing.T) {
	t.Parallel()
	records, figures, err := load(t, "empresas-habilitadas.csv", sourcefiles.Windows1252(t, strings.Join([]string{
		"RAZÃO SOCIAL; CNPJ EMPRESA; MODALIDADE HABILITAÇÃO",
		"MADEIREIRA MODELO DO NORTE LTDA;44555666; LIMITADA (ATÉ US$ 150.000,00)",
		"EMPRESA COM ZERO PERDIDO LTDA 12345678909;123457;EXPRESSA",
		"TRANSPORTES EXEMPLO LTDA;11.222.333/0001-81;Ilimitada",
		"TRANSPORTES EXEMPLO LTDA;11.222.333/0001-82;Ilimitada",
		"PESSOA SINTETICA;123.456.789-09;EXPRESSA",
		"SEM DOCUMENTO;;EXPRESSA",
		"OUTRA COISA",
		"",
	}, "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	want := []rows.Record{
		{
			Where: rows.Where{Line: 2}, Owner: rowstest.Owner(t, "44555666"),
			Values: []string{"44555666", "MADEIREIRA MODELO DO NORTE LTDA", "LIMITADA (ATÉ US$ 150.000,00)", "limitada", "150000.00", "USD"},
		},
		{
			Where: rows.Where{Line: 3}, Owner: rowstest.Owner(t, "00123457"),
			Values: []string{"00123457", "EMPRESA COM ZERO PERDIDO LTDA ***456789**", "EXPRESSA", "expressa", "", ""},
		},
		{
			Where: rows.Where{Line: 4}, Owner: rowstest.Owner(t, "11222333"),
			Values: []string{"11222333", "TRANSPORTES EXEMPLO LTDA", "Ilimitada", "ilimitada", "", ""},
		},
	}
	if diff := cmp.Diff(want, records); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	wantDropped := map[string]int64{"documento_invalido": 1, "pessoa_fisica": 1, "sem_documento": 1}
	if diff := cmp.Diff(wantDropped, figures.Dropped); diff != "" || figures.Read != 7 || figures.Rejected != 1 {
		t.Errorf("read %d, rejected %d; want 7, 1; dropped (-want +got):\n%s", figures.Read, figures.Rejected, diff)
	}
	if !Habilitacao().DropIdentical {
		t.Error("rows published twice are kept twice")
	}
}

// TestSeparators reads the same row with every separator that a spreadsheet may write.
func TestSeparators(t *testing.T) {
	t.Parallel()
	fields := []string{`"EXEMPLO, FILHOS; CIA LTDA"`, "11222333", "EXPRESSA"}
	header := []string{"RAZÃO SOCIAL", "CNPJ EMPRESA", "MODALIDADE HABILITAÇÃO"}
	want := []rows.Record{{
		Where: rows.Where{Line: 2}, Owner: rowstest.Owner(t, "11222333"),
		Values: []string{"11222333", "EXEMPLO, FILHOS; CIA LTDA", "EXPRESSA", "expressa", "", ""},
	}}
	cases := map[string]struct{ header, row string }{
		"semicolon":              {";", ";"},
		"semicolon with a blank": {"; ", ";"},
		"comma":                  {",", ","},
		"tab":                    {"\t", "\t"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := "\ufeff" + strings.Join(header, c.header) + "\n" + strings.Join(fields, c.row)
			records, _, err := load(t, "empresas.csv", body)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, records); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		files []string
		err   string // part of it
	}{
		"two tables":     {[]string{"a.csv", "x", "b.csv", "x"}, "holds a.csv, b.csv: expected one file"},
		"no table":       {[]string{"LEIAME.txt", "x"}, "found LEIAME.txt"},
		"more columns":   {[]string{"a.csv", "RAZÃO SOCIAL;CNPJ EMPRESA;MODALIDADE HABILITAÇÃO;UF\n"}, "RAZAO SOCIAL; CNPJ EMPRESA; MODALIDADE HABILITACAO; UF"},
		"foreign header": {[]string{"a.csv", "NOME;CNPJ;UF\n"}, "lacks RAZAO SOCIAL"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, _, err := load(t, c.files...); err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want one with %q", err, c.err)
			}
		})
	}
}

func TestPeriod(t *testing.T) {
	t.Parallel()
	const name, table = "empresas.csv", "RAZÃO SOCIAL;CNPJ EMPRESA;MODALIDADE HABILITAÇÃO\nTRANSPORTES EXEMPLO LTDA;11222333;EXPRESSA\n"
	written := time.Date(2026, 7, 31, 23, 59, 0, 0, time.UTC)
	note := []string{"O arquivo publicado não traz data: a competência é o mês em que o arquivo lido foi gravado."}
	cases := map[string]struct {
		zipped bool
		period string // the operator's
		want   rows.Facts
	}{
		"the file's month":           {want: rows.Facts{Period: "2026-07", Notes: note}},
		"the operator's":             {period: "2026-06"},
		"a member of a zip has none": {zipped: true},
	}
	for label, c := range cases {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(sourcefiles.Write(t, name, table), name)
			if c.zipped {
				path = filepath.Join(sourcefiles.Write(t, name+".zip/"+name, table), name+".zip")
			}
			if err := os.Chtimes(path, written, written); err != nil {
				t.Fatal(err)
			}
			got, err := rowstest.Load(t, Habilitacao(), path, rows.FindOptions{Period: c.period})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got.Facts); diff != "" || len(got.All(t)) != 1 {
				t.Errorf("%d records, want 1; facts (-want +got):\n%s", len(got.All(t)), diff)
			}
		})
	}
}

func TestRootOf(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ root, rule string }{
		"11222333":           {root: "11222333"},
		"11.222.333":         {root: "11222333"},
		"123457":             {root: "00123457"},
		"123457.0":           {root: "00123457"},
		"191":                {root: "00000191"},
		"12abc345":           {root: "12ABC345"},
		"11222333000181":     {root: "11222333"},
		"11.222.333/0001-81": {root: "11222333"},
		"123457000193":       {root: "00123457"},
		"12ABC34501DE35":     {root: "12ABC345"},
		"":                   {rule: "sem_documento"},
		"-":                  {rule: "sem_documento"},
		"ABC":                {rule: "documento_invalido"},
		"1122233*":           {rule: "documento_invalido"},
		"112223330":          {rule: "pessoa_fisica"},
		"1234567890":         {rule: "pessoa_fisica"},
		"123.456.789-09":     {rule: "pessoa_fisica"},
		"***.456.789-**":     {rule: "pessoa_fisica"},
		"123457000194":       {rule: "documento_invalido"},
		"11222333000182":     {rule: "documento_invalido"},
		"112223330001811":    {rule: "documento_invalido"},
	}
	for text, want := range cases {
		root, rule := rootOf(text)
		if rule != want.rule || rule == "" && root.String() != want.root {
			t.Errorf("rootOf(%q) = %s, %q; want %s, %q", text, root, rule, want.root, want.rule)
		}
	}
}

func TestModality(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ modality, limit, currency string }{
		"":         {},
		"EXPRESSA": {modality: "expressa"},
		"Expressa - até US$ 50.000 por semestre": {"expressa", "50000", "USD"},
		"LIMITADA (ATÉ US$ 150.000,00)":          {"limitada", "150000.00", "USD"},
		"Limitada (até USD 50000.)":              {"limitada", "50000", "USD"},
		"LIMITADA US$ 050,00":                    {"limitada", "50.00", "USD"},
		"LIMITADA R$ 1.234.567,89":               {"limitada", "1234567.89", "BRL"},
		"LIMITADA ATÉ US$ 50 MIL":                {modality: "limitada"},
		"LIMITADA ATÉ US$50K":                    {modality: "limitada"},
		"LIMITADA ATÉ US$ 1,5 milhão":            {modality: "limitada"},
		"LIMITADA ATÉ US$ 50 mil)":               {modality: "limitada"},
		"LIMITADA (US$ 50 000,00)":               {modality: "limitada"},
		"LIMITADA (US$ 50\u00a0000)":             {modality: "limitada"},
		"LIMITADA (US$ 50.000 no mínimo)":        {"limitada", "50000", "USD"},
		"LIMITADA (US$ 50,000.00)":               {modality: "limitada"},
		"LIMITADA (US$ 50,000)":                  {modality: "limitada"},
		"LIMITADA ATÉ 50.000":                    {modality: "limitada"}, // of what?
		"LIMITADA (IN 1984/2020)":                {modality: "limitada"},
		"ILIMITADA (ACIMA DE US$ 150.000,00)":    {modality: "ilimitada"},
		"ÓRGÃO PÚBLICO":                          {modality: "outra"},
	}
	for text, want := range cases {
		limit, currency := limitOf(text)
		if got := modalityOf(text); got != want.modality || limit != want.limit || currency != want.currency {
			t.Errorf("%q: %q, %q, %q; want %+v", text, got, limit, currency, want)
		}
	}
}

// TestFields checks that the order of a record's values is that of the source's fields.
func TestFields(t *testing.T) {
	t.Parallel()
	src, _ := source.Find(habilitacao)
	var got []string
	for _, f := range src.Fields {
		got = append(got, f.Name)
	}
	want := []string{"cnpj_basico", "razao_social", "modalidade_habilitacao", "modalidade", "limite_publicado", "moeda_limite"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	if src.Fields[4].Kind != source.Number || !src.CompanyOnly {
		t.Error("the limit is not a number, or the source is not of companies alone")
	}
}

// FuzzLimitOf checks that every digit of a limit stands in the published text.
func FuzzLimitOf(f *testing.F) {
	f.Add("LIMITADA (ATÉ US$ 150.000,00)")
	f.Add("R$1,5 mil")
	f.Fuzz(func(t *testing.T, text string) {
		limit, currency := limitOf(text)
		if (limit == "") != (currency == "") {
			t.Errorf("%q: limit %q, currency %q", text, limit, currency)
		}
		if limit != "" && !json.Valid([]byte(limit)) {
			t.Errorf("%q: %q is no number", text, limit)
		}
		bare := strings.NewReplacer(".", "", ",", "").Replace(text)
		if !strings.Contains(bare, strings.ReplaceAll(limit, ".", "")) {
			t.Errorf("%q does not hold the limit %q", text, limit)
		}
	})
}
