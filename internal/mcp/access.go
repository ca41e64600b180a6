package mcp

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
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
	key     string     // an API key; "" when an access token was sent
	client  netip.Addr // its address

	admitted bool // already, with this outcome
	refusal  error

	mu       sync.Mutex // calls of one request may run at once
	standing account.Admission
}

// stand notes where the account stands.
func (x *exchange) stand(a account.Admission) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.standing = a
}

// showRate writes the headers that tell a client where its account stands.
func (x *exchange) showRate(header http.Header) {
	x.mu.Lock()
	defer x.mu.Unlock()
	web.ShowRate(header, x.standing.Limit, x.standing.Remaining, x.standing.Reset)
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

// tokensOnly refuses requests without a token, by which clients discover the authorization server: nobody guesses with them. Not a
// byte of the body is read.
func (s *Server) tokensOnly(c *gin.Context) {
	if bearerToken(c.GetHeader("Authorization")) == "" {
		c.Abort()
		s.fail(c, errNoToken)
	}
}

// known reports, without a query, whether the token of a request is certainly no guess.
func (s *Server) known(c *gin.Context) bool {
	token := bearerToken(c.GetHeader("Authorization"))
	if account.IsKey(token) {
		return s.Meter.Knows(token)
	}
	return s.Known != nil && s.Known(token)
}

// serve authenticates a request and passes it to the protocol's handler.
func (s *Server) serve(c *gin.Context) {
	ctx := c.Request.Context()
	plain := s.plain(c.Request)
	x, err := s.authenticate(ctx, bearerToken(c.GetHeader("Authorization")), web.ClientOf(c), plain != nil)
	if err != nil {
		s.fail(c, err)
		return
	}
	web.EventOf(ctx).Account = int64(x.account)
	ctx = context.WithValue(ctx, exchangeKey{}, x)
	if plain != nil {
		s.answerPlain(ctx, c, x, plain)
		return
	}
	s.handler.ServeHTTP(shown{c.Writer, x}, c.Request.WithContext(ctx))
}

// authenticate returns the caller of an API key or access token. The refusals are ErrInvalidToken, errScope,
// account.ErrInvalidKey and *web.TooManyError; any other error means that the look-up failed. Who makes one call is admitted at once,
// by a key in the same query; of who makes none or several it is looked up where the account stands.
func (s *Server) authenticate(ctx context.Context, token string, client netip.Addr, oneCall bool) (*exchange, error) {
	x := &exchange{client: client}
	if account.IsKey(token) {
		x.key = token
		if oneCall {
			return x, s.admitOne(ctx, x)
		}
		standing, err := s.Meter.Standing(ctx, token)
		x.account, x.standing = standing.Account, standing
		return x, err
	}
	if s.Verify == nil {
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
	x.account = access.Account
	if oneCall {
		return x, s.admitOne(ctx, x)
	}
	x.standing, err = s.Meter.StandingOf(ctx, access.Account)
	if errors.Is(err, account.ErrNoAccount) { // deleted a moment ago
		err = ErrInvalidToken
	}
	return x, err
}

// admitOne admits the one call of a request. An account that is over its limit, or no more, is refused later.
func (s *Server) admitOne(ctx context.Context, x *exchange) error {
	admission, err := s.admit(ctx, x)
	if err != nil && !errors.As(err, new(*account.LimitError)) && !errors.Is(err, account.ErrNoAccount) {
		return err
	}
	if x.key != "" {
		x.account = admission.Account
	}
	x.admitted, x.refusal = true, err
	return nil
}

// admitFrom admits a call, unless the network of its caller has had its share of calls.
func (s *Server) admitFrom(x *exchange, admit func() (account.Admission, error)) (account.Admission, error) {
	place, err := s.Calls.Reserve(x.client)
	if err != nil {
		return account.Admission{}, err
	}
	end := place.Cancel
	defer func() { end() }()
	admission, err := admit()
	if err == nil {
		end = place.Keep
	}
	return admission, err
}

// bearerToken returns the token of an Authorization header (RFC 6750 §2.1), "" if it is absent or of another scheme.
func bearerToken(authorization string) string {
	scheme, token, _ := strings.Cut(strings.TrimSpace(authorization), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// shown is a response of the SDK's handler, whose Cache-Control it overrides and to which it adds where the account stands.
type shown struct {
	http.ResponseWriter
	*exchange
}

// WriteHeader implements http.ResponseWriter.
func (w shown) WriteHeader(status int) {
	w.complete()
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w shown) Write(b []byte) (int, error) {
	w.complete()
	return w.ResponseWriter.Write(b)
}

func (w shown) complete() {
	w.Header().Set("Cache-Control", "no-store")
	w.showRate(w.Header())
}

// Unwrap lets http.ResponseController find what this wraps.
func (w shown) Unwrap() http.ResponseWriter { return w.ResponseWriter }

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
	case errors.As(err, new(*web.TooManyError)):
		return failure{http.StatusTooManyRequests, "protecao_ip", tooManyText + "Tente de novo após o tempo indicado em Retry-After.", ""}
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
	case http.StatusTooManyRequests:
		var many *web.TooManyError
		_ = errors.As(err, &many)
		c.Header("Retry-After", many.Seconds())
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
