package site

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

// Paths below /.well-known (RFC 8615).
const (
	securityPath   = "/.well-known/security.txt"
	apiCatalogPath = "/.well-known/api-catalog"
)

// securityTextLasts is for how long security.txt says that it is right. RFC 9116 §2.5.5 advises less than a
// year; it is made for each request, so it does not run out.
const securityTextLasts = 180 * 24 * time.Hour

// securityText answers /.well-known/security.txt (RFC 9116), which must name somebody to write to: without an
// operator's address there is none.
func (s *Site) securityText(c *gin.Context) {
	if s.Operator == "" {
		s.NotFound(c)
		return
	}
	expires := s.now().Add(securityTextLasts).UTC().Truncate(24 * time.Hour).Format(time.RFC3339)
	text := "Contact: mailto:" + s.Operator + "\nExpires: " + expires + "\nPreferred-Languages: pt, en\nCanonical: " + s.BaseURL + securityPath + "\n"
	s.pages.Sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: "text/plain; charset=utf-8", Caching: forADay, Body: []byte(text)})
}

// link is a target of a link set (RFC 9264 §4.2.3).
type link struct {
	Href string `json:"href"`
	Type string `json:"type,omitempty"`
	Lang string `json:"hreflang,omitempty"`
}

// linkContext is what the links of a resource are, by relation.
type linkContext struct {
	Anchor      string `json:"anchor"`
	Items       []link `json:"item,omitempty"`
	Description []link `json:"service-desc,omitempty"`
	Document    []link `json:"service-doc,omitempty"`
	Status      []link `json:"status,omitempty"`
}

// apiCatalogType is the media type of an API catalog.
const apiCatalogType = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`

// apiCatalog returns the handler of /.well-known/api-catalog (RFC 9727): the APIs, with their OpenAPI documents
// and the pages for people.
func (s *Site) apiCatalog() gin.HandlerFunc {
	at := s.BaseURL
	page := func(path string) []link { return []link{{at + path, "text/html", "pt-BR"}} }
	document := func(path string) []link { return []link{{Href: at + path, Type: "application/json"}} }
	health := document("/health")
	catalog := struct {
		Linkset []linkContext `json:"linkset"`
	}{[]linkContext{
		{Anchor: at + apiCatalogPath, Items: []link{{Href: at + "/v2"}, {Href: at + "/v1"}, {Href: at + "/"}}},
		{Anchor: at + "/v2", Description: document("/v2/openapi.json"), Document: page("/api"), Status: health},
		{Anchor: at + "/v1", Description: document("/v1/openapi.json"), Document: page("/api/v1"), Status: health},
		{Anchor: at + "/", Description: document("/openapi.json"), Document: page("/api/docs"), Status: health},
	}}
	body, err := json.Marshal(catalog)
	if err != nil {
		panic("site: " + err.Error()) // a programming error
	}
	return func(c *gin.Context) {
		c.Header("Link", "<"+at+apiCatalogPath+`>; rel="api-catalog"`) // RFC 9727 §2, for HEAD
		s.pages.Sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: apiCatalogType, Caching: forADay, Body: body})
	}
}
