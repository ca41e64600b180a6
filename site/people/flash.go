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

// takeFlashes removes and returns the flash messages and the secret of a category, such as a new API
// key, if there is one; "": none is wanted. If the session cannot be saved, the secret is withheld,
// since it would be shown twice. HEAD removes nothing.
func (hs *Handlers) takeFlashes(c *gin.Context, category string) (texts []string, secret string) {
	if c.Request.Method == http.MethodHead {
		return nil, ""
	}
	session := sessions.Default(c)
	for _, flash := range session.Flashes() {
		if text, ok := flash.(string); ok {
			texts = append(texts, text)
		}
	}
	var sealed []any
	if category != "" {
		sealed = session.Flashes(category)
	}
	if len(texts)+len(sealed) == 0 || !saveFlashes(c, session) {
		return texts, "" // the secret is still stored and would be shown again
	}
	for _, flash := range sealed {
		text, _ := flash.(string)
		opened, err := hs.Pages.Sessions.Open(c, text)
		web.EventOf(c.Request.Context()).Fail(err)
		secret = cmp.Or(opened, secret)
	}
	return texts, secret
}

// Flash categories of new API keys and of the secrets of new webhooks, which are sealed.
const (
	newKeys     = "chave"
	newWebhooks = "webhook"
)

// keepSecret stores a new secret, sealed for this browser, for the next page of its category. It reports success.
func (hs *Handlers) keepSecret(c *gin.Context, category, plain string) bool {
	sealed, err := hs.Pages.Sessions.Seal(c, plain)
	if err != nil {
		web.EventOf(c.Request.Context()).Fail(err)
		return false
	}
	session := sessions.Default(c)
	session.AddFlash(sealed, category)
	return saveFlashes(c, session)
}

// saveFlashes saves the session and reports success. It logs an error instead of returning it,
// because the action that the message reports has been done.
func saveFlashes(c *gin.Context, session sessions.Session) bool {
	err := session.Save()
	web.EventOf(c.Request.Context()).Fail(err)
	return err == nil
}
