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
		c.Redirect(http.StatusMovedPermanently, page.WithQuery(c, path))
		return
	}
	s.pages.Fail(c, page.ErrUnknownPath)
}

// MethodNotAllowed answers methods that an existing route does not take.
func (s *Site) MethodNotAllowed(c *gin.Context) {
	s.pages.LookUp(c)
	s.pages.Fail(c, page.ErrMethod)
}
