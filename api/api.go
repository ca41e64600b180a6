// Package api is the keyed JSON API, /v1 and /v2. A request goes through it like this:
//
//  1. Register's middleware bounds its time and turns a panic into a 503; addresses that keep failing get 429, and what is too
//     much at once a 503 that counts for nobody.
//  2. keyed has the key admitted and the call counted, whatever becomes of it (open, for the catalogue, does not).
//  3. The handler reads path, query and cursor. What is wrong with them is refused before any data is looked at.
//  4. It takes the snapshot in service and finishes on it. A cursor of a load that is no longer served is a 409.
//  5. Package render appends the records to a pooled buffer under "dados"; its hash is the ETag, and "meta" follows.
//  6. open sends the buffer, or the error that failureOf finds for what went wrong: nothing has been sent until then.
//
// The OpenAPI documents (openapi*.go) are built at start from the tables that package render is generated from. Messages are for
// people who write clients, in Portuguese.
package api

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/internal/criteria"
	"razao/internal/snapshot"
	"razao/internal/source"
	"razao/internal/web"
)

// requestDeadline is what one answer may take; past it the client gets a 503.
const requestDeadline = 10 * time.Second

// Config are the parts of the program that the API asks.
type Config struct {
	Live *snapshot.Live
	// Admit decides on a call by its key, which may be empty. account.ErrMissingKey and account.ErrInvalidKey refuse it, and
	// a *account.LimitError does for the rest of a minute; any other error means that nobody could decide. It is
	// account.Meter.Admit.
	Admit func(ctx context.Context, token string) (account.Admission, error)
	// Standing returns what Admit would and counts nothing; nil: nobody asks. It is account.Meter.Standing.
	Standing func(ctx context.Context, token string) (account.Admission, error)
	// Known reports, without a query, whether a key is certainly no guess; nil: of none. It is account.Meter.Knows.
	Known func(token string) bool
	// Record is told of every call that was let in, when it is answered; nil: nobody is.
	Record func(account.Call)
	// Failures limits how often an address may come without a valid key; nil does not.
	Failures *web.Throttle
	// Places bound how many calls are worked on at once; nil does not.
	Places *web.Places
	// Calls limits how many calls of a network are admitted, whatever their accounts; nil does not.
	Calls *web.Throttle
	// IBGE returns IBGE's code of a municipality for the tax authority's, "" when there is none.
	IBGE func(codigo string) string
	// CursorKey signs the cursors of pages. Servers that answer for the same address share it, and cursors last no longer
	// than it does. Empty: a key that ends with this API.
	CursorKey []byte
	// Now tells the time, by which a load of public records is old; nil: the real time.
	Now func() time.Time
}

// API answers /v1 and /v2. It is made by New and safe for concurrent use.
type API struct {
	live     *snapshot.Live
	admit    func(ctx context.Context, token string) (account.Admission, error)
	standing func(ctx context.Context, token string) (account.Admission, error)
	known    func(token string) bool
	record   func(account.Call)
	protect  gin.HandlerFunc
	shed     gin.HandlerFunc
	calls    *web.Throttle
	ibge     func(codigo string) string
	cursors  cursorSigner
	now      func() time.Time
	sources  []source.Source // in their order
	sender   web.Sender
	bodies   sync.Pool                        // of *body
	criteria func() (*criteria.Reader, error) // of the filters of a search
}

// New returns an API that has no routes yet.
func New(c Config) *API {
	a := &API{
		live: c.Live, admit: c.Admit, standing: c.Standing, known: c.Known, record: c.Record, calls: c.Calls, ibge: c.IBGE,
		cursors: cursorSigner{c.CursorKey}, now: c.Now, sources: source.All(),
	}
	a.criteria = sync.OnceValues(func() (*criteria.Reader, error) { return criteria.NewReader(a.live.Atlas()) })
	if a.known == nil {
		a.known = func(string) bool { return false }
	}
	known := func(c *gin.Context) bool { return a.known(bearerToken(c.GetHeader("Authorization"))) }
	a.protect = web.Guard{Failures: c.Failures, Known: known, Fail: a.fail}.Limit
	a.shed = web.Shed(c.Places, a.fail)
	if a.record == nil {
		a.record = func(account.Call) {}
	}
	if len(a.cursors.key) == 0 {
		a.cursors.key = []byte(rand.Text())
	}
	if a.now == nil {
		a.now = time.Now
	}
	return a
}

// Register adds the routes of the API to r.
func (a *API) Register(r gin.IRouter) {
	room := r.Group("", web.Recover(a.fail), web.Deadline(requestDeadline))
	web.Get(room, "/v1/cnpj/:cnpj", a.protect, a.shed, a.keyed(a.v1Record))
	web.Get(room, "/v1/openapi.json", a.description(documentV1()))
	a.registerV2(room)
	web.Get(room, "/v2/openapi.json", a.description(documentV2()))
}

// Owns reports whether the API answers for a path that has no route.
func Owns(path string) bool {
	version, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return version == "v1" || version == "v2"
}

// NotFound answers a request for a path that the API owns and that has no route.
func (a *API) NotFound(c *gin.Context) { a.failShowingRate(c, errNoRoute) }

// MethodNotAllowed answers a request whose path has a route for another method. The router has set Allow.
func (a *API) MethodNotAllowed(c *gin.Context) { a.failShowingRate(c, errMethod) }

// handler reads a request, asks below and appends the answer to b. Nothing has been sent yet: when it fails, what it
// appended is forgotten.
type handler func(c *gin.Context, b *body) error

// body is an answer being written.
type body struct {
	bytes []byte
	etag  string
}

const largestKept = 1 << 20 // bodies that one huge company has grown are not kept

// keyed admits a call and lets h answer it. From here on a call counts, whatever becomes of it.
func (a *API) keyed(h handler) gin.HandlerFunc {
	answer := a.open(h)
	return func(c *gin.Context) {
		admission, err := a.admitFrom(c)
		web.EventOf(c.Request.Context()).Account = int64(admission.Account)
		showRate(c.Writer.Header(), admission)
		if err != nil {
			a.fail(c, err)
			return
		}
		panicked := true
		defer func() {
			call := callOf(c, admission)
			if panicked && !c.Writer.Written() {
				call.Status = http.StatusServiceUnavailable // which web.Recover is about to send
			}
			a.record(call)
		}()
		answer(c)
		panicked = false
	}
}

// open lets h answer a call that needs no key, and sends the answer or the error.
func (a *API) open(h handler) gin.HandlerFunc {
	return func(c *gin.Context) {
		b, ok := a.bodies.Get().(*body)
		if !ok {
			b = &body{}
		}
		b.bytes, b.etag = b.bytes[:0], ""
		err := h(c, b)
		if err == nil {
			err = web.EventOf(c.Request.Context()).Hold(len(b.bytes))
		}
		if err != nil {
			a.fail(c, err)
		} else {
			a.sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: contentType, ETag: b.etag, Caching: forCaller, Body: b.bytes})
		}
		if cap(b.bytes) <= largestKept {
			a.bodies.Put(b)
		}
	}
}

// forCaller: what a key was asked for is for nobody else, and what needs none names its request.
var forCaller = web.Caching{For: web.Caller}

const contentType = "application/json; charset=utf-8"
