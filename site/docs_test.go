package site_test

import (
	"bytes"
	"compress/gzip"
	"html"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"razao/internal/data/source"
	"razao/site"
	"razao/site/page"
	"razao/site/sitetest"
)

// TestAPIPageShowsTheExamples compares the programs on the page with those that TestExamples runs.
func TestAPIPageShowsTheExamples(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	body := html.UnescapeString(h.Body(t, "/api"))
	for _, program := range site.ExamplePrograms() {
		if text := site.ReadExample(site.ProgramFile(program)); !strings.Contains(body, "<code>"+text+"</code>") {
			t.Errorf("%s: the page has another program", program.Language)
		}
	}
	for _, program := range site.ListPrograms() {
		if text := site.ReadExample("lista/" + site.ProgramFile(program)); !strings.Contains(body, "<code>"+text+"</code>") {
			t.Errorf("%s: the page has another program for lists", program.Language)
		}
	}
	for _, name := range []string{"cliente/gerar.sh", "cliente/percorrer.go", "cliente/percorrer.ts", "planilha/razao.pq"} {
		if !strings.Contains(body, "<code>"+site.ReadExample(name)+"</code>") {
			t.Errorf("%s: the page has another text", name)
		}
	}
	if !strings.Contains(body, `const ENDERECO = "`+sitetest.URL+`"`) {
		t.Error("the script for Google Sheets has not the address of the site")
	}
	for _, src := range source.All() {
		if !strings.Contains(body, "<code>"+src.ID+"</code>") {
			t.Errorf("the source %s is missing", src.ID)
		}
	}
	if !regexp.MustCompile(`/v2/empresas/12345678/socios\?limite=1"`).MatchString(body) {
		t.Error("the first call is not about a company that is loaded")
	}
}

// TestPackedAssets requests a file embedded as gzip with and without Accept-Encoding: gzip.
func TestPackedAssets(t *testing.T) {
	t.Parallel()
	h := sitetest.Nothing(t)
	for name, kind := range map[string]string{"swagger-ui-bundle.js": "text/javascript; charset=utf-8", "swagger-ui.css": "text/css; charset=utf-8"} {
		address, err := page.Asset(name)
		if err != nil {
			t.Fatal(err)
		}
		plain := h.Get(t, address)
		for _, accept := range []string{"gzip, deflate, br", "br;q=1.0, GZIP;q=0.5"} {
			packed := h.Get(t, address, "Accept-Encoding", accept)
			r, err := gzip.NewReader(packed.Body)
			if err != nil || packed.Header().Get("Content-Encoding") != "gzip" {
				t.Fatalf("%s to %q: %v, %v", name, accept, packed.Header(), err)
			}
			body, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(body, plain.Body.Bytes()) || len(body) == 0 {
				t.Errorf("%s to %q: %d bytes, unpacked %d, %v", name, accept, len(body), plain.Body.Len(), err)
			}
		}
		for _, w := range []http.Header{plain.Header(), h.Get(t, address, "Accept-Encoding", "gzip;q=0, identity").Header()} {
			if w.Get("Content-Encoding") != "" || w.Get("Content-Type") != kind || w.Get("Vary") != "Accept-Encoding" || !strings.Contains(w.Get("Cache-Control"), "immutable") {
				t.Errorf("%s: %v", name, w)
			}
		}
	}
	for _, name := range []string{"swagger-ui.LICENSE.txt", "swagger-ui.NOTICE.txt", "swagger-ui-bundle.js.LICENSE.txt"} {
		if _, err := page.Asset(name); err != nil {
			t.Error(err)
		}
	}
}
