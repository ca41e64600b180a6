package site

import (
	"errors"
	"strings"

	"github.com/gin-contrib/sessions"
	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/internal/signin"
	"razao/internal/web"
)

// visitor returns who is signed in. signin.ErrSignedOut: nobody is; any other error is trouble while looking.
func (s *Site) visitor(c *gin.Context) (account.Session, error) {
	if s.Sessions == nil {
		return account.Session{}, signin.ErrSignedOut
	}
	who, err := signin.Current(c)
	if err == nil {
		web.EventOf(c.Request.Context()).Account = int64(who.Account)
	}
	return who, err
}

// lookUp gives a request that no route took the session that routes have.
func (s *Site) lookUp(c *gin.Context) {
	if s.Sessions != nil {
		s.Sessions.Middleware()(c)
	}
}

// entrance returns where the header leads a visitor, "" when it is not known who that is: the header then says nothing of them.
func (s *Site) entrance(c *gin.Context) string {
	if s.Sessions == nil {
		return ""
	}
	if _, ok := c.Get(sessions.DefaultKey); !ok { // refused before its turn came
		return ""
	}
	switch _, err := s.visitor(c); {
	case err == nil:
		return "/conta"
	case errors.Is(err, signin.ErrSignedOut):
		return "/login"
	}
	return ""
}

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
		web.EventOf(c.Request.Context()).Fail(err)
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
