package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/assist/assistant"
	"razao/internal/people/account"
	"razao/internal/recovery"
	"razao/internal/web"
)

const codeRefused = -32000 // JSON-RPC 2.0 §5.1: implementation-defined server error

// errUncounted refuses a call in a message that was not counted as one. It would mean that the SDK
// reads a message otherwise than readMessage does.
var errUncounted = errors.New("a call that was not counted")

// exchange is the authenticated sender of the message of an HTTP request, and what comes of the
// message if it is a call.
type exchange struct {
	caller  account.Admission // the account, its key, and what is left of its limit
	refusal error             // *account.LimitError, account.ErrNoAccount or errUncounted; nil: the call was admitted
	outcome atomic.Int32      // HTTP status of the call, for the usage history; 0: no handler has finished
}

type exchangeKey struct{}

// exchangeOf returns the exchange of the HTTP request of ctx, nil over standard input.
func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// setOutcome sets the status of the call in ctx for the usage history. The first one stands.
func setOutcome(ctx context.Context, status int) {
	if x := exchangeOf(ctx); x != nil {
		x.outcome.CompareAndSwap(0, int32(status))
	}
}

// admit counts a call by count, within the limit of calls per network, which only admitted calls
// use up. A call over the limit of its account is no error here: the middleware refuses it, with a
// tool error rather than an HTTP status.
func (s *Server) admit(client netip.Addr, count func() (account.Admission, error)) (*exchange, error) {
	if err := s.Calls.Take(client); err != nil {
		return nil, err
	}
	admitted := false
	defer func() { // also when count panics
		if !admitted {
			s.Calls.Refund(client)
		}
	}()
	admission, err := count()
	admitted = err == nil
	if !admitted && !errors.As(err, new(*account.LimitError)) && !errors.Is(err, account.ErrNoAccount) {
		return nil, err
	}
	return &exchange{caller: admission, refusal: err}, nil
}

// record adds an admitted call to the usage history. status is that of its response, 0 if there is
// none.
func (s *Server) record(x *exchange, m *message, status int) {
	if status < http.StatusBadRequest {
		status = http.StatusServiceUnavailable // no handler has finished: a panic, or the client left
	}
	s.Meter.Record(account.Call{
		Account: x.caller.Account, Key: x.caller.Key, At: x.caller.At, Version: "mcp", Endpoint: s.endpoint(m),
		Status: cmp.Or(int(x.outcome.Load()), status),
	})
}

// limiting is the middleware that refuses calls that were not admitted, and gives the others a
// deadline. Other methods pass through. Over standard input all calls are admitted.
func (s *Server) limiting(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if method != callTool && method != readResource {
			return next(ctx, method, req)
		}
		if x := exchangeOf(ctx); x != nil && x.refusal != nil {
			web.EventOf(ctx).Fail(x.refusal)
			return refused(method, x.refusal)
		}
		ctx, cancel := context.WithTimeout(ctx, toolDeadline)
		defer cancel()
		result, err := next(ctx, method, req)
		setOutcome(ctx, http.StatusNotFound) // if no handler did, the SDK found no such tool or resource
		return result, err
	}
}

// refused returns the response to a call that was not admitted or failed: a tool error, which the
// model can read, or a JSON-RPC error for other methods.
func refused(method string, err error) (sdk.Result, error) {
	text := unavailableText
	var limit *account.LimitError
	switch {
	case errors.As(err, &limit):
		text = fmt.Sprintf("limite_excedido: o limite de %d chamadas por minuto da conta foi atingido. Tente de novo em %d segundos.",
			account.CallsPerMinute, secondsOf(limit.Wait))
	case errors.Is(err, account.ErrNoAccount):
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
