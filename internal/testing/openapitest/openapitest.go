// Package openapitest holds answers to an OpenAPI 3.1 document, for tests of the packages that serve
// one. Objects may not have members that are not described, although clients must accept new ones.
// That a document itself is valid is a test of lab/openapi.
package openapitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// Document is a parsed document, without references except between schemas.
type Document struct {
	OpenAPI    string
	Info       struct{ Version string }
	Paths      map[string]map[string]*Operation // by path and method, in lower case
	Webhooks   map[string]map[string]*Operation // by name and method
	Components struct {
		Schemas map[string]*jsonschema.Schema
	}

	mu       sync.Mutex
	resolved map[*jsonschema.Schema]*jsonschema.Resolved // by the schema of an answer
}

// Operation is what a path answers to a method.
type Operation struct {
	Tags       []string
	Parameters []Parameter
	// RequestBody is what is sent, by media type.
	RequestBody struct {
		Content map[string]struct{ Schema *jsonschema.Schema }
	}
	Responses map[string]*Response // by status
}

// Parameter is a parameter of an operation.
type Parameter struct {
	Name, In string
	Schema   jsonschema.Schema
}

// Response is an answer of an operation. Header names are canonical.
type Response struct {
	Headers map[string]struct{ Required bool }
	Content map[string]struct { // by media type
		Schema *jsonschema.Schema
	}
}

// Parse parses a document.
func Parse(raw []byte) (*Document, error) {
	var tree struct {
		Components map[string]map[string]any
	}
	var whole any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &whole); err != nil {
		return nil, err
	}
	flat, err := json.Marshal(flatten(whole, tree.Components))
	if err != nil {
		return nil, err
	}
	d := &Document{resolved: map[*jsonschema.Schema]*jsonschema.Resolved{}}
	if err := json.Unmarshal(flat, d); err != nil {
		return nil, err
	}
	for _, methods := range d.Paths {
		for _, op := range methods {
			for _, r := range op.Responses {
				for name, header := range r.Headers {
					delete(r.Headers, name)
					r.Headers[http.CanonicalHeaderKey(name)] = header
				}
			}
		}
	}
	return d, nil
}

// formats are patterns in place of formats, which package jsonschema does not check.
var formats = map[any]string{
	"date":      `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`,
	"date-time": `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?(Z|[+-][0-2][0-9]:[0-5][0-9])$`,
	"uuid":      `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`,
}

// flatten replaces references to components, except schemas, by what they refer to, closes objects that are not said to be open
// and adds the patterns of formats.
func flatten(node any, components map[string]map[string]any) any {
	switch n := node.(type) {
	case map[string]any:
		if ref, ok := n["$ref"].(string); ok {
			kind, name, _ := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
			if kind != "schemas" {
				return flatten(components[kind][name], components)
			}
			return map[string]any{"$ref": "#/$defs/" + name}
		}
		out := make(map[string]any, len(n)+1)
		for key, child := range n {
			if key != "example" && key != "examples" {
				out[key] = flatten(child, components)
			}
		}
		if _, ok := n["properties"].(map[string]any); ok && n["additionalProperties"] == nil {
			out["additionalProperties"] = false
		}
		if format, ok := n["format"].(string); ok && formats[format] != "" {
			out["pattern"] = formats[format]
		}
		return out
	case []any:
		out := make([]any, len(n))
		for i, child := range n {
			out[i] = flatten(child, components)
		}
		return out
	}
	return node
}

// Operation returns what a path, with values in place of parameters, answers to a method; nil if that
// is not described.
func (d *Document) Operation(method, path string) *Operation {
	parts := strings.Split(path, "/")
	for template, methods := range d.Paths {
		pattern := strings.Split(template, "/")
		matches := len(pattern) == len(parts)
		for i := 0; matches && i < len(parts); i++ {
			matches = pattern[i] == parts[i] || strings.HasPrefix(pattern[i], "{") && parts[i] != ""
		}
		if matches {
			return methods[strings.ToLower(method)]
		}
	}
	return nil
}

// Parameter returns the parameter of a name in path or query, nil if there is none.
func (op *Operation) Parameter(in, name string) *Parameter {
	for i, p := range op.Parameters {
		if p.In == in && p.Name == name {
			return &op.Parameters[i]
		}
	}
	return nil
}

// CheckHeaders fails the test for every required header that an answer lacks.
func (r *Response) CheckHeaders(t testing.TB, what string, header http.Header) {
	t.Helper()
	for name, h := range r.Headers {
		if h.Required && header.Get(name) == "" {
			t.Errorf("%s: no header %s", what, name)
		}
	}
}

// Validate validates JSON against a schema of the document. It is safe for concurrent use.
func (d *Document) Validate(schema *jsonschema.Schema, body []byte) error {
	resolved, err := d.resolve(schema)
	if err != nil {
		return err
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return fmt.Errorf("%w: %s", err, body)
	}
	return resolved.Validate(value)
}

func (d *Document) resolve(schema *jsonschema.Schema) (*jsonschema.Resolved, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if known := d.resolved[schema]; known != nil {
		return known, nil
	}
	root := *schema
	root.Defs = d.Components.Schemas
	resolved, err := root.Resolve(nil)
	if err == nil {
		d.resolved[schema] = resolved
	}
	return resolved, err
}
