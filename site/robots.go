package site

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

// robotsText keeps crawlers out of searches, a practically infinite URL space. The Sitemap line is
// appended per request.
const robotsText = "User-agent: *\nDisallow: /busca\nDisallow: /sugestoes\nAllow: /\n"

// forADay is the caching of texts that change only with the program or its settings.
var forADay = web.Caching{For: web.Everyone, Age: 24 * time.Hour}

// robots answers /robots.txt.
func (s *Site) robots(c *gin.Context) {
	text := robotsText + "\nSitemap: " + s.BaseURL + "/sitemap.xml\n"
	s.pages.Sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: "text/plain; charset=utf-8", Caching: forADay, Body: []byte(text)})
}
