package site

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"razao/site/company"
	"razao/site/page"
)

// NotFound answers addresses that no route has. A masked CNPJ, whose slash makes two path segments of it, is sent to
// its page.
func (s *Site) NotFound(c *gin.Context) {
	s.pages.LookUp(c)
	if path, ok := company.UnmaskedPath(c.Request.URL.Path); ok {
		if c.Request.URL.RawQuery != "" {
			path += "?" + c.Request.URL.RawQuery
		}
		c.Redirect(http.StatusMovedPermanently, path)
		return
	}
	s.pages.Fail(c, page.ErrUnknownPath)
}

// MethodNotAllowed answers methods that an existing route does not take.
func (s *Site) MethodNotAllowed(c *gin.Context) {
	s.pages.LookUp(c)
	s.pages.Fail(c, page.ErrMethod)
}
