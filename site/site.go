// Package site is the website: pages made on the server that work without JavaScript, for people who read Brazilian
// Portuguese. One file holds one page; templates and assets are embedded.
package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/internal/oauthserver"
	"razao/internal/registry"
	"razao/internal/signin"
	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/internal/web"
)

// pageTime bounds the work for one page.
const pageTime = 5 * time.Second

// Config is what the site needs from outside. Live and Ping are required.
type Config struct {
	Live     *snapshot.Live
	Ping     func(context.Context) error // asks the database for a sign of life
	BaseURL  string                      // public address, for canonical links
	Version  string                      // of the program
	Now      func() time.Time            // nil: time.Now
	Requests *web.Throttle               // of one address; nil: as many as it likes
	// Components adds /componentes, a page for those who work on the site.
	Components bool
	Operator   string             // e-mail address of who runs this site; "": the pages do not say it
	Contacts   *registry.Contacts // takes requests to hide a contact; nil: none can be sent

	// WhatsApp is the number that answers there, digits alone with the country first, and Telegram the name of the bot there,
	// without @; "": the messenger is not connected.
	WhatsApp, Telegram string

	// SignIn, Sessions and Accounts are for people who sign in: all of them or none. Without them nobody can.
	SignIn   *signin.Service
	Sessions *signin.Sessions
	Accounts *account.Store

	OAuth *oauthserver.Server // lets them allow programs to read for them; nil: no program can ask
}

// Site serves the pages. It is safe for concurrent use.
type Site struct {
	Config
	now        func() time.Time
	sameOrigin gin.HandlerFunc // nil when there is no form
	hidings    *web.Throttle   // requests to hide a contact, of one address
	atlas      *territory.Atlas
	cnae       cnaeNames
	places     placeIndex
	outlines   outlines
	figures    figures
	assets     assets
	templates  templates
	sender     web.Sender
	listing    chan struct{} // holds a token while a large file of the sitemap is made: one at a time

	suggestionTime time.Duration // bounds the work for suggestions
}

// New prepares the pages. An error means that a template, an asset or a table is missing or damaged.
func New(cfg Config) (*Site, error) {
	if cfg.Live == nil || cfg.Ping == nil {
		return nil, errors.New("prepare site: Live and Ping are required")
	}
	cfg.BaseURL = strings.TrimRight(cfg.BaseURL, "/")
	s := &Site{
		Config: cfg, now: cfg.Now, listing: make(chan struct{}, 1),
		hidings:        web.NewThrottle(hidingsPerMinute, hidingsAtOnce),
		suggestionTime: suggestionTime,
	}
	if s.now == nil {
		s.now = time.Now
	}
	var err error
	if s.atlas, err = territory.Open(); err != nil {
		return nil, fmt.Errorf("prepare site: %w", err)
	}
	if s.cnae, err = loadCNAE(); err != nil {
		return nil, fmt.Errorf("prepare site: %w", err)
	}
	s.places = newPlaceIndex(s.atlas)
	if s.outlines, err = loadOutlines(s.atlas); err != nil {
		return nil, fmt.Errorf("prepare site: %w", err)
	}
	if s.assets, err = loadAssets(); err != nil {
		return nil, fmt.Errorf("prepare site: %w", err)
	}
	if s.templates, err = parseTemplates(s.assets); err != nil {
		return nil, fmt.Errorf("prepare site: %w", err)
	}
	return s, s.prepareForms()
}

// prepareForms checks that people can sign in and be kept so, or that they cannot at all, and protects the forms.
func (s *Site) prepareForms() error {
	parts := [3]bool{s.SignIn != nil, s.Sessions != nil, s.Accounts != nil}
	if parts != [3]bool{true, true, true} && (parts != [3]bool{} || s.OAuth != nil) {
		return errors.New("prepare site: SignIn, Sessions and Accounts go together")
	}
	if s.SignIn == nil && s.Contacts == nil {
		return nil
	}
	var err error
	if s.sameOrigin, err = web.SameOrigin(s.BaseURL, s.failOutside); err != nil {
		return fmt.Errorf("prepare site: %w", err)
	}
	return nil
}

// Register adds the site's routes to r, an engine of package web. NotFound and MethodNotAllowed are for the engine's
// owner to place.
func (s *Site) Register(r *gin.Engine) {
	pages := r.Group("/", web.Recover(s.failOutside), web.Limit(s.Requests, s.failOutside), web.Deadline(pageTime))
	if s.Sessions != nil {
		pages.Use(s.Sessions.Middleware())
		s.registerSignIn(pages)
	}
	web.Get(pages, "/", s.page(s.home))
	web.Get(pages, "/health", s.health)
	web.Get(pages, "/robots.txt", s.robots)
	web.Get(pages, "/sitemap.xml", s.forCrawlers(s.sitemap))
	web.Get(pages, "/sitemaps/:arquivo", s.forCrawlers(s.sitemapPart))
	web.Get(pages, "/llms.txt", s.llms)
	web.Get(pages, "/static/:asset", s.static)
	web.Get(pages, "/busca", s.page(s.search))
	web.Get(pages, "/sugestoes", s.suggestions)
	web.Get(pages, "/empresas", s.page(s.companies))
	web.Get(pages, "/empresas.csv", s.companiesCSV)
	web.Get(pages, "/uf/:uf", s.page(s.state))
	web.Get(pages, "/uf/:uf/:cidade", s.page(s.city))
	web.Get(pages, "/estados", s.page(s.states))
	web.Get(pages, "/municipios", s.page(s.municipalities))
	web.Get(pages, "/municipios.csv", s.municipalitiesCSV)
	web.Get(pages, "/socio/:d6/:sl", s.page(s.partner))
	web.Get(pages, "/metodologia/bndes", s.page(s.methodology))
	web.Get(pages, "/privacidade", s.text(s.privacy))
	web.Get(pages, "/termos", s.text(s.terms))
	if s.Contacts != nil {
		web.Get(pages, hidingPath, s.personal(s.askToHide))
		pages.POST(hidingPath, s.sameOrigin, web.Form(s.failOutside), s.personal(s.requestHiding))
	}
	web.Get(pages, "/api", s.text(s.apiPage))
	web.Get(pages, "/api/v1", s.text(s.apiV1Page))
	web.Get(pages, "/api/docs", s.text(s.referencePage))
	web.Get(pages, "/assistente", s.text(s.assistantPage))
	web.Get(pages, whatsAppPath, s.text(s.whatsAppPage))
	web.Get(pages, telegramPath, s.text(s.telegramPage))
	web.Get(pages, "/openapi.json", s.openAPI)
	if s.Components {
		web.Get(pages, "/componentes", s.text(s.components))
	}
	web.Get(pages, "/:cnpj/ibama/:fonte/:numero_pagina", s.page(s.ibama))
	web.Get(pages, "/:cnpj", s.companyInEitherForm())
}

// registerSignIn adds the routes of people who sign in. What a look at it alone would change is not for HEAD.
func (s *Site) registerSignIn(pages *gin.RouterGroup) {
	web.Get(pages, "/login", s.personal(s.login))
	pages.GET(signin.CallbackPath, s.personal(s.callback))
	pages.GET("/auth/:provider", s.personal(s.startSignIn))
	forms := pages.Group("/", s.sameOrigin, web.Form(s.failOutside))
	forms.POST("/auth/magic-link", s.personal(s.sendLink))
	forms.POST(signin.CallbackPath, s.personal(s.useLink))
	web.Get(pages, "/conta", s.personal(s.account))
	forms.POST("/conta/sair", s.personal(s.signOut))
	forms.POST("/conta/chaves", s.personal(s.createKey))
	forms.POST("/conta/chaves/:id/revogar", s.personal(s.revokeKey))
	forms.POST("/conta/sessoes/:id/encerrar", s.personal(s.endSession))
	forms.POST("/conta/sessoes/encerrar-outras", s.personal(s.endOtherSessions))
	forms.POST("/conta/excluir", s.personal(s.deleteAccount))
	if s.OAuth != nil {
		pages.GET(oauthserver.ConsentPath, s.personal(s.consent))
		forms.POST(oauthserver.ConsentPath, s.personal(s.decide))
		forms.POST("/conta/autorizacoes/:id/revogar", s.personal(s.revokeAuthorization))
	}
}

// page is what a template is executed with.
type page interface {
	template() string // file name without extension
	base() *frame
}

// frame is what every page has around its content.
type frame struct {
	Title           string // of the window; the product's name is added
	Description     string
	Canonical       string // path, made absolute when the page is sent; "" for pages without an address of their own
	NoIndex         bool
	Query           string      // stands in the search box
	Kept            []parameter // sent along with it
	SearchInContent bool        // the search box is not in the header

	Month     string // AAAA-MM of the companies; "" when nothing is served
	Synthetic bool   // the companies are invented
	Entrance  string // where people sign in, or see their account when they have; "" when nobody can, or nobody could look
}

func (f *frame) base() *frame { return f }

// reply is what a page's handler gives back: a page, or the place where it is.
type reply struct {
	page     page
	status   int // of a redirection; of a page 0 stands for 200
	location string
}

// handler makes a page from one snapshot.
type handler func(c *gin.Context, snap *snapshot.Snapshot) (reply, error)

// page runs h on the snapshot in service and sends what it returns.
func (s *Site) page(h handler) gin.HandlerFunc {
	return func(c *gin.Context) {
		snap, err := s.Live.Acquire()
		if err != nil {
			s.fail(c, nil, err)
			return
		}
		defer snap.Release()
		answer, err := h(c, snap)
		switch {
		case err != nil:
			s.fail(c, snap, err)
		case answer.page == nil:
			c.Redirect(answer.status, answer.location)
		default:
			c.Header("Cache-Control", "no-cache")
			s.send(c, http.StatusOK, answer.page, snap)
		}
	}
}

// text sends a page whose words do not depend on what is loaded: it is there before anything is. make gets the snapshot in
// service, or nil.
func (s *Site) text(make func(ctx context.Context, snap *snapshot.Snapshot) page) gin.HandlerFunc {
	return func(c *gin.Context) {
		snap, err := s.Live.Acquire()
		if err != nil {
			snap = nil
		} else {
			defer snap.Release()
		}
		c.Header("Cache-Control", "no-cache")
		s.send(c, http.StatusOK, make(c.Request.Context(), snap), snap)
	}
}

// personal runs h, which answers one person alone, and sends what it returns. It does not depend on what is loaded.
func (s *Site) personal(h func(c *gin.Context) (reply, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		answer, err := h(c)
		if err != nil {
			s.failOutside(c, err)
			return
		}
		c.Header("Cache-Control", "no-store")
		if answer.page == nil {
			c.Redirect(answer.status, answer.location)
			return
		}
		snap, err := s.Live.Acquire()
		if err != nil {
			snap = nil
		} else {
			defer snap.Release()
		}
		s.send(c, max(answer.status, http.StatusOK), answer.page, snap)
	}
}

// send renders the whole page before its first byte leaves, so that a failing template is an honest 503. snap may be
// nil.
func (s *Site) send(c *gin.Context, status int, p page, snap *snapshot.Snapshot) {
	f := p.base()
	if f.Canonical != "" {
		f.Canonical = s.BaseURL + f.Canonical
	}
	if snap != nil {
		f.Month = snap.Load.Period
		f.Synthetic = isSynthetic(snap.Load.Provenance)
	}
	f.Entrance = s.entrance(c)
	f.NoIndex = f.NoIndex || f.Synthetic || status != http.StatusOK
	var body bytes.Buffer
	if err := s.templates.render(&body, p); err != nil {
		panic(fmt.Errorf("render page: %w", err))
	}
	answer := web.Reply{Status: status, ContentType: "text/html; charset=utf-8", Body: body.Bytes()}
	if status == http.StatusOK {
		answer.ETag = web.ETag(answer.Body)
	}
	s.sender.Send(c, answer)
}

// isSynthetic says whether the source itself declares that its companies are invented.
func isSynthetic(p registry.Provenance) bool {
	declared := strings.ToLower(p.Conjunto + " " + p.Orgao)
	return strings.Contains(declared, "fictíci") || strings.Contains(declared, "sintétic")
}
