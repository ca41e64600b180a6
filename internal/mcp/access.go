package mcp

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/internal/assistant"
	"razao/internal/web"
)

// Scope is the OAuth scope that an access token needs.
const Scope = "consulta"

// Access is what an access token authorizes.
type Access struct {
	Account account.ID
	Scopes  []string
	Expires time.Time // zero: never
}

var (
	// ErrInvalidToken means that an access token is malformed, unknown, expired, revoked or for another resource.
	ErrInvalidToken = errors.New("invalid access token")

	errNoToken = errors.New("no access token")
	errScope   = errors.New("insufficient scope")
	errOrigin  = errors.New("cross-origin request")
)

// exchange is the authenticated caller of an HTTP request.
type exchange struct {
	account account.ID
	key     string // an API key; "" when an access token was sent

	admitted  bool // already, with this outcome
	admission account.Admission
	refusal   error
}

type exchangeKey struct{}

// exchangeOf returns the caller of the request that ctx belongs to; nil on standard input.
func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// ownPages refuses cross-origin requests of browsers, as MCP requires against DNS rebinding. An Origin that equals Host proves
// nothing, because a rebound name is in both; only the loopback names are accepted beside our own origin.
func (s *Server) ownPages(c *gin.Context) {
	origin := c.GetHeader("Origin")
	if origin == "" || origin == s.origin {
		return
	}
	from, err := url.Parse(origin)
	if err == nil && from.Host == c.Request.Host && isLoopback(from.Hostname()) {
		return
	}
	c.Abort()
	s.fail(c, errOrigin)
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// serve authenticates a request and passes it to the protocol's handler.
func (s *Server) serve(c *gin.Context) {
	ctx := c.Request.Context()
	token := bearerToken(c.GetHeader("Authorization"))
	var plain *plainCall
	if token != "" { // else not a byte of the body is read
		plain = s.plain(c.Request)
	}
	x, err := s.authenticate(ctx, token, plain != nil)
	if err != nil {
		s.fail(c, err)
		return
	}
	web.EventOf(ctx).Account = int64(x.account)
	ctx = context.WithValue(ctx, exchangeKey{}, x)
	if plain != nil {
		s.answerPlain(ctx, c, plain)
		return
	}
	s.handler.ServeHTTP(unstored{c.Writer}, c.Request.WithContext(ctx))
}

// authenticate returns the caller of an API key or access token. The refusals are errNoToken, ErrInvalidToken, errScope and
// account.ErrInvalidKey; any other error means that the look-up failed. A key that makes one call is admitted in the same query.
func (s *Server) authenticate(ctx context.Context, token string, oneCall bool) (*exchange, error) {
	switch {
	case token == "":
		return nil, errNoToken
	case account.IsKey(token) && oneCall:
		return s.admitKey(ctx, token)
	case account.IsKey(token):
		caller, err := s.Identify(ctx, token)
		return &exchange{account: caller.Account, key: token}, err
	case s.Verify == nil:
		return nil, ErrInvalidToken
	}
	access, err := s.Verify(ctx, token)
	switch {
	case err != nil:
		return nil, err
	case !access.Expires.IsZero() && !time.Now().Before(access.Expires):
		return nil, ErrInvalidToken
	case !slices.Contains(access.Scopes, Scope):
		return nil, errScope
	}
	return &exchange{account: access.Account}, nil
}

// admitKey is authenticate for a key that makes one call. An account over its limit is known, and refused later.
func (s *Server) admitKey(ctx context.Context, key string) (*exchange, error) {
	admission, err := s.Meter.Admit(ctx, key)
	if err != nil && !errors.As(err, new(*account.LimitError)) {
		return nil, err
	}
	return &exchange{account: admission.Account, key: key, admitted: true, admission: admission, refusal: err}, nil
}

// bearerToken returns the token of an Authorization header (RFC 6750 §2.1), "" if it is absent or of another scheme.
func bearerToken(authorization string) string {
	scheme, token, _ := strings.Cut(strings.TrimSpace(authorization), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// unstored overrides the Cache-Control of the SDK's handler.
type unstored struct{ http.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w unstored) WriteHeader(status int) {
	w.Header().Set("Cache-Control", "no-store")
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w unstored) Write(b []byte) (int, error) {
	w.Header().Set("Cache-Control", "no-store")
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController find what this wraps.
func (w unstored) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// failure is the response to a request that is refused before it reaches the protocol.
type failure struct {
	status  int
	code    string
	message string
	oauth   string // error in the challenge (RFC 6750 §3.1); "": none
}

// failureOf maps an error to its response; unknown errors are 503.
func failureOf(err error) failure {
	switch {
	case errors.Is(err, errNoToken):
		return failure{http.StatusUnauthorized, "chave_ausente", "Conecte a sua conta, ou envie uma chave de API no cabeçalho Authorization: Bearer <chave>.", ""}
	case errors.Is(err, ErrInvalidToken), errors.Is(err, account.ErrInvalidKey):
		return failure{http.StatusUnauthorized, "chave_invalida", "A autorização é inválida, expirou ou foi revogada. Conecte a sua conta de novo.", "invalid_token"}
	case errors.Is(err, errScope):
		return failure{http.StatusForbidden, "escopo_insuficiente", "A autorização não inclui consultas. Conecte a sua conta de novo.", "insufficient_scope"}
	case errors.Is(err, errOrigin):
		return failure{http.StatusForbidden, "origem_recusada", "Páginas de outros sites não podem chamar este endereço.", ""}
	}
	return failure{http.StatusServiceUnavailable, "servico_indisponivel", "O serviço está temporariamente indisponível. Tente de novo após o tempo indicado em Retry-After.", ""}
}

// fail responds with the failure for err, and records err.
func (s *Server) fail(c *gin.Context, err error) {
	event := web.EventOf(c.Request.Context())
	event.Fail(err)
	f := failureOf(err)
	switch f.status {
	case http.StatusUnauthorized:
		c.Header("WWW-Authenticate", s.challenge(f.oauth))
	case http.StatusForbidden:
		if f.oauth != "" {
			c.Header("WWW-Authenticate", s.challenge(f.oauth))
		}
	case http.StatusServiceUnavailable:
		c.Header("Retry-After", web.RetryAfter())
	}
	var b web.ErrorBody
	b.Error.Code, b.Error.Message, b.RequestID = f.code, f.message, event.RequestID
	body, _ := assistant.Encode(b) // three strings encode
	s.sender.Send(c, web.Reply{Status: f.status, ContentType: "application/json; charset=utf-8", Body: body})
}

// challenge returns WWW-Authenticate with the URL of the resource metadata (RFC 9728 §5.1), from which clients discover the
// authorization server.
func (s *Server) challenge(code string) string {
	value := `Bearer resource_metadata="` + s.BaseURL + `/.well-known/oauth-protected-resource/mcp"`
	if code != "" {
		value += `, error="` + code + `"`
	}
	return value + `, scope="` + Scope + `"`
}
