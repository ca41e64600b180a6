package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"razao/internal/store/render"
)

const (
	callTool     = "tools/call"
	readResource = "resources/read"

	unknownTool = "desconhecida" // replaces names of unknown tools in the usage history
)

// message is the JSON-RPC message in the body of a request. Requests of other methods than POST
// have an empty one.
type message struct {
	body   []byte
	method string
	tool   string // params.name, which has other meanings in other methods than callTool
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
	var members, params map[string]json.RawMessage // maps, since struct fields match keys case-insensitively
	if json.Unmarshal(body, &members) != nil || members == nil {
		return nil, errNotJSON
	}
	_ = json.Unmarshal(members["method"], &m.method) // "" is for the SDK to refuse
	_ = json.Unmarshal(members["params"], &params)
	_ = json.Unmarshal(params["name"], &m.tool)
	return m, nil
}

// counts reports whether m counts as a call.
func (m *message) counts() bool { return m.method == callTool || m.method == readResource }

// endpoint returns the name of a call in the usage history.
func (s *Server) endpoint(m *message) string {
	switch {
	case m.method == readResource:
		return readResource
	case s.tools[m.tool]:
		return m.tool
	}
	return unknownTool
}
