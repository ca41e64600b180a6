package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/account"
	"razao/internal/assistant"
	"razao/internal/recovery"
	"razao/internal/web"
)

const (
	callTool     = "tools/call"
	readResource = "resources/read"

	unknownTool = "desconhecida" // replaces names of unknown tools in the usage history

	codeRefused = -32000 // JSON-RPC 2.0 §5.1: implementation-defined server error
)

// outcome is the result of a call for the usage history, as an HTTP status; 0: no handler has run.
type outcome struct{ status int }

type outcomeKey struct{}

// outcomeOf returns the outcome of the current call, for handlers to set. Without one, as over
// standard input, it returns a value that is discarded.
func outcomeOf(ctx context.Context) *outcome {
	if o, ok := ctx.Value(outcomeKey{}).(*outcome); ok {
		return o
	}
	return &outcome{}
}

// counting is the middleware that admits and records tool calls and resource reads, and gives them
// a deadline. Other methods pass through. Over standard input it only sets the deadline.
func (s *Server) counting(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		endpoint := s.endpointOf(method, req)
		if endpoint == "" {
			return next(ctx, method, req)
		}
		ctx, cancel := context.WithTimeout(ctx, toolDeadline)
		defer cancel()
		x := exchangeOf(ctx)
		if x == nil {
			return next(ctx, method, req)
		}
		admission, err := s.admit(ctx, x)
		if err != nil {
			web.EventOf(ctx).Fail(err)
			return refused(method, err)
		}
		o := &outcome{}
		defer func() { // deferred, to record a panicking call as well
			s.Meter.Record(account.Call{
				Account: admission.Account, Key: admission.Key, At: admission.At, Version: "mcp", Endpoint: endpoint,
				Status: cmp.Or(o.status, http.StatusServiceUnavailable),
			})
		}()
		result, err := next(context.WithValue(ctx, outcomeKey{}, o), method, req)
		if o.status == 0 { // the SDK found no such tool or resource
			o.status = http.StatusNotFound
		}
		return result, err
	}
}

// endpointOf returns the name of a call in the usage history, "" for methods that do not count.
func (s *Server) endpointOf(method string, req sdk.Request) string {
	switch method {
	case readResource:
		return readResource
	case callTool:
		if call, ok := req.(*sdk.CallToolRequest); ok && s.has(call.Params.Name) {
			return call.Params.Name
		}
		return unknownTool
	}
	return ""
}

// admit counts a call against the limit of the caller's account, and against that of its network.
// If serve has admitted the call already, it returns that result.
func (s *Server) admit(ctx context.Context, x *exchange) (account.Admission, error) {
	if x.admitted {
		return x.standing, x.refusal
	}
	admission, err := s.admitFrom(x, func() (account.Admission, error) {
		if x.key != "" {
			return s.Meter.Admit(ctx, x.key)
		}
		return s.Meter.AdmitAccount(ctx, x.account)
	})
	if admission.Limit != 0 {
		x.stand(admission)
	}
	return admission, err
}

// tooManyText begins the messages of the throttles per address.
const tooManyText = "Este endereço IP fez chamadas ou tentativas demais. "

// refused returns the response to a call that was not admitted: a tool error, which the model can
// read, or a JSON-RPC error for other methods.
func refused(method string, err error) (sdk.Result, error) {
	text := unavailableText
	var limit *account.LimitError
	var many *web.TooManyError
	switch {
	case errors.As(err, &limit):
		text = fmt.Sprintf("limite_excedido: o limite de %d chamadas por minuto da conta foi atingido. Tente de novo em %d segundos.",
			account.CallsPerMinute, secondsOf(limit.Wait))
	case errors.As(err, &many):
		text = "protecao_ip: " + tooManyText + "Tente de novo em " + many.Seconds() + " segundos."
	case errors.Is(err, account.ErrInvalidKey), errors.Is(err, account.ErrNoAccount):
		text = "A autorização foi revogada. Conecte a sua conta de novo."
	}
	if method == callTool {
		return toolError(text), nil
	}
	return nil, &jsonrpc.Error{Code: codeRefused, Message: text}
}

// secondsOf rounds up to whole seconds, at least 1.
func secondsOf(wait time.Duration) int { return max(1, int(math.Ceil(wait.Seconds()))) }

// recovering is the middleware that turns a panic into a refusal. The SDK runs calls in its own
// goroutines, where gin's recovery does not apply and a panic would crash the process.
func (s *Server) recovering(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if cause := recover(); cause != nil {
				p := recovery.Of(cause)
				s.report(ctx, fmt.Errorf("%w\n%s", p, p.Stack))
				result, err = refused(method, errors.New("panic"))
			}
		}()
		return next(ctx, method, req)
	}
}

// report adds an error to the request's log event. Over standard input it logs the error directly,
// except refusals, which are the client's mistakes.
func (s *Server) report(ctx context.Context, err error) {
	if exchangeOf(ctx) != nil {
		web.EventOf(ctx).Fail(err)
	} else if !errors.As(err, new(*assistant.Refusal)) {
		s.Log.Error("answer an assistant", "error", err)
	}
}
