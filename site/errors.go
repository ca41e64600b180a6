package site

import (
	"net/http"
	"regexp"

	"github.com/gin-gonic/gin"

	"razao/internal/cnpj"
	"razao/site/page"
)

// NotFound answers addresses that no route has. A masked CNPJ, whose slash makes two path segments of it, is sent to
// its page.
func (s *Site) NotFound(c *gin.Context) {
	s.pages.LookUp(c)
	if path, ok := unmaskedPath(c.Request.URL.Path); ok {
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

var maskedShape = regexp.MustCompile(`^/([0-9A-Za-z.]{8,10}/[0-9A-Za-z]{4}-?[0-9]{2})(\.md|/ibama/([a-z_]+)/([0-9]+))?$`)

// unmaskedPath returns the address of the page that a path with a masked CNPJ means.
func unmaskedPath(path string) (address string, ok bool) {
	parts := maskedShape.FindStringSubmatch(path)
	if parts == nil {
		return "", false
	}
	full, err := cnpj.ParseFull(cnpj.Unmask(parts[1]))
	if err != nil {
		return "", false
	}
	address = "/" + full.String()
	if list, ok := ibamaLists[parts[3]]; ok {
		return address + "/ibama/" + list.name + "/" + parts[4], true
	}
	return address + parts[2], true
}
