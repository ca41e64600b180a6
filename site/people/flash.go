package people

import (
	"cmp"
	"net/http"

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

// takeFlashes returns the texts that were kept for this page, once, and the new key that was. HEAD takes nothing.
func (rm *Room) takeFlashes(c *gin.Context) (texts []string, key string) {
	if c.Request.Method == http.MethodHead {
		return nil, ""
	}
	session := sessions.Default(c)
	for _, kept := range session.Flashes() {
		if text, ok := kept.(string); ok {
			texts = append(texts, text)
		}
	}
	sealed := session.Flashes(newKeys)
	if len(texts)+len(sealed) == 0 || !saveFlashes(c, session) {
		return texts, "" // a key that would be shown again is not shown yet
	}
	for _, kept := range sealed {
		text, _ := kept.(string)
		opened, err := rm.Pages.Sessions.Open(c, text)
		web.EventOf(c.Request.Context()).Fail(err)
		key = cmp.Or(opened, key)
	}
	return texts, key
}

// newKeys names the flash messages that are new keys, sealed.
const newKeys = "chave"

// keepKey keeps a new key for the next page, sealed for this browser. It reports whether it could.
func (rm *Room) keepKey(c *gin.Context, plain string) bool {
	sealed, err := rm.Pages.Sessions.Seal(c, plain)
	if err != nil {
		web.EventOf(c.Request.Context()).Fail(err)
		return false
	}
	session := sessions.Default(c)
	session.AddFlash(sealed, newKeys)
	return saveFlashes(c, session)
}

// saveFlashes records trouble instead of failing: what the notice is about was done. It reports whether there was none.
func saveFlashes(c *gin.Context, session sessions.Session) bool {
	err := session.Save()
	web.EventOf(c.Request.Context()).Fail(err)
	return err == nil
}
