package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/render"
)

// Most requests are one call of a tool by a revision of the protocol that has no envelope beyond JSON-RPC. Those plain calls
// bypass the transport of the SDK, which makes a session for each and decodes it nine times, each time into a new buffer of
// 32 KB: more work than the answer. The middleware is the same. All other requests, whatever is odd about them, go to the SDK.

// firstWithEnvelope is the first revision in which a call carries its session in headers and _meta (SEP-2575).
const firstWithEnvelope = "2026-07-28"

// envelopePrefix begins the keys of _meta that the protocol reserves.
const envelopePrefix = "io.modelcontextprotocol/"

// mostBrackets of a plain call, opening ones, bound how deep it may nest. No tool needs more than five.
const mostBrackets = 50

// plainCall is a request for one call of a tool that exists.
type plainCall struct {
	id     json.RawMessage
	params sdk.CallToolParamsRaw
}

// plain returns the plain call that a request is; nil if it is something else. The body can be read again.
func (s *Server) plain(r *http.Request) *plainCall {
	if r.Method != http.MethodPost || !hasPlainHeaders(r.Header) {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
	if err != nil {
		return nil
	}
	return s.parsePlain(body)
}

func hasPlainHeaders(h http.Header) bool {
	accept := h.Get("Accept")
	revision := h.Get("Mcp-Protocol-Version")
	return h.Get("Content-Type") == "application/json" && h.Get("Last-Event-ID") == "" &&
		strings.Contains(accept, "application/json") && strings.Contains(accept, "text/event-stream") &&
		(revision == "" || revision < firstWithEnvelope && slices.Contains(sdk.SupportedProtocolVersions(), revision))
}

func (s *Server) parsePlain(body []byte) *plainCall {
	if bytes.Count(body, []byte("["))+bytes.Count(body, []byte("{")) > mostBrackets {
		return nil
	}
	var message, params map[string]json.RawMessage // whose keys, unlike those of structs, match case
	if json.Unmarshal(body, &message) != nil || len(message) != 4 || json.Unmarshal(message["params"], &params) != nil {
		return nil
	}
	if string(message["jsonrpc"]) != `"2.0"` || string(message["method"]) != `"`+callTool+`"` || !isID(message["id"]) {
		return nil
	}
	call := &plainCall{id: message["id"]}
	for key, value := range params {
		switch key {
		case "name":
			if json.Unmarshal(value, &call.params.Name) != nil {
				return nil
			}
		case "arguments":
			call.params.Arguments = value
		case "_meta":
			if value[0] != '{' || bytes.Contains(value, []byte(envelopePrefix)) || bytes.IndexByte(value, '\\') >= 0 {
				return nil
			}
		default:
			return nil
		}
	}
	if !s.has(call.params.Name) {
		return nil
	}
	return call
}

// isID reports whether a value is a string or a whole number that survives a float64.
func isID(value json.RawMessage) bool {
	if len(value) > 0 && value[0] == '"' {
		return true
	}
	const exact = 1 << 53
	n, err := strconv.ParseInt(string(value), 10, 64)
	return err == nil && -exact < n && n < exact
}

// answerPlain answers a plain call as the SDK does.
func (s *Server) answerPlain(ctx context.Context, c *gin.Context, call *plainCall) {
	result, _ := s.call(ctx, callTool, &sdk.CallToolRequest{Params: &call.params}) // errors are results
	c.Data(http.StatusOK, "application/json", appendResult(nil, call.id, result.(*sdk.CallToolResult)))
}

// callTool is the method handler of plain calls, behind the middleware.
func (s *Server) callTool(ctx context.Context, _ string, req sdk.Request) (sdk.Result, error) {
	call := req.(*sdk.CallToolRequest)
	return s.tools[call.Params.Name](ctx, call)
}

// appendResult appends the JSON-RPC response with a result that toolAnswer or toolError returned.
func appendResult(dst []byte, id json.RawMessage, r *sdk.CallToolResult) []byte {
	dst = append(append(dst, `{"jsonrpc":"2.0","id":`...), id...)
	dst = render.AppendText(dst, `,"result":{"content":[{"type":"text","text":`, r.Content[0].(*sdk.TextContent).Text)
	dst = append(dst, `}]`...)
	if structure, ok := r.StructuredContent.(json.RawMessage); ok {
		dst = append(append(dst, `,"structuredContent":`...), structure...)
	}
	if r.IsError {
		dst = append(dst, `,"isError":true`...)
	}
	return append(dst, `}}`...)
}
