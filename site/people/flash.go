package people

import (
	"github.com/gin-contrib/sessions"
	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

// addFlash keeps a text for the next page of who is signed in.
func addFlash(c *gin.Context, text string) {
	session := sessions.Default(c)
	session.AddFlash(text)
	saveFlashes(c, session)
}

// takeFlashes returns the texts that were kept for this page, once.
func takeFlashes(c *gin.Context) []string {
	session := sessions.Default(c)
	var texts []string
	for _, kept := range session.Flashes() {
		if text, ok := kept.(string); ok {
			texts = append(texts, text)
		}
	}
	if len(texts) > 0 {
		saveFlashes(c, session)
	}
	return texts
}

// saveFlashes records trouble instead of failing: what the notice is about was done.
func saveFlashes(c *gin.Context, session sessions.Session) {
	if err := session.Save(); err != nil {
		web.EventOf(c.Request.Context()).Fail(err)
	}
}
