package oauthserver

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

const maxRegistration = 16 << 10 // bytes of a request body

// registration has the client metadata (RFC 7591 §2) that are used; others are ignored.
type registration struct {
	Redirects     []string `json:"redirect_uris"`
	Name          string   `json:"client_name"`
	GrantTypes    []string `json:"grant_types"`
	ResponseTypes []string `json:"response_types"`
}

// clientInformation is the client information response (RFC 7591 §3.2.1): the metadata as registered,
// which may differ from those requested.
type clientInformation struct {
	ID            string   `json:"client_id"`
	IssuedAt      int64    `json:"client_id_issued_at"` // Unix seconds
	Name          string   `json:"client_name"`
	Redirects     []string `json:"redirect_uris"`
	GrantTypes    []string `json:"grant_types"`
	ResponseTypes []string `json:"response_types"`
	AuthMethod    string   `json:"token_endpoint_auth_method"`
	Scope         string   `json:"scope"`
}

// register is the registration endpoint (RFC 7591 §3). It is open: a client can do nothing until a
// user consents. A rate limit, and Purge, bound what a flood leaves.
func (s *Server) register(c *gin.Context) {
	asked, err := readRegistration(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	client, err := s.insertClient(c.Request.Context(), Client{
		ID: newClientID(), Origin: ByRegistration, Name: nameOf(asked.Name, asked.Redirects), RedirectURIs: asked.Redirects,
	}, web.ClientOf(c))
	if err != nil {
		s.fail(c, err)
		return
	}
	s.logStep(c.Request.Context(), "client registered", client.ID)
	s.send(c, http.StatusCreated, clientInformation{
		ID: client.ID, IssuedAt: client.CreatedAt.Unix(), Name: client.Name, Redirects: client.RedirectURIs,
		GrantTypes: []string{grantCode, grantRefresh}, ResponseTypes: []string{"code"}, AuthMethod: authNone, Scope: ScopeRead,
	})
}

// readRegistration reads and validates client metadata. Its errors are *protocolError and
// web.ErrFormTooLarge.
func readRegistration(c *gin.Context) (registration, error) {
	var asked registration
	if media, _, _ := mime.ParseMediaType(c.GetHeader("Content-Type")); media != "application/json" {
		return asked, &protocolError{Code: invalidRequest, Description: "the body is not application/json"}
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, maxRegistration))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return asked, web.ErrFormTooLarge
	}
	if err != nil {
		return asked, &protocolError{Code: invalidRequest, Description: "the body was cut short"}
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		return asked, &protocolError{Code: "invalid_client_metadata", Description: "the body is not a JSON object with client metadata"}
	}
	if err := checkRedirects(asked.Redirects); err != nil {
		return asked, &protocolError{Code: "invalid_redirect_uri", Description: ascii(err.Error())}
	}
	if len(asked.GrantTypes) > 0 && !slices.Contains(asked.GrantTypes, grantCode) ||
		len(asked.ResponseTypes) > 0 && !slices.Contains(asked.ResponseTypes, "code") {
		return asked, &protocolError{Code: "invalid_client_metadata", Description: "clients here use authorization_code with code"}
	}
	return asked, nil
}

// newClientID returns 128 random bits in base 32, which need no check for collisions. A client_id
// is not secret.
func newClientID() string { return rand.Text() }

// ascii drops the bytes that error_description must not contain (RFC 6749 §5.2).
func ascii(text string) string {
	kept := make([]byte, 0, len(text))
	for _, b := range []byte(text) {
		if b >= ' ' && b <= '~' && b != '"' && b != '\\' {
			kept = append(kept, b)
		}
	}
	return string(kept)
}
