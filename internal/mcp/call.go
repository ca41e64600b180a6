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

// Nearly all requests are a single tools/call. These plain calls bypass the SDK's HTTP transport,
// which creates a session per request and decodes the body nine times, each time with a new 32 KB
// buffer: more work than the answer itself. Middleware and tool handlers are the same. The check is
// conservative: anything unusual about a request sends it to the SDK, which also produces all
// protocol errors.

// withEnvelope is the protocol revision without initialize handshake: each call carries version and
// capabilities in _meta and headers (SEP-2575).
const withEnvelope = "2026-07-28"

// reservedPrefix is the prefix of _meta keys that belong to the protocol.
const reservedPrefix = "io.modelcontextprotocol/"

// mostBrackets bounds the opening brackets of a plain call, and so its nesting depth.
const mostBrackets = 100

// plainCall is a single call of an existing tool.
type plainCall struct {
	id       json.RawMessage
	params   sdk.CallToolParamsRaw
	revision string // Mcp-Protocol-Version; "" if the header is absent
}

// plain returns the plain call in r, or nil if r is anything else. It leaves r.Body readable from
// the start.
func (s *Server) plain(r *http.Request) *plainCall {
	h := r.Header
	accept, revision := h.Get("Accept"), h.Get("Mcp-Protocol-Version")
	if r.Method != http.MethodPost || h.Get("Content-Type") != "application/json" || h.Get("Last-Event-ID") != "" ||
		!strings.Contains(accept, "application/json") || !strings.Contains(accept, "text/event-stream") ||
		revision != "" && (revision > withEnvelope || !slices.Contains(sdk.SupportedProtocolVersions(), revision)) {
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
	call := s.parsePlain(body, revision)
	if call == nil || revision == withEnvelope && (h.Get("Mcp-Method") != callTool || h.Get("Mcp-Name") != call.params.Name) {
		return nil
	}
	return call
}

// parsePlain returns the plain call in a JSON-RPC message, or nil.
func (s *Server) parsePlain(body []byte, revision string) *plainCall {
	if bytes.Count(body, []byte("["))+bytes.Count(body, []byte("{")) > mostBrackets {
		return nil
	}
	var message, params map[string]json.RawMessage // maps, since struct fields match keys case-insensitively
	if json.Unmarshal(body, &message) != nil || len(message) != 4 || json.Unmarshal(message["params"], &params) != nil {
		return nil
	}
	if string(message["jsonrpc"]) != `"2.0"` || string(message["method"]) != `"`+callTool+`"` || !isID(message["id"]) {
		return nil
	}
	call := &plainCall{id: message["id"], revision: revision}
	var meta map[string]json.RawMessage
	for key, value := range params {
		switch key {
		case "name":
			if json.Unmarshal(value, &call.params.Name) != nil {
				return nil
			}
		case "arguments":
			call.params.Arguments = value
		case "_meta":
			if json.Unmarshal(value, &meta) != nil {
				return nil
			}
		default:
			return nil
		}
	}
	if !s.has(call.params.Name) || !isPlainMeta(meta, revision) {
		return nil
	}
	return call
}

// isPlainMeta reports whether _meta is a valid envelope of withEnvelope or, for older revisions,
// has no reserved keys.
func isPlainMeta(meta map[string]json.RawMessage, revision string) bool {
	if revision == withEnvelope {
		version := decoded[string](meta[sdk.MetaKeyProtocolVersion])
		_, named := meta[sdk.MetaKeyClientInfo]
		return version != nil && *version == revision && decoded[sdk.ClientCapabilities](meta[sdk.MetaKeyClientCapabilities]) != nil &&
			(!named || decoded[sdk.Implementation](meta[sdk.MetaKeyClientInfo]) != nil)
	}
	for key := range meta {
		if strings.HasPrefix(key, reservedPrefix) {
			return false
		}
	}
	return true
}

// decoded unmarshals a value; it returns nil if the value is null, absent or of another type.
func decoded[T any](raw json.RawMessage) *T {
	var value *T
	if json.Unmarshal(raw, &value) != nil {
		return nil
	}
	return value
}

// isID reports whether a JSON value is a valid request id that the SDK would echo unchanged: a
// string, or an integer that a float64 represents exactly.
func isID(value json.RawMessage) bool {
	if len(value) > 0 && value[0] == '"' {
		return true
	}
	const exact = 1 << 53
	n, err := strconv.ParseInt(string(value), 10, 64)
	return err == nil && -exact < n && n < exact
}

// answerPlain runs a plain call and writes the response that the SDK would write.
func (s *Server) answerPlain(ctx context.Context, c *gin.Context, x *exchange, call *plainCall) {
	result, _ := s.call(ctx, callTool, &sdk.CallToolRequest{Params: &call.params}) // errors are results
	x.showRate(c.Writer.Header())
	c.Data(http.StatusOK, "application/json", s.response(call, result.(*sdk.CallToolResult)))
}

// callTool is the method handler of plain calls, called by the middleware.
func (s *Server) callTool(ctx context.Context, _ string, req sdk.Request) (sdk.Result, error) {
	call := req.(*sdk.CallToolRequest)
	return s.tools[call.Params.Name](ctx, call)
}

// response returns the JSON-RPC response for a result of toolAnswer or toolError, which have exactly
// one text content.
func (s *Server) response(call *plainCall, r *sdk.CallToolResult) []byte {
	text := r.Content[0].(*sdk.TextContent).Text
	structure, structured := r.StructuredContent.(json.RawMessage)
	const around = 1 << 10 // envelope, and what escaping adds to the text
	dst := make([]byte, 0, len(text)+len(structure)+around)
	dst = append(append(dst, `{"jsonrpc":"2.0","id":`...), call.id...)
	dst = render.AppendText(dst, `,"result":{"content":[{"type":"text","text":`, text)
	dst = append(dst, `}]`...)
	if structured {
		dst = append(append(dst, `,"structuredContent":`...), structure...)
	}
	if r.IsError {
		dst = append(dst, `,"isError":true`...)
	}
	if call.revision == withEnvelope {
		dst = append(append(dst, `,"resultType":"complete","_meta":{"`+sdk.MetaKeyServerInfo+`":`...), s.info...)
		dst = append(dst, '}')
	}
	return append(dst, `}}`...)
}
