// Package openapi builds the OpenAPI 3.1 documents of the program. The schemas of records follow from the tables of package
// record and of package source; they are JSON Schemas, so whoever describes an answer elsewhere, such as tools for assistants,
// uses the same ones.
//
// Members keep the order in which they are given, because readers see it.
package openapi

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object whose members keep their order.
type Object []Member

// Member is a member of an Object.
type Member struct {
	Key   string
	Value any
}

// Field returns a member.
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

// Marshal is json.Marshal with &, < and > as they are.
func Marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// Ref refers to a component: headers, parameters, responses, schemas.
func Ref(kind, name string) Object { return Object{{"$ref", "#/components/" + kind + "/" + name}} }

// refs refers to several components of a kind by their names.
func refs(kind string, names []string) Object {
	var out Object
	for _, name := range names {
		out = append(out, Member{name, Ref(kind, name)})
	}
	return out
}

// Document is the description of a service.
type Document struct {
	Title, Version, About string
	Security              []Object // what calls need; empty: nothing
	Tags                  []Object
	Paths                 Object
	Components            Object
}

// Object returns the document. Components come last, as readers need them last.
func (d Document) Object() Object {
	out := Object{
		{"openapi", "3.1.0"},
		{"info", Object{
			{"title", d.Title},
			{"version", d.Version},
			{"description", d.About},
			{"license", Object{{"name", "Apache 2.0"}, {"identifier", "Apache-2.0"}}},
		}},
		{"servers", []Object{{{"url", "/"}, {"description", "este servidor"}}}},
		{"security", append([]Object{}, d.Security...)},
	}
	if len(d.Tags) > 0 {
		out = append(out, Member{"tags", d.Tags})
	}
	return append(out, Member{"paths", d.Paths}, Member{"components", d.Components})
}
