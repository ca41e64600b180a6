package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"razao/internal/store/render"
	"razao/internal/web"
)

const (
	jsonType       = "application/json"
	revisionHeader = "Mcp-Protocol-Version"
)

// answer is a whole response. It is the http.ResponseWriter of the SDK's handler, so that the size
// of a response is known before any of it is sent.
type answer struct {
	header http.Header
	status int // 0: none yet
	body   []byte
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) { a.status = cmp.Or(a.status, status) }

// Write implements http.ResponseWriter.
func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.body = append(a.body, b...)
	return len(b), nil
}

// answerTo answers a message, a plain one here and any other through the SDK.
func (s *Server) answerTo(r *http.Request, m *message) *answer {
	a := &answer{header: http.Header{}}
	if !s.plain(r.Header, m) {
		r.Body = io.NopCloser(bytes.NewReader(m.body))
		s.handler.ServeHTTP(a, r)
		return a
	}
	envelope := r.Header.Get(revisionHeader) == withEnvelope
	a.header.Set("Content-Type", jsonType)
	a.status = http.StatusOK
	if m.method == callTool {
		params := &sdk.CallToolParamsRaw{Name: m.tool, Arguments: m.params["arguments"]}
		result, _ := s.call(r.Context(), callTool, &sdk.CallToolRequest{Params: params}) // errors are results
		a.body = s.appendResult(begin(m), result.(*sdk.CallToolResult), envelope)
	} else {
		a.body = append(begin(m), s.lists[listKey{m.method, envelope}]...)
	}
	a.body = append(a.body, '}')
	return a
}

// begin returns the JSON-RPC response to m up to its result.
func begin(m *message) []byte {
	return append(append([]byte(`{"jsonrpc":"2.0","id":`), m.members["id"]...), `,"result":`...)
}

// listKey says which result of a list: that of withEnvelope, which has more members, or of all
// older revisions.
type listKey struct {
	method   string
	envelope bool
}

// encodeLists has the SDK encode the results of all lists, which never change.
func (s *Server) encodeLists() error {
	s.lists = map[listKey]json.RawMessage{}
	for _, method := range lists {
		for _, envelope := range []bool{false, true} {
			result, err := s.encodeList(method, envelope)
			if err != nil {
				return fmt.Errorf("encode %s: %w", method, err)
			}
			s.lists[listKey{method, envelope}] = result
		}
	}
	return nil
}

func (s *Server) encodeList(method string, envelope bool) (json.RawMessage, error) {
	params := `{}`
	if envelope {
		params = `{"_meta":{"` + sdk.MetaKeyProtocolVersion + `":"` + withEnvelope + `","` + sdk.MetaKeyClientCapabilities + `":{}}}`
	}
	body := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`)
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.BaseURL+"/mcp", body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", jsonType)
	r.Header.Set("Accept", jsonType+", text/event-stream")
	if envelope {
		r.Header.Set(revisionHeader, withEnvelope)
		r.Header.Set("Mcp-Method", method)
	}
	a := &answer{header: http.Header{}}
	s.handler.ServeHTTP(a, r)
	var response struct{ Result json.RawMessage }
	if err := json.Unmarshal(a.body, &response); err != nil || response.Result == nil {
		return nil, fmt.Errorf("status %d: %s", a.status, a.body)
	}
	return response.Result, nil
}

// callTool is the method handler of plain calls, called by the middleware.
func (s *Server) callTool(ctx context.Context, _ string, req sdk.Request) (sdk.Result, error) {
	call := req.(*sdk.CallToolRequest)
	return s.tools[call.Params.Name](ctx, call)
}

// appendResult appends the JSON of a result of toolAnswer or toolError, which have exactly one text
// content.
func (s *Server) appendResult(dst []byte, r *sdk.CallToolResult, envelope bool) []byte {
	dst = render.AppendText(dst, `{"content":[{"type":"text","text":`, r.Content[0].(*sdk.TextContent).Text)
	dst = append(dst, `}]`...)
	if structure, ok := r.StructuredContent.(json.RawMessage); ok {
		dst = append(append(dst, `,"structuredContent":`...), structure...)
	}
	if r.IsError {
		dst = append(dst, `,"isError":true`...)
	}
	if envelope {
		dst = append(append(dst, `,"resultType":"complete","_meta":{"`+sdk.MetaKeyServerInfo+`":`...), s.info...)
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

// send sends an answer. What slow readers may hold of it is bounded by web.Budget.
func (s *Server) send(c *gin.Context, a *answer) {
	ctx := c.Request.Context()
	switch err := web.EventOf(ctx).Hold(len(a.body)); {
	case err != nil:
		s.fail(c, err)
	case a.status == 0: // the SDK gave up, because the client left or the deadline passed
		s.fail(c, cmp.Or(ctx.Err(), errNoAnswer))
	case len(a.body) == 0: // a notification was accepted
		c.Status(a.status)
		c.Writer.WriteHeaderNow()
	default:
		maps.Copy(c.Writer.Header(), a.header)
		s.sender.Send(c, web.Reply{Status: a.status, ContentType: a.header.Get("Content-Type"), Body: a.body})
	}
}
