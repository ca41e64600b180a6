// Package network shows who is behind a company, and what else is theirs: the network of a company,
// its group, and the chains between two companies or partners.
//
// Persons are published with a name and six digits of the CPF, so every page warns of namesakes and
// none claims that two records are one person. Anybody sees one step: from a company to its partners,
// and from a partner to their companies. Companies in companies are shown to any depth. What leads on
// through a natural person is for those who are signed in, and is counted as their calls of the API
// are. No page about persons is for search engines.
package network

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/territory"
	"razao/internal/people/account"
	"razao/internal/people/signin"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
)

// Config holds the dependencies of the handlers. Pages is required.
type Config struct {
	Pages *page.Server
	Meter *account.Meter // counts what signed-in visitors ask; nil where nobody can sign in
}

// Handlers serves the pages. It is immutable after New and safe for concurrent use.
type Handlers struct {
	pages *page.Server
	atlas *territory.Atlas
	meter *account.Meter
}

// New returns the handlers.
func New(cfg Config) *Handlers {
	return &Handlers{pages: cfg.Pages, atlas: cfg.Pages.Live.Atlas(), meter: cfg.Meter}
}

// Register adds the routes of the handlers to pages.
func (hs *Handlers) Register(pages *gin.RouterGroup) {
	web.Get(pages, "/:cnpj/rede", hs.throughPersons(hs.network))
	web.Get(pages, "/:cnpj/rede.csv", hs.pages.Table(web.Everyone, hs.networkCSV))
	web.Get(pages, "/:cnpj/rede.svg", hs.pages.OnSnapshot(hs.networkSVG))
	web.Get(pages, "/:cnpj/grupo", hs.pages.Page(hs.group))
	web.Get(pages, "/:cnpj/grupo.csv", hs.pages.Table(web.Everyone, hs.groupCSV))
	web.Get(pages, pathsPath, hs.throughPersons(hs.paths))
}

// personsName is the parameter that asks to go on through persons.
const personsName = "pessoas"

// pageFunc makes a page; persons says that it may go on through natural persons.
type pageFunc func(c *gin.Context, snap *snapshot.Snapshot, persons bool) (page.Reply, error)

// throughPersons returns a handler for a page that may go on through natural persons: if that is asked
// for, only for those who are signed in. It then counts as a call of the API and no cache keeps the
// answer.
func (hs *Handlers) throughPersons(ask pageFunc) gin.HandlerFunc {
	public := hs.pages.Page(func(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
		if given, ok := c.GetQuery(personsName); ok {
			return page.Reply{}, page.UnknownValue(personsName, given, `Deve ser "sim", ou faltar.`)
		}
		return ask(c, snap, false)
	})
	return func(c *gin.Context) {
		if c.Query(personsName) == "sim" {
			hs.counted(c, ask)
			return
		}
		public(c)
	}
}

// counted answers the request of an account, counts it, and records how it ended.
func (hs *Handlers) counted(c *gin.Context, ask pageFunc) {
	var admission account.Admission // zero if the call was not admitted
	hs.pages.Personal(func(c *gin.Context) (page.Reply, error) {
		who, err := hs.pages.Visitor(c)
		if errors.Is(err, signin.ErrSignedOut) {
			return page.SeeOther(page.LoginPath("", "", c.Request.URL.RequestURI())), nil
		}
		if err != nil {
			return page.Reply{}, err
		}
		admitted, err := hs.meter.AdmitAccount(c.Request.Context(), who.Account)
		if limit, ok := errors.AsType[*account.LimitError](err); ok {
			return page.Reply{}, &web.TooManyError{Wait: limit.Wait}
		}
		if err != nil {
			return page.Reply{}, err
		}
		admission = admitted
		snap, err := hs.pages.Live.Acquire()
		if err != nil {
			return page.Reply{}, err
		}
		defer snap.Release()
		return ask(c, snap.ForVisitors(), true)
	})(c)
	if admission.Account != 0 {
		hs.meter.Record(account.Call{
			Account: admission.Account, At: admission.At, Version: "site", Endpoint: c.FullPath(), Status: c.Writer.Status(),
		})
	}
}

// company reads the company in the path, 8 positions. A number of an establishment leads to its
// company; the error is a *page.UnknownCNPJ.
func (hs *Handlers) company(c *gin.Context, snap *snapshot.Snapshot, suffix string) (root cnpj.Root, moved page.Reply, err error) {
	given := c.Param("cnpj")
	root, full, err := page.NumberOf(c.Request.Context(), snap, given)
	if err != nil {
		return 0, page.Reply{}, err
	}
	if full != 0 {
		root = full.Root()
	}
	if given != root.String() {
		moved = page.Reply{Status: http.StatusMovedPermanently, Location: page.WithQuery(c, "/"+root.String()+suffix)}
	}
	return root, moved, nil
}
