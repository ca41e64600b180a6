package site

import (
	"strings"

	"github.com/gin-contrib/sessions"
	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

// notify keeps a text for the next page of who is signed in.
func notify(c *gin.Context, text string) {
	session := sessions.Default(c)
	session.AddFlash(text)
	saveNotices(c, session)
}

// takeNotices returns the texts that were kept for this page, once.
func takeNotices(c *gin.Context) []string {
	session := sessions.Default(c)
	var texts []string
	for _, kept := range session.Flashes() {
		if text, ok := kept.(string); ok {
			texts = append(texts, text)
		}
	}
	if len(texts) > 0 {
		saveNotices(c, session)
	}
	return texts
}

// saveNotices records trouble instead of failing: what the notice is about was done.
func saveNotices(c *gin.Context, session sessions.Session) {
	if err := session.Save(); err != nil {
		web.EventOf(c.Request.Context()).Err = err
	}
}

// browserNames are looked for in this order, because most browsers also claim to be another one.
var browserNames = [...]struct{ mark, name string }{
	{"Edg", "Edge"},
	{"OPR/", "Opera"},
	{"SamsungBrowser/", "Samsung Internet"},
	{"Firefox/", "Firefox"},
	{"FxiOS/", "Firefox"},
	{"Chrome/", "Chrome"},
	{"CriOS/", "Chrome"},
	{"Safari/", "Safari"},
}

var systemNames = [...]struct{ mark, name string }{
	{"Android", "Android"},
	{"iPhone", "iPhone"},
	{"iPad", "iPad"},
	{"Windows", "Windows"},
	{"Mac OS X", "macOS"},
	{"Linux", "Linux"},
}

// browserName says which browser something claims to be, in the words of its owner.
func browserName(agent string) string {
	browser := "Navegador desconhecido"
	for _, b := range browserNames {
		if strings.Contains(agent, b.mark) {
			browser = b.name
			break
		}
	}
	for _, system := range systemNames {
		if strings.Contains(agent, system.mark) {
			return browser + " em " + system.name
		}
	}
	return browser
}
