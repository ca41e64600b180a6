package site

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/store/sitemap"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
	"razao/site/places"
	"razao/site/reference"
)

const (
	sitemapAge = time.Hour // freshness lifetime for caches and crawlers

	// A file takes far more CPU than a page: it is rendered and compressed on request.
	sitemapsAtOnce    = 1
	sitemapsPerMinute = 60 // of a client address
	sitemapExt        = ".xml.gz"

	// The sitemap of invented companies is empty: all their pages are noindex.
	inventedSitemap = "Dados fictícios: nenhuma página desta instalação é para buscadores."
)

// fixedPages are listed in the sitemap whatever is loaded.
var fixedPages = [...]string{
	"/empresas", "/estados", "/municipios", "/municipios/comparar", "/mudancas", "/api", "/api/v1", "/api/docs", "/dicionario", "/glossario", "/fontes", "/assistente",
	"/metodologia/bndes", "/privacidade", "/termos",
}

// sitemapFile is a file of the sitemap. The ETag is known without rendering the body, so that a
// conditional request costs next to nothing.
type sitemapFile struct {
	contentType string
	etag        string
	body        func() ([]byte, error) // renders the file
}

// sitemapMaker returns the file that a request asks for, without rendering it.
type sitemapMaker func(c *gin.Context, snap *snapshot.Snapshot) (sitemapFile, error)

// forCrawlers answers with the file that describe returns, or with 304 if the client has it.
func (s *Site) forCrawlers(describe sitemapMaker) gin.HandlerFunc {
	return s.pages.OnSnapshot(func(c *gin.Context, snap *snapshot.Snapshot) error {
		f, err := describe(c, snap)
		if err != nil {
			return err
		}
		caching := page.ForEveryone(snap, sitemapAge)
		caching.Set(c, http.StatusOK)
		// A rollback publishes a new snapshot, so Last-Modified never goes backwards.
		c.Header("Last-Modified", snap.PublishedAt().UTC().Format(http.TimeFormat))
		if s.pages.Sender.Current(c, f.etag) {
			return nil
		}
		body, err := f.body()
		if err != nil { // the error page must not carry the file's validators
			c.Writer.Header().Del("ETag")
			c.Writer.Header().Del("Last-Modified")
			return err
		}
		s.pages.Sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: f.contentType, ETag: f.etag, Caching: caching, Body: body})
		return nil
	})
}

// made returns a file whose body is rendered already.
func made(contentType string, body []byte) sitemapFile {
	return sitemapFile{contentType, web.ETag(body), func() ([]byte, error) { return body, nil }}
}

// sitemapKey is the snapshot.Once key of a file that is kept: 0 is /sitemap.xml, 1 file 1.
type sitemapKey int

// sitemapListKey is the snapshot.Once key of the list of establishments.
type sitemapListKey struct{}

func sitemapList(snap *snapshot.Snapshot) (*sitemap.List, error) {
	return snapshot.Once(snap, sitemapListKey{}, snap.Pages)
}

// sitemap answers /sitemap.xml, the index of the files. File 1 has all pages except those of
// establishments; file i+2 is part i of the list of establishments.
func (s *Site) sitemap(_ *gin.Context, snap *snapshot.Snapshot) (sitemapFile, error) {
	return snapshot.Once(snap, sitemapKey(0), func() (sitemapFile, error) {
		const contentType = "application/xml; charset=utf-8"
		if snap.Load.Invented {
			return made(contentType, sitemap.Index(nil, inventedSitemap)), nil
		}
		list, err := sitemapList(snap)
		if err != nil {
			return sitemapFile{}, err
		}
		files := []sitemap.Entry{{URL: s.sitemapURL(1), Changed: snap.Load.StartedAt}}
		for i, part := range list.Parts() {
			files = append(files, sitemap.Entry{URL: s.sitemapURL(i + 2), Changed: part.Newest.Time()})
		}
		return made(contentType, sitemap.Index(files, "")), nil
	})
}

// sitemapURL returns the absolute URL of a file; numbers start at 1.
func (s *Site) sitemapURL(number int) string {
	return s.BaseURL + "/sitemaps/" + sitemapName(number)
}

func sitemapName(number int) string { return fmt.Sprintf("%04d%s", number, sitemapExt) }

// sitemapPart answers /sitemaps/{arquivo}. Any name but NNNN.xml.gz of an existing file is 404.
func (s *Site) sitemapPart(c *gin.Context, snap *snapshot.Snapshot) (sitemapFile, error) {
	const contentType = "application/gzip"
	name := c.Param("arquivo")
	number, err := strconv.Atoi(strings.TrimSuffix(name, sitemapExt))
	if err != nil || name != sitemapName(number) || snap.Load.Invented {
		return sitemapFile{}, page.ErrUnknownPath
	}
	if number == 1 {
		return snapshot.Once(snap, sitemapKey(1), func() (sitemapFile, error) {
			pages, err := s.otherPages(snap)
			return made(contentType, sitemap.Pages(pages)), err
		})
	}
	list, err := sitemapList(snap)
	if err != nil {
		return sitemapFile{}, err
	}
	part := number - 2
	if part < 0 || part >= len(list.Parts()) {
		return sitemapFile{}, page.ErrUnknownPath
	}
	etag := web.ETag([]byte(list.Parts()[part].SHA256 + " " + s.BaseURL))
	return sitemapFile{contentType, etag, func() ([]byte, error) { return list.Pages(part, s.BaseURL) }}, nil
}

// otherPages returns all pages except those of establishments. Places without an active company are
// left out, because their listings are empty.
func (s *Site) otherPages(snap *snapshot.Snapshot) ([]sitemap.Entry, error) {
	listings, err := places.Paths(snap)
	if err != nil {
		return nil, err
	}
	changed := snap.Load.StartedAt
	pages := []sitemap.Entry{{URL: s.BaseURL + "/", Changed: changed}}
	for _, path := range fixedPages {
		pages = append(pages, sitemap.Entry{URL: s.BaseURL + path})
	}
	for _, path := range reference.SourcePaths() {
		pages = append(pages, sitemap.Entry{URL: s.BaseURL + path, Changed: changed})
	}
	for _, c := range s.connected() {
		pages = append(pages, sitemap.Entry{URL: s.BaseURL + c.Path})
	}
	for _, path := range listings {
		pages = append(pages, sitemap.Entry{URL: s.BaseURL + path, Changed: changed})
	}
	return pages, nil
}
