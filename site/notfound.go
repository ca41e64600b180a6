package site

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
	"razao/site/company"
	"razao/site/page"
)

// NotFound handles paths without a route. It redirects (301) a CNPJ that is written with slashes
// (12.345.678/0001-95) to its page, and the path of a page with a slash at the end to the same without,
// and answers 404 otherwise.
func (s *Site) NotFound(c *gin.Context) {
	if web.Limit(s.Requests, s.pages.Fail)(c); c.IsAborted() {
		return
	}
	s.pages.LookUp(c)
	if path, ok := s.meant(c.Request); ok {
		c.Redirect(http.StatusMovedPermanently, page.WithQuery(c, path))
		return
	}
	s.pages.Fail(c, page.ErrUnknownPath)
}

// meant returns the path that a request without a route was meant for. It is escaped, and only ever that
// of a route of the site, so that it cannot be taken for another host (CWE-601): //evil.example/ is none.
func (s *Site) meant(r *http.Request) (to string, ok bool) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return "", false
	}
	if to, ok := company.UnmaskedPath(r.URL.Path); ok {
		return to, true
	}
	asked := r.URL.EscapedPath()
	to = strings.TrimRight(asked, "/")
	return to, to != asked && slices.ContainsFunc(s.patterns, func(pattern string) bool {
		matches, err := path.Match(pattern, to)
		return matches && err == nil
	})
}

// MethodNotAllowed answers 405 for a path whose route does not accept the method.
func (s *Site) MethodNotAllowed(c *gin.Context) {
	if web.Limit(s.Requests, s.pages.Fail)(c); c.IsAborted() {
		return
	}
	s.pages.LookUp(c)
	s.pages.Fail(c, page.ErrMethod)
}
