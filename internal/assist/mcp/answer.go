package mcp

import (
	"bytes"
	"cmp"
	"io"
	"maps"
	"net/http"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

const jsonType = "application/json"

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

// answerTo has the SDK answer a message.
func (s *Server) answerTo(r *http.Request, m *message) *answer {
	a := &answer{header: http.Header{}}
	r.Body = io.NopCloser(bytes.NewReader(m.body))
	s.handler.ServeHTTP(a, r)
	return a
}

// send sends an answer. What slow readers may hold of it is bounded by web.Options.Bodies.
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
