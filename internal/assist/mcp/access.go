package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/assist/assistant"
	"razao/internal/people/account"
	"razao/internal/people/oauthserver"
	"razao/internal/web"
)

var (
	errNoToken  = errors.New("no access token")
	errScope    = errors.New("insufficient scope")
	errOrigin   = errors.New("cross-origin request")
	errMessages = errors.New("too many messages that are no calls")
	errNoAnswer = errors.New("no answer from the SDK")
)

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

// serve reads the message of a request, authenticates its sender, and answers it.
func (s *Server) serve(c *gin.Context) {
	m, x, err := s.receive(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	if m.counts() && x.refusal == nil {
		done, err := web.Move(c, s.calls, requestDeadline)
		if err != nil {
			s.record(x, m, failureOf(err).status)
			s.fail(c, err)
			return
		}
		defer done()
	}
	a := &answer{}
	if x.refusal == nil {
		defer func() { s.record(x, m, a.status) }() // deferred, to record a panicking call as well
	}
	a = s.answerTo(c.Request.WithContext(context.WithValue(c.Request.Context(), exchangeKey{}, x)), m)
	s.send(c, a)
}

// receive returns the message of a request and its sender. A message that does not count as a call
// is limited by network, before any look-up, and by account. So is a call over its account's limit,
// by account alone.
func (s *Server) receive(c *gin.Context) (*message, *exchange, error) {
	m, err := readMessage(c.Request)
	if err != nil || !m.counts() {
		if over := s.Messages.Take(web.ClientOf(c)); over != nil {
			return nil, nil, over
		}
	}
	if err != nil {
		return nil, nil, err
	}
	x, err := s.authenticate(c, m.counts())
	if err != nil {
		return nil, nil, err
	}
	web.EventOf(c.Request.Context()).Account = int64(x.caller.Account)
	web.ShowRate(c.Writer.Header(), x.caller.Limit, x.caller.Remaining, x.caller.At, x.caller.Reset)
	if x.refusal != nil {
		if over := s.AccountMessages.TakeAccount(int64(x.caller.Account)); over != nil {
			return nil, nil, fmt.Errorf("%w: %w", errMessages, over)
		}
	}
	return m, x, nil
}

// authenticate returns the sender of a message that counts as a call or not. It returns
// oauthserver.ErrInvalidToken, errScope, account.ErrInvalidKey or *web.TooManyError to refuse; any other error
// means that the look-up failed.
func (s *Server) authenticate(c *gin.Context, counts bool) (*exchange, error) {
	token := bearerToken(c.GetHeader("Authorization"))
	ctx := c.Request.Context()
	admit, quota := s.Meter.Admit, s.Meter.Quota // one statement authenticates a key and counts
	if !account.IsKey(token) {
		id, err := s.accountOf(ctx, token)
		if err != nil {
			return nil, err
		}
		admit = func(ctx context.Context, _ string) (account.Admission, error) { return s.Meter.AdmitAccount(ctx, id) }
		quota = func(ctx context.Context, _ string) (account.Admission, error) { return s.Meter.QuotaOf(ctx, id) }
	}
	if counts {
		return s.admit(web.ClientOf(c), func() (account.Admission, error) { return admit(ctx, token) })
	}
	found, err := quota(ctx, token)
	if errors.Is(err, account.ErrNoAccount) { // deleted since the token was verified
		err = oauthserver.ErrInvalidToken
	}
	return &exchange{caller: found, refusal: errUncounted}, err
}

// accountOf returns the account behind an access token.
func (s *Server) accountOf(ctx context.Context, token string) (account.ID, error) {
	if s.Verify == nil {
		return 0, oauthserver.ErrInvalidToken
	}
	access, err := s.Verify(ctx, token)
	switch {
	case err != nil:
		return 0, err
	case !access.Expires.IsZero() && !time.Now().Before(access.Expires):
		return 0, oauthserver.ErrInvalidToken
	case !slices.Contains(access.Scopes, oauthserver.ScopeRead):
		return 0, errScope
	}
	return access.Account, nil
}

// bearerToken returns the token of an Authorization header (RFC 6750 §2.1), "" if it is absent or of another scheme.
func bearerToken(authorization string) string {
	scheme, token, _ := strings.Cut(strings.TrimSpace(authorization), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// failure is the HTTP response to a request that never reaches the protocol.
type failure struct {
	status  int
	code    string
	message string
	oauth   string // error code in WWW-Authenticate (RFC 6750 §3.1); "": none
}

// failureOf maps an error to a response; unknown errors are 503.
func failureOf(err error) failure {
	var many *web.TooManyError
	switch {
	case errors.Is(err, errNoToken):
		return failure{http.StatusUnauthorized, "chave_ausente", "Conecte a sua conta, ou envie uma chave de API no cabeçalho Authorization: Bearer <chave>.", ""}
	case errors.Is(err, oauthserver.ErrInvalidToken), errors.Is(err, account.ErrInvalidKey):
		return failure{http.StatusUnauthorized, "chave_invalida", "A autorização é inválida, expirou ou foi revogada. Conecte a sua conta de novo.", "invalid_token"}
	case errors.Is(err, errMessages):
		return failure{http.StatusTooManyRequests, "limite_excedido", "A conta enviou mensagens demais que não são consultas. Tente de novo após o tempo indicado em Retry-After.", ""}
	case errors.As(err, &many) && many.AtOnce:
		return failure{http.StatusTooManyRequests, "limite_excedido", "A conta ou a rede já tem consultas demais em andamento. Tente de novo após o tempo indicado em Retry-After.", ""}
	case many != nil:
		return failure{http.StatusTooManyRequests, "protecao_ip", "Este endereço IP fez chamadas ou tentativas demais. Tente de novo após o tempo indicado em Retry-After.", ""}
	case errors.Is(err, web.ErrSlow):
		return failure{http.StatusRequestTimeout, "envio_lento", "A mensagem chegou devagar demais, a menos de 16 KB por segundo.", ""}
	case errors.Is(err, errScope):
		return failure{http.StatusForbidden, "escopo_insuficiente", "A autorização não inclui consultas. Conecte a sua conta de novo.", "insufficient_scope"}
	case errors.Is(err, errOrigin):
		return failure{http.StatusForbidden, "origem_recusada", "Páginas de outros sites não podem chamar este endereço.", ""}
	}
	return failure{http.StatusServiceUnavailable, "servico_indisponivel", "O serviço está temporariamente indisponível. Tente de novo após o tempo indicado em Retry-After.", ""}
}

// fail logs err and sends its failure in the error format of the API, or that of JSON-RPC if it is
// *badMessage.
func (s *Server) fail(c *gin.Context, err error) {
	event := web.EventOf(c.Request.Context())
	event.Fail(err)
	var bad *badMessage
	if errors.Is(err, web.ErrForm) {
		err = errUnread
	}
	if errors.As(err, &bad) {
		s.sender.Send(c, web.Reply{Status: bad.status, ContentType: jsonType, Body: bad.body()})
		return
	}
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
	return value + `, scope="` + oauthserver.ScopeRead + `"`
}
