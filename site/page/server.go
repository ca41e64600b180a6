// Package page is what all pages of the website share: the frame around their content, how they are parsed, rendered and
// sent, what becomes of errors, and the addresses that pages have.
//
// A room of the site is a package with handlers, page structs and the templates beside them. It gives its templates to
// Server.Parse and wraps its handlers in Page, Text, Personal or Table, which send what they return. A handler knows nothing
// of status codes of errors: it returns the error, and the page of the error is made here.
package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/edge"
	"razao/internal/signin"
	"razao/internal/snapshot"
	"razao/internal/web"
)

// Config is what all pages need from outside. Live is required.
type Config struct {
	Live     *snapshot.Live
	BaseURL  string           // public address without a slash at its end, for absolute links
	Sessions *signin.Sessions // nil: nobody can sign in
}

// Server renders and sends pages. It is safe for concurrent use once all templates are parsed.
type Server struct {
	Config
	Sender web.Sender

	assets  assets
	refusal func() refusal
	shared  *template.Template            // the layout and the parts of all rooms
	pages   map[string]*template.Template // by the name that Page.Template returns
}

// New returns a server that has the page of errors only. An error means that a template or an asset is damaged.
func New(cfg Config) (*Server, error) {
	s := &Server{Config: cfg, pages: map[string]*template.Template{}}
	var err error
	if s.assets, err = loadAssets(); err != nil {
		return nil, err
	}
	if s.shared, err = parseShared(s.assets); err != nil {
		return nil, err
	}
	s.refusal = sync.OnceValue(s.renderRefusal)
	return s, s.Parse([]string{"error"}, templateFiles)
}

// Reply is what a page's handler gives back: a page, or the place where it is.
type Reply struct {
	Page     Page
	Status   int // of a redirection; of a page 0 stands for 200
	Location string
}

// SeeOther is the reply to a form that was worked on, and to people who have to be elsewhere.
func SeeOther(location string) Reply { return Reply{Status: http.StatusSeeOther, Location: location} }

// Handler makes a page from one snapshot, as visitors may see it.
type Handler func(c *gin.Context, snap *snapshot.Snapshot) (Reply, error)

// OnSnapshot runs h on the snapshot in service, as visitors may see it. When h returns an error it must not have written anything: the page of the
// error is sent.
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

// Page runs h on the snapshot in service and sends what it returns.
func (s *Server) Page(h Handler) gin.HandlerFunc {
	return s.OnSnapshot(func(c *gin.Context, snap *snapshot.Snapshot) error {
		answer, err := h(c, snap)
		if err != nil {
			return err
		}
		if answer.Page == nil {
			c.Redirect(answer.Status, answer.Location)
			return nil
		}
		s.send(c, max(answer.Status, http.StatusOK), answer.Page, snap, kept(web.Visitors, snap))
		return nil
	})
}

// Text sends a page whose words do not depend on what is loaded: it is there before anything is. make gets the snapshot in
// service, or nil.
func (s *Server) Text(make func(ctx context.Context, snap *snapshot.Snapshot) Page) gin.HandlerFunc {
	return func(c *gin.Context) {
		snap, release := s.acquireAny()
		defer release()
		s.send(c, http.StatusOK, make(c.Request.Context(), snap), snap, kept(web.Visitors, snap))
	}
}

// Personal runs h, which answers one person alone, and sends what it returns. It does not depend on what is loaded.
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

// acquireAny returns the snapshot in service, nil when there is none.
func (s *Server) acquireAny() (snap *snapshot.Snapshot, release func()) {
	snap, err := s.Live.Acquire()
	if err != nil {
		return nil, func() {}
	}
	return snap.ForVisitors(), snap.Release
}

// send renders the whole page before its first byte leaves, so that a failing template is an honest 503. snap may be
// nil.
func (s *Server) send(c *gin.Context, status int, p Page, snap *snapshot.Snapshot, caching web.Caching) {
	f := p.Common()
	if f.Canonical != "" {
		f.Canonical = s.BaseURL + f.Canonical
	}
	if snap != nil {
		f.Month = snap.Load.Period
		f.Synthetic = snap.Load.Invented
	}
	f.Entrance = s.entrance(c)
	f.NoIndex = f.NoIndex || f.Synthetic || status != http.StatusOK
	var body bytes.Buffer
	if err := s.Render(&body, p); err != nil {
		panic(fmt.Errorf("render page: %w", err))
	}
	answer := web.Reply{Status: status, ContentType: "text/html; charset=utf-8", Caching: caching, Body: body.Bytes()}
	if status == http.StatusOK {
		answer.ETag = web.ETag(answer.Body)
	}
	s.Sender.Send(c, answer)
}

// kept lets an answer be kept that was made from a snapshot, nil when there is none.
func kept(who web.Audience, snap *snapshot.Snapshot) web.Caching {
	if snap == nil {
		return web.Caching{For: who}
	}
	return web.Caching{For: who, Keys: edge.Keys(snap.ID())}
}

// ForEveryone lets an answer be kept that was made from a snapshot and is the same for whoever asks. age is how long it is fresh for; 0: see
// web.Caching.
func ForEveryone(snap *snapshot.Snapshot, age time.Duration) web.Caching {
	caching := kept(web.Everyone, snap)
	caching.Age = age
	return caching
}

// SendJSON encodes body without escaping the characters that names contain.
func (s *Server) SendJSON(c *gin.Context, status int, body any, caching web.Caching) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		panic(fmt.Errorf("encode body: %w", err))
	}
	s.Sender.Send(c, web.Reply{Status: status, ContentType: "application/json; charset=utf-8", Caching: caching, Body: b.Bytes()})
}
