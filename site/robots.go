package site

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

// robotsText keeps crawlers away from searches, which have no end. The address of the sitemap follows it.
const robotsText = "User-agent: *\nDisallow: /busca\nDisallow: /sugestoes\nAllow: /\n"

// robots answers /robots.txt.
func (s *Site) robots(c *gin.Context) {
	text := robotsText + "\nSitemap: " + s.BaseURL + "/sitemap.xml\n"
	c.Header("Cache-Control", "public, max-age=86400")
	s.pages.Sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: "text/plain; charset=utf-8", Body: []byte(text)})
}
