package oauthserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

// Error codes of RFC 6749 §5.2 that several functions use.
const (
	invalidRequest = "invalid_request"
	invalidGrant   = "invalid_grant"
)

// protocolError is an OAuth error response (RFC 6749 §5.2). Code and Description must be printable
// ASCII without quotes and backslashes. Description is read by the author of the client, not by
// users.
type protocolError struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
	status      int    // HTTP status; 0 stands for 400
}

// Error implements error.
func (e *protocolError) Error() string { return e.Code + ": " + e.Description }

// rejectDuplicates refuses repeated parameters (RFC 6749 §3.1 and §3.2), of which a proxy and this
// server could read different ones (parameter pollution). Only resource may repeat (RFC 8707 §2).
func rejectDuplicates(parameters url.Values) error {
	for name, values := range parameters {
		if len(values) > 1 && name != "resource" {
			return &protocolError{Code: invalidRequest, Description: "a parameter was given more than once"}
		}
	}
	return nil
}

// checkResource refuses requests for tokens for other resources (RFC 8707 §2). The parameter is
// optional: without it the token is for the only resource. A trailing slash is tolerated, as
// clients add one.
func (s *Server) checkResource(parameters url.Values) error {
	for _, named := range parameters["resource"] {
		if strings.TrimSuffix(named, "/") != s.resource {
			return &protocolError{Code: "invalid_target", Description: "the resource is " + s.resource}
		}
	}
	return nil
}

// fail records err and responds with the OAuth error for it. An error that is none of the package's
// is trouble of ours: 503 with Retry-After, never invalid_grant, at which clients discard their
// tokens.
func (s *Server) fail(c *gin.Context, err error) {
	web.EventOf(c.Request.Context()).Fail(err)
	var refused *protocolError
	var busy *web.TooManyError
	switch {
	case errors.As(err, &refused):
	case errors.As(err, &busy):
		c.Header("Retry-After", busy.Seconds())
		refused = &protocolError{"temporarily_unavailable", "too many requests from this address", http.StatusTooManyRequests}
	case errors.Is(err, ErrUnknownClient):
		if c.GetHeader("Authorization") != "" {
			c.Header("WWW-Authenticate", `Basic realm="razao"`)
		}
		refused = &protocolError{"invalid_client", "no such client: register again", http.StatusUnauthorized}
	case errors.Is(err, web.ErrFormTooLarge):
		refused = &protocolError{invalidRequest, "the body is too large", http.StatusRequestEntityTooLarge}
	case errors.Is(err, web.ErrForm):
		refused = &protocolError{Code: invalidRequest, Description: "the body is not application/x-www-form-urlencoded"}
	default:
		c.Header("Retry-After", web.RetryAfter())
		refused = &protocolError{"temporarily_unavailable", "try again in a moment", http.StatusServiceUnavailable}
	}
	s.send(c, max(refused.status, http.StatusBadRequest), refused)
}

// send responds with a JSON body that must not be cached, since it may hold tokens (RFC 6749 §5.1).
func (s *Server) send(c *gin.Context, status int, body any) {
	s.sendJSON(c, status, web.Caching{}, body)
}

// sendJSON responds with a JSON body. It encodes into a buffer, so the status is sent only when the
// body is complete.
func (s *Server) sendJSON(c *gin.Context, status int, caching web.Caching, body any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		panic(fmt.Errorf("encode body: %w", err))
	}
	s.sender.Send(c, web.Reply{Status: status, ContentType: "application/json; charset=utf-8", Caching: caching, Body: b.Bytes()})
}
