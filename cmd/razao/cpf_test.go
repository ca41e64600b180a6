package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"io"
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
	"razao/internal/fixture"
	"razao/internal/fixture/sourcefiles"
	"razao/internal/source"
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
	s := &surfaces{whole: w, seen: map[string]bool{}, masked: map[string]int{}}
	for _, route := range w.Routes() {
		if route.Method == http.MethodGet {
			s.read(t, address(route.Path))
		}
	}
	for _, root := range fixtureRoots {
		s.company(t, root)
	}
	for _, name := range []string{"padaria estrela", "jose inventado", "marta figueira", "joana ficticia"} {
		q := url.QueryEscape(name)
		s.read(t, "/sugestoes?q="+q)
		s.read(t, "/busca?q="+q)
		s.read(t, "/v2/busca?q="+q)
		s.tool(t, `"buscar_empresas","arguments":{"consulta":"`+name+`"}`)
		s.tool(t, `"search","arguments":{"query":"`+name+`"}`)
	}
	for len(s.found) > 0 { // until no page leads to a new one
		next := s.found[0]
		s.found = s.found[1:]
		s.read(t, next)
	}
	for _, kind := range []string{"/v1", "/v2", "page", ".md", ".csv", "/sugestoes", "/socio", "/mcp"} {
		if s.masked[kind] == 0 {
			t.Errorf("%s: no answer shows the masked number, so nothing was tried there", kind)
		}
	}
	t.Logf("%d addresses, masked numbers by surface: %v", len(s.seen), s.masked)
	for _, q := range append(cpfForms[:7:7], "982247", "***982247**", "JOSE 52998224725") {
		body := s.read(t, "/v2/busca?q="+url.QueryEscape(q))
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

// fixtureRoots are the companies of package fixture.
var fixtureRoots = []string{
	fixture.Bakery, fixture.Holding, fixture.MEI, fixture.OldMEI, fixture.Letters, fixture.Closed, fixture.Chain, fixture.Homeless,
	fixture.Nameless, fixture.Abroad, fixture.Hostile, fixture.City,
}

// surfaces reads what a program serves, as a crawler, a client and an assistant would.
type surfaces struct {
	*whole
	seen   map[string]bool
	found  []string       // pages of the site that are still to be read
	masked map[string]int // masked numbers by kind of surface
	calls  int
}

var links = regexp.MustCompile(`href="(/[^"#]*)"`)

// read asks for an address, looks for the CPF in it and in the answer, and returns the body.
func (s *surfaces) read(t *testing.T, path string) []byte {
	t.Helper()
	if s.seen[path] {
		return nil
	}
	s.seen[path] = true
	header := []string{"X-Forwarded-For", s.client()}
	if strings.HasPrefix(path, "/v") {
		header = append(header, "Authorization", "Bearer "+s.nextKey(t))
	}
	resp := s.ask(t, http.MethodGet, path, "", header...)
	body := s.check(t, kindOfSurface(path), path, resp)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		for _, link := range links.FindAllStringSubmatch(string(body), -1) {
			if next := html.UnescapeString(link[1]); !s.seen[next] && !strings.Contains(next, "/conta") && len(s.seen)+len(s.found) < 4000 {
				s.found = append(s.found, next)
			}
		}
	}
	return body
}

// client returns another address for each request, so that no limit for one is met.
func (s *surfaces) client() string { return fmt.Sprintf("10.0.%d.%d", len(s.seen)>>8, len(s.seen)&255) }

// nextKey returns a key of an account with calls left.
func (s *surfaces) nextKey(t *testing.T) string {
	t.Helper()
	const callsOfAnAccount = 60
	if s.calls++; s.calls%callsOfAnAccount == 0 {
		var err error
		if s.key, _, err = s.accounts.CreateKey(t.Context(), fmt.Sprintf("conta%d@exemplo.com.br", s.calls), "chave"); err != nil {
			t.Fatal(err)
		}
	}
	return s.key
}

func kindOfSurface(path string) string {
	path, _, _ = strings.Cut(path, "?")
	for _, kind := range []string{"/v1", "/v2", "/sugestoes", "/socio"} {
		if strings.HasPrefix(path, kind+"/") || path == kind {
			return kind
		}
	}
	if ext := filepath.Ext(path); ext == ".md" || ext == ".csv" {
		return ext
	}
	return "page"
}

// check looks for the CPF in an answer and the address that it is from.
func (s *surfaces) check(t *testing.T, kind, what string, resp *http.Response) []byte {
	t.Helper()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500 && resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%s: status %d", what, resp.StatusCode)
	}
	for _, text := range []string{string(body), html.UnescapeString(string(body)), fmt.Sprint(resp.Header)} {
		if at := readableCPF.FindStringIndex(text); at != nil {
			t.Errorf("%s: …%s…", what, text[max(0, at[0]-60):min(len(text), at[1]+20)])
			break
		}
	}
	if readableCPF.MatchString(what) && !strings.HasPrefix(what, "/v2/busca") {
		t.Errorf("a link leads to %s", what)
	}
	s.masked[kind] += bytes.Count(body, []byte("982247"))
	return body
}

// company reads all that is served of a company beside its pages.
func (s *surfaces) company(t *testing.T, root string) {
	t.Helper()
	s.read(t, "/v1/cnpj/"+root)
	s.read(t, "/v2/empresas/"+root+"/full?limite=100")
	s.read(t, "/v2/empresas/"+root+"/socios?limite=100")
	s.read(t, "/v2/empresas/"+root+"/estabelecimentos?limite=100")
	for _, id := range source.IDs() {
		s.read(t, "/v2/empresas/"+root+"/fontes/"+id+"?limite=100")
	}
	resp := s.ask(t, http.MethodGet, "/"+root, "", "X-Forwarded-For", s.client())
	if number := strings.Trim(resp.Header.Get("Location"), "/"); len(number) == 14 {
		s.read(t, "/v2/estabelecimentos/"+number+"/full?limite=100")
		s.read(t, "/"+number)
		s.read(t, "/"+number+".md")
		for _, call := range []string{
			`"consultar_cnpj","arguments":{"cnpj":"` + number + `"}`, `"listar_socios","arguments":{"cnpj":"` + number + `"}`,
			`"listar_estabelecimentos","arguments":{"cnpj":"` + root + `"}`, `"fetch","arguments":{"id":"` + number + `"}`,
		} {
			s.tool(t, call)
		}
	}
}

// tool calls a tool as an assistant does.
func (s *surfaces) tool(t *testing.T, call string) {
	t.Helper()
	s.seen[call] = true
	message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":` + call + `}}`
	s.check(t, "/mcp", call, s.ask(t, http.MethodPost, "/mcp", message, "Authorization", "Bearer "+s.nextKey(t), "Content-Type", "application/json",
		"Accept", "application/json, text/event-stream", "X-Forwarded-For", s.client()))
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
	rel, err := receita.Find(dir, fixture.Month, true)
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
