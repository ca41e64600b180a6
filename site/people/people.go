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
//   - A form that is sent twice creates one thing, and both answers say the same: what is created is derived from the form's id
//     (web.NewForm), or stored once.
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
	"razao/internal/people/follow"
	"razao/internal/people/oauthserver"
	"razao/internal/people/signin"
	"razao/internal/people/webhook"
	"razao/internal/web"
	"razao/site/page"
)

// Config holds the dependencies of a [Handlers]. Pages is required. SignIn, Accounts and Pages.Sessions
// must all be set or all be nil.
type Config struct {
	Pages    *page.Server
	SignIn   *signin.Service     // nil: nobody can sign in
	Accounts *account.Store      // nil with SignIn
	OAuth    *oauthserver.Server // authorization server for third-party programs; nil: none
	Follows  *follow.Store       // what accounts follow; nil with SignIn
	Webhooks *webhook.Store      // nil with SignIn
	Contacts *contacts.Store     // stores requests to hide a contact; nil: the form is absent
	Operator string              // e-mail address of the operator; "": not shown
}

// Handlers serves the personal pages. It is safe for concurrent use.
type Handlers struct {
	Config
	sameOrigin gin.HandlerFunc  // CSRF protection; nil if there is no form
	hidings    *web.Throttle    // limits requests to hide a contact per client address
	notices    *Notices         // nil without SignIn
	portfolios *web.SharedSlots // see portfoliosAtOnce
	views      *web.Throttle    // limits portfolios per account
}

// New returns the handlers. It fails if cfg is inconsistent or BaseURL is not a URL.
func New(cfg Config) (*Handlers, error) {
	hs := &Handlers{
		Config: cfg, hidings: web.NewThrottle(hidingsPerMinute, hidingsAtOnce),
		views:      web.NewThrottle(portfoliosPerMinute, portfoliosBurst),
		portfolios: web.NewSharedSlots(portfoliosAtOnce, web.Share{Account: portfoliosOfAccount, Network: portfoliosOfNetwork}, portfoliosWait),
	}
	parts := [5]bool{cfg.SignIn != nil, cfg.Pages.Sessions != nil, cfg.Accounts != nil, cfg.Follows != nil, cfg.Webhooks != nil}
	if parts != [5]bool{true, true, true, true, true} && (parts != [5]bool{} || cfg.OAuth != nil) {
		return nil, errors.New("SignIn, Sessions, Accounts, Follows and Webhooks go together")
	}
	if cfg.SignIn == nil && cfg.Contacts == nil {
		return hs, nil
	}
	var err error
	if hs.notices, err = NewNotices(cfg.Pages.BaseURL, cfg.Pages.Live); err != nil {
		return nil, err
	}
	if hs.sameOrigin, err = web.SameOrigin(cfg.Pages.BaseURL, cfg.Pages.Fail); err != nil {
		return nil, fmt.Errorf("protect forms: %w", err)
	}
	return hs, nil
}

// Register adds the routes of the parts that are configured.
func (hs *Handlers) Register(pages *gin.RouterGroup) {
	if hs.SignIn != nil {
		hs.registerSignIn(pages)
	}
	if hs.Contacts != nil {
		web.Get(pages, hidingPath, hs.personal(hs.askToHide))
		pages.POST(hidingPath, hs.sameOrigin, web.Form(hs.Pages.Fail), hs.personal(hs.requestHiding))
	}
}

// registerSignIn adds the routes of sign-in, account and consent.
func (hs *Handlers) registerSignIn(pages *gin.RouterGroup) {
	web.Get(pages, "/login", hs.personal(hs.login))
	pages.GET(signin.CallbackPath, noReferrer, hs.personal(hs.callback))
	pages.POST(signin.CallbackPath, noReferrer, web.Form(hs.Pages.Fail), hs.fromConfirmation, hs.personal(hs.useLink))
	pages.GET("/auth/:provider", hs.personal(hs.startSignIn))
	forms := pages.Group("/", hs.sameOrigin, web.Form(hs.Pages.Fail))
	forms.POST("/auth/magic-link", hs.personal(hs.sendLink))
	web.Get(pages, "/conta", hs.personal(hs.account))
	forms.POST("/conta/sair", hs.personal(hs.signOut))
	web.Get(pages, "/conta/chaves", hs.personal(hs.toKeys))
	forms.POST("/conta/chaves", hs.personal(hs.createKey))
	forms.POST("/conta/chaves/:id/revogar", hs.personal(hs.revokeKey))
	forms.POST("/conta/sessoes/:id/encerrar", hs.personal(hs.endSession))
	forms.POST("/conta/sessoes/encerrar-outras", hs.personal(hs.endOtherSessions))
	forms.POST("/conta/excluir", hs.personal(hs.deleteAccount))
	hs.registerFollowing(pages, forms)
	if hs.OAuth != nil {
		pages.GET(oauthserver.ConsentPath, hs.personal(hs.consent))
		forms.POST(oauthserver.ConsentPath, hs.personal(hs.decide))
		forms.POST("/conta/autorizacoes/:id/revogar", hs.personal(hs.revokeAuthorization))
	}
}

// registerFollowing adds the routes of what accounts follow.
func (hs *Handlers) registerFollowing(pages, forms *gin.RouterGroup) {
	web.Get(pages, followingPath, hs.personal(hs.following))
	web.Get(pages, "/conta/seguir", hs.personal(hs.askToFollow))
	forms.POST("/conta/seguir", hs.personal(hs.follow))
	forms.POST("/conta/deixar-de-seguir", hs.personal(hs.unfollow))
	forms.POST("/conta/seguindo/avisos", hs.personal(hs.setMails))
	forms.POST("/conta/seguindo/atom", hs.personal(hs.newFeed))
	forms.POST("/conta/seguindo/atom/revogar", hs.personal(hs.endFeed))
	web.Get(pages, portfolioPath, hs.personal(hs.portfolio))
	forms.POST(portfolioPath, hs.personal(hs.addToPortfolio))
	forms.POST(actionsPath, hs.personal(hs.actOnPortfolio))
	web.Get(pages, portfolioPath+".csv", hs.Pages.RequireAccount, hs.portfolioCSV())
	web.Get(pages, feedPath+":token", hs.feed)
	web.Get(pages, webhooksPath, hs.personal(hs.webhooks))
	forms.POST(webhooksPath, hs.personal(hs.createWebhook))
	forms.POST("/conta/webhooks/excluir", hs.personal(hs.deleteWebhook))
	forms.POST("/conta/webhooks/ligar", hs.personal(hs.enableWebhook))
	forms.POST("/conta/webhooks/testar", hs.personal(hs.testWebhook))
	forms.POST("/conta/webhooks/reenviar", hs.personal(hs.resendEvent))
	web.Get(pages, unsubscribePath, hs.personal(hs.askToUnsubscribe))
	pages.POST(unsubscribePath, hs.personal(hs.unsubscribe))
}

// personal wraps h with [page.Server.Personal]. Errors that mean "does not exist or is not yours"
// become 404.
func (hs *Handlers) personal(h func(c *gin.Context) (page.Reply, error)) gin.HandlerFunc {
	return hs.Pages.Personal(func(c *gin.Context) (page.Reply, error) {
		answer, err := h(c)
		return answer, hs.missing(err)
	})
}

// missing turns errors that mean "does not exist or is not yours" into 404.
func (hs *Handlers) missing(err error) error {
	if errors.Is(err, signin.ErrNoProvider) || errors.Is(err, account.ErrNotFound) ||
		errors.Is(err, account.ErrNoSession) || errors.Is(err, oauthserver.ErrNoAuthorization) ||
		errors.Is(err, follow.ErrForged) || errors.Is(err, webhook.ErrNone) {
		return fmt.Errorf("%w: %w", page.ErrUnknownPath, err)
	}
	return err
}
