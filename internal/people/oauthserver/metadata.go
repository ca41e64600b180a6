package oauthserver

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

// serverMetadata is authorization server metadata (RFC 8414 §2). It has no jwks_uri: tokens are opaque.
type serverMetadata struct {
	Issuer                string   `json:"issuer"`
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	RegistrationEndpoint  string   `json:"registration_endpoint"`
	RevocationEndpoint    string   `json:"revocation_endpoint"`
	Scopes                []string `json:"scopes_supported"`
	ResponseTypes         []string `json:"response_types_supported"`
	ResponseModes         []string `json:"response_modes_supported"`
	GrantTypes            []string `json:"grant_types_supported"`
	TokenAuthMethods      []string `json:"token_endpoint_auth_methods_supported"`
	RevocationAuthMethods []string `json:"revocation_endpoint_auth_methods_supported"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported"`
	ClientDocuments       bool     `json:"client_id_metadata_document_supported"`
	IssuerInAnswers       bool     `json:"authorization_response_iss_parameter_supported"`
	Languages             []string `json:"ui_locales_supported"`
}

// resourceMetadata is the protected resource metadata (RFC 9728 §2) of /mcp. Clients find it
// through the WWW-Authenticate header of a 401 (RFC 9728 §5.1).
type resourceMetadata struct {
	Resource string   `json:"resource"`
	Servers  []string `json:"authorization_servers"`
	Scopes   []string `json:"scopes_supported"`
	Methods  []string `json:"bearer_methods_supported"`
	Name     string   `json:"resource_name"`
}

// Names of grant types and of the token endpoint's authentication of public clients (RFC 7591 §2).
const (
	grantCode    = "authorization_code"
	grantRefresh = "refresh_token"
	authNone     = "none"
)

// lasting is the caching of metadata, which change only with the program: shared caches may keep
// them.
var lasting = web.Caching{For: web.Everyone, Age: 5 * time.Minute}

// describeServer serves the authorization server metadata (RFC 8414 §3).
func (s *Server) describeServer(c *gin.Context) {
	s.sendJSON(c, http.StatusOK, lasting, serverMetadata{
		Issuer:                s.issuer,
		AuthorizationEndpoint: s.issuer + "/oauth/authorize",
		TokenEndpoint:         s.issuer + "/oauth/token",
		RegistrationEndpoint:  s.issuer + "/oauth/register",
		RevocationEndpoint:    s.issuer + "/oauth/revoke",
		Scopes:                []string{ScopeRead},
		ResponseTypes:         []string{"code"},
		ResponseModes:         []string{"query"},
		GrantTypes:            []string{grantCode, grantRefresh},
		TokenAuthMethods:      []string{authNone},
		RevocationAuthMethods: []string{authNone},
		ChallengeMethods:      []string{"S256"},
		ClientDocuments:       true,
		IssuerInAnswers:       true,
		Languages:             []string{"pt-BR"},
	})
}

// describeResource serves the protected resource metadata (RFC 9728 §3).
func (s *Server) describeResource(c *gin.Context) {
	s.sendJSON(c, http.StatusOK, lasting, resourceMetadata{
		Resource: s.resource, Servers: []string{s.issuer}, Scopes: []string{ScopeRead}, Methods: []string{"header"}, Name: "Razão",
	})
}
