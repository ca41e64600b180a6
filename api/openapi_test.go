package api

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"razao/internal/data/openapi"
	"razao/internal/data/source"
	"razao/internal/people/follow"
	"razao/internal/people/webhook"
	"razao/internal/testing/fixture"
	"razao/internal/testing/openapitest"
)

// descriptions are the OpenAPI documents, read once for all tests.
var descriptions = map[string]func() (*openapitest.Document, error){
	"v1": sync.OnceValues(func() (*openapitest.Document, error) { return describe(documentV1(Retirement{})) }),
	"v2": sync.OnceValues(func() (*openapitest.Document, error) { return describe(documentV2()) }),
}

func describe(document openapi.Document) (*openapitest.Document, error) {
	raw, err := openapi.Marshal(document.Object())
	if err != nil {
		return nil, err
	}
	return openapitest.Parse(raw)
}

func descriptionOf(t testing.TB, version string) *openapitest.Document {
	t.Helper()
	d, err := descriptions[version]()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var refusal = &jsonschema.Schema{Ref: "#/$defs/Erro"}

// checkDocumented holds an answer to the document of its version.
func checkDocumented(t testing.TB, method, path string, got answer) {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	if path == reconcilePath+"/" {
		path = reconcilePath
	}
	unescaped, _ := url.PathUnescape(path)
	version := strings.Split(path, "/")[1]
	if descriptions[version] == nil || strings.HasSuffix(path, "/openapi.json") || got.status == http.StatusRequestHeaderFieldsTooLarge {
		return // the last is the server's own answer, before there is a route
	}
	if got.header.Get("Content-Type") == problemType {
		return // described in words
	}
	d := descriptionOf(t, version)
	what := fmt.Sprintf("%s %s, status %d", method, path, got.status)
	schema := refusal
	op := d.Operation(strings.Replace(method, "HEAD", "GET", 1), path)
	switch {
	case op == nil:
		if divided := dividedCNPJ.MatchString(unescaped) && got.status == http.StatusBadRequest; !divided && got.status != http.StatusNotFound && got.status != http.StatusMethodNotAllowed {
			t.Errorf("%s: not documented", what)
		}
	case op.Responses[fmt.Sprint(got.status)] == nil:
		t.Errorf("%s: the status is not documented", what)
		return
	default:
		response := op.Responses[fmt.Sprint(got.status)]
		response.CheckHeaders(t, what, got.header)
		for name := range got.header {
			if _, documented := response.Headers[name]; !documented && slices.Contains(ours, name) {
				t.Errorf("%s: header %s is not documented", what, name)
			}
		}
		media, _, _ := strings.Cut(got.header.Get("Content-Type"), ";")
		switch schema = response.Content[media].Schema; media {
		case ndjson:
			checkLines(t, d, schema, what, got)
			return
		case "text/html":
			return
		}
	}
	if method == "HEAD" || schema == nil {
		if len(got.body) > 0 {
			t.Errorf("%s: a body", what)
		}
		return
	}
	if got.header.Get("Content-Encoding") != "" {
		return // the same answer is checked plain
	}
	if err := d.Validate(schema, got.body); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// checkLines holds every line of an answer to a schema.
func checkLines(t testing.TB, d *openapitest.Document, schema *jsonschema.Schema, what string, got answer) {
	t.Helper()
	if got.header.Get("Content-Encoding") != "" {
		return // the same answer is checked plain
	}
	for line := range bytes.Lines(got.body) {
		if err := d.Validate(schema, line); err != nil {
			t.Errorf("%s: %v: %s", what, err, line)
		}
	}
}

// ours are the headers that the documents speak of.
var ours = []string{
	"Etag", "Cache-Control", "Vary", "Retry-After", "Www-Authenticate", "X-Request-Id", "Location",
	"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "Ratelimit", "Ratelimit-Policy", "Deprecation", "Sunset", "Link",
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
		doc, err := openapitest.Parse(got.body)
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
	for _, route := range newEngine(New(Config{Follows: &follow.Store{}, Webhooks: &webhook.Store{}})).Routes() {
		method := strings.Replace(route.Method, "HEAD", "GET", 1)
		if !strings.HasSuffix(route.Path, "/openapi.json") && descriptionOf(t, strings.Split(route.Path, "/")[1]).Operation(method, strings.TrimSuffix(route.Path, "/")) == nil {
			t.Errorf("%s is not documented", route.Path)
		}
	}
}

// TestItemsAreDescribedFieldByField compares the schema of every source with its table.
func TestItemsAreDescribedFieldByField(t *testing.T) {
	t.Parallel()
	for _, src := range source.All() {
		item := descriptionOf(t, "v2").Components.Schemas["item_"+src.ID]
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
