// Package web holds what every HTTP room shares: the engine with request ids, one log line per request, recovery and
// security headers; complete answers with compression and conditional requests; the protection of forms and against clients
// that ask too much; and the server itself.
package web

import (
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"strings"

	"github.com/gin-gonic/gin"
)

// Options are what an engine needs to know.
type Options struct {
	Log     *slog.Logger
	BaseURL string // the public address; when it begins with https browsers are told to stay there
	// TrustedProxies are the networks of the proxies in front of the server, whose X-Forwarded-For counts. Without them the
	// client is who connects.
	TrustedProxies []netip.Prefix
}

// NewEngine returns an engine without routes. Every answer of it has a request id, security headers and a log line, and
// a panic becomes a 503. Paths are matched as they were sent: there are no redirects to a corrected path, and an encoded
// slash stays inside its parameter.
func NewEngine(o Options) *gin.Engine {
	if gin.Mode() == gin.DebugMode {
		gin.SetMode(gin.ReleaseMode) // debug mode prints to stdout
	}
	engine := gin.New()
	engine.RedirectTrailingSlash = false
	engine.HandleMethodNotAllowed = true
	engine.UseRawPath = true
	engine.ForwardedByClientIP = false
	engine.Use(observe(o), securityHeaders(o.BaseURL), Recover(unavailable))
	return engine
}

// Get registers a route for GET and HEAD. The server leaves out the body of an answer to HEAD.
func Get(r gin.IRoutes, path string, handlers ...gin.HandlerFunc) {
	r.Match([]string{http.MethodGet, http.MethodHead}, path, handlers...)
}

// unavailable is the answer of last resort, for a fault outside every room.
func unavailable(c *gin.Context, _ error) {
	c.Header("Cache-Control", "no-store")
	c.Header("Retry-After", "5")
	c.String(http.StatusServiceUnavailable, "Serviço temporariamente indisponível. Tente de novo em instantes.\n")
}

const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// AllowFormsTo lets the forms of the page that is being answered end, after redirects, at addresses with these schemes. Some
// browsers hold every redirect that answers a form to the policy of the page that the form was on.
func AllowFormsTo(c *gin.Context, schemes ...string) {
	sources := "form-action 'self'"
	for _, scheme := range schemes {
		sources += " " + scheme + ":"
	}
	c.Header("Content-Security-Policy", strings.Replace(contentSecurityPolicy, "form-action 'self'", sources, 1))
}

func securityHeaders(baseURL string) gin.HandlerFunc {
	fixed := http.Header{}
	fixed.Set("Content-Security-Policy", contentSecurityPolicy)
	fixed.Set("X-Content-Type-Options", "nosniff")
	fixed.Set("Referrer-Policy", "same-origin") // addresses of magic links stay here
	if strings.HasPrefix(baseURL, "https://") {
		fixed.Set("Strict-Transport-Security", "max-age=31536000")
	}
	return func(c *gin.Context) { maps.Copy(c.Writer.Header(), fixed) }
}
