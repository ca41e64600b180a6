package main

import (
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/internal/cnpj"
)

// website answers with what is at a path, compressed, and with 404 for other paths.
func website(t *testing.T, pages map[string]string) *weigher {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if r.URL.Path == "/header" {
			w.Header().Set("X-Robots-Tag", "noindex")
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte(page))
		_ = z.Close()
	}))
	t.Cleanup(server.Close)
	return &weigher{address: server.Listener.Addr().String()}
}

func canonical(path string) string {
	return `<link rel="canonical" href="` + publicAddress + path + `">`
}

func TestIndexable(t *testing.T) {
	t.Parallel()
	w := website(t, map[string]string{
		"/good":   canonical("/good"),
		"/meta":   `<meta name="robots" content="noindex">` + canonical("/meta"),
		"/header": canonical("/header"),
		"/other":  canonical("/good"),
		"/none":   "",
	})
	for path, want := range map[string]string{
		"/good": "", "/meta": "noindex", "/header": "noindex", "/other": "canonical is " + publicAddress + "/good",
		"/none": "no canonical address", "/missing": "404 Not Found at /missing",
	} {
		if got, err := indexable(t.Context(), w, path); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", path, got, err, want)
		}
	}
}

func TestReadSitemap(t *testing.T) {
	t.Parallel()
	set := func(kind, item string, paths ...string) string {
		var b strings.Builder
		fmt.Fprintf(&b, `<%s xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`, kind)
		for _, path := range paths {
			fmt.Fprintf(&b, "<%[1]s><loc>%[2]s%[3]s</loc></%[1]s>", item, publicAddress, path)
		}
		fmt.Fprintf(&b, "</%s>", kind)
		return b.String()
	}
	packed := func(text string) string {
		var b strings.Builder
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(text))
		_ = z.Close()
		return b.String()
	}
	var companies []string
	for i := range 3 * crawledPages {
		companies = append(companies, fmt.Sprintf("/%014d", i))
	}
	w := website(t, map[string]string{
		"/sitemap.xml": set("sitemapindex", "sitemap", "/1.xml.gz", "/2.xml.gz"),
		"/1.xml.gz":    packed(set("urlset", "url", "/", "/uf/sp")),
		"/2.xml.gz":    packed(set("urlset", "url", companies...)),
	})
	c, err := readSitemap(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	if c.files != 2 || c.addresses != 3*crawledPages+2 || len(c.served) != 1 || c.packed == 0 || c.packed >= c.plain {
		t.Errorf("%d files, %d addresses, %d measured, %d of %d bytes", c.files, c.addresses, len(c.served), c.packed, c.plain)
	}
	if diff := cmp.Diff([]string{"/", "/uf/sp"}, c.others); diff != "" {
		t.Errorf("other pages (-want +got):\n%s", diff)
	}
	last, different := 0, map[string]bool{}
	for _, path := range c.drawn {
		different[path] = true
		if path > companies[2*crawledPages] {
			last++
		}
	}
	if len(different) != crawledPages || last < crawledPages/5 {
		t.Errorf("%d different pages were drawn, %d of the last third", len(different), last)
	}
	empty := website(t, map[string]string{"/sitemap.xml": set("sitemapindex", "sitemap")})
	if _, err := readSitemap(t.Context(), empty); err == nil {
		t.Error("an empty sitemap was read, want an error")
	}
	foreign := website(t, map[string]string{"/sitemap.xml": strings.ReplaceAll(set("sitemapindex", "sitemap", "/1"), publicAddress, "https://outro.exemplo")})
	if _, err := readSitemap(t.Context(), foreign); err == nil {
		t.Error("a sitemap of another site was read, want an error")
	}
}

func TestWeigh(t *testing.T) {
	t.Parallel()
	link := `<link href="/static/a.css"><script src="/static/b.js"></script><link href="/static/icon.svg"><link href="/static/c.woff2">`
	w := website(t, map[string]string{
		"/small": "x", "/large": strings.Repeat("abcdefghij", 500) + link,
		"/static/a.css": strings.Repeat("a", 1000), "/static/b.js": "b", "/static/c.woff2": "c",
	})
	got, err := w.weigh(context.Background(), "", []string{"/small", "/large", "/large"})
	if err != nil {
		t.Fatal(err)
	}
	if got.plain != 5000+len(link) || got.packed != got.heaviest || got.packed >= got.plain || len(w.assets) != 3 {
		t.Errorf("weight %+v with %d assets", got, len(w.assets))
	}
	if got.sheets == 0 || got.sheets >= 1000 || got.scripts == 0 || got.fonts == 0 ||
		got.total() != got.heaviest+got.sheets+got.scripts+got.fonts {
		t.Errorf("weight %+v", got)
	}
	if _, err := w.weigh(t.Context(), "", []string{"/missing"}); err == nil {
		t.Error("a page that is missing was weighed, want an error")
	}
}

func TestMost(t *testing.T) {
	t.Parallel()
	o := owners{"a": {1, 2, 3}, "b": {3, 2}, "c": {3, 4}}
	if diff := cmp.Diff([]cnpj.Full{3, 2}, o.most(2)); diff != "" {
		t.Errorf("most (-want +got):\n%s", diff)
	}
	if got := o.most(9); len(got) != 4 {
		t.Errorf("%d of 4", len(got))
	}
}

func TestPagesReport(t *testing.T) {
	t.Parallel()
	run := func(name string, p95 time.Duration, heaviest, scripts int, reading bool) pageRun {
		return pageRun{
			lookupRun: lookupRun{name: name, took: latencies{p95}}, reading: reading,
			weight: weight{heaviest: heaviest, sheets: 1000, scripts: scripts, fonts: 2000},
		}
	}
	r := &pagesReport{
		options: &options{roots: 1_000_000}, listed: time.Second,
		pages: []pageRun{
			run("/", 7*time.Millisecond, 5000, 50, true), run("/{cnpj}", 3*time.Millisecond, 4000, 90, true),
			run("/arquivo.csv", 90*time.Millisecond, 9000, 0, false), run(referencePage, time.Millisecond, 1, 99_000, true),
		},
		crawl: &crawl{files: 2, addresses: 90_001, packed: 1000, plain: 10_000, others: []string{"/"}, drawn: []string{"/a", "/b"}, faults: []string{"/b: noindex"}},
	}
	text := strings.Join(strings.Fields(r.markdown()), " ")
	for _, want := range []string{
		"| time of a page, p95 | 50.000 ms | 7.000 ms | / |",
		"| weight of a company's page with all that it needs, gzip | 60,000 | 7,090 | /{cnpj} |",
		"| the same of any page | | 8,050 | / |", "| scripts of a page, gzip | 12,000 | 90 | /{cnpj} |",
		"| addresses of establishments | 90,000 | 6,210,000 |", "| files | 2 | 139 |", "| making the list, CPU | 1000.000 ms | 69000.000 ms |",
		"Of 2 addresses drawn from all, 1 answer 200", "- /b: noindex",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, r.markdown())
		}
	}
}
