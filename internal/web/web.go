// Package web is what all HTTP servers of the program share: the engine, responses, limits.
//
// # A request
//
// [NewEngine] makes a gin engine whose middleware gives every request an [Event]: its id, the
// client's address behind trusted proxies, the account once known, and the errors recorded with
// [Event.Fail]. When the response is complete, the Event becomes the one log line of the request.
// Handlers never log themselves. The log has route patterns and client networks only, no path,
// query, key or address.
//
// Handlers render a whole [Reply] before they send it through a [Sender], which adds conditional
// requests (ETag, 304), gzip and cache headers. So a failure while rendering still becomes an
// error, and a panic after the first byte aborts the connection ([Recover]). [Caching] is the one
// place that decides what shared caches may keep; its zero value is no-store.
//
// # Defences
//
//   - [Throttle] is a rate limiter by client, a token bucket per network or account; [Guard] uses
//     one against guessing of credentials.
//   - [Slots] is the concurrency limiter of the process: [Shed] takes one for each request of a
//     class, once [Receive] has read its body. [SharedSlots] give each account and each network a
//     share: of the bytes of large bodies ([Event.Hold]), of slow work ([Move]), of [Downloads].
//   - A [Document] is a reply that is the same for all, compressed once.
//   - [SameOrigin] stops CSRF, [Form] bounds bodies, and every response has the security headers.
//   - [Serve] sets the timeouts against Slowloris, and the pace at which bodies must come and answers
//     be read; it shuts down gracefully.
//
// All limits live in the memory of one process. IPv6 clients are counted by /64 ([Network]) or /48
// ([Site]), because one customer has that many addresses.
package web

import (
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"strings"

	"github.com/gin-gonic/gin"
)

// Options configure NewEngine.
type Options struct {
	Log     *slog.Logger
	BaseURL string // the public address; with https responses carry HSTS (RFC 6797)
	// TrustedProxies are the networks of reverse proxies whose X-Forwarded-For is believed. If
	// empty, the peer is the client, and the header is ignored.
	TrustedProxies []netip.Prefix
	Bodies         *SharedSlots      // bytes that large bodies may hold while they arrive, are made or are sent; nil: no bound
	Around         []gin.HandlerFunc // outermost middleware, for metrics: sees the final status
}

// NewEngine returns an engine without routes. Every response has X-Request-ID and the security
// headers, every request is logged, and a panic becomes a 503. Paths are matched as sent: the engine
// adds and removes no slash, and %2F stays inside its parameter, so a path has one meaning for caches
// and for the router.
func NewEngine(o Options) *gin.Engine {
	if gin.Mode() == gin.DebugMode {
		gin.SetMode(gin.ReleaseMode) // debug mode prints to stdout
	}
	engine := gin.New()
	engine.RedirectTrailingSlash = false
	engine.HandleMethodNotAllowed = true
	engine.UseRawPath = true
	engine.ForwardedByClientIP = false
	engine.Use(o.Around...)
	engine.Use(observe(o), securityHeaders(o.BaseURL), Recover(unavailable))
	return engine
}

// Get registers a route for GET and HEAD. net/http drops the body of a response to HEAD.
func Get(r gin.IRoutes, path string, handlers ...gin.HandlerFunc) {
	r.Match([]string{http.MethodGet, http.MethodHead}, path, handlers...)
}

// unavailable responds with a plain 503: to a panic outside the Recover of api or site, and to a
// body beyond Options.Bodies. Headers that belong to the abandoned response are removed.
func unavailable(c *gin.Context, _ error) {
	Caching{}.Set(c, http.StatusServiceUnavailable)
	c.Header("Retry-After", RetryAfter())
	c.Writer.Header().Del("ETag")
	c.Writer.Header().Del("Content-Disposition")
	c.String(http.StatusServiceUnavailable, "Serviço temporariamente indisponível. Tente de novo em instantes.\n")
}

// contentSecurityPolicy allows own scripts, styles and connections only. Inline scripts are not
// allowed, and no site may frame a page (clickjacking).
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// AllowFormsTo adds schemes, without colon, to form-action in this response's policy. Some browsers apply form-action to the
// redirects after a form too, so a consent form must allow the client's redirect URI.
func AllowFormsTo(c *gin.Context, schemes ...string) {
	sources := "form-action 'self'"
	for _, scheme := range schemes {
		sources += " " + scheme + ":"
	}
	c.Header("Content-Security-Policy", strings.Replace(contentSecurityPolicy, "form-action 'self'", sources, 1))
}

// securityHeaders sets CSP, nosniff, Referrer-Policy, no-store (until a Caching says otherwise)
// and, with https, HSTS for a year on every response, errors included.
func securityHeaders(baseURL string) gin.HandlerFunc {
	fixed := http.Header{}
	fixed.Set("Content-Security-Policy", contentSecurityPolicy)
	fixed.Set("X-Content-Type-Options", "nosniff")
	fixed.Set("Cache-Control", noStore)
	fixed.Set("Referrer-Policy", "same-origin") // magic links must not leak as Referer
	if strings.HasPrefix(baseURL, "https://") {
		fixed.Set("Strict-Transport-Security", "max-age=31536000")
	}
	return func(c *gin.Context) { maps.Copy(c.Writer.Header(), fixed) }
}
