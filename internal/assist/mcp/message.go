package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/store/render"
)

const (
	callTool     = "tools/call"
	readResource = "resources/read"

	unknownTool = "desconhecida" // replaces names of unknown tools in the usage history
)

// lists are the methods whose results are constant.
var lists = []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"}

// withEnvelope is the protocol revision without initialize handshake: each request carries version
// and capabilities in _meta and headers (SEP-2575).
const withEnvelope = "2026-07-28"

// reservedPrefix is the prefix of _meta keys that belong to the protocol.
const reservedPrefix = "io.modelcontextprotocol/"

// mostBrackets bounds the opening brackets of a plain message, and so its nesting depth.
const mostBrackets = 100

// message is the JSON-RPC message in the body of a request. Requests of other methods than POST
// have an empty one.
type message struct {
	body    []byte
	members map[string]json.RawMessage // maps, since struct fields match keys case-insensitively
	params  map[string]json.RawMessage // nil if they are no object
	method  string
	tool    string // params.name, which has other meanings in other methods than callTool
}

// badMessage is the error of a body that is not one JSON-RPC message, with the response to it.
type badMessage struct {
	reason       string
	status, code int // of HTTP and of JSON-RPC
	text         string
}

// Error implements error.
func (e *badMessage) Error() string { return e.reason }

// body returns a JSON-RPC error without an id, because none was read (JSON-RPC 2.0 §5).
func (e *badMessage) body() []byte {
	dst := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d`, e.code)
	return append(render.AppendText(dst, `,"message":`, e.text), `}}`...)
}

var (
	errBatch = &badMessage{
		"JSON-RPC batch", http.StatusBadRequest, jsonrpc.CodeInvalidRequest,
		"Lotes (batches) não são aceitos: envie uma mensagem por requisição.",
	}
	errTooLarge = &badMessage{
		"message too large", http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest,
		fmt.Sprintf("A mensagem passa de %d KB.", maxBody>>10),
	}
	errNotJSON = &badMessage{"not a JSON object", http.StatusBadRequest, jsonrpc.CodeParseError, "O corpo deve ser um objeto JSON."}
	errUnread  = &badMessage{"message not received", http.StatusBadRequest, jsonrpc.CodeParseError, "A mensagem não chegou inteira."}
)

// readMessage reads the message of a request. Its errors are *badMessage. Batches are recognised by
// their first byte, before anything is decoded: they multiply the work of one request, and revision
// 2025-06-18 removed them from the protocol.
func readMessage(r *http.Request) (*message, error) {
	if r.Method != http.MethodPost {
		return &message{}, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errUnread, err)
	case bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")):
		return nil, errBatch
	case len(body) > maxBody:
		return nil, errTooLarge
	}
	m := &message{body: body}
	if json.Unmarshal(body, &m.members) != nil || m.members == nil {
		return nil, errNotJSON
	}
	_ = json.Unmarshal(m.members["method"], &m.method) // "" is for the SDK to refuse
	_ = json.Unmarshal(m.members["params"], &m.params)
	_ = json.Unmarshal(m.params["name"], &m.tool)
	return m, nil
}

// counts reports whether m counts as a call.
func (m *message) counts() bool { return m.method == callTool || m.method == readResource }

// endpoint returns the name of a call in the usage history.
func (s *Server) endpoint(m *message) string {
	switch {
	case m.method == readResource:
		return readResource
	case s.tools[m.tool] != nil:
		return m.tool
	}
	return unknownTool
}

// plain reports whether m is a call of an existing tool or a request for the beginning of a list
// with nothing unusual about it. Nearly all requests are. They are answered here, because the SDK's
// HTTP transport creates a session per request and decodes the body nine times, each time with a
// new 32 KB buffer: more work than the answer itself. Middleware and tool handlers are the same. The
// check is conservative: whatever is not plain goes to the SDK, which also produces all protocol
// errors.
func (s *Server) plain(h http.Header, m *message) bool {
	accept, revision := h.Get("Accept"), h.Get(revisionHeader)
	if h.Get("Content-Type") != jsonType || h.Get("Last-Event-ID") != "" ||
		!strings.Contains(accept, jsonType) || !strings.Contains(accept, "text/event-stream") ||
		revision != "" && (revision > withEnvelope || !slices.Contains(sdk.SupportedProtocolVersions(), revision)) {
		return false
	}
	if revision == withEnvelope && (h.Get("Mcp-Method") != m.method || m.method == callTool && h.Get("Mcp-Name") != m.tool) {
		return false
	}
	return m.isRequest() && s.hasPlainParams(m) && isPlainMeta(m.params["_meta"], revision) &&
		bytes.Count(m.body, []byte("["))+bytes.Count(m.body, []byte("{")) <= mostBrackets
}

// isRequest reports whether m has the members of a JSON-RPC request and no others. Params that are
// absent are fine; others must be an object.
func (m *message) isRequest() bool {
	members := 3
	if _, sent := m.members["params"]; sent {
		members++
		if m.params == nil {
			return false
		}
	}
	return len(m.members) == members && string(m.members["jsonrpc"]) == `"2.0"` && isID(m.members["id"])
}

// hasPlainParams reports whether a call names an existing tool and has at most arguments beside, or
// a request for a list has no parameters, so that it asks for the first page of what it can do.
func (s *Server) hasPlainParams(m *message) bool {
	allowed := []string{"_meta"}
	switch {
	case m.method == callTool && s.tools[m.tool] != nil:
		allowed = append(allowed, "name", "arguments")
	case !slices.Contains(lists, m.method):
		return false
	}
	for key := range m.params {
		if !slices.Contains(allowed, key) {
			return false
		}
	}
	return true
}

// isPlainMeta reports whether _meta, which may be absent, is a valid envelope of withEnvelope or,
// for older revisions, has no reserved keys.
func isPlainMeta(raw json.RawMessage, revision string) bool {
	var meta map[string]json.RawMessage
	if raw != nil && json.Unmarshal(raw, &meta) != nil {
		return false
	}
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
