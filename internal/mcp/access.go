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

// Scope is the OAuth scope required of access tokens.
const Scope = "consulta"

// Access is the authorization behind an access token.
type Access struct {
	Account account.ID
	Scopes  []string
	Expires time.Time // zero: never
}

var (
	// ErrInvalidToken means that an access token is malformed, unknown, expired, revoked or issued for
	// another resource (RFC 8707).
	ErrInvalidToken = errors.New("invalid access token")

	errNoToken = errors.New("no access token")
	errScope   = errors.New("insufficient scope")
	errOrigin  = errors.New("cross-origin request")
)

// exchange is the authenticated caller of an HTTP request.
type exchange struct {
	account account.ID
	key     string     // the API key; "" for an access token
	client  netip.Addr // client address

	admitted bool  // the only call of the request was admitted, or refused with refusal
	refusal  error // nil, *account.LimitError or account.ErrNoAccount

	mu       sync.Mutex        // guards standing: calls of a batch run concurrently
	standing account.Admission // latest known state of the account's limit
}

// stand sets the state of the account's limit.
func (x *exchange) stand(a account.Admission) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.standing = a
}

// showRate sets the X-RateLimit headers.
func (x *exchange) showRate(header http.Header) {
	x.mu.Lock()
	defer x.mu.Unlock()
	web.ShowRate(header, x.standing.Limit, x.standing.Remaining, x.standing.Reset)
}

type exchangeKey struct{}

// exchangeOf returns the caller of the HTTP request of ctx, nil over standard input.
func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// ownPages rejects cross-origin browser requests, as MCP requires against DNS rebinding. Comparing
// Origin with Host is not enough, because a rebound name is in both, so only our own origin and
// loopback hosts are accepted.
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

// isLoopback reports whether a host is localhost or a loopback address. It does not resolve names.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// tokensOnly answers 401 to requests without a token, without reading the body. Clients send them
// to discover the authorization server, so they run before, and do not count in, the throttle of
// wrong tokens.
func (s *Server) tokensOnly(c *gin.Context) {
	if bearerToken(c.GetHeader("Authorization")) == "" {
		c.Abort()
		s.fail(c, errNoToken)
	}
}

// known reports, without a query, whether the service issued the token of a request.
func (s *Server) known(c *gin.Context) bool {
	token := bearerToken(c.GetHeader("Authorization"))
	if account.IsKey(token) {
		return s.Meter.Knows(token)
	}
	return s.Known != nil && s.Known(token)
}

// serve authenticates a request and answers it as a plain call or through the SDK.
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

// authenticate returns the caller with an API key or access token. It returns ErrInvalidToken,
// errScope, account.ErrInvalidKey or *web.TooManyError to refuse; any other error means that the
// look-up failed. If the request is a single call, it is admitted at once: for an API key, one
// statement authenticates and counts. Otherwise only the state of the limit is read, and calls are
// counted one by one.
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
	if errors.Is(err, account.ErrNoAccount) { // deleted since the token was verified
		err = ErrInvalidToken
	}
	return x, err
}

// admitOne admits the only call of a request. It keeps a LimitError or ErrNoAccount in x.refusal,
// so that the call is refused with a tool error rather than an HTTP status.
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

// admitFrom runs admit within the limit of calls per network. Only admitted calls use up that
// limit.
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

// shown wraps the response writer of the SDK's handler: before the first write it overrides
// Cache-Control and adds the X-RateLimit headers.
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

// Unwrap is for http.ResponseController.
func (w shown) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// failure is the HTTP response to a request that never reaches the protocol.
type failure struct {
	status  int
	code    string
	message string
	oauth   string // error code in WWW-Authenticate (RFC 6750 §3.1); "": none
}

// failureOf maps an error to a response; unknown errors are 503.
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

// fail logs err and sends its failure in the error format of the API.
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
	body, _ := assistant.Encode(b) // strings cannot fail
	s.sender.Send(c, web.Reply{Status: f.status, ContentType: "application/json; charset=utf-8", Body: body})
}

// challenge returns a WWW-Authenticate value with the URL of the protected resource metadata (RFC
// 9728 §5.1), from which clients discover the authorization server.
func (s *Server) challenge(code string) string {
	value := `Bearer resource_metadata="` + s.BaseURL + `/.well-known/oauth-protected-resource/mcp"`
	if code != "" {
		value += `, error="` + code + `"`
	}
	return value + `, scope="` + Scope + `"`
}
