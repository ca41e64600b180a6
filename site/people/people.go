// Package people serves the personal pages: sign-in, the account with its API keys, sessions and
// usage, OAuth consent and authorizations, and requests to hide a contact.
//
// The pages do not depend on a load. Every response is Cache-Control: no-store.
//
// Security:
//
//   - CSRF: forms accept same-origin requests only. The form that confirms a magic link is posted
//     with Origin: null and is also protected by a double-submit value (see fromConfirmation).
//   - HEAD must not have side effects, so routes that have some are registered for GET alone.
//   - Responses do not reveal whether an address has an account (user enumeration) or whether a
//     contact is hidden.
//   - Opening a magic link does not use it up, because mail scanners open links; a POST does.
//   - Tokens in URLs are kept out of the Referer header, and next is limited to paths of this site
//     (open redirect).
//   - A new API key is shown once. Between the POST and the page that shows it, it is stored with the
//     session, encrypted under a key derived from the browser's token, which the database lacks.
//
// An object that does not exist or belongs to another account is 404 in both cases.
package people

import (
	"errors"
	"fmt"

	"github.com/gin-gonic/gin"

	"razao/internal/people/account"
	"razao/internal/people/contacts"
	"razao/internal/people/oauthserver"
	"razao/internal/people/signin"
	"razao/internal/web"
	"razao/site/page"
)

// Config holds the dependencies of a [Room]. Pages is required. SignIn, Accounts and Pages.Sessions
// must all be set or all be nil.
type Config struct {
	Pages    *page.Server
	SignIn   *signin.Service     // nil: nobody can sign in
	Accounts *account.Store      // nil with SignIn
	OAuth    *oauthserver.Server // authorization server for third-party programs; nil: none
	Contacts *contacts.Store     // stores requests to hide a contact; nil: the form is absent
	Operator string              // e-mail address of the operator; "": not shown
}

// Room serves the personal pages. It is safe for concurrent use.
type Room struct {
	Config
	sameOrigin gin.HandlerFunc // CSRF protection; nil if there is no form
	hidings    *web.Throttle   // limits requests to hide a contact per client address
}

// New returns the room. It fails if cfg is inconsistent or BaseURL is not a URL.
func New(cfg Config) (*Room, error) {
	rm := &Room{Config: cfg, hidings: web.NewThrottle(hidingsPerMinute, hidingsAtOnce)}
	parts := [3]bool{cfg.SignIn != nil, cfg.Pages.Sessions != nil, cfg.Accounts != nil}
	if parts != [3]bool{true, true, true} && (parts != [3]bool{} || cfg.OAuth != nil) {
		return nil, errors.New("SignIn, Sessions and Accounts go together")
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

// Register adds the routes of the parts that are configured.
func (rm *Room) Register(pages *gin.RouterGroup) {
	if rm.SignIn != nil {
		rm.registerSignIn(pages)
	}
	if rm.Contacts != nil {
		web.Get(pages, hidingPath, rm.personal(rm.askToHide))
		pages.POST(hidingPath, rm.sameOrigin, web.Form(rm.Pages.Fail), rm.personal(rm.requestHiding))
	}
}

// registerSignIn adds the routes of sign-in, account and consent.
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

// personal wraps h with [page.Server.Personal]. Errors that mean "does not exist or is not yours"
// become 404.
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
