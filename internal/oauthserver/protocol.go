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

// Error codes of RFC 6749 that are used in several places.
const (
	invalidRequest = "invalid_request"
	invalidGrant   = "invalid_grant"
)

// protocolError is an OAuth error response (RFC 6749 §5.2), whose texts must be ASCII.
type protocolError struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
	status      int    // 0 stands for 400
}

// Error implements error.
func (e *protocolError) Error() string { return e.Code + ": " + e.Description }

// rejectDuplicates refuses repeated parameters (RFC 6749 §3.1), except resource, which may repeat (RFC 8707 §2).
func rejectDuplicates(parameters url.Values) error {
	for name, values := range parameters {
		if len(values) > 1 && name != "resource" {
			return &protocolError{Code: invalidRequest, Description: "a parameter was given more than once"}
		}
	}
	return nil
}

// checkResource refuses tokens for other resources (RFC 8707). The parameter is optional, since there is only one resource.
func (s *Server) checkResource(parameters url.Values) error {
	for _, named := range parameters["resource"] {
		if strings.TrimSuffix(named, "/") != s.resource {
			return &protocolError{Code: "invalid_target", Description: "the resource is " + s.resource}
		}
	}
	return nil
}

// fail responds with the OAuth error for err, and records err. An unknown error is 503.
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

// send sends a JSON body that must not be cached (RFC 6749 §5.1).
func (s *Server) send(c *gin.Context, status int, body any) {
	s.sendJSON(c, status, web.Caching{}, body)
}

func (s *Server) sendJSON(c *gin.Context, status int, caching web.Caching, body any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		panic(fmt.Errorf("encode body: %w", err))
	}
	s.sender.Send(c, web.Reply{Status: status, ContentType: "application/json; charset=utf-8", Caching: caching, Body: b.Bytes()})
}
