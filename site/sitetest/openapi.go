package sitetest

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// OpenAPI returns the OpenAPI document as it is served.
func OpenAPI(t testing.TB) (*openapi3.T, []byte) {
	t.Helper()
	text := []byte(Nothing(t).Body(t, "/openapi.json"))
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	return doc, text
}

// AnswerCheck validates responses against the document.
type AnswerCheck struct {
	doc     *openapi3.T
	schemas *jsonschema.Compiler
}

// NewAnswerCheck returns a check; objects must not have undescribed fields.
func NewAnswerCheck(t *testing.T) *AnswerCheck {
	t.Helper()
	doc, text := OpenAPI(t)
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	closeObjects(tree)
	c := &AnswerCheck{doc, jsonschema.NewCompiler()}
	c.schemas.AssertFormat()
	if err := c.schemas.AddResource("site", tree); err != nil {
		t.Fatal(err)
	}
	return c
}

func closeObjects(tree any) {
	switch node := tree.(type) {
	case map[string]any:
		if _, ok := node["properties"].(map[string]any); ok {
			node["additionalProperties"] = false
		}
		for _, child := range node {
			closeObjects(child)
		}
	case []any:
		for _, child := range node {
			closeObjects(child)
		}
	}
}

// Answer validates the response to a GET.
func (c *AnswerCheck) Answer(t *testing.T, template string, w *httptest.ResponseRecorder) {
	t.Helper()
	c.AnswerTo(t, http.MethodGet, template, w)
}

// AnswerTo validates the response to a method.
func (c *AnswerCheck) AnswerTo(t *testing.T, method, template string, w *httptest.ResponseRecorder) {
	t.Helper()
	status := strconv.Itoa(w.Code)
	response := c.doc.Paths.Value(template).GetOperation(method).Responses.Value(status)
	if response == nil {
		t.Errorf("%s: %s is not described", template, status)
		return
	}
	for name, header := range response.Value.Headers {
		if header.Value.Required && w.Header().Get(name) == "" {
			t.Errorf("%s, %s: no header %s", template, status, name)
		}
	}
	kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	if len(response.Value.Content) == 0 {
		return
	}
	if response.Value.Content[kind] == nil {
		t.Errorf("%s, %s: %s is not described", template, status, kind)
		return
	}
	if kind != "application/json" {
		return
	}
	at := []string{"paths", template, strings.ToLower(method), "responses", status}
	if response.Ref != "" {
		at = []string{"components", "responses", status}
	}
	body, err := jsonschema.UnmarshalJSON(w.Body)
	if err == nil {
		err = c.schema(t, append(at, "content", kind, "schema")).Validate(body)
	}
	if err != nil {
		t.Errorf("%s, %s: %v", template, status, err)
	}
}

func (c *AnswerCheck) schema(t *testing.T, at []string) *jsonschema.Schema {
	t.Helper()
	escaped := slices.Clone(at)
	for i := range escaped {
		escaped[i] = strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(escaped[i])
	}
	schema, err := c.schemas.Compile("site#/" + strings.Join(escaped, "/"))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
