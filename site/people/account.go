package people

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/people/account"
	"razao/internal/people/oauthserver"
	"razao/internal/people/signin"
	"razao/internal/web"
	"razao/site/page"
)

// accountPage is /conta: keys, usage, sessions, authorizations and deletion.
type accountPage struct {
	page.Frame
	Flashes []string
	Account account.Account

	Keys       []account.Key // active keys first
	Active     int           // number of active keys
	Max        int           // limit of active keys
	Plain      string        // a key created just now, shown this once
	Form       string        // id of the form for another key
	KeyName    string        // a rejected name, to be corrected
	KeyProblem string        // why it was rejected

	Usage    usage
	Sessions []browserSession
	Allowed  []oauthserver.Authorization

	DeleteProblem string
}

// Full reports whether the account has the maximum number of active keys.
func (p *accountPage) Full() bool { return p.Active >= p.Max }

// browserSession is a session of the account.
type browserSession struct {
	account.Session
	Name    string // of browser and system
	Current bool   // the session of this request
}

// account answers /conta.
func (hs *Handlers) account(c *gin.Context) (page.Reply, error) {
	p, err := hs.accountPage(c)
	if err != nil {
		return signedOutAt(c, err)
	}
	p.Flashes, p.Plain = hs.takeFlashes(c, newKeys)
	return page.Reply{Page: p}, nil
}

// accountPage reads the account of the signed-in visitor. The error is signin.ErrSignedOut if
// nobody is signed in or the account has just been deleted. It does not consume flash messages.
func (hs *Handlers) accountPage(c *gin.Context) (*accountPage, error) {
	who, err := hs.Pages.Visitor(c)
	if err != nil {
		return nil, err
	}
	ctx := c.Request.Context()
	p := &accountPage{Max: account.MaxActiveKeys, Form: web.NewForm()}
	p.Crumbs, p.Script = page.Trail("Conta"), page.Script("copy.js")
	p.Title = "Conta"
	p.Description = "Chaves da API, uso dos últimos 30 dias, sessões e dados da sua conta no Razão."
	p.Canonical = "/conta"
	p.NoIndex = true
	p.Account, err = hs.Accounts.Account(ctx, who.Account)
	if errors.Is(err, account.ErrNoAccount) { // deleted since the session was read
		return nil, signin.ErrSignedOut
	}
	if err != nil {
		return nil, err
	}
	if err := hs.fillKeys(ctx, p); err != nil {
		return nil, err
	}
	if p.Usage, err = hs.usage(c, who.Account, p.Keys); err != nil {
		return nil, err
	}
	if hs.OAuth != nil {
		if p.Allowed, err = hs.OAuth.Authorizations(ctx, who.Account); err != nil {
			return nil, err
		}
	}
	return p, hs.fillSessions(ctx, p, who)
}

// fillKeys sets the keys of the account, active ones before revoked ones.
func (hs *Handlers) fillKeys(ctx context.Context, p *accountPage) error {
	keys, err := hs.Accounts.KeysOf(ctx, p.Account.ID)
	if err != nil {
		return err
	}
	var revoked []account.Key
	for _, k := range keys {
		if k.RevokedAt != nil {
			revoked = append(revoked, k)
			continue
		}
		p.Keys = append(p.Keys, k)
	}
	p.Active = len(p.Keys)
	p.Keys = append(p.Keys, revoked...)
	return nil
}

func (hs *Handlers) fillSessions(ctx context.Context, p *accountPage, who account.Session) error {
	open, err := hs.Accounts.Sessions(ctx, who.Account)
	if err != nil {
		return err
	}
	for _, one := range open {
		p.Sessions = append(p.Sessions, browserSession{one, browserName(one.Browser), one.ID == who.ID})
	}
	return nil
}

// keysPath is the keys section of the account page.
const keysPath = "/conta#chaves"

// toKeys redirects a GET of the form's address, which a reload of its error page causes.
func (hs *Handlers) toKeys(*gin.Context) (page.Reply, error) { return page.SeeOther(keysPath), nil }

// createKey creates a key and redirects to the page that shows it once, so that a reload does not
// create another one. A form that is sent again, as by a double click, gets the key that it created.
func (hs *Handlers) createKey(c *gin.Context) (page.Reply, error) {
	who, err := hs.Pages.Visitor(c)
	if err != nil {
		return signedOut(err)
	}
	name := strings.TrimSpace(c.PostForm("nome"))
	plain, _, failed := hs.Accounts.AddKey(c.Request.Context(), who.Account, c.PostForm(web.FormID), name)
	problem := ""
	switch {
	case failed == nil && hs.keepSecret(c, newKeys, plain):
		return page.SeeOther(keysPath), nil
	case failed == nil: // the flash failed and the key cannot be read again, so this response must show it
	case errors.Is(failed, account.ErrInvalidName):
		problem = "O nome da chave tem de 1 a 80 caracteres, sem quebras de linha."
	case errors.Is(failed, account.ErrTooManyKeys):
		problem = "A conta já tem cinco chaves ativas. Revogue uma para criar outra."
	case errors.Is(failed, account.ErrFormUsed):
		problem = "Este formulário já criou uma chave, que não pode ser mostrada de novo. Envie outra vez para criar outra."
	case errors.Is(failed, account.ErrNoAccount):
		return signedOut(signin.ErrSignedOut)
	default:
		return page.Reply{}, failed
	}
	p, err := hs.accountPage(c)
	if err != nil {
		return signedOut(err)
	}
	p.Plain = plain
	if problem != "" {
		p.KeyProblem, p.KeyName = problem, truncated(name, maxKeyName)
		return page.Reply{Page: p, Status: http.StatusUnprocessableEntity}, nil
	}
	return page.Reply{Page: p}, nil
}

// signedOut redirects to /login if err is signin.ErrSignedOut, as when a session ends while a form
// is open. It returns other errors unchanged.
func signedOut(err error) (page.Reply, error) {
	if errors.Is(err, signin.ErrSignedOut) {
		return page.SeeOther(page.LoginPath("", "", "/conta")), nil
	}
	return page.Reply{}, err
}

// signedOutAt is signedOut for a page, to which sign-in leads back.
func signedOutAt(c *gin.Context, err error) (page.Reply, error) {
	if errors.Is(err, signin.ErrSignedOut) {
		return page.SeeOther(page.LoginPath("", "", c.Request.URL.RequestURI())), nil
	}
	return page.Reply{}, err
}

// lastUse puts the moment of a last use into words.
func lastUse(at *time.Time) string { return cmp.Or(page.Moment(at), "nunca") }
