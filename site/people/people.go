// Package people is what the website does for one person: signing in, the account with its keys, sessions and usage, the
// programs that may read for it, and requests to hide a contact.
//
// Nothing here depends on what is loaded. Every answer is Cache-Control: no-store, forms take same-origin requests only (CSRF),
// and answers say the same to those who have an account and to those who do not.
package people

import (
	"embed"
	"errors"
	"fmt"

	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/internal/contacts"
	"razao/internal/oauthserver"
	"razao/internal/signin"
	"razao/internal/web"
	"razao/site/page"
)

//go:embed *.html
var templateFiles embed.FS

// Config is what the room needs. Pages is required; its Sessions go together with SignIn and Accounts.
type Config struct {
	Pages    *page.Server
	SignIn   *signin.Service     // nil: nobody can sign in
	Accounts *account.Store      // of those who do
	OAuth    *oauthserver.Server // lets them allow programs to read for them; nil: no program can ask
	Contacts *contacts.Store     // takes requests to hide a contact; nil: none can be sent
	Operator string              // e-mail address of who runs the site; "": the pages do not say it
}

// Room serves the pages of people. It is safe for concurrent use.
type Room struct {
	Config
	sameOrigin gin.HandlerFunc // nil when there is no form
	hidings    *web.Throttle   // requests to hide a contact, of one address
}

// New prepares the room. An error means that cfg is incomplete or that a template is missing or damaged.
func New(cfg Config) (*Room, error) {
	rm := &Room{Config: cfg, hidings: web.NewThrottle(hidingsPerMinute, hidingsAtOnce)}
	parts := [3]bool{cfg.SignIn != nil, cfg.Pages.Sessions != nil, cfg.Accounts != nil}
	if parts != [3]bool{true, true, true} && (parts != [3]bool{} || cfg.OAuth != nil) {
		return nil, errors.New("SignIn, Sessions and Accounts go together")
	}
	if err := cfg.Pages.Parse([]string{"login", "callback", "account", "consent", "hiding"}, templateFiles); err != nil {
		return nil, err
	}
	if cfg.SignIn == nil && cfg.Contacts == nil {
		return rm, nil
	}
	var err error
	if rm.sameOrigin, err = web.SameOrigin(cfg.Pages.BaseURL, cfg.Pages.Fail); err != nil {
		return nil, fmt.Errorf("protect forms: %w", err)
	}
	return rm, nil
}

// Register adds the room's routes, those of what is configured only.
func (rm *Room) Register(pages *gin.RouterGroup) {
	if rm.SignIn != nil {
		rm.registerSignIn(pages)
	}
	if rm.Contacts != nil {
		web.Get(pages, hidingPath, rm.personal(rm.askToHide))
		pages.POST(hidingPath, rm.sameOrigin, web.Form(rm.Pages.Fail), rm.personal(rm.requestHiding))
	}
}

// registerSignIn adds the routes of people who sign in. HEAD must not have side effects: what has some is GET
// alone.
func (rm *Room) registerSignIn(pages *gin.RouterGroup) {
	web.Get(pages, "/login", rm.personal(rm.login))
	pages.GET(signin.CallbackPath, noReferrer, rm.personal(rm.callback))
	pages.POST(signin.CallbackPath, noReferrer, web.Form(rm.Pages.Fail), rm.fromConfirmation, rm.personal(rm.useLink))
	pages.GET("/auth/:provider", rm.personal(rm.startSignIn))
	forms := pages.Group("/", rm.sameOrigin, web.Form(rm.Pages.Fail))
	forms.POST("/auth/magic-link", rm.personal(rm.sendLink))
	web.Get(pages, "/conta", rm.personal(rm.account))
	forms.POST("/conta/sair", rm.personal(rm.signOut))
	web.Get(pages, "/conta/chaves", rm.personal(rm.toKeys))
	forms.POST("/conta/chaves", rm.personal(rm.createKey))
	forms.POST("/conta/chaves/:id/revogar", rm.personal(rm.revokeKey))
	forms.POST("/conta/sessoes/:id/encerrar", rm.personal(rm.endSession))
	forms.POST("/conta/sessoes/encerrar-outras", rm.personal(rm.endOtherSessions))
	forms.POST("/conta/excluir", rm.personal(rm.deleteAccount))
	if rm.OAuth != nil {
		pages.GET(oauthserver.ConsentPath, rm.personal(rm.consent))
		forms.POST(oauthserver.ConsentPath, rm.personal(rm.decide))
		forms.POST("/conta/autorizacoes/:id/revogar", rm.personal(rm.revokeAuthorization))
	}
}

// personal runs h, for which what is not there, or not of this person, is an unknown path.
func (rm *Room) personal(h func(c *gin.Context) (page.Reply, error)) gin.HandlerFunc {
	return rm.Pages.Personal(func(c *gin.Context) (page.Reply, error) {
		answer, err := h(c)
		if errors.Is(err, signin.ErrNoProvider) || errors.Is(err, account.ErrNotFound) ||
			errors.Is(err, account.ErrNoSession) || errors.Is(err, oauthserver.ErrNoAuthorization) {
			err = fmt.Errorf("%w: %w", page.ErrUnknownPath, err)
		}
		return answer, err
	})
}
