// Package api is the keyed JSON API: /v1, a whole company in one document, and /v2, companies and
// establishments by mode or by collection, with their public records, and the search.
//
// # A request
//
//  1. Register's middleware turns a panic into a 503 and cancels the request after 10 s.
//  2. protect (web.Guard) refuses addresses with too many 401s, shed (web.Shed) refuses requests
//     beyond the capacity. Both come before admission, so neither refusal counts for an account.
//  3. keyed has the key admitted and the call counted; it counts whatever its outcome. A batch is charged
//     its further calls once its numbers are known. The catalogue, which needs no key, goes through
//     open alone.
//  4. The handler validates path, query and cursor before it reads any data.
//  5. It acquires the snapshot in service and finishes on it, whatever is published meanwhile
//     (snapshot isolation).
//  6. It reads every section of the answer, and then package render appends them to a pooled buffer
//     under "dados". The hash of these bytes is the ETag; "meta", with the request id, follows and is
//     not part of it.
//  7. open sends the buffer, or the error of failureOf. Nothing is sent earlier, so a failure
//     halfway never leaves half a document under status 200.
//
// # Collections
//
// Cursors are stateless: position and load, with a MAC over the address (cursorSigner). A page of
// another load could repeat or skip items, so a cursor of a load that is not in service is a 409.
// v1 has no pages: a company with thousands of branches is one body, which web.Event.Hold bounds.
//
// # Errors and descriptions
//
// 404 means that the document is confirmed absent from the load. An error that failureOf does not know is a
// 503, never an absence. Messages are in Portuguese, for people who write clients.
//
// The OpenAPI documents (openapi*.go) are built at start from the tables of package record that
// package render is generated from. Tests hold routes and responses to them.
package api

import (
	"context"
	"crypto/rand"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/people/account"
	"razao/internal/people/follow"
	"razao/internal/people/webhook"
	"razao/internal/store/proof"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// requestDeadline bounds the work on a request; a slower one is cancelled and gets a 503.
const requestDeadline = 10 * time.Second

// Calls that compute for long: names and networks. They take no slots of the others, and those of one
// account or network leave room for more.
const (
	longAtOnce    = 16
	longOfAccount = 4
	longOfNetwork = 8
	longWait      = 2 * time.Second // for one of them to end
)

// Config is what an API depends on. Live, Admit and Charge are required. All functions are called concurrently.
type Config struct {
	Live *snapshot.Live
	// Admit authenticates a call by its key, which may be "", and counts it (account.Meter.Admit).
	// account.ErrMissingKey and account.ErrInvalidKey become 401, *account.LimitError 429 and any
	// other error 503.
	Admit func(ctx context.Context, token string) (account.Admission, error)
	// Charge counts further calls of an admitted account, all or none (account.Meter.Charge). It is for batches.
	Charge func(ctx context.Context, id account.ID, calls int) (account.Admission, error)
	// Quota is Admit without counting (account.Meter.Quota). It fills the X-RateLimit headers
	// of 404 and 405 responses; nil leaves them out.
	Quota func(ctx context.Context, token string) (account.Admission, error)
	// Known reports from memory whether a key is certainly no guess (account.Meter.Knows); nil
	// takes every key for a possible guess.
	Known func(token string) bool
	// Record receives every admitted call after its response, for the usage history
	// (account.Meter.Record); nil drops them.
	Record func(account.Call)
	// Failures limits 401s by client address, against guessing keys; nil: no limit.
	Failures *web.Throttle
	// Slots bounds how many calls are in progress (load shedding); nil: no bound.
	Slots *web.Slots
	// Calls limits the admitted calls of a network over all accounts, because one person may open
	// many; nil: no limit.
	Calls *web.Throttle
	// Requests limits the catalogue and the OpenAPI documents, which need no key and count for nobody,
	// by network; nil: no limit.
	Requests *web.Throttle
	// Follows and Webhooks are what accounts follow and where events are posted to; nil: there are no routes for
	// them.
	Follows  *follow.Store
	Webhooks *webhook.Store
	// CursorKey is the HMAC key of cursors. Servers behind one address must share it; changing it
	// ends all cursors. If empty, New makes one up.
	CursorKey []byte
	// Checkpoints signs the checkpoints of proofs; with the zero value there are no proofs.
	Checkpoints proof.Signer
	// BaseURL is the origin of the site, which exports link to; "" leaves the links out.
	BaseURL string
	// V1 announces the end of v1; the zero value announces nothing.
	V1 Retirement
	// Now decides whether a load of public records is stale; nil: time.Now.
	Now func() time.Time
}

// API serves /v1 and /v2. Make one with New. It is safe for concurrent use.
type API struct {
	config  Config // with its defaults
	protect gin.HandlerFunc
	shed    gin.HandlerFunc
	receive gin.HandlerFunc  // the body of a batch
	long    *web.SharedSlots // see longAtOnce
	cursors cursorSigner
	sources []source.Source // in the order of source.All
	sender  web.Sender
	bodies  sync.Pool // of *body
}

// New returns an API; Register adds its routes.
func New(c Config) *API {
	if c.Known == nil {
		c.Known = func(string) bool { return false }
	}
	if c.Record == nil {
		c.Record = func(account.Call) {}
	}
	if len(c.CursorKey) == 0 {
		c.CursorKey = []byte(rand.Text())
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	a := &API{config: c, cursors: cursorSigner{c.CursorKey}, sources: source.All()}
	known := func(r *gin.Context) bool { return c.Known(bearerToken(r.GetHeader("Authorization"))) }
	a.protect = web.Guard{Failures: c.Failures, Known: known, Fail: a.fail}.Limit
	a.shed = web.Shed(c.Slots, a.fail)
	a.receive = web.Receive(maxBatch, a.fail)
	a.long = web.NewSharedSlots(longAtOnce, web.Share{Account: longOfAccount, Network: longOfNetwork}, longWait)
	return a
}

// Register adds the routes of both versions, each for GET and HEAD, and batches, for POST. Paths below /v1 and /v2 without
// a route are for NotFound, other methods for MethodNotAllowed. What needs no key and is larger than
// a call without a key is limited by network. OpenAPI documents and redirects are not shed: they read no data.
func (a *API) Register(r gin.IRouter) {
	routes := r.Group("", web.Recover(a.fail), web.Deadline(requestDeadline))
	public := routes.Group("", web.Limit(a.config.Requests, a.fail))
	web.Get(routes, "/v1/cnpj/:cnpj", a.config.V1.announce, a.protect, a.shed, a.keyed(a.v1Record))
	web.Get(public, "/v1/openapi.json", a.config.V1.announce, a.description(documentV1(a.config.V1)))
	a.registerV2(routes, public)
	web.Get(public, "/v2/openapi.json", a.description(documentV2()))
}

// Owns reports whether a path is below /v1 or /v2, or was meant to be, so that errors there are JSON, not a page.
func Owns(path string) bool { return versionOf(path) != "" }

// versionOf returns v1 or v2 for a path below it, also with other slashes, dots or letters than any route has; "" for others.
func versionOf(sent string) string {
	version, _, _ := strings.Cut(strings.TrimPrefix(path.Clean("/"+strings.ToLower(sent)), "/"), "/")
	if version == "v1" || version == "v2" {
		return version
	}
	return ""
}

// dividedCNPJ matches the path of a resource whose CNPJ is written with its slash, 12.345.678/0001-95, with or without points,
// hyphen and blanks.
var dividedCNPJ = regexp.MustCompile(
	`^/(v1/cnpj|v2/empresas|v2/estabelecimentos)/[0-9A-Za-z. ]{8,11}/ ?[0-9A-Za-z]{1,4}[^0-9A-Za-z/]{0,3}[0-9]{2} ?(/|$)`)

// NotFound responds to a path that the API owns and that has no route: with 404, or with 400 where the
// slash of a CNPJ divides it, because a client would take 404 for a company that does not exist. It
// counts no call; a recognised key gets its X-RateLimit headers.
func (a *API) NotFound(c *gin.Context) {
	if dividedCNPJ.MatchString(c.Request.URL.Path) {
		a.failShowingRate(c, cnpj.ErrCharacters)
		return
	}
	a.failShowingRate(c, errNoRoute)
}

// MethodNotAllowed responds with 405, like NotFound, to a path that has a route for other methods.
// The router has set Allow.
func (a *API) MethodNotAllowed(c *gin.Context) { a.failShowingRate(c, errMethod) }

// handler reads a request and appends the response to b. If it fails, its bytes are discarded and
// the client gets the error alone.
type handler func(c *gin.Context, b *body) error

// body is a response being rendered, reused through API.bodies.
type body struct {
	bytes       []byte // the whole JSON, uncompressed
	etag        string // of "dados" alone; the handler sets it
	contentType string // JSON's, unless the handler sets another
}

// largestKept is the size in bytes up to which buffers are pooled, enough for a company with
// thousands of establishments; larger ones go to the garbage collector.
const largestKept = 8 << 20

// keyed admits a call and passes it to h. From admission on the call counts, and it is recorded
// even if h panics: web.Recover, further out, responds only after this function has returned.
func (a *API) keyed(h handler) gin.HandlerFunc {
	answer := a.open(h)
	return func(c *gin.Context) {
		admission, err := a.admitFrom(c)
		web.EventOf(c.Request.Context()).Account = int64(admission.Account)
		showRate(c, &admission)
		if err != nil {
			a.fail(c, err)
			return
		}
		panicked := true
		defer func() {
			call := callOf(c, admission)
			if panicked && !c.Writer.Written() {
				call.Status = http.StatusServiceUnavailable // web.Recover is about to send it
			}
			for range 1 + c.GetInt(furtherCalls) {
				a.config.Record(call)
			}
		}()
		answer(c)
		panicked = false
	}
}

// takesLong returns h for calls that compute for long.
func (a *API) takesLong(h handler) handler {
	return func(c *gin.Context, b *body) error {
		done, err := web.Move(c, a.long, requestDeadline)
		if err != nil {
			return err
		}
		defer done()
		return h(c, b)
	}
}

// open runs h without a key and sends its response or error. It reserves the bytes of a large body
// itself, before Send would, so that overload becomes a JSON error.
func (a *API) open(h handler) gin.HandlerFunc {
	return func(c *gin.Context) {
		b, ok := a.bodies.Get().(*body)
		if !ok {
			b = &body{}
		}
		b.bytes, b.etag, b.contentType = b.bytes[:0], "", contentType
		err := h(c, b)
		if err == nil {
			err = web.EventOf(c.Request.Context()).Hold(len(b.bytes))
		}
		if err != nil {
			a.fail(c, err)
		} else {
			a.sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: b.contentType, ETag: b.etag, Caching: forCaller, Body: b.bytes})
		}
		if cap(b.bytes) <= largestKept {
			a.bodies.Put(b)
		}
	}
}

// forCaller is private, no-cache: responses depend on the key and contain the request id.
var forCaller = web.Caching{For: web.Caller}

const (
	contentType = "application/json; charset=utf-8"
	htmlType    = "text/html; charset=utf-8"
)
