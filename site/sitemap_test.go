package site_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"razao/internal/testing/fixture"
	"razao/site"
	"razao/site/sitetest"
)

// listedAddress is a <url> of a sitemap or a <sitemap> of the index.
type listedAddress struct {
	Loc     string `xml:"loc"`
	Lastmod string `xml:"lastmod"`
}

// crawled reads the index and all its files like a crawler, and returns the pages by file.
func crawled(t *testing.T, h *sitetest.Site) [][]listedAddress {
	t.Helper()
	w := h.Get(t, "/sitemap.xml")
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/xml; charset=utf-8" {
		t.Fatalf("index: status %d, %v", w.Code, w.Header())
	}
	var index struct {
		Files []listedAddress `xml:"sitemap"`
	}
	if err := xml.Unmarshal(w.Body.Bytes(), &index); err != nil {
		t.Fatal(err)
	}
	var files [][]listedAddress
	for _, f := range index.Files {
		w := h.Get(t, pathOf(t, f.Loc))
		if w.Code != 200 || w.Header().Get("Content-Type") != "application/gzip" || w.Header().Get("Content-Encoding") != "" {
			t.Fatalf("%s: status %d, %v", f.Loc, w.Code, w.Header())
		}
		z, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Pages []listedAddress `xml:"url"`
		}
		if err := xml.Unmarshal(body, &file); err != nil {
			t.Fatal(err)
		}
		files = append(files, file.Pages)
	}
	return files
}

// pathOf strips the origin of a URL.
func pathOf(t *testing.T, address string) string {
	t.Helper()
	path, ok := strings.CutPrefix(address, "https://razao.exemplo")
	if !ok {
		t.Fatalf("%s is not an address of this site", address)
	}
	return path
}

func TestEveryListedPageMayBeIndexed(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-09"))
	h := sitetest.New(t, l)
	files := crawled(t, h)
	if len(files) != 2 || len(files[1]) != 99 {
		t.Fatalf("%d files, want 2; the second with the 99 active establishments that are not of individual entrepreneurs", len(files))
	}
	seen := map[string]bool{}
	for _, pages := range files {
		for _, page := range pages {
			if seen[page.Loc] {
				t.Errorf("%s is listed twice", page.Loc)
			}
			seen[page.Loc] = true
			w := h.Get(t, pathOf(t, page.Loc), "Accept", sitetest.HTML)
			body := w.Body.String()
			if w.Code != 200 || strings.Contains(body, "noindex") || !strings.Contains(body, `<link rel="canonical" href="`+page.Loc+`">`) {
				t.Errorf("%s: status %d, noindex %t", page.Loc, w.Code, strings.Contains(body, "noindex"))
			}
		}
	}
	for _, path := range []string{"/", "/empresas", "/uf/sp", "/uf/sp/campinas", "/uf/sp/sao-paulo", "/12345678000195", "/1234567800A479"} {
		if !seen["https://razao.exemplo"+path] {
			t.Errorf("%s is not listed", path)
		}
	}
	for _, root := range []string{fixture.MEI, fixture.OldMEI, fixture.Closed} {
		if seen["https://razao.exemplo/"+fixture.Full(t, root).String()] {
			t.Errorf("%s is listed", root)
		}
	}
	for _, path := range []string{"/uf/rj", "/uf/sp/adamantina"} { // where no company is active
		if seen["https://razao.exemplo"+path] {
			t.Errorf("%s is listed", path)
		}
	}
	if body := h.Body(t, "/robots.txt"); !strings.HasSuffix(body, "\nSitemap: https://razao.exemplo/sitemap.xml\n") {
		t.Errorf("robots: %s", body)
	}
}

func TestSitemapIsSentOnce(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-09"))
	h := sitetest.New(t, l)
	tags := map[string]string{}
	paths := []string{"/sitemap.xml", "/sitemaps/0001.xml.gz", "/sitemaps/0002.xml.gz"}
	for _, path := range paths {
		w := h.Get(t, path)
		tag, modified := w.Header().Get("ETag"), w.Header().Get("Last-Modified")
		if at, err := http.ParseTime(modified); err != nil || time.Since(at) > time.Hour || tag == "" || w.Header().Get("Cache-Control") != "public, max-age=3600" {
			t.Errorf("%s: headers %v", path, w.Header())
		}
		tags[path] = tag
		for _, header := range [][]string{{"If-None-Match", tag}, {"If-Modified-Since", modified}} {
			if again := h.Get(t, path, header...); again.Code != 304 || again.Body.Len() > 0 || again.Header().Get("ETag") != tag {
				t.Errorf("%s, %v: status %d with %d bytes", path, header, again.Code, again.Body.Len())
			}
		}
		if other := h.Get(t, path, "If-None-Match", `"outro"`); other.Code != 200 || !bytes.Equal(other.Body.Bytes(), w.Body.Bytes()) {
			t.Errorf("%s, another tag: status %d", path, other.Code)
		}
	}
	l.Publish(t, fixture.Published(t, "2026-10"))
	h.Status(t, 304, paths[2], "If-None-Match", tags[paths[2]])
	l.Publish(t, fixture.Published(t, "2026-11", `"12345678";"00A4";"79";"2";"";"02"`, `"12345678";"00A4";"79";"2";"";"08"`))
	h.Status(t, 200, paths[2], "If-None-Match", tags[paths[2]])
}

func TestSitemapOfInventedCompaniesIsEmpty(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	if files := crawled(t, h); len(files) != 0 {
		t.Errorf("%d files", len(files))
	}
	if body := h.Body(t, "/sitemap.xml"); !strings.Contains(body, site.InventedSitemap) {
		t.Errorf("it does not say why it is empty: %s", body)
	}
}

func TestSitemapAddresses(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-09"))
	h := sitetest.New(t, l)
	for _, name := range []string{"0000.xml.gz", "0003.xml.gz", "2.xml.gz", "00002.xml.gz", "-001.xml.gz", "+002.xml.gz", "0002.xml", "0002", "x.xml.gz", ".xml.gz", "99999999999999999999.xml.gz"} {
		h.Status(t, 404, "/sitemaps/"+name)
	}
	empty := sitetest.Nothing(t)
	empty.Status(t, 503, "/sitemap.xml")
}

func TestIndexWithoutListOfPages(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-09"))
	h := sitetest.New(t, l)
	description := filepath.Join(l.Ingester.IndexDir, "000001", "sitemap.json")
	if err := os.WriteFile(description, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/sitemap.xml", "/sitemaps/0002.xml.gz"} {
		if w := h.Get(t, path); w.Code != 503 || w.Header().Get("ETag") != "" {
			t.Errorf("damaged, %s: status %d, %v", path, w.Code, w.Header())
		}
	}
	if err := os.Remove(description); err != nil {
		t.Fatal(err)
	}
	if files := crawled(t, h); len(files) != 1 || len(files[0]) == 0 {
		t.Errorf("without a list: %d files", len(files))
	}
	h.Status(t, 404, "/sitemaps/0002.xml.gz")
}

// TestSitemapFilesAreLimited asks for a file, which costs as much as ten pages, until it is refused:
// pages go on.
func TestSitemapFilesAreLimited(t *testing.T) {
	t.Parallel()
	h := sitetest.Nothing(t)
	const most = 20 * site.SitemapsPerMinute
	asked := 0
	for ; asked < most; asked++ {
		w := h.Get(t, "/sitemaps/0001.xml.gz")
		if w.Code != http.StatusTooManyRequests {
			continue
		}
		if w.Header().Get("Retry-After") == "" {
			t.Errorf("%v", w.Header())
		}
		break
	}
	if asked < site.SitemapsPerMinute || asked == most {
		t.Errorf("%d files were not refused", asked)
	}
	h.Status(t, 200, "/robots.txt")
}
