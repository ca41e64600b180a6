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

// Most requests are one call of a tool. These plain calls bypass the transport of the SDK, which makes a session for each request
// and decodes it nine times, each time into a new buffer of 32 KB: more work than the answer. Middleware and handlers are the
// same. All other requests, whatever is odd about them, go to the SDK.

// withEnvelope is the revision of the protocol in which a call says in _meta and headers what a session did before (SEP-2575).
const withEnvelope = "2026-07-28"

// reservedPrefix begins the keys of _meta that belong to the protocol.
const reservedPrefix = "io.modelcontextprotocol/"

// mostBrackets of a plain call, opening ones, bound how deep it may nest.
const mostBrackets = 100

// plainCall is a request for one call of a tool that exists.
type plainCall struct {
	id       json.RawMessage
	params   sdk.CallToolParamsRaw
	revision string // of the protocol; "" when the request has none
}

// plain returns the plain call that a request is; nil if it is something else. The body can be read again.
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

func (s *Server) parsePlain(body []byte, revision string) *plainCall {
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

// isPlainMeta reports whether _meta has the envelope of a revision, or nothing that is reserved before there was one.
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

// decoded returns a value, nil when it is null, absent or of another type.
func decoded[T any](raw json.RawMessage) *T {
	var value *T
	if json.Unmarshal(raw, &value) != nil {
		return nil
	}
	return value
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
func (s *Server) answerPlain(ctx context.Context, c *gin.Context, x *exchange, call *plainCall) {
	result, _ := s.call(ctx, callTool, &sdk.CallToolRequest{Params: &call.params}) // errors are results
	x.showRate(c.Writer.Header())
	c.Data(http.StatusOK, "application/json", s.appendResponse(nil, call, result.(*sdk.CallToolResult)))
}

// callTool is the method handler of plain calls, behind the middleware.
func (s *Server) callTool(ctx context.Context, _ string, req sdk.Request) (sdk.Result, error) {
	call := req.(*sdk.CallToolRequest)
	return s.tools[call.Params.Name](ctx, call)
}

// appendResponse appends the JSON-RPC response with a result that toolAnswer or toolError returned.
func (s *Server) appendResponse(dst []byte, call *plainCall, r *sdk.CallToolResult) []byte {
	dst = append(append(dst, `{"jsonrpc":"2.0","id":`...), call.id...)
	dst = render.AppendText(dst, `,"result":{"content":[{"type":"text","text":`, r.Content[0].(*sdk.TextContent).Text)
	dst = append(dst, `}]`...)
	if structure, ok := r.StructuredContent.(json.RawMessage); ok {
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
