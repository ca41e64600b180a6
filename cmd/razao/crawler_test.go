package main

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/source"
	"razao/internal/testing/fixture"
)

// fixtureRoots are the companies of package fixture.
var fixtureRoots = []string{
	fixture.Bakery, fixture.Holding, fixture.MEI, fixture.OldMEI, fixture.Letters, fixture.Closed, fixture.Chain, fixture.Homeless,
	fixture.Nameless, fixture.Abroad, fixture.Hostile, fixture.City,
}

// crawler reads what a program serves, as a crawler, a client and an assistant would, and looks at
// every answer.
type crawler struct {
	*whole
	look  func(kind, what, text string) // at the headers and the body of an answer
	seen  map[string]bool
	found []string // pages of the site that are still to be read

	requests int
}

// readAll is readFirst, and reads all that the pages lead to.
func readAll(t *testing.T, w *whole, look func(kind, what, text string)) *crawler {
	t.Helper()
	s := readFirst(t, w, look)
	for len(s.found) > 0 { // until no page leads to a new one
		next := s.found[0]
		s.found = s.found[1:]
		s.read(t, next)
	}
	return s
}

// readFirst reads all routes and all that is served of the companies of package fixture.
func readFirst(t *testing.T, w *whole, look func(kind, what, text string)) *crawler {
	t.Helper()
	s := &crawler{whole: w, look: look, seen: map[string]bool{}}
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
	return s
}

// mostAddresses bounds a crawl: lists lead to lists with one filter more without end. Addresses without
// a query are all read.
const mostAddresses = 1500

var links = regexp.MustCompile(`href="(/[^"#]*)"`)

// read asks for an address, looks at the answer and returns the body.
func (s *crawler) read(t *testing.T, path string) []byte {
	t.Helper()
	if s.seen[path] {
		return nil
	}
	s.seen[path] = true
	s.beSomebody(t)
	header := []string{"X-Forwarded-For", s.client()}
	if strings.HasPrefix(path, "/v") {
		header = append(header, "Authorization", "Bearer "+s.key)
	}
	resp := s.ask(t, http.MethodGet, path, "", header...)
	body := s.check(t, kindOfSurface(path), path, resp)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		for _, link := range links.FindAllStringSubmatch(string(body), -1) {
			next := html.UnescapeString(link[1])
			narrower := strings.Contains(next, "?")
			if !s.seen[next] && !strings.Contains(next, "/conta") && (!narrower || len(s.seen)+len(s.found) < mostAddresses) {
				s.found = append(s.found, next)
			}
		}
	}
	return body
}

// client returns another address for each request, so that no limit for one is met.
func (s *crawler) client() string { return fmt.Sprintf("10.0.%d.%d", len(s.seen)>>8, len(s.seen)&255) }

// beSomebody continues as a new person before the limits of an account are met, the lowest of which
// is ten files at once.
func (s *crawler) beSomebody(t *testing.T) {
	t.Helper()
	const requestsOfOne = 9
	if s.requests++; s.requests%requestsOfOne == 0 {
		s.beSomebodyElse(t)
	}
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

// check reads an answer and looks at it.
func (s *crawler) check(t *testing.T, kind, what string, resp *http.Response) []byte {
	t.Helper()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500 && resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%s: status %d", what, resp.StatusCode)
	}
	if kind == "/mcp" && strings.Contains(string(body), `"isError":true`) {
		t.Errorf("%s: %s", what, body)
	}
	s.look(kind, what, fmt.Sprint(resp.StatusCode, resp.Header)+"\n"+string(body))
	return body
}

// company reads all that is served of a company beside its pages.
func (s *crawler) company(t *testing.T, root string) {
	t.Helper()
	s.read(t, "/v1/cnpj/"+root)
	s.read(t, "/v2/empresas/"+root+"/full?limite=100")
	s.read(t, "/v2/empresas/"+root+"/socios?limite=100")
	s.read(t, "/v2/empresas/"+root+"/estabelecimentos?limite=100")
	s.read(t, "/v2/empresas/"+root+"/mudancas?limite=100")
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
func (s *crawler) tool(t *testing.T, call string) {
	t.Helper()
	s.seen[call] = true
	s.beSomebody(t)
	message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":` + call + `}}`
	s.check(t, "/mcp", call, s.ask(t, http.MethodPost, "/mcp", message, "Authorization", "Bearer "+s.key, "Content-Type", "application/json",
		"Accept", "application/json, text/event-stream", "X-Forwarded-For", s.client()))
}

// TestEverythingAtOnce has four people read what is served at the same time, while loads are published: each gets the answers that one
// alone gets. It is where the race detector sees the whole program.
func TestEverythingAtOnce(t *testing.T) {
	t.Parallel()
	l := fixture.LoadRecords(t)
	w := wholeOn(t, l.Pool, filepath.Dir(l.IndexDir), func(s *settings) { s.IPFailures = 100 })
	statuses := func(t *testing.T) map[string]string {
		reader, got := *w, map[string]string{}
		reader.beSomebodyElse(t)
		readFirst(t, &reader, func(_, what, text string) { got[what] = text[:len("200")] })
		return got
	}
	alone := statuses(t)
	for range 4 {
		t.Run("reader", func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(alone, statuses(t)); diff != "" {
				t.Errorf("statuses (-alone +at once):\n%s", diff)
			}
		})
	}
	t.Run("loads", func(t *testing.T) {
		t.Parallel()
		for range 2 {
			l.Ingest(t)
			if err := w.live.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}
