// Package site is the website: pages made on the server that work without JavaScript, for people who read Brazilian
// Portuguese.
//
// It is a house of rooms. Each is a package with its handlers, its page structs and its templates beside them, and knows only
// what its Config gives it: company, find, places, people and reference, all upon page, which renders and sends. This package puts them
// together and keeps what belongs to none: the first page, texts, documentation, and what crawlers and monitors ask for.
package site

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/internal/contacts"
	"razao/internal/oauthserver"
	"razao/internal/signin"
	"razao/internal/snapshot"
	"razao/internal/web"
	"razao/site/company"
	"razao/site/find"
	"razao/site/page"
	"razao/site/people"
	"razao/site/places"
	"razao/site/records"
	"razao/site/reference"
)

//go:embed *.html llms.md
var templateFiles embed.FS

// texts names the pages of this package; a missing file stops the start.
var texts = [...]string{
	"home", "methodology", "privacy", "terms", "api", "apiv1", "reference", "assistant", "channel", "components",
}

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
	Places   *web.Places                 // bound how many pages are made at once; nil: as many as are asked for
	// SuggestionTime bounds the work for suggestions; 0: a quarter of a second.
	SuggestionTime time.Duration
	// Components adds /componentes, a page for those who work on the site.
	Components bool
	Operator   string          // e-mail address of who runs this site; "": the pages do not say it
	Contacts   *contacts.Store // takes requests to hide a contact; nil: none can be sent

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
	now      func() time.Time
	pages    *page.Server
	company  *company.Room
	find     *find.Room
	places   *places.Room
	people   *people.Room
	lookup   *reference.Room
	llmsTxt  []byte        // of /llms.txt
	answered atomic.Int64  // when the index last answered /health, in Unix nanoseconds
	listing  chan struct{} // holds a token while a large file of the sitemap is made: one at a time
}

// New prepares the pages. An error means that cfg is incomplete, or that a template, an asset or a table is missing or damaged.
func New(cfg Config) (*Site, error) {
	s := &Site{Config: cfg, now: cfg.Now, listing: make(chan struct{}, 1)}
	s.BaseURL = strings.TrimRight(s.BaseURL, "/")
	if s.now == nil {
		s.now = time.Now
	}
	if err := s.open(); err != nil {
		return nil, fmt.Errorf("prepare site: %w", err)
	}
	return s, nil
}

// open prepares the rooms and the pages of texts.
func (s *Site) open() error {
	if s.Live == nil || s.Ping == nil {
		return errors.New("needs Live and Ping")
	}
	var err error
	if s.pages, err = page.New(page.Config{Live: s.Live, BaseURL: s.BaseURL, Sessions: s.Sessions}); err != nil {
		return err
	}
	if s.places, err = places.New(places.Config{Pages: s.pages}); err != nil {
		return err
	}
	if s.find, err = find.New(find.Config{Pages: s.pages, Places: s.places, SuggestionTime: s.SuggestionTime}); err != nil {
		return err
	}
	s.company, err = company.New(company.Config{Pages: s.pages, Places: s.places, Now: s.now, CanAsk: s.Contacts != nil})
	if err != nil {
		return err
	}
	s.people, err = people.New(people.Config{
		Pages: s.pages, SignIn: s.SignIn, Accounts: s.Accounts, OAuth: s.OAuth, Contacts: s.Contacts, Operator: s.Operator,
	})
	if err != nil {
		return err
	}
	if s.lookup, err = reference.New(reference.Config{Pages: s.pages, Now: s.now}); err != nil {
		return err
	}
	if err = s.writeLLMs(); err != nil {
		return err
	}
	return s.pages.Parse(texts[:], templateFiles, places.Templates, records.Templates, find.Templates, reference.Templates)
}

// Register adds the site's routes to r, an engine of package web. NotFound and MethodNotAllowed are for the engine's
// owner to place.
func (s *Site) Register(r *gin.Engine) {
	web.Get(r, "/health", web.Recover(s.pages.Fail), s.health) // outside limits: behind a proxy all probes are one address
	pages := r.Group("/", web.Recover(s.pages.Fail), web.Limit(s.Requests, s.pages.Fail), web.Deadline(pageTime))
	if s.Sessions != nil {
		pages.Use(s.Sessions.Middleware())
	}
	s.people.Register(pages)
	web.Get(pages, "/robots.txt", s.robots)
	web.Get(pages, "/llms.txt", s.llms)
	web.Get(pages, "/static/:asset", s.pages.Static)
	pages.Use(web.Shed(s.Places, s.refuse))
	web.Get(pages, "/", s.pages.Page(s.home))
	web.Get(pages, "/sitemap.xml", s.forCrawlers(s.sitemap))
	web.Get(pages, "/sitemaps/:arquivo", s.forCrawlers(s.sitemapPart))
	s.find.Register(pages)
	s.places.Register(pages, s.find.Namer)
	web.Get(pages, "/metodologia/bndes", s.pages.Page(s.methodology))
	web.Get(pages, "/privacidade", s.pages.Text(s.privacy))
	web.Get(pages, "/termos", s.pages.Text(s.terms))
	web.Get(pages, "/api", s.pages.Text(s.apiPage))
	web.Get(pages, "/api/v1", s.pages.Text(s.apiV1Page))
	web.Get(pages, "/api/docs", s.pages.Text(s.referencePage))
	s.lookup.Register(pages)
	web.Get(pages, "/assistente", s.pages.Text(s.assistantPage))
	web.Get(pages, whatsAppPath, s.pages.Text(s.whatsAppPage))
	web.Get(pages, telegramPath, s.pages.Text(s.telegramPage))
	web.Get(pages, "/openapi.json", s.openAPI())
	if s.Components {
		web.Get(pages, "/componentes", s.pages.Text(s.components))
	}
	s.company.Register(pages)
}

// refuse answers what there is no place for: suggestions are never an error.
func (s *Site) refuse(c *gin.Context, err error) {
	if strings.HasPrefix(c.FullPath(), find.SuggestionsPath) {
		s.find.NoSuggestions(c, err)
		return
	}
	s.pages.Refuse(c, err)
}

// RefuseAuthorization answers, with a page, who was sent here by a client that cannot be believed. It is the refuse of
// oauthserver.Server.Register.
func (s *Site) RefuseAuthorization(c *gin.Context, err error) { s.people.RefuseAuthorization(c, err) }
