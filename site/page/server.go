// Package page is what all handlers of the website share: layout, rendering, caching headers, error
// pages, static assets, tables to download, pagers and the paths of pages.
//
// Each package of handlers has page structs and their templates. It wraps each handler:
//
//   - [Server.Page]: a page made from the snapshot in service
//   - [Server.Text]: a page that also exists before any load
//   - [Server.Personal]: a page for one person, Cache-Control: no-store
//   - [Server.Table]: a table to download, CSV by default; [Server.Export]: one for the signed-in
//   - [Server.OnSnapshot]: anything else made from a snapshot
//
// A handler returns a page, a redirect or an error, and the server writes it. Errors become pages
// in one place (errors.go). A page is rendered completely before its first byte is sent, so an
// error never truncates a 200; only tables of more than [MaxWhole] rows are streamed. A part of a page may fail without failing the page: the handler
// records the error in the request's web.Event, which logs it and keeps the incomplete page out of
// shared caches.
//
// Snapshots are acquired and released here, and handlers only see them through snapshot.ForVisitors,
// which hides the contacts of natural persons.
//
// Templates are components of templ: functions and methods with arguments, in a .templ file beside
// the Go code and compiled to it (make templates), which escape every value for its context. Within
// a sentence texts are chosen by functions, [When] and [Either], because templ writes a space for a
// line break before an if or for. Assets are served under content-hashed names and cached forever.
// Markdown pages use text/template, with functions that escape published text.
package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/people/signin"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/internal/web/edge"
)

// Config holds the dependencies of a [Server]. Live is required.
type Config struct {
	Live     *snapshot.Live
	BaseURL  string           // public URL without a trailing slash, for absolute links
	Sessions *signin.Sessions // nil: nobody can sign in
}

// Server renders and sends pages. It is safe for concurrent use.
type Server struct {
	Config
	Sender web.Sender

	assets    assets
	refusal   refusal
	bodies    sync.Pool      // of *bytes.Buffer
	files     *web.Throttle  // limits tables of companies per account
	filesFrom *web.Throttle  // and per client address
	exports   *web.Downloads // tables that are streamed
}

// maxKeptBytes bounds the buffers that are pooled, well above the size of a page.
const maxKeptBytes = 1 << 20

// New returns a server. It fails if an embedded asset is malformed.
func New(cfg Config) (*Server, error) {
	s := &Server{
		Config: cfg, exports: web.NewDownloads(exportsAtOnce, web.Share{Account: exportsOfAccount, Network: exportsOfNetwork}, exportsComputing, exportsWait),
		files: web.NewThrottle(filesPerMinute, filesBurst), filesFrom: web.NewThrottle(filesOfAddress, filesOfAddress),
	}
	s.bodies.New = func() any { return new(bytes.Buffer) }
	var err error
	if s.assets, err = embedded(); err != nil {
		return nil, err
	}
	s.refusal, err = renderRefusal()
	return s, err
}

// Reply is the result of a handler: a page, or a redirect if Page is nil.
type Reply struct {
	Page     Page
	Status   int    // for a page, 0 means 200
	Location string // of a redirect
}

// SeeOther returns a 303 redirect, the reply to a processed form (post/redirect/get).
func SeeOther(location string) Reply { return Reply{Status: http.StatusSeeOther, Location: location} }

// Handler makes a page from a snapshot. The snapshot is valid until the handler returns.
type Handler func(c *gin.Context, snap *snapshot.Snapshot) (Reply, error)

// OnSnapshot returns a handler that runs h on the snapshot in service, as visitors may see it, and
// sends an error page if h fails. h must write the response itself, but nothing before an error.
func (s *Server) OnSnapshot(h func(c *gin.Context, snap *snapshot.Snapshot) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		snap, err := s.Live.Acquire()
		if err != nil {
			s.fail(c, nil, err)
			return
		}
		defer snap.Release()
		if err := h(c, snap.ForVisitors()); err != nil {
			s.fail(c, snap, err)
		}
	}
}

// Page returns a handler that runs h on the snapshot in service and sends its reply. Shared caches
// may keep the page for visitors who are not signed in.
func (s *Server) Page(h Handler) gin.HandlerFunc {
	return s.OnSnapshot(func(c *gin.Context, snap *snapshot.Snapshot) error {
		answer, err := h(c, snap)
		if err == nil {
			s.SendPage(c, snap, answer, web.Visitors)
		}
		return err
	})
}

// SendPage sends the reply of a handler. who is the audience of caches.
func (s *Server) SendPage(c *gin.Context, snap *snapshot.Snapshot, answer Reply, who web.Audience) {
	if answer.Page == nil {
		c.Redirect(answer.Status, answer.Location)
		return
	}
	s.send(c, max(answer.Status, http.StatusOK), answer.Page, snap, cachingFor(who, snap))
}

// Text returns a handler for a page that does not depend on a load. make gets the snapshot in
// service, or nil if there is none.
func (s *Server) Text(make func(ctx context.Context, snap *snapshot.Snapshot) Page) gin.HandlerFunc {
	return func(c *gin.Context) {
		snap, release := s.acquireAny()
		defer release()
		s.send(c, http.StatusOK, make(c.Request.Context(), snap), snap, cachingFor(web.Visitors, snap))
	}
}

// Personal returns a handler for a page about the person who asks. It does not depend on a load,
// and no cache may store the response.
func (s *Server) Personal(h func(c *gin.Context) (Reply, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		answer, err := h(c)
		if err != nil {
			s.Fail(c, err)
			return
		}
		if answer.Page == nil {
			c.Redirect(answer.Status, answer.Location)
			return
		}
		snap, release := s.acquireAny()
		defer release()
		s.send(c, max(answer.Status, http.StatusOK), answer.Page, snap, web.Caching{})
	}
}

// acquireAny returns the snapshot in service, or nil, and the function that releases it.
func (s *Server) acquireAny() (snap *snapshot.Snapshot, release func()) {
	snap, err := s.Live.Acquire()
	if err != nil {
		return nil, func() {}
	}
	return snap.ForVisitors(), snap.Release
}

// send completes the frame and renders the whole page before it writes anything, so that a failing
// template becomes a 503 (the panic is recovered by web.Recover). snap may be nil.
func (s *Server) send(c *gin.Context, status int, p Page, snap *snapshot.Snapshot, caching web.Caching) {
	f := p.Common()
	if f.Canonical != "" {
		f.Canonical = s.BaseURL + f.Canonical
	}
	if snap != nil {
		f.Month = snap.Load.Period
		f.Synthetic, f.Gap = snap.Load.Invented, snap.Load.Gap()
	}
	f.Entrance = s.entrance(c)
	f.NoIndex = f.NoIndex || f.Synthetic || status != http.StatusOK
	body, _ := s.bodies.Get().(*bytes.Buffer)
	body.Reset()
	if err := Render(body, p); err != nil {
		panic(fmt.Errorf("render page: %w", err))
	}
	answer := web.Reply{Status: status, ContentType: "text/html; charset=utf-8", Caching: caching, Body: body.Bytes()}
	if status == http.StatusOK {
		answer.ETag = web.ETag(answer.Body)
	}
	s.Sender.Send(c, answer)
	if body.Cap() <= maxKeptBytes {
		s.bodies.Put(body)
	}
}

// cachingFor returns the caching of a response made from snap, with surrogate keys to purge it when the
// snapshot changes. snap may be nil.
func cachingFor(who web.Audience, snap *snapshot.Snapshot) web.Caching {
	if snap == nil {
		return web.Caching{For: who}
	}
	return web.Caching{For: who, Keys: edge.Keys(snap.ID())}
}

// ForEveryone returns the caching of a response that was made from snap and is the same for
// everyone, signed in or not. age is the freshness lifetime; for 0 see [web.Caching].
func ForEveryone(snap *snapshot.Snapshot, age time.Duration) web.Caching {
	caching := cachingFor(web.Everyone, snap)
	caching.Age = age
	return caching
}

// SendJSON sends body as JSON, without HTML escaping, since names contain &. It panics if body
// cannot be encoded.
func (s *Server) SendJSON(c *gin.Context, status int, body any, caching web.Caching) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		panic(fmt.Errorf("encode body: %w", err))
	}
	s.Sender.Send(c, web.Reply{Status: status, ContentType: "application/json; charset=utf-8", Caching: caching, Body: b.Bytes()})
}
