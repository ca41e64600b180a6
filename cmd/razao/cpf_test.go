package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"razao/ingest"
	"razao/ingest/receita"
	"razao/internal/data/source"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

// hostileCPF is an invented CPF with valid check digits, and cpfForms are ways to write it.
const hostileCPF = "52998224725"

var cpfForms = []string{
	"52998224725", "529.982.247-25", "(52998224725)", "529982247-25", "529 982 247 25", "CPF 529.982.247/25", "529-982-247-25",
	"52998224725 ME", "529.982.247 - 25 BAIXADA", "529\u00a0982\u00a0247\u00a025", "529.982.247\u00ad25", "529..982.247-25", "CPF 5 2 9 9 8 2 2 4 7 2 5 DE",
}

// readableCPF finds the number wherever a person could read it, with any few characters between
// its digits.
var readableCPF = regexp.MustCompile(strings.Join(strings.Split(hostileCPF, ""), `[^0-9A-Za-z]{0,4}`))

// TestNoCPFIsServed loads a CPF in every text of every file of the tax authority and of every
// source, each time written differently, and looks for it on every surface: all that links lead to
// from the pages of all companies, both versions of the API, lists, files, suggestions, the tools
// of assistants. No search finds it.
func TestNoCPFIsServed(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, hostileRelease(t))
	served := servedTexts(t)
	for _, id := range ingest.SourceIDs() {
		l.Source(t, id, hostileSource(t, id, served[id]), sourcefiles.Period(id))
	}
	w := wholeOn(t, l.Pool, filepath.Dir(l.IndexDir))
	masked := map[string]int{}
	s := readAll(t, w, func(kind, what, text string) {
		for _, text := range []string{text, html.UnescapeString(text)} {
			if at := readableCPF.FindStringIndex(text); at != nil {
				t.Errorf("%s: …%s…", what, text[max(0, at[0]-60):min(len(text), at[1]+20)])
				break
			}
		}
		if readableCPF.MatchString(what) && !strings.HasPrefix(what, "/v2/busca") {
			t.Errorf("a link leads to %s", what)
		}
		masked[kind] += strings.Count(text, "982247")
	})
	for _, kind := range []string{"/v1", "/v2", "page", ".md", ".csv", "/sugestoes", "/socio", "/mcp"} {
		if masked[kind] == 0 {
			t.Errorf("%s: no answer shows the masked number, so nothing was tried there", kind)
		}
	}
	t.Logf("%d addresses, masked numbers by surface: %v", len(s.seen), masked)
	for _, q := range append(cpfForms[:7:7], "982247", "***982247**", "JOSE 52998224725") {
		body := s.read(t, "/v2/busca?q="+url.QueryEscape(q))
		if !bytes.Contains(body, []byte(`"itens":`)) && !bytes.Contains(body, []byte(`"cnpj_invalido"`)) { // a slash is for a CNPJ
			t.Errorf("%q was not searched for: %s", q, body)
		}
		var found struct {
			Dados struct{ Itens []json.RawMessage }
		}
		if err := json.Unmarshal(body, &found); err != nil {
			t.Fatal(err)
		}
		for _, it := range found.Dados.Itens {
			if !bytes.Contains(it, []byte("JOSE")) || !strings.Contains(q, "JOSE") {
				t.Errorf("%q finds %s", q, it)
			}
		}
	}
}

// hostileRelease returns the release of package fixture with a CPF in every text.
func hostileRelease(t *testing.T) receita.Release {
	t.Helper()
	texts := map[string][]int{ // columns, from 0
		"Empresas": {1, 6}, "Estabelecimentos": {4, 8, 13, 14, 15, 16, 17, 27, 28}, "Socios": {2, 3, 7, 8},
	}
	dir := filepath.Join(t.TempDir(), fixture.Month)
	fixture.Write(t, dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range entries {
		columns := texts[strings.TrimRight(e.Name(), "0123456789")]
		path := filepath.Join(dir, e.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.ReplaceAll(string(data), "\nPORTAO", " PORTAO"), "\n")
		for i, line := range lines {
			cells := strings.Split(line, `";"`)
			for _, c := range columns {
				if c >= len(cells) || strings.HasPrefix(e.Name(), "Socios") && (c == 3 || c == 7) && len(cells[c]) == 14 {
					continue // a company's number
				}
				form := latin1(t, cpfForms[n%len(cpfForms)])
				switch n++; {
				case strings.HasPrefix(e.Name(), "Socios") && (c == 3 || c == 7):
					cells[c] = form
				case n%2 == 0 && c > 0 && c < len(cells)-1:
					cells[c] = form + " " + cells[c]
				default:
					end := ""
					if strings.HasSuffix(cells[c], `"`) && c == len(cells)-1 {
						end = `"`
					}
					cells[c] = strings.TrimSuffix(cells[c], end) + " " + form + end
				}
			}
			lines[i] = strings.Join(cells, `";"`)
		}
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rel, err := receita.Find(dir, fixture.Month, receita.Accept{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	return rel
}

func latin1(t *testing.T, text string) string {
	t.Helper()
	encoded, err := charmap.ISO8859_1.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// servedTexts returns, by source, the texts of the fixture's records in which a person may have
// written, longest first.
func servedTexts(t *testing.T) map[string][]string {
	t.Helper()
	l := fixture.LoadRecords(t)
	w := wholeOn(t, l.Pool, filepath.Dir(l.IndexDir))
	texts := map[string][]string{}
	for _, root := range fixtureRoots {
		var answer struct {
			Dados struct {
				Themes map[string]map[string]struct {
					Items []map[string]any `json:"itens"`
				} `json:"registros_publicos"`
			}
		}
		resp := w.ask(t, http.MethodGet, "/v2/empresas/"+root+"/full?limite=100", "", "Authorization", "Bearer "+w.key)
		if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
			t.Fatal(err)
		}
		for _, theme := range answer.Dados.Themes {
			for id, page := range theme {
				src, _ := source.Find(id)
				for _, it := range page.Items {
					for _, f := range src.Fields {
						if f.Unit == "" && !f.Serial && f.Kind != source.Document {
							texts[id] = append(texts[id], proseIn(it[f.Name])...)
						}
					}
				}
			}
		}
	}
	texts["pncp"] = append(texts["pncp"], texts["pncp_orgao"]...)
	for id, all := range texts {
		slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
		texts[id] = slices.Compact(all)
	}
	return texts
}

// proseIn returns the texts of several words in a value of JSON.
func proseIn(value any) []string {
	var texts []string
	switch v := value.(type) {
	case string:
		if _, err := url.ParseRequestURI(v); err != nil && strings.Contains(v, " ") {
			texts = append(texts, v)
		}
	case []any:
		for _, part := range v {
			texts = append(texts, proseIn(part)...)
		}
	case map[string]any:
		for _, part := range v {
			texts = append(texts, proseIn(part)...)
		}
	}
	return texts
}

// hostileSource returns the files of a source with a CPF behind each of these texts.
func hostileSource(t *testing.T, id string, texts []string) string {
	t.Helper()
	dir := sourcefiles.Folder(t, id)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	ascii := slices.DeleteFunc(slices.Clone(cpfForms), func(s string) bool { return strings.ContainsFunc(s, func(r rune) bool { return r > 0x7f }) })
	changed := 0
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var pairs []string
		for i, text := range texts {
			if !utf8.Valid(data) {
				text = sourcefiles.Windows1252(t, text)
			}
			pairs = append(pairs, text, text+" "+ascii[i%len(ascii)])
		}
		header, rows, _ := bytes.Cut(data, []byte("\n"))
		edited := strings.NewReplacer(pairs...).Replace(string(rows))
		if edited != string(rows) {
			changed++
		}
		if err := os.WriteFile(path, slices.Concat(header, []byte("\n"), []byte(edited)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if changed == 0 {
		t.Errorf("%s: no text was found in its files: %q", id, texts)
	}
	return dir
}
