package site

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
	"razao/site/company"
	"razao/site/page"
)

// NotFound handles paths without a route. It redirects a masked CNPJ (12.345.678/0001-95, two path
// segments because of the slash) to its page, and answers 404 otherwise.
func (s *Site) NotFound(c *gin.Context) {
	if web.Limit(s.Requests, s.pages.Fail)(c); c.IsAborted() {
		return
	}
	s.pages.LookUp(c)
	if path, ok := company.UnmaskedPath(c.Request.URL.Path); ok {
		c.Redirect(http.StatusMovedPermanently, page.WithQuery(c, path))
		return
	}
	s.pages.Fail(c, page.ErrUnknownPath)
}

// MethodNotAllowed answers 405 for a path whose route does not accept the method.
func (s *Site) MethodNotAllowed(c *gin.Context) {
	if web.Limit(s.Requests, s.pages.Fail)(c); c.IsAborted() {
		return
	}
	s.pages.LookUp(c)
	s.pages.Fail(c, page.ErrMethod)
}
