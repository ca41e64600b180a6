package sitetest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"razao/internal/testing/openapitest"
)

// OpenAPI returns the OpenAPI document as it is served.
func OpenAPI(t testing.TB) *openapitest.Document {
	t.Helper()
	doc, err := openapitest.Parse([]byte(Nothing(t).Body(t, "/openapi.json")))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// AnswerCheck validates responses against the document.
type AnswerCheck struct{ doc *openapitest.Document }

// NewAnswerCheck returns a check; objects must not have undescribed fields.
func NewAnswerCheck(t *testing.T) *AnswerCheck {
	t.Helper()
	return &AnswerCheck{OpenAPI(t)}
}

// Answer validates the response to a GET.
func (c *AnswerCheck) Answer(t *testing.T, template string, w *httptest.ResponseRecorder) {
	t.Helper()
	c.AnswerTo(t, http.MethodGet, template, w)
}

// AnswerTo validates the response to a method.
func (c *AnswerCheck) AnswerTo(t *testing.T, method, template string, w *httptest.ResponseRecorder) {
	t.Helper()
	what := fmt.Sprintf("%s, %d", template, w.Code)
	response := c.doc.Paths[template][strings.ToLower(method)].Responses[strconv.Itoa(w.Code)]
	if response == nil {
		t.Errorf("%s is not described", what)
		return
	}
	response.CheckHeaders(t, what, w.Header())
	kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	if len(response.Content) == 0 {
		return
	}
	media, described := response.Content[kind]
	if !described {
		t.Errorf("%s: %s is not described", what, kind)
	} else if kind == "application/json" {
		if err := c.doc.Validate(media.Schema, w.Body.Bytes()); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}
