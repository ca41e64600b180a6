package openapi

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestLint holds the documents to what the recommended rules of the public linters, Spectral's and Redocly's, warn of beyond the
// specification. It needs no database, so that make check runs it.
func TestLint(t *testing.T) {
	t.Parallel()
	for path, raw := range served(t) {
		doc, err := openapi3.NewLoader().LoadFromData(raw)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		l := &linter{T: t, document: path, raw: string(raw)}
		l.lint(doc)
	}
}

// linter reports what a document lacks.
type linter struct {
	*testing.T
	document, raw string
}

// wants reports a place of the document at which a rule does not hold.
func (l *linter) wants(holds bool, place, rule string) {
	l.Helper()
	if !holds {
		l.Errorf("%s, %s: %s", l.document, place, rule)
	}
}

func (l *linter) lint(doc *openapi3.T) {
	l.wants(doc.Info.Contact != nil && doc.Info.Contact.Name != "", "info", "info-contact")
	l.wants(doc.Info.Contact == nil || !strings.HasPrefix(doc.Info.Contact.URL, "/"), "info", "oas3-schema") // a URI, which documents without an origin lack
	l.wants(doc.Info.Description != "", "info", "info-description")
	l.wants(doc.Info.License != nil && doc.Info.License.Name != "", "info", "info-license")
	l.wants(len(doc.Servers) > 0, "servers", "no-empty-servers")
	declared := map[string]bool{}
	for _, tag := range doc.Tags {
		l.wants(!declared[tag.Name], tag.Name, "openapi-tags-uniqueness")
		l.wants(tag.Description != "", tag.Name, "tag-description")
		declared[tag.Name] = true
	}
	l.wants(len(declared) > 0, "tags", "openapi-tags")
	ids, used := map[string]bool{}, map[string]bool{}
	for _, path := range doc.Paths.InMatchingOrder() {
		l.wants(!strings.Contains(path, "?"), path, "path-not-include-query")
		l.wants(path == "/" || !strings.HasSuffix(path, "/"), path, "path-keys-no-trailing-slash")
		for method, op := range doc.Paths.Value(path).Operations() {
			place := method + " " + path
			l.operation(place, op)
			l.wants(!ids[op.OperationID], place, "operation-operationId-unique")
			ids[op.OperationID] = true
			for _, tag := range op.Tags {
				l.wants(declared[tag], place, "operation-tag-defined")
				used[tag] = true
			}
		}
	}
	l.wants(len(used) == len(declared), "tags", "a tag without operations")
	l.components(doc)
	l.wants(!regexp.MustCompile(`(?i)<script|eval\(`).MatchString(l.raw), "text", "no-script-tags-in-markdown, no-eval-in-markdown")
}

var (
	identifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`) // what every generator takes as the name of a function
	variable   = regexp.MustCompile(`\{([^}]+)\}`)
)

func (l *linter) operation(place string, op *openapi3.Operation) {
	l.wants(identifier.MatchString(op.OperationID), place, "operation-operationId, operation-operationId-valid-in-url")
	l.wants(op.Summary != "", place, "operation-summary")
	l.wants(op.Description != "", place, "operation-description")
	l.wants(len(op.Tags) == 1, place, "operation-tags, operation-singular-tag")
	statuses := slices.Collect(maps.Keys(op.Responses.Map()))
	of := func(class string) bool {
		return slices.ContainsFunc(statuses, func(status string) bool { return strings.HasPrefix(status, class) })
	}
	l.wants(of("2"), place, "operation-2xx-response, operation-success-response")
	l.wants(of("4"), place, "operation-4xx-response")
	seen, inPath := map[string]bool{}, map[string]bool{}
	for _, p := range op.Parameters {
		name := p.Value.In + " " + p.Value.Name
		l.wants(!seen[name], place+", "+name, "operation-parameters")
		l.wants(p.Value.Description != "", place+", "+name, "oas3-parameter-description")
		l.schema(place+", "+name, p.Value.Schema)
		seen[name], inPath[p.Value.Name] = true, p.Value.In == "path"
	}
	for status, response := range op.Responses.Map() {
		l.content(place+", "+status, response.Value.Content)
	}
	if op.RequestBody != nil {
		l.content(place+", body", op.RequestBody.Value.Content)
	}
	_, path, _ := strings.Cut(place, " ")
	for _, found := range variable.FindAllStringSubmatch(path, -1) {
		l.wants(inPath[found[1]], place+", "+found[1], "path-params")
	}
}

func (l *linter) content(place string, content openapi3.Content) {
	for kind, media := range content {
		l.wants(media.Schema != nil, place, "a schema for "+kind)
		l.schema(place, media.Schema)
	}
}

// schema checks what is written at a place; referred schemas are checked as components.
func (l *linter) schema(place string, s *openapi3.SchemaRef) {
	if s == nil || s.Ref != "" {
		return
	}
	v := s.Value
	l.wants(!v.Type.Is("array") || v.Items != nil, place, "array-items")
	seen := map[any]bool{}
	for _, value := range v.Enum {
		l.wants(!seen[value], place, "duplicated-entry-in-enum")
		_, text := value.(string)
		l.wants(value == nil || text == v.Type.Includes("string"), place, "typed-enum")
		seen[value] = true
	}
	for _, name := range v.Required {
		l.wants(v.Properties[name] != nil, place+"/"+name, "no-required-schema-properties-undefined")
	}
	for name, property := range v.Properties {
		l.schema(place+"/"+name, property)
	}
	l.wants(!v.Type.Includes("number") || v.Format == "double", place, "a number is double: without a format, generators take single precision")
	for _, part := range append(slices.Concat(v.OneOf, v.AnyOf), v.Items, v.AdditionalProperties.Schema) {
		l.wants(part == nil || part.Ref != "" || len(part.Value.Properties) == 0, place, "an object in a list, a map or a choice is a component: generators name it")
		l.schema(place+"/…", part)
	}
}

// components wants every component to be referred to.
func (l *linter) components(doc *openapi3.T) {
	used := func(kind, name string) {
		l.wants(strings.Contains(l.raw, `"#/components/`+kind+`/`+name+`"`), kind+"/"+name, "oas3-unused-component, no-unused-components")
	}
	for name, s := range doc.Components.Schemas {
		used("schemas", name)
		l.schema("schemas/"+name, s)
	}
	for name := range doc.Components.Parameters {
		used("parameters", name)
	}
	for name := range doc.Components.Headers {
		used("headers", name)
	}
	for name := range doc.Components.Responses {
		used("responses", name)
	}
}
