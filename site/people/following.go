package people

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/people/account"
	"razao/internal/people/follow"
	"razao/internal/people/signin"
	"razao/internal/store/journal"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/internal/web"
	"razao/site/changes"
	"razao/site/page"
)

const (
	followingPath   = "/conta/seguindo"
	unsubscribePath = "/avisos/cancelar"
	portfolioPath   = "/conta/carteira"
	mostRecent      = 50 // companies and loads that a page or feed lists
)

// followingPage is /conta/seguindo: what an account follows, how it is notified, and what changed.
type followingPage struct {
	page.Frame
	Flashes []string
	Means   follow.Means
	FeedURL string // "": there is none
	Form    string // id of the form for another feed

	Companies int
	Others    []followRow        // partners and searches
	Recent    [][]wording.Change // of a company and load each
	Failed    bool               // what changed could not be read
	Gaps      []string

	Number  string // rejected, to be corrected
	Problem string
}

// followRow is a partner or search.
type followRow struct {
	follow.Follow
	Name string
	URL  string
}

// following answers /conta/seguindo.
func (hs *Handlers) following(c *gin.Context) (page.Reply, error) {
	p, err := hs.followingPage(c)
	if err != nil {
		return signedOutAt(c, err)
	}
	p.Flashes, _ = hs.takeFlashes(c, "")
	return page.Reply{Page: p}, nil
}

func (hs *Handlers) followingPage(c *gin.Context) (*followingPage, error) {
	who, err := hs.Pages.Visitor(c)
	if err != nil {
		return nil, err
	}
	ctx := c.Request.Context()
	p := &followingPage{Form: web.NewForm()}
	p.Crumbs = page.Trail("Conta", "/conta", "O que sigo")
	p.Title = "O que sigo"
	p.Description = "Empresas, sócios e buscas que a sua conta segue, e como você é avisado do que muda."
	p.Canonical, p.NoIndex = followingPath, true
	if p.Means, err = hs.Follows.Means(ctx, who.Account); err != nil {
		return nil, err
	}
	if p.Means.Feed != "" {
		p.FeedURL = hs.Pages.BaseURL + feedPath + p.Means.Feed + feedSuffix
	}
	all, err := hs.Follows.List(ctx, who.Account)
	if err != nil {
		return nil, err
	}
	snap, err := hs.Pages.Live.Acquire()
	if err != nil {
		p.Failed = true
		web.EventOf(ctx).Fail(err)
	} else {
		defer snap.Release()
		snap = snap.ForVisitors()
	}
	for _, f := range all {
		if f.Kind == follow.Company {
			p.Companies++
			continue
		}
		name, address := hs.describe(snap, f.Kind, f.Value)
		p.Others = append(p.Others, followRow{f, name, address})
	}
	if snap != nil {
		p.recent(ctx, hs, snap, who.Account)
	}
	return p, nil
}

// recent fills in what changed last. A failure leaves the rest of the page.
func (p *followingPage) recent(ctx context.Context, hs *Handlers, snap *snapshot.Snapshot, id account.ID) {
	changed, err := hs.Follows.Recent(ctx, snap, id, mostRecent)
	p.Recent = hs.notices.words(snap, changed)
	if err == nil && len(changed) > 0 {
		p.Gaps, err = changes.Unknown(ctx, snap, changed[len(changed)-1].Load().Seq)
	}
	web.EventOf(ctx).Fail(err)
	p.Failed = err != nil
}

// describe returns the name of what is followed, and its page. snap may be nil.
func (hs *Handlers) describe(snap *snapshot.Snapshot, kind follow.Kind, value string) (name, address string) {
	switch kind {
	case follow.Company:
		root, _ := cnpj.ParseRoot(value)
		return "CNPJ " + root.Masked(), "/" + value
	case follow.Partner:
		digits, slug, _ := strings.Cut(value, "/")
		return ptbr.Person(strings.ToUpper(strings.ReplaceAll(slug, "-", " "))) + ", " + record.MaskCPF(digits), page.PartnerPath(digits, slug)
	}
	address = "/busca?" + value
	if snap == nil {
		return value, address
	}
	name, err := hs.notices.search(snap, value)
	if err != nil {
		return value, address
	}
	return name, address
}

// readFollow reads what a form asks to follow.
func (hs *Handlers) readFollow(ctx context.Context, kind, value string) (follow.Follow, error) {
	if follow.Kind(kind) == follow.Company {
		root, err := hs.readRoot(ctx, value)
		if err != nil {
			return follow.Follow{}, err
		}
		value = root.String()
	}
	return follow.Read(ctx, hs.Pages.Live, follow.Kind(kind), value)
}

// readRoot reads the number of a company as people write it: the root, or that of an establishment. A word of eight letters is the
// root of a company that the load has. The error is follow.ErrInvalid, or one of the records.
func (hs *Handlers) readRoot(ctx context.Context, text string) (cnpj.Root, error) {
	typed, ok := cnpj.Read(text)
	if !ok {
		return 0, follow.ErrInvalid
	}
	if typed.Digits == 0 {
		snap, err := hs.Pages.Live.Acquire()
		if err != nil {
			return 0, err
		}
		defer snap.Release()
		root, _, err := page.NumberOf(ctx, snap, text)
		if errors.Is(err, page.ErrUnknownPath) {
			err = follow.ErrInvalid
		}
		return root, err
	}
	if typed.IsRoot() {
		root, err := cnpj.ParseRoot(typed.Text)
		if err != nil {
			return 0, follow.ErrInvalid
		}
		return root, nil
	}
	full, err := cnpj.ParseFull(typed.Text)
	if err != nil {
		return 0, follow.ErrInvalid
	}
	return full.Root(), nil
}

// askPage is /conta/seguir: it asks whether to follow one thing.
type askPage struct {
	page.Frame
	follow.Follow
	Name, URL string
	Followed  bool // already
}

// askToFollow answers /conta/seguir, to which other pages link: they are the same for everyone.
func (hs *Handlers) askToFollow(c *gin.Context) (page.Reply, error) {
	who, err := hs.Pages.Visitor(c)
	if err != nil {
		return signedOutAt(c, err)
	}
	f, err := hs.readFollow(c.Request.Context(), c.Query("tipo"), c.Query("valor"))
	switch {
	case errors.Is(err, follow.ErrInvalid):
		return page.SeeOther(followingPath), nil
	case errors.Is(err, journal.ErrTooWide):
		return hs.notFollowed(c, tooWide, "")
	case err != nil:
		return page.Reply{}, err
	}
	p := &askPage{Follow: f}
	p.Crumbs, p.Title = page.Trail("Conta", "/conta", "O que sigo", followingPath, "Seguir"), "Seguir"
	p.Description, p.NoIndex = "Seguir uma empresa, um sócio ou uma busca.", true
	snap, err := hs.Pages.Live.Acquire()
	if err != nil {
		return page.Reply{}, err
	}
	defer snap.Release()
	p.Name, p.URL = hs.describe(snap, f.Kind, f.Value)
	if f.Kind == follow.Company {
		root, _ := cnpj.ParseRoot(f.Value)
		heads, err := snap.Companies(c.Request.Context(), []cnpj.Root{root})
		if err != nil {
			return page.Reply{}, err
		}
		p.Name = wording.CompanyOf(root, heads[root]).Text
	}
	all, err := hs.Follows.List(c.Request.Context(), who.Account)
	for _, other := range all {
		p.Followed = p.Followed || other.Kind == f.Kind && other.Value == f.Value
	}
	return page.Reply{Page: p}, err
}

// follow lets the account follow something.
func (hs *Handlers) follow(c *gin.Context) (page.Reply, error) {
	who, err := hs.Pages.Visitor(c)
	if err != nil {
		return signedOut(err)
	}
	f, err := hs.readFollow(c.Request.Context(), c.PostForm("tipo"), c.PostForm("valor"))
	if err == nil {
		err = hs.Follows.Add(c.Request.Context(), who.Account, f.Kind, f.Value)
	}
	problem := ""
	switch {
	case err == nil:
		addFlash(c, "Seguindo: você será avisado do que mudar a partir da próxima carga.")
		return page.SeeOther(followingPath), nil
	case errors.Is(err, follow.ErrInvalid):
		problem = "Escreva o CNPJ de uma empresa, com 14 posições ou as oito primeiras. Os dois últimos dígitos precisam conferir com os outros."
	case errors.Is(err, journal.ErrTooWide):
		problem = tooWide
	case errors.Is(err, follow.ErrTooMany):
		problem = tooMany(f.Kind)
	case errors.Is(err, account.ErrNoAccount):
		return signedOut(signin.ErrSignedOut)
	default:
		return page.Reply{}, err
	}
	return hs.notFollowed(c, problem, c.PostForm("valor"))
}

const tooWide = "Esta busca acha empresas demais para serem seguidas. Acrescente um filtro ou uma palavra."

// notFollowed shows what the account follows and what prevented more, with what was typed.
func (hs *Handlers) notFollowed(c *gin.Context, problem, typed string) (page.Reply, error) {
	p, err := hs.followingPage(c)
	if err != nil {
		return signedOut(err)
	}
	p.Problem, p.Number = problem, truncated(typed, maxTypedCNPJ)
	return page.Reply{Page: p, Status: http.StatusUnprocessableEntity}, nil
}

func tooMany(kind follow.Kind) string {
	what := map[follow.Kind]string{follow.Company: "empresas", follow.Partner: "sócios", follow.Search: "buscas"}[kind]
	return "Uma conta segue no máximo " + ptbr.Count(follow.Most[kind]) + " " + what + ". Deixe de seguir alguma coisa para seguir outra."
}

func (hs *Handlers) unfollow(c *gin.Context) (page.Reply, error) {
	kind, value := follow.Kind(c.PostForm("tipo")), c.PostForm("valor")
	to := followingPath
	if kind == follow.Company {
		to = portfolioPath
	}
	return hs.changeAccountAt(c, to, "Deixou de seguir.", func(ctx context.Context, who account.Session) error {
		return hs.Follows.Remove(ctx, who.Account, kind, value)
	})
}

func (hs *Handlers) setMails(c *gin.Context) (page.Reply, error) {
	on := c.PostForm("avisos") == "sim"
	return hs.changeAccountAt(c, followingPath, page.Either(on, "Avisos por e-mail ligados.", "Avisos por e-mail desligados."), func(ctx context.Context, who account.Session) error {
		return hs.Follows.SetMails(ctx, who.Account, on)
	})
}

func (hs *Handlers) newFeed(c *gin.Context) (page.Reply, error) {
	form := c.PostForm(web.FormID)
	return hs.changeAccountAt(c, followingPath, "Endereço novo. O anterior, se havia, não vale mais.", func(ctx context.Context, who account.Session) error {
		return hs.Follows.NewFeed(ctx, who.Account, form)
	})
}

func (hs *Handlers) endFeed(c *gin.Context) (page.Reply, error) {
	return hs.changeAccountAt(c, followingPath, "O endereço não vale mais.", func(ctx context.Context, who account.Session) error {
		return hs.Follows.EndFeed(ctx, who.Account)
	})
}

// unsubscribePage asks whether to end mails, or says that they have ended.
type unsubscribePage struct {
	page.Frame
	Token string
	Done  bool
}

// askToUnsubscribe answers GET: links in mails are opened by scanners, so it changes nothing.
func (hs *Handlers) askToUnsubscribe(c *gin.Context) (page.Reply, error) {
	token := c.Query("token")
	if _, err := hs.Follows.ReadUnsubscribe(token); err != nil {
		return page.Reply{}, err
	}
	return page.Reply{Page: newUnsubscribePage(token, false)}, nil
}

// unsubscribe answers the POST of the page and that of mail programs (RFC 8058 §3.2), which come without
// cookies, Origin and Referer: the token in the address is the credential, and the body says nothing.
func (hs *Handlers) unsubscribe(c *gin.Context) (page.Reply, error) {
	token := c.Query("token")
	id, err := hs.Follows.ReadUnsubscribe(token)
	if err == nil {
		err = hs.Follows.SetMails(c.Request.Context(), id, false)
	}
	if errors.Is(err, account.ErrNoAccount) { // deleted: there are no mails
		err = nil
	}
	return page.Reply{Page: newUnsubscribePage(token, true)}, err
}

func newUnsubscribePage(token string, done bool) *unsubscribePage {
	p := &unsubscribePage{Token: token, Done: done}
	p.Crumbs, p.Title = page.Trail("Cancelar avisos"), "Cancelar avisos"
	p.Description, p.NoIndex = "Deixar de receber avisos por e-mail.", true
	return p
}
