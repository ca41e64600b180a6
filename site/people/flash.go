package people

import (
	"cmp"
	"net/http"

	"github.com/gin-contrib/sessions"
	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

// addFlash stores a message with the session for the next account page.
func addFlash(c *gin.Context, text string) {
	session := sessions.Default(c)
	session.AddFlash(text)
	saveFlashes(c, session)
}

// takeFlashes removes and returns the flash messages and the new API key, if any. If the session
// cannot be saved, the key is withheld, since it would be shown twice. HEAD removes nothing.
func (hs *Handlers) takeFlashes(c *gin.Context) (texts []string, key string) {
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
		return texts, "" // the key is still stored and would be shown again
	}
	for _, kept := range sealed {
		text, _ := kept.(string)
		opened, err := hs.Pages.Sessions.Open(c, text)
		web.EventOf(c.Request.Context()).Fail(err)
		key = cmp.Or(opened, key)
	}
	return texts, key
}

// newKeys is the flash category of new API keys, which are sealed.
const newKeys = "chave"

// keepKey stores a new API key, sealed for this browser, for the next page. It reports success.
func (hs *Handlers) keepKey(c *gin.Context, plain string) bool {
	sealed, err := hs.Pages.Sessions.Seal(c, plain)
	if err != nil {
		web.EventOf(c.Request.Context()).Fail(err)
		return false
	}
	session := sessions.Default(c)
	session.AddFlash(sealed, newKeys)
	return saveFlashes(c, session)
}

// saveFlashes saves the session and reports success. It logs an error instead of returning it,
// because the action that the message reports has been done.
func saveFlashes(c *gin.Context, session sessions.Session) bool {
	err := session.Save()
	web.EventOf(c.Request.Context()).Fail(err)
	return err == nil
}
