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

// Codes of the protocol that are used in several places.
const (
	invalidRequest = "invalid_request"
	invalidGrant   = "invalid_grant"
)

// protocolError is a refusal in the words of OAuth. Its texts go to programs, in ASCII, as the protocol wants.
type protocolError struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
	status      int    // 0 stands for 400
}

// Error implements error.
func (e *protocolError) Error() string { return e.Code + ": " + e.Description }

// checkOnce refuses parameters that say something twice. Only resource may.
func checkOnce(parameters url.Values) error {
	for name, values := range parameters {
		if len(values) > 1 && name != "resource" {
			return &protocolError{Code: invalidRequest, Description: "a parameter was given more than once"}
		}
	}
	return nil
}

// checkResource refuses to give access to what is not ours. Older clients do not name a resource; there is only one.
func (s *Server) checkResource(parameters url.Values) error {
	for _, named := range parameters["resource"] {
		if strings.TrimSuffix(named, "/") != s.resource {
			return &protocolError{Code: "invalid_target", Description: "the resource is " + s.resource}
		}
	}
	return nil
}

// fail answers a program with an error. What is not a refusal is trouble of ours.
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
		c.Header("Retry-After", "5")
		refused = &protocolError{"temporarily_unavailable", "try again in a moment", http.StatusServiceUnavailable}
	}
	s.send(c, max(refused.status, http.StatusBadRequest), refused)
}

// send answers a program that must not keep the answer.
func (s *Server) send(c *gin.Context, status int, body any) {
	c.Header("Cache-Control", "no-store")
	s.sendJSON(c, status, body)
}

func (s *Server) sendJSON(c *gin.Context, status int, body any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		panic(fmt.Errorf("encode body: %w", err))
	}
	s.sender.Send(c, web.Reply{Status: status, ContentType: "application/json; charset=utf-8", Body: b.Bytes()})
}
