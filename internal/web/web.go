// Package web is what every HTTP room stands on: the engine (request ids, one log line per request, panic recovery, security
// headers, client addresses behind proxies), responses (gzip, ETag and 304, who may keep them), CSRF protection of forms, rate limits by client, load shedding,
// and the server with its timeouts.
//
// Rooms render a complete Reply and give it to a Sender. They record errors with EventOf(ctx).Fail instead of logging them;
// the engine logs one line when the response is complete.
package web

import (
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"strings"

	"github.com/gin-gonic/gin"
)

// Options configure an engine.
type Options struct {
	Log     *slog.Logger
	BaseURL string // the public address; with https responses carry HSTS (RFC 6797)
	// TrustedProxies are the networks of the reverse proxies whose X-Forwarded-For is believed. If empty, the peer is the
	// client.
	TrustedProxies []netip.Prefix
	Budget         *Budget           // of large bodies; nil: as many as are asked for
	Around         []gin.HandlerFunc // go first and see the whole request, with its final status: metrics, traces
}

// NewEngine returns an engine without routes. Every response has X-Request-ID and the security headers, every request is
// logged, and a panic becomes a 503. Paths are matched as sent: no redirect adds or removes a slash, and %2F stays inside its
// parameter.
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

// unavailable responds to a panic outside every room's own Recover, and for a body that there is no memory for.
func unavailable(c *gin.Context, _ error) {
	Caching{}.Set(c, http.StatusServiceUnavailable)
	c.Header("Retry-After", RetryAfter())
	c.Writer.Header().Del("ETag")
	c.Writer.Header().Del("Content-Disposition")
	c.String(http.StatusServiceUnavailable, "Serviço temporariamente indisponível. Tente de novo em instantes.\n")
}

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

// securityHeaders sets CSP, nosniff, Referrer-Policy and, with https, HSTS on every response, and lets no cache keep it until somebody
// says otherwise: see Caching.
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
