package ingest

import (
	"archive/zip"
	"encoding/csv"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"razao/ingest/receita"
	"razao/ingest/rows"
	"razao/ingest/rows/rowstest"
	"razao/internal/data/profile"
	"razao/internal/data/source"
	"razao/internal/sample"
)

// published is the published rows of every table of a release and of every source, a row as a list of the values of
// its declared columns.
type published map[string][][]string

var months = func() func(t *testing.T) (first, next published) {
	var first, next published
	var once sync.Mutex
	return func(t *testing.T) (published, published) {
		t.Helper()
		once.Lock()
		defer once.Unlock()
		if first == nil {
			dir, after := t.TempDir(), t.TempDir()
			write(t, dir, sample.Options{Month: "2026-09", Roots: 6000})
			o, err := sample.Next(dir, "")
			if err != nil {
				t.Fatal(err)
			}
			write(t, after, o)
			first, next = read(t, dir), read(t, after)
		}
		return first, next
	}
}()

func write(t *testing.T, dir string, o sample.Options) {
	t.Helper()
	if _, err := sample.Write(t.Context(), dir, o); err != nil {
		t.Fatal(err)
	}
}

// read reads an edition from the files of a sample.
func read(t *testing.T, dir string) published {
	t.Helper()
	e := published{}
	rel, err := receita.Find(filepath.Join(dir, "receita"), "", receita.Accept{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rel.Files {
		e[f.Table.String()] = append(e[f.Table.String()], rowsOfZip(t, f.Path)...)
	}
	for id, loader := range loaders() {
		loaded, err := rowstest.Load(t, loader(), filepath.Join(dir, id), rows.FindOptions{Workers: 1})
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		for of, records := range loaded.Records {
			for _, r := range records {
				if r.Values != nil {
					e[of] = append(e[of], r.Values)
				}
			}
		}
	}
	return e
}

func rowsOfZip(t *testing.T, path string) [][]string {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	f, err := z.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(charmap.ISO8859_1.NewDecoder().Reader(f))
	r.Comma = ';'
	all, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// columnsOf returns the declared columns of every table and source.
func columnsOf() map[string][]profile.Declaration {
	all := profile.Release()
	for _, src := range source.All() {
		all[src.ID] = profile.Source(&src)
	}
	return all
}

// measureRows measures the rows of a table.
func measureRows(name string, columns []profile.Declaration, rows [][]string) profile.Table {
	m := profile.NewMeter(name, columns, false)
	for line, row := range rows {
		if m.Wants(int64(line)) {
			for i := range columns {
				m.Add(i, row[0], row[i])
			}
		}
	}
	return m.Table(nil)
}

// ruin is a way in which a column has been ruined: it changes the value of a column in a row.
type ruin struct {
	name  string
	spoil func(column int, row, first []string) string
}

// ruins are ways in which a column is ruined on its way, with the values of the row and of the first row.
var ruins = []ruin{
	{"emptied", func(int, []string, []string) string { return "" }},
	{"one constant", func(at int, _, first []string) string { return first[at] }},
	{"cut to the half", func(at int, row, _ []string) string { return row[at][:len(row[at])/2] }},
	{"cut to eight characters", func(at int, row, _ []string) string { return row[at][:min(8, len(row[at]))] }},
	{"the column behind it", func(at int, row, _ []string) string { return row[(at+1)%len(row)] }},
	{"the column before it", func(at int, row, _ []string) string { return row[(at+len(row)-1)%len(row)] }},
	{"without separators", func(at int, row, _ []string) string {
		return strings.NewReplacer(",", "", ".", "", "-", "", "/", "").Replace(row[at])
	}},
	{"a decimal point for a comma", func(at int, row, _ []string) string { return strings.ReplaceAll(row[at], ",", ".") }},
	{"scientific notation", func(at int, row, _ []string) string { return scientific(row[at]) }},
	{"decoded twice", func(at int, row, _ []string) string { return twice(row[at]) }},
	{"without accents", func(at int, row, _ []string) string { return strings.Map(ascii, row[at]) }},
	{"in lower case", func(at int, row, _ []string) string { return strings.ToLower(row[at]) }},
	{"in quotes", func(at int, row, _ []string) string { return `"` + row[at] + `"` }},
	{"NULL as a word", func(at int, row, _ []string) string {
		if row[at] == "" {
			return "NULL"
		}
		return row[at]
	}},
	{"leading zeros lost", func(at int, row, _ []string) string {
		if short := strings.TrimLeft(row[at], "0"); short != "" {
			return short
		}
		return row[at] // zeros for no day
	}},
	{"the days of another form", func(at int, row, _ []string) string { return otherDay(row[at]) }},
	{"every day the first of 2000", func(at int, row, _ []string) string {
		if row[at] == "" || otherDay(row[at]) == row[at] {
			return row[at]
		}
		return "20000101"
	}},
}

func scientific(value string) string {
	if len(value) < 4 || strings.Trim(value, "0123456789,.") != "" {
		return value
	}
	return value[:1] + "," + value[1:3] + "E+" + fmt.Sprintf("%02d", len(value)-1)
}

func twice(value string) string {
	text, err := charmap.ISO8859_1.NewDecoder().String(value)
	if err != nil {
		return value
	}
	return text
}

func ascii(r rune) rune {
	if r >= 0x80 {
		return '?'
	}
	return r
}

func otherDay(value string) string {
	switch {
	case len(value) == 8 && strings.Trim(value, "0123456789") == "" && strings.Trim(value, "0") != "" && (value[:2] == "19" || value[:2] == "20"):
		return value[6:] + "/" + value[4:6] + "/" + value[:4]
	case len(value) == 10 && value[2] == '/':
		return value[6:] + value[3:5] + value[:2]
	}
	return value
}

// twins are ruins that leave the shape of a column as it was: one whose neighbour looks the same, and a long text that
// has quotes anyway. The comparison of the records finds them, see Ingester.judge.
var twins = map[string]bool{
	"pncp.data_vigencia_inicio the column behind it":              true,
	"pncp.data_vigencia_fim the column before it":                 true,
	"pncp_orgao.data_vigencia_inicio the column behind it":        true,
	"pncp_orgao.data_vigencia_fim the column before it":           true,
	"ibama_autos.dt_lancamento the column behind it":              true,
	"ibama_autos.dt_ult_alteracao the column before it":           true,
	"ceis.data_final_sancao the column behind it":                 true,
	"ceis.data_inicio_sancao the column behind it":                true,
	"ceis.data_final_sancao the column before it":                 true,
	"ceis.data_publicacao the column before it":                   true,
	"pncp.numero_controle_pncp the column behind it":              true,
	"pncp.numero_controle_pncp_compra the column before it":       true,
	"pncp.unidade_orgao in quotes":                                true,
	"pncp.data_assinatura the column behind it":                   true,
	"pncp.data_vigencia_inicio the column before it":              true,
	"pncp.data_publicacao_pncp the column behind it":              true,
	"pncp.data_atualizacao the column before it":                  true,
	"pncp_orgao.numero_controle_pncp the column behind it":        true,
	"pncp_orgao.numero_controle_pncp_compra the column before it": true,
	"pncp_orgao.unidade_orgao in quotes":                          true,
	"pncp_orgao.data_assinatura the column behind it":             true,
	"pncp_orgao.data_vigencia_inicio the column before it":        true,
	"pncp_orgao.data_publicacao_pncp the column behind it":        true,
	"pncp_orgao.data_atualizacao the column before it":            true,
}

// TestRuinedColumnsAreRefused ruins every column of every table and source in every way, in the month that follows
// an honest one. What is not found must have changed fewer rows than a month changes.
func TestRuinedColumnsAreRefused(t *testing.T) {
	t.Parallel()
	first, next := months(t)
	found, spared := 0, map[string]int{}
	for name, columns := range columnsOf() {
		before := measureRows(name, columns, first[name])
		for at, column := range columns {
			for _, r := range ruins {
				spoilt, changed := make([][]string, len(next[name])), 0
				for i, row := range next[name] {
					spoilt[i] = slices.Clone(row)
					spoilt[i][at] = r.spoil(at, row, next[name][0])
					if spoilt[i][at] != row[at] {
						changed++
					}
				}
				if changed == 0 {
					continue
				}
				after := measureRows(name, columns, spoilt)
				jumps := profile.Compare(&before, &after, columns, 1, first.isSource(name))
				switch {
				case slices.ContainsFunc(jumps, func(j profile.Jump) bool { return j.Column == column.Name }):
					found++
				case twins[name+"."+column.Name+" "+r.name]:
				case float64(changed) > 0.05*float64(len(spoilt)) && changed > 30:
					t.Errorf("%s.%s %s: %d of %d rows changed: not found", name, column.Name, r.name, changed, len(spoilt))
				default:
					spared[r.name]++
				}
			}
		}
	}
	t.Logf("%d ruined columns found; too few rows changed: %v", found, spared)
}

func (e published) isSource(name string) bool {
	_, ok := source.Find(name)
	return ok
}

// TestHonestMonthsPass compares a month with the one that follows.
func TestHonestMonthsPass(t *testing.T) {
	t.Parallel()
	first, next := months(t)
	for _, name := range slices.Sorted(maps.Keys(columnsOf())) {
		columns := columnsOf()[name]
		before, after := measureRows(name, columns, first[name]), measureRows(name, columns, next[name])
		for _, j := range profile.Compare(&before, &after, columns, 1, first.isSource(name)) {
			t.Errorf("%s", j.String())
		}
	}
}

// swing is what an honest month may bring, at least twice as much of it as any month has.
type swing struct {
	name   string
	months int
	table  string // "": of every source
	to     func(i int, row []string, at func(column string) int) (now []string, added [][]string)
}

func one(row []string) ([]string, [][]string) { return row, nil }

// each sets columns of one row in so many.
func each(every int, set map[string]string) func(int, []string, func(string) int) ([]string, [][]string) {
	return func(i int, row []string, at func(string) int) ([]string, [][]string) {
		if i%every == 0 {
			for column, value := range set {
				row[at(column)] = value
			}
		}
		return one(row)
	}
}

var swings = []swing{
	{"a mass declaration of inapta", 1, "Estabelecimentos", each(8, map[string]string{
		"situacao_cadastral": "04", "data_situacao_cadastral": "20261015", "motivo_situacao_cadastral": "63",
	})},
	{"a mass closing", 1, "Estabelecimentos", each(10, map[string]string{
		"situacao_cadastral": "08", "data_situacao_cadastral": "20261031", "motivo_situacao_cadastral": "73",
	})},
	{"the exclusions of January", 1, "Simples", each(12, map[string]string{"opcao_pelo_simples": "N", "data_exclusao_simples": "20261231"})},
	{"MEIs who did not declare", 1, "Simples", each(12, map[string]string{"opcao_pelo_mei": "N", "data_exclusao_mei": "20261231"})},
	{"a new legal nature", 1, "Empresas", each(33, map[string]string{"natureza_juridica": "2356"})},
	{"a new reason that its table lacks", 1, "Estabelecimentos", each(25, map[string]string{"motivo_situacao_cadastral": "88"})},
	{"a municipality that is divided", 1, "Estabelecimentos", each(40, map[string]string{"municipio": "9999"})},
	{"alphanumeric numbers", 1, "Estabelecimentos", func(i int, row []string, at func(string) int) ([]string, [][]string) {
		if i%50 != 0 {
			return one(row)
		}
		opened := slices.Clone(row)
		opened[at("cnpj_basico")], opened[at("data_inicio_atividade")] = "A1B2C3D4", "20261020"
		return row, [][]string{opened}
	}},
	{"birthdays of a year", 12, "Socios", func(i int, row []string, at func(string) int) ([]string, [][]string) {
		if of := at("faixa_etaria"); i%10 == 0 && row[of] != "9" && row[of] != "0" && row[of] != "" {
			row[of] = string(row[of][0] + 1)
		}
		return one(row)
	}},
	{"sizes judged anew", 1, "Empresas", each(10, map[string]string{"porte_empresa": "05"})},
	{"e-mail addresses from a campaign", 1, "Estabelecimentos", each(30, map[string]string{"correio_eletronico": "fiscal@exemplo.com.br"})},
	{"codes that are added", 1, "Cnaes", func(i int, row []string, _ func(string) int) ([]string, [][]string) {
		if i%40 == 0 {
			return row, [][]string{{"99" + row[0][2:], "NOVA " + row[1]}}
		}
		return one(row)
	}},
	{"a quarter that was not loaded", 3, "Estabelecimentos", func(i int, row []string, at func(string) int) ([]string, [][]string) {
		switch {
		case i%25 == 0:
			row[at("situacao_cadastral")], row[at("data_situacao_cadastral")] = "08", "20261101"
		case i%26 == 0:
			opened := slices.Clone(row)
			opened[at("situacao_cadastral")], opened[at("data_inicio_atividade")] = "02", "20261101"
			return row, [][]string{opened}
		case i%27 == 0:
			row[at("logradouro")], row[at("bairro")], row[at("cep")] = "AVENIDA NOVA", "CENTRO", "01001000"
		}
		return one(row)
	}},
	{"a source that grows by half", 1, "", func(i int, row []string, _ func(string) int) ([]string, [][]string) {
		if i%2 == 0 {
			return row, [][]string{slices.Clone(row)}
		}
		return one(row)
	}},
	{"a source that loses a tenth", 1, "", func(i int, row []string, _ func(string) int) ([]string, [][]string) {
		if i%10 == 0 {
			return nil, nil
		}
		return one(row)
	}},
}

// TestSwingingMonthsPass compares a month with one in which much happened.
func TestSwingingMonthsPass(t *testing.T) {
	t.Parallel()
	first, next := months(t)
	for _, s := range swings {
		for name, columns := range columnsOf() {
			if s.table != name && (s.table != "" || !first.isSource(name)) {
				continue
			}
			at := func(column string) int {
				return slices.IndexFunc(columns, func(d profile.Declaration) bool { return d.Name == column })
			}
			var swung [][]string
			for i, row := range next[name] {
				now, added := s.to(i, slices.Clone(row), at)
				if now != nil {
					swung = append(swung, now)
				}
				swung = append(swung, added...)
			}
			before, after := measureRows(name, columns, first[name]), measureRows(name, columns, swung)
			for _, j := range profile.Compare(&before, &after, columns, s.months, first.isSource(name)) {
				t.Errorf("%s: %s", s.name, j.String())
			}
		}
	}
}
