package sample

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"

	"razao/internal/data/cnpj"
)

// published holds written sources, read back: bytes and rows by folder and file; members of zips
// have their own names.
type published struct {
	sum   Summary
	raw   map[string][]byte
	rows  map[string][]map[string]string // by column
	known map[string]place               // establishments of the release
	roots map[string]bool
}

// place is what the release says about an establishment.
type place struct{ name, status, city string }

func writeSources(t *testing.T, o Options) published {
	t.Helper()
	dir := t.TempDir()
	sum, err := Write(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	r := published{sum: sum, raw: map[string][]byte{}, rows: map[string][]map[string]string{}}
	for _, name := range filesBelow(t, dir) {
		if strings.HasPrefix(name, "receita/") || path.Base(name) == Mark {
			continue
		}
		if path.Ext(name) == ".zip" {
			r.addMembers(t, path.Dir(name), filepath.Join(dir, name))
			continue
		}
		if r.raw[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func (r *published) addMembers(t *testing.T, folder, file string) {
	t.Helper()
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	for _, f := range z.File {
		r.raw[folder+"/"+f.Name] = content(t, f)
	}
}

// windows reports whether a file is in Windows-1252.
func windows(name string) bool {
	return !strings.HasPrefix(name, "ibama") && !strings.HasPrefix(name, "pncp")
}

func decoded(t *testing.T, name string, content []byte) string {
	t.Helper()
	if !windows(name) {
		return string(content)
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(content)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parse reads the tables. Those of PGFN and MTE have no quoting: there a quote would be a defect.
func (r *published) parse(t *testing.T) {
	t.Helper()
	for name, content := range r.raw {
		if path.Ext(name) != ".csv" {
			continue
		}
		reader := csv.NewReader(strings.NewReader(decoded(t, name, content)))
		reader.Comma = ';'
		table, err := reader.ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		rows := make([]map[string]string, 0, len(table))
		for _, fields := range table[1:] {
			row := make(map[string]string, len(fields))
			for i, column := range table[0] {
				row[column] = fields[i]
			}
			rows = append(rows, row)
		}
		r.rows[name] = rows
	}
}

// of returns the rows of all files of a folder whose names contain part.
func (r *published) of(folder, part string) []map[string]string {
	var rows []map[string]string
	for name, more := range r.rows {
		if strings.HasPrefix(name, folder+"/") && strings.Contains(name, part) {
			rows = append(rows, more...)
		}
	}
	return rows
}

// contracts decodes the lines of PNCP, with raw control characters replaced.
func (r *published) contracts(t *testing.T) []contractLine {
	t.Helper()
	var all []contractLine
	for name, content := range r.raw {
		if path.Ext(name) != ".jsonl" {
			continue
		}
		for text := range bytes.Lines(content) {
			clean := bytes.Map(func(c rune) rune {
				if c < ' ' && c != '\n' {
					return ' '
				}
				return c
			}, text)
			var line contractLine
			if err := json.Unmarshal(clean, &line); err != nil {
				t.Fatalf("%s: %v in %s", name, err, text)
			}
			line.file, line.text = name, string(text)
			all = append(all, line)
		}
	}
	return all
}

type contractLine struct {
	NumeroControlePNCP        string
	NumeroControlePncpCompra  string
	TipoPessoa                string
	NiFornecedor              string
	NiFornecedorSubContratado string
	ObjetoContrato            string
	NumeroRetificacao         int
	DataAtualizacao           string
	ValorInicial              json.Number
	OrgaoEntidade             struct{ Cnpj string }
	UnidadeOrgao              struct{ CodigoIbge string }
	OrgaoSubRogado            *struct{ Cnpj string }

	file, text string
}

func TestHeadersAreThePublished(t *testing.T) {
	t.Parallel()
	r := writeSources(t, Options{Roots: 1000, Month: "2026-09"})
	want, err := os.ReadFile("testdata/headers.txt")
	if err != nil {
		t.Fatal(err)
	}
	compared := map[string]bool{}
	for text := range strings.Lines(string(want)) {
		name, header, _ := strings.Cut(strings.TrimSuffix(text, "\n"), "\t")
		compared[path.Dir(name)] = true
		content, ok := r.raw[name]
		if !ok {
			t.Errorf("no %s", name)
			continue
		}
		got, _, _ := bytes.Cut(content, []byte("\n"))
		if diff := cmp.Diff(header, strings.TrimSuffix(decoded(t, name, got), "\r")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if len(compared) != 12 {
		t.Errorf("headers of %d sources compared, want all but those of PNCP", len(compared))
	}
	if header := r.raw["acordos_leniencia/20260925_Acordos.csv"]; !bytes.Contains(header, []byte("SOCIAL \x96 CADASTRO")) {
		t.Error("the dash in the header of the agreements is not the byte 0x96")
	}
}

func TestDialects(t *testing.T) {
	t.Parallel()
	r := writeSources(t, Options{Roots: 1000, Month: "2026-09"})
	for name, content := range r.raw {
		folder := path.Dir(name)
		crlf := folder != "pgfn" && folder != "ibama_autos" && folder != "ibama_embargos" && folder != "pncp"
		breaks, pairs := bytes.Count(content, []byte("\n")), bytes.Count(content, []byte("\r\n"))
		if crlf && pairs != breaks || !crlf && pairs != 0 {
			t.Errorf("%s: %d line breaks, %d of them CRLF", name, breaks, pairs)
		}
		if open := bytes.HasSuffix(content, []byte("\n")); open == (strings.HasPrefix(folder, "mte") && path.Ext(name) == ".csv") {
			t.Errorf("%s: a line break at the end: %t", name, open)
		}
		if utf8.Valid(content) == windows(name) && !ascii(content) {
			t.Errorf("%s is in the wrong encoding", name)
		}
		if bytes.HasPrefix(content, []byte("\ufeff")) {
			t.Errorf("%s begins with a byte order mark", name)
		}
		quotes := bytes.Count(content, []byte(`"`))
		switch folder {
		case "pgfn", "mte_empregadores", "mte_ceac":
			if quotes != 0 {
				t.Errorf("%s has %d quotes", name, quotes)
			}
		case "ceis", "cnep", "cepim", "acordos_leniencia":
			if !bytes.HasPrefix(content, []byte(`"`)) || !bytes.HasSuffix(content, []byte("\"\r\n")) || bytes.Contains(content, []byte(";;\"")) {
				t.Errorf("%s has fields without quotes", name)
			}
		}
	}
}

func ascii(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c >= utf8.RuneSelf })
}

func TestNamesFollowTheMonth(t *testing.T) {
	t.Parallel()
	for month, want := range map[string][]string{
		"2026-09": {
			"pgfn/arquivo_lai_SIDA_1_202609.csv", "cepim/20260928_CEPIM.csv", "mte_ceac/2026_0009.csv",
			"rntrc/transportadores_rntrc_09_2026.csv", "pncp/pncp_contratos_2026-07.jsonl", "pncp/pncp_contratos_2026-09.jsonl",
			"ibama_autos/auto_infracao_1977.csv", "ibama_autos/auto_infracao_2026.csv",
		},
		"2027-02": {
			"pgfn/arquivo_lai_SIDA_6_202612.csv", "pgfn/arquivo_lai_PREV_1_202612.csv", "ceis/20270228_CEIS.csv",
			"pncp/pncp_contratos_2026-12.jsonl", "ibama_autos/auto_infracao_2027.csv",
		},
	} {
		r := writeSources(t, Options{Roots: 100, Month: month})
		for _, name := range want {
			if _, ok := r.raw[name]; !ok {
				t.Errorf("%s: no %s", month, name)
			}
		}
	}
	sum := write(t, Options{Roots: 100, Month: "2027-02"})
	importers, err := os.Stat(filepath.Join(sum.Dir, "../../habilitacao_aduaneira/empresas-habilitadas.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if got := importers.ModTime().Format("2006-01"); got != "2027-02" { // nothing else dates this file
		t.Errorf("the importers are of %s", got)
	}
	for month, want := range map[string]string{
		"2026-09": "Atualização periódica de 6 de abril de 2026. Cadastro atualizado em 04/09/2026.",
		"2026-10": "Atualização periódica de 6 de abril de 2026. Cadastro atualizado em 04/10/2026.",
		"2026-11": "Atualização periódica de 6 de outubro de 2026. Cadastro atualizado em 04/11/2026.",
		"2027-03": "Atualização periódica de 6 de outubro de 2026. Cadastro atualizado em 04/03/2027.",
	} {
		const name = "mte_empregadores/cadastro_de_empregadores.txt"
		r := writeSources(t, Options{Roots: 100, Month: month})
		if text := decoded(t, name, r.raw[name]); !strings.Contains(text, want) {
			t.Errorf("%s: the padded table says %s", month, text[:400])
		}
	}
}

// TestSmallestSamples generates samples with hardly any companies, or older than the sources.
func TestSmallestSamples(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{
		{Roots: 1, Month: "2026-09"}, {Roots: 3, Month: "2008-02"}, {Roots: 1000, Month: "2000-01"}, {Roots: 1000, Month: "2026-09", Debts: 5},
	} {
		r := writeSources(t, o)
		r.parse(t)
		if len(r.sum.Sources) != 13 {
			t.Errorf("%+v: rows of %d sources", o, len(r.sum.Sources))
		}
		for source, rows := range r.sum.Sources {
			got := int64(len(r.of(source, "")))
			if source == "pncp" {
				got = int64(len(r.contracts(t)))
			}
			if got != rows || rows < 5 {
				t.Errorf("%+v: %d rows of %s, the summary says %d", o, got, source, rows)
			}
		}
	}
}

// release reads the establishments of the release in dir.
func (r *published) release(t *testing.T) {
	t.Helper()
	r.known, r.roots = map[string]place{}, map[string]bool{}
	names := map[string]string{}
	for _, path := range zips(t, r.sum.Dir) {
		table := strings.TrimRight(strings.TrimSuffix(filepath.Base(path), ".zip"), "0123456789")
		if table != "Empresas" && table != "Estabelecimentos" {
			continue
		}
		_, content := unzip(t, path)
		reader := csv.NewReader(bytes.NewReader(content))
		reader.Comma = ';'
		rows, err := reader.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			if table == "Empresas" {
				if row[1] != "" {
					names[row[0]] = row[1]
				}
				r.roots[row[0]] = true
				continue
			}
			r.known[row[0]+row[1]+row[2]] = place{status: row[5], city: row[20]}
		}
	}
	for number, p := range r.known {
		p.name = names[number[:8]]
		r.known[number] = p
	}
}

// valid reports whether a text is a CNPJ, masked or not.
func valid(s string) bool {
	_, err := cnpj.ParseFull(cnpj.Unmask(s))
	return err == nil
}
