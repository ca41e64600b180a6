package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/account"
	"razao/internal/assistant"
	"razao/internal/web"
)

const (
	callTool     = "tools/call"
	readResource = "resources/read"

	unknownTool = "desconhecida" // stands in the history for whatever name a client made up

	codeRefused = -32000 // of JSON-RPC: the first that is free for servers
)

// outcome is what became of a call, as the history has it: a status of HTTP, 0 as long as nobody has answered.
type outcome struct{ status int }

type outcomeKey struct{}

// outcomeOf returns the outcome of the call that ctx belongs to.
func outcomeOf(ctx context.Context) *outcome {
	if o, ok := ctx.Value(outcomeKey{}).(*outcome); ok {
		return o
	}
	return &outcome{}
}

// counting admits what asks for data, gives it its time, and records what became of it. Handshakes and lists are free.
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
		defer func() { // also when a panic passes
			s.Meter.Record(account.Call{
				Account: admission.Account, Key: admission.Key, At: admission.At, Version: "mcp", Endpoint: endpoint,
				Status: cmp.Or(o.status, http.StatusServiceUnavailable),
			})
		}()
		result, err := next(context.WithValue(ctx, outcomeKey{}, o), method, req)
		if o.status == 0 { // there is no such tool or resource
			o.status = http.StatusNotFound
		}
		return result, err
	}
}

// endpointOf names a call in the history, "" when it does not count.
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

func (s *Server) admit(ctx context.Context, x *exchange) (account.Admission, error) {
	if x.key != "" {
		return s.Meter.Admit(ctx, x.key)
	}
	return s.Meter.AdmitAccount(ctx, x.account)
}

// refused answers a call that was not let in: tools say it to the model, other methods to the client.
func refused(method string, err error) (sdk.Result, error) {
	text := unavailableText
	var limit *account.LimitError
	switch {
	case errors.As(err, &limit):
		text = fmt.Sprintf("limite_excedido: o limite de %d chamadas por minuto da conta foi atingido. Tente de novo em %d segundos.",
			account.CallsPerMinute, secondsOf(limit.Wait))
	case errors.Is(err, account.ErrInvalidKey), errors.Is(err, account.ErrNoAccount):
		text = "A autorização foi revogada. Conecte a sua conta de novo."
	}
	if method == callTool {
		return toolError(text), nil
	}
	return nil, &jsonrpc.Error{Code: codeRefused, Message: text}
}

// secondsOf returns a whole number of seconds after which the wait is over, at least one.
func secondsOf(wait time.Duration) int { return max(1, int(math.Ceil(wait.Seconds()))) }

// recovering turns a panic into trouble of ours: calls run in goroutines of the protocol, where it would end the program.
func (s *Server) recovering(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if cause := recover(); cause != nil {
				s.report(ctx, fmt.Errorf("panic: %v\n%s", cause, debug.Stack()))
				result, err = refused(method, errors.New("panic"))
			}
		}()
		return next(ctx, method, req)
	}
}

// report leaves an error to the log: to the line of the request or, on standard input, to one of its own unless the fault is
// in the question.
func (s *Server) report(ctx context.Context, err error) {
	if exchangeOf(ctx) != nil {
		web.EventOf(ctx).Fail(err)
	} else if !errors.As(err, new(*assistant.Refusal)) {
		s.Log.Error("answer an assistant", "error", err)
	}
}
