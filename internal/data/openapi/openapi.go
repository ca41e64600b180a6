// Package openapi builds the OpenAPI 3.1 documents of the program.
//
// Schemas of records are generated from the tables of packages record and source, so documents and
// rendered JSON cannot diverge. OpenAPI 3.1 schemas are JSON Schema 2020-12; the MCP tools use the
// same schemas ([WholeTable]).
//
// Documents are built as [Object] values, which keep the order of members, because readers see it
// in the reference. What they say of operations stands in Markdown files ([Document.Describe]).
package openapi

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object that is encoded in the order of its members. Keys are not checked for
// duplicates.
type Object []Member

// Member is a member of an [Object]. Value is anything that encoding/json can encode.
type Member struct {
	Key   string
	Value any
}

// Field returns a [Member].
func Field(key string, value any) Member { return Member{key, value} }

// MarshalJSON implements json.Marshaler.
func (o Object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		for _, part := range []any{m.Key, m.Value} {
			value, err := Marshal(part)
			if err != nil {
				return nil, err
			}
			out = append(append(out, value...), ':')
		}
		out = out[:len(out)-1] // the colon behind the value
	}
	return append(out, '}'), nil
}

// Marshal is [json.Marshal] without HTML escaping.
func Marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// Ref returns a $ref to a component. kind is headers, parameters, responses or schemas.
func Ref(kind, name string) Object { return Object{{"$ref", "#/components/" + kind + "/" + name}} }

// refs returns members that refer to components, keyed by their names.
func refs(kind string, names []string) Object {
	var out Object
	for _, name := range names {
		out = append(out, Member{name, Ref(kind, name)})
	}
	return out
}

// Document is an OpenAPI document. The server URL is always "/".
type Document struct {
	Title, About string // see Describe
	Version      string
	Security     []Object // default security requirements; empty: none
	Tags         []Object
	Operations   []Operation
	Webhooks     []Operation // requests that the server sends; Path is the name of one
	Components   Object      // kind → name → component
}

// Object returns the document as JSON. Components come last.
func (d Document) Object() Object {
	out := Object{
		{"openapi", "3.1.0"},
		{"info", Object{
			{"title", d.Title},
			{"version", d.Version},
			{"description", d.About},
			{"contact", Object{{"name", "Quem opera este servidor, que /privacidade nomeia"}}},
			{"license", Object{{"name", "Apache 2.0"}, {"identifier", "Apache-2.0"}}},
		}},
		{"servers", []Object{{{"url", "/"}, {"description", "este servidor"}}}},
		{"security", append([]Object{}, d.Security...)},
	}
	if len(d.Tags) > 0 {
		out = append(out, Member{"tags", d.Tags})
	}
	out = append(out, Member{"paths", paths(d.Operations)})
	if len(d.Webhooks) > 0 {
		out = append(out, Member{"webhooks", paths(d.Webhooks)})
	}
	return append(out, Member{"components", d.Components})
}
