package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"razao/internal/data/openapi"
	"razao/internal/data/source"
	"razao/internal/testing/fixture"
)

// description is the OpenAPI document of a version. Responses are validated with
// additionalProperties false, although clients must accept new fields.
type description struct {
	version  string
	doc      *openapi3.T
	schemas  *jsonschema.Compiler
	mu       sync.Mutex // guards schemas
	compiled sync.Map   // pointer of a schema in the document → *jsonschema.Schema
}

func describe(version string, document openapi.Document) (*description, error) {
	raw, err := openapi.Marshal(document.Object())
	if err != nil {
		return nil, err
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	closeObjects(tree)
	d := &description{version: version, schemas: jsonschema.NewCompiler()}
	d.schemas.AssertFormat()
	if err := d.schemas.AddResource(version, tree); err != nil {
		return nil, err
	}
	if raw, err = json.Marshal(tree); err != nil {
		return nil, err
	}
	d.doc, err = openapi3.NewLoader().LoadFromData(raw)
	return d, err
}

// schema returns the schema at a place in the document.
func (d *description) schema(t testing.TB, place ...string) *jsonschema.Schema {
	t.Helper()
	pointer := ""
	for _, part := range place {
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(part)
	}
	if known, ok := d.compiled.Load(pointer); ok {
		return known.(*jsonschema.Schema)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	schema, err := d.schemas.Compile(d.version + "#" + pointer)
	if err != nil {
		t.Fatal(err)
	}
	d.compiled.Store(pointer, schema)
	return schema
}

func closeObjects(tree any) {
	switch node := tree.(type) {
	case map[string]any:
		if _, isObject := node["properties"].(map[string]any); isObject && node["type"] == "object" {
			node["additionalProperties"] = false
		}
		for key, child := range node {
			if key != "example" && key != "examples" {
				closeObjects(child)
			}
		}
	case []any:
		for _, child := range node {
			closeObjects(child)
		}
	}
}

// descriptions are read once for all tests.
var descriptions = map[string]func() (*description, error){
	"v1": sync.OnceValues(func() (*description, error) { return describe("v1", documentV1()) }),
	"v2": sync.OnceValues(func() (*description, error) { return describe("v2", documentV2()) }),
}

func descriptionOf(t testing.TB, version string) *description {
	t.Helper()
	d, err := descriptions[version]()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// checkDocumented holds an answer to the document of its version.
func checkDocumented(t testing.TB, method, path string, got answer) {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	version := strings.Split(path, "/")[1]
	if descriptions[version] == nil || strings.HasSuffix(path, "/openapi.json") || got.status == http.StatusRequestHeaderFieldsTooLarge {
		return // the last is the server's own answer, before there is a route
	}
	d := descriptionOf(t, version)
	what := fmt.Sprintf("%s %s, status %d", method, path, got.status)
	place := []string{"components", "schemas", "Erro"}
	template, op := d.operation(path)
	switch {
	case op == nil || method != "GET" && method != "HEAD":
		if divided := dividedCNPJ.MatchString(path) && got.status == http.StatusBadRequest; !divided && got.status != http.StatusNotFound && got.status != http.StatusMethodNotAllowed {
			t.Errorf("%s: not documented", what)
		}
	case op.Responses.Status(got.status) == nil:
		t.Errorf("%s: the status is not documented", what)
		return
	default:
		response := op.Responses.Status(got.status).Value
		checkHeaders(t, what, response, got.header)
		if response.Content == nil {
			place = nil
		} else if got.status == http.StatusOK {
			place = []string{"paths", template, "get", "responses", "200", "content", "application/json", "schema"}
		}
	}
	if method == "HEAD" || place == nil {
		if len(got.body) > 0 {
			t.Errorf("%s: a body", what)
		}
		return
	}
	if got.header.Get("Content-Encoding") != "" {
		return // the same answer is checked plain
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(got.body))
	if err == nil {
		err = d.schema(t, place...).Validate(value)
	}
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// operation returns the operation that a path belongs to, nil when there is none, and its path in the document.
func (d *description) operation(path string) (template string, op *openapi3.Operation) {
	parts := strings.Split(path, "/")
	for template, item := range d.doc.Paths.Map() {
		pattern := strings.Split(template, "/")
		if len(pattern) != len(parts) {
			continue
		}
		matches := true
		for i := range pattern {
			matches = matches && (pattern[i] == parts[i] || strings.HasPrefix(pattern[i], "{") && parts[i] != "")
		}
		if matches {
			return template, item.Get
		}
	}
	return "", nil
}

// ours are the headers that the documents speak of.
func ours() []string {
	return []string{
		"Etag", "Cache-Control", "Vary", "Retry-After", "Www-Authenticate", "X-Request-Id", "Location",
		"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset",
	}
}

func checkHeaders(t testing.TB, what string, response *openapi3.Response, header http.Header) {
	t.Helper()
	documented := map[string]bool{}
	for name, h := range response.Headers {
		name = http.CanonicalHeaderKey(name)
		documented[name] = true
		if h.Value.Required && header.Get(name) == "" {
			t.Errorf("%s: no header %s", what, name)
		}
	}
	for name := range header {
		if slices.Contains(ours(), name) && !documented[name] {
			t.Errorf("%s: header %s is not documented", what, name)
		}
	}
}

func TestDocumentsAreValid(t *testing.T) {
	t.Parallel()
	for version := range descriptions {
		d := descriptionOf(t, version)
		// kin-openapi reads a schema without a type as OpenAPI 3.0 did, where null needs a word of its own.
		if err := d.doc.Validate(t.Context(), openapi3.DisableExamplesValidation()); err != nil {
			t.Errorf("%s: %v", version, err)
		}
		checked := 0
		for template, item := range d.doc.Paths.Map() {
			for status, response := range item.Get.Responses.Map() {
				for name, value := range examplesOf(response.Value) {
					place := []string{"components", "schemas", "Erro"}
					if status == "200" {
						place = []string{"paths", template, "get", "responses", status, "content", "application/json", "schema"}
					}
					if err := d.schema(t, place...).Validate(value); err != nil {
						t.Errorf("%s: example %s of %s %s: %v", version, name, status, template, err)
					}
					checked++
				}
			}
		}
		if checked == 0 {
			t.Errorf("%s has no examples", version)
		}
	}
}

// examplesOf returns the examples of a response by their names.
func examplesOf(response *openapi3.Response) map[string]any {
	all := map[string]any{}
	media := response.Content["application/json"]
	if media == nil {
		return all
	}
	if media.Example != nil {
		all["alone"] = media.Example
	}
	for name, e := range media.Examples {
		all[name] = e.Value.Value
	}
	return all
}

func TestDocumentsAreServed(t *testing.T) {
	t.Parallel()
	s := start(t, fixture.Empty(t))
	for _, version := range []string{"v1", "v2"} {
		path := "/" + version + "/openapi.json"
		got := s.do(t, "GET", path, "Authorization", "")
		if got.status != 200 || got.header.Get("Content-Type") != "application/json; charset=utf-8" || got.header.Get("ETag") == "" {
			t.Fatalf("%s: status %d, headers %v", path, got.status, got.header)
		}
		doc, err := openapi3.NewLoader().LoadFromData(got.body)
		if err != nil || doc.OpenAPI != "3.1.0" {
			t.Errorf("%s: %v", path, err)
		}
		if again := s.do(t, "GET", path, "If-None-Match", got.header.Get("ETag")); again.status != http.StatusNotModified {
			t.Errorf("%s again: %d", path, again.status)
		}
		checkError(t, s.do(t, "GET", path+"?x=1"), 400, "parametro_invalido")
	}
}

// TestDocumentsNameEveryRoute compares the documents with the routes of the router.
func TestDocumentsNameEveryRoute(t *testing.T) {
	t.Parallel()
	for _, route := range newEngine(New(Config{})).Routes() {
		if strings.HasSuffix(route.Path, "/openapi.json") {
			continue
		}
		if _, op := descriptionOf(t, strings.Split(route.Path, "/")[1]).operation(route.Path); op == nil {
			t.Errorf("%s is not documented", route.Path)
		}
	}
}

// TestItemsAreDescribedFieldByField compares the schema of every source with its table.
func TestItemsAreDescribedFieldByField(t *testing.T) {
	t.Parallel()
	doc := descriptionOf(t, "v2").doc
	for _, src := range source.All() {
		item := doc.Components.Schemas["item_"+src.ID].Value
		if len(item.Properties) != len(src.Fields) || len(item.Required) != len(src.Fields) {
			t.Errorf("%s: %d properties for %d fields", src.ID, len(item.Properties), len(src.Fields))
		}
		for _, f := range src.Fields {
			if item.Properties[f.Name] == nil {
				t.Errorf("%s.%s is not described", src.ID, f.Name)
			}
		}
	}
}
