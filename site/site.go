// Package site is the website: server-rendered pages in Brazilian Portuguese that work without
// JavaScript.
//
// The site is divided into packages, each with the handlers, page structs and templates of some
// routes: company (with records), changes, network, find, lists, places, people and reference. They depend on package page,
// which renders and sends, on the words of packages wording (an establishment as people read it) and
// glossary (terms and their definitions), and on what their Config passes in. This package wires them together and
// owns the remaining routes: home page, legal texts, documentation, OpenAPI document, sitemap,
// robots.txt, llms.txt and health check.
//
// A request passes these middleware in order: panic recovery, the rate limit per address, a
// deadline, the session (if people can sign in), and load shedding. Load shedding starts after the
// account pages, robots.txt, llms.txt and static assets, so people can still sign in on a full
// server; files of the sitemap have a limit and a slot of their own. /health is outside all limits.
// Handlers take one snapshot for the whole request and never see a load being switched.
package site

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/people/account"
	"razao/internal/people/contacts"
	"razao/internal/people/follow"
	"razao/internal/people/kept"
	"razao/internal/people/oauthserver"
	"razao/internal/people/signin"
	"razao/internal/people/webhook"
	"razao/internal/store/proof"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/changes"
	"razao/site/company"
	"razao/site/find"
	"razao/site/lists"
	"razao/site/network"
	"razao/site/page"
	"razao/site/people"
	"razao/site/places"
	"razao/site/reference"
)

//go:embed llms.md
var templateFiles embed.FS

// pageTime is the deadline of a page request.
const pageTime = 5 * time.Second

// Pages that compute for long, those of networks. They take no slots of the others, and those of one account or network leave room
// for more.
const (
	longAtOnce    = 8
	longOfAccount = 2
	longOfNetwork = 4
	longWait      = time.Second // for one of them to end
)

// Config holds the dependencies of a [Site]. Live and Ping are required.
type Config struct {
	Live     *snapshot.Live
	Ping     func(context.Context) error // health check of the database
	BaseURL  string                      // public URL, for absolute links; a trailing slash is dropped
	Version  string                      // of the program, shown by /health
	Now      func() time.Time            // nil: time.Now
	Requests *web.Throttle               // rate limit per client address; nil: none
	Slots    *web.Slots                  // bounds concurrent page requests; nil: unbounded
	// SuggestionTime is the deadline for suggestions; 0: a quarter of a second.
	SuggestionTime time.Duration
	// Checkpoints signs the checkpoints of loads; with the zero value they are not shown.
	Checkpoints proof.Signer
	// Components adds /componentes, the style guide for developers.
	Components bool
	Operator   string          // e-mail address of the operator; "": not shown
	Contacts   *contacts.Store // stores requests to hide a contact; nil: the form is absent

	// WhatsApp is the business number in international form, digits only; Telegram is the bot's
	// user name without @. An empty value means that the messenger is not connected.
	WhatsApp, Telegram string

	// SignIn, Sessions, Accounts, Follows, Webhooks and Kept must all be set or all be nil. If nil, nobody can
	// sign in.
	SignIn   *signin.Service
	Sessions *signin.Sessions
	Accounts *account.Store
	Follows  *follow.Store
	Webhooks *webhook.Store
	Kept     *kept.Store    // lists that are being looked at
	Meter    *account.Meter // counts what signed-in visitors ask about persons; nil where nobody can sign in

	OAuth *oauthserver.Server // authorization server for third-party programs; nil: none; needs SignIn
}

// Site serves the pages. Create it with [New]. It is safe for concurrent use.
type Site struct {
	Config
	now      func() time.Time
	pages    *page.Server
	changes  *changes.Handlers
	company  *company.Handlers
	find     *find.Handlers
	lists    *lists.Handlers
	network  *network.Handlers
	places   *places.Handlers
	people   *people.Handlers
	lookup   *reference.Handlers
	llms     *web.Document    // /llms.txt
	answered atomic.Int64     // last time the index answered /health, Unix nanoseconds
	listing  *web.Slots       // of files of the sitemap, so that these take none of pages
	long     *web.SharedSlots // see longAtOnce
	crawls   *web.Throttle    // limits files of the sitemap per client address
	patterns []string         // of the routes of GET
}

// NewNotices returns what puts into words what followers are notified of: see [people.Notices].
func NewNotices(baseURL string, live *snapshot.Live) (*people.Notices, error) {
	return people.NewNotices(baseURL, live)
}

// New builds the site. It fails if cfg is incomplete or if an embedded asset or table is malformed.
func New(cfg Config) (*Site, error) {
	s := &Site{
		Config: cfg, now: cfg.Now,
		listing: web.NewRequestSlots(sitemapsAtOnce, sitemapsAtOnce), crawls: web.NewThrottle(sitemapsPerMinute, sitemapsPerMinute),
		long: web.NewSharedSlots(longAtOnce, web.Share{Account: longOfAccount, Network: longOfNetwork}, longWait),
	}
	s.BaseURL = strings.TrimRight(s.BaseURL, "/")
	if s.now == nil {
		s.now = time.Now
	}
	if err := s.open(); err != nil {
		return nil, fmt.Errorf("prepare site: %w", err)
	}
	return s, nil
}

// open creates the handlers of each package.
func (s *Site) open() error {
	if s.Live == nil || s.Ping == nil {
		return errors.New("needs Live and Ping")
	}
	var err error
	if s.pages, err = page.New(page.Config{Live: s.Live, BaseURL: s.BaseURL, Sessions: s.Sessions}); err != nil {
		return err
	}
	if s.places, err = places.New(s.pages); err != nil {
		return err
	}
	if s.find, err = find.New(find.Config{Pages: s.pages, Places: s.places, SuggestionTime: s.SuggestionTime}); err != nil {
		return err
	}
	if s.changes, err = changes.New(s.pages); err != nil {
		return err
	}
	if s.lists, err = lists.New(s.pages, s.Kept, s.Follows); err != nil {
		return err
	}
	s.network = network.New(network.Config{Pages: s.pages, Meter: s.Meter})
	s.company, err = company.New(company.Config{Pages: s.pages, Now: s.now, CanAsk: s.Contacts != nil})
	if err != nil {
		return err
	}
	s.people, err = people.New(people.Config{
		Pages: s.pages, SignIn: s.SignIn, Accounts: s.Accounts, Follows: s.Follows, Webhooks: s.Webhooks,
		OAuth: s.OAuth, Contacts: s.Contacts, Operator: s.Operator,
	})
	if err != nil {
		return err
	}
	if s.lookup, err = reference.New(s.pages, s.now, s.Checkpoints); err != nil {
		return err
	}
	return s.writeLLMs()
}

// Register adds the site's routes to r, which must come from package web. It does not install
// [Site.NotFound] and [Site.MethodNotAllowed]; the owner of the engine does.
func (s *Site) Register(r *gin.Engine) {
	others := r.Routes()
	defer func() { s.patterns = patterns(r, others) }()
	web.Get(r, "/health", web.Recover(s.pages.Fail), s.health) // not throttled: behind a proxy all probes share one address
	pages := r.Group("/", web.Recover(s.pages.Fail), web.Limit(s.Requests, s.pages.Fail), web.Deadline(pageTime))
	if s.Sessions != nil {
		pages.Use(s.Sessions.Middleware())
	}
	s.people.Register(pages)
	s.lists.Register(pages)
	web.Get(pages, "/robots.txt", s.robots)
	web.Get(pages, securityPath, s.securityText)
	web.Get(pages, apiCatalogPath, s.apiCatalog())
	web.Get(pages, "/llms.txt", s.llms.Send)
	web.Get(pages, "/static/:asset", s.pages.Static)
	web.Get(pages, "/sitemaps/:arquivo", web.Limit(s.crawls, s.pages.Fail), web.Shed(s.listing, s.refuse), s.forCrawlers(s.sitemapPart))
	pages.Use(web.Shed(s.Slots, s.refuse))
	web.Get(pages, "/", s.pages.Page(s.home))
	web.Get(pages, "/sitemap.xml", s.forCrawlers(s.sitemap))
	s.find.Register(pages)
	s.places.Register(pages, s.find.Namer)
	s.changes.Register(pages)
	web.Get(pages, "/metodologia/bndes", s.pages.Page(s.methodology))
	web.Get(pages, "/privacidade", s.pages.Text(s.privacy))
	web.Get(pages, "/transparencia", s.pages.Text(s.transparency))
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
	s.network.Register(pages.Group("/", s.takesLong))
	s.company.Register(pages)
}

// takesLong is middleware for pages that compute for long.
func (s *Site) takesLong(c *gin.Context) {
	done, err := web.Move(c, s.long, pageTime)
	if err != nil {
		c.Abort()
		s.pages.Fail(c, err)
		return
	}
	defer done()
	c.Next()
}

// parameter is a segment of the path of a route that takes any value.
var parameter = regexp.MustCompile(`:\w+`)

// patterns returns the routes of GET, as [path.Match] takes them, except those that were there before and
// those that begin with a parameter: these are for a CNPJ.
func patterns(r *gin.Engine, before gin.RoutesInfo) (read []string) {
	for _, route := range r.Routes() {
		same := func(other gin.RouteInfo) bool { return other.Method == route.Method && other.Path == route.Path }
		if route.Method == http.MethodGet && !strings.HasPrefix(route.Path, "/:") && !slices.ContainsFunc(before, same) {
			read = append(read, parameter.ReplaceAllString(route.Path, "*"))
		}
	}
	return read
}

// refuse answers a request that load shedding turned away: an empty list for suggestions, which
// never show an error, and a 503 page for everything else.
func (s *Site) refuse(c *gin.Context, err error) {
	if strings.HasPrefix(c.FullPath(), find.SuggestionsPath) {
		s.find.NoSuggestions(c, err)
		return
	}
	s.pages.Refuse(c, err)
}

// RefuseAuthorization sends an error page for an authorization request that must not be redirected
// back to its client (RFC 6749 §4.1.2.1). Pass it to [oauthserver.Server.Register] as refuse.
func (s *Site) RefuseAuthorization(c *gin.Context, err error) { s.people.RefuseAuthorization(c, err) }
