// Package clients writes the typed part of the API's clients (../../clients) from its OpenAPI document, and tries the
// clients on a running server. The part that speaks HTTP is written by hand, once in each language.
//
//	go -C lab test ./clients -run TestGenerated -update
package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// object is a JSON object in the order of the document.
type object struct {
	keys   []string
	values map[string]any
}

func (o *object) get(key string) any {
	if o == nil {
		return nil
	}
	return o.values[key]
}

func (o *object) object(key string) *object { v, _ := o.get(key).(*object); return v }
func (o *object) list(key string) []any     { v, _ := o.get(key).([]any); return v }
func (o *object) text(key string) string    { v, _ := o.get(key).(string); return v }

// decode reads a JSON value; objects keep the order of their members.
func decode(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		o := &object{values: map[string]any{}}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			value, err := decode(d)
			if err != nil {
				return nil, err
			}
			o.keys = append(o.keys, key.(string))
			o.values[key.(string)] = value
		}
		_, err := d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			value, err := decode(d)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err := d.Token()
		return list, err
	}
	return token, nil
}

// kind is what a value is.
type kind int

const (
	anything kind = iota
	text
	whole
	number
	boolean
	list
	mapping
	record // a named object
	union
	choice // one of several texts
)

// typ is the type of a value.
type typ struct {
	kind         kind
	name         string // of a record
	of           *typ   // items of a list, values of a mapping
	alternatives []typ  // of a union
	values       []string
	null         bool // the value may be null
}

// declaration is a named object.
type declaration struct {
	name, about string
	fields      []field
}

type field struct {
	name, about string
	typ         typ
	required    bool
}

// operation is a method of the client.
type operation struct {
	id, method, path, about string
	inPath                  []field
	query                   []field
	body                    *typ // nil: none
	form                    bool // the body is a form, of JSON values
	answer                  typ
	pages                   bool // the answer is a page, which names the next
	item                    *typ // of the pages; nil if they have no itens
}

// model is the document as types and methods.
type model struct {
	schemas      *object
	declarations []declaration
	declared     map[string]bool
	operations   []operation
}

// read reads an OpenAPI document.
func read(document []byte) (*model, error) {
	value, err := decode(json.NewDecoder(bytes.NewReader(document)))
	if err != nil {
		return nil, err
	}
	root, ok := value.(*object)
	if !ok {
		return nil, fmt.Errorf("the document is no object")
	}
	m := &model{schemas: root.object("components").object("schemas"), declared: map[string]bool{}}
	paths := root.object("paths")
	for _, path := range paths.keys {
		item := paths.object(path)
		for _, method := range item.keys {
			m.operation(path, method, item.object(method))
		}
	}
	return m, nil
}

const componentPrefix = "#/components/schemas/"

// forPeople is an operation that asks in an address, to try out, what another asks in a form.
const forPeople = "reconciliarPeloEndereco"

// operation adds a method, unless the operation answers something else than JSON or redirects.
func (m *model) operation(path, method string, o *object) {
	content := o.object("responses").object("200").object("content")
	answer := content.object("application/json").object("schema")
	if answer == nil || o.object("responses").object("308") != nil || o.text("operationId") == forPeople {
		return
	}
	op := operation{id: o.text("operationId"), method: strings.ToUpper(method), path: path, about: o.text("summary")}
	several := len(content.keys) > 1
	if several { // formats of others beside our own, which is the first
		answer = answer.list("oneOf")[0].(*object)
	}
	for _, value := range o.list("parameters") {
		p := value.(*object)
		f := field{name: p.text("name"), about: p.text("description"), typ: m.typeOf(p.object("schema"), ""), required: p.get("required") == true}
		switch {
		case p.text("in") == "path":
			op.inPath = append(op.inPath, f)
		case several && f.name == "formato":
		default:
			op.query = append(op.query, f)
		}
	}
	bodies := o.object("requestBody").object("content")
	for _, media := range []string{"application/json", "application/x-www-form-urlencoded"} {
		if schema := bodies.object(media).object("schema"); schema != nil {
			if forms := schema.list("oneOf"); forms != nil { // each has its answer; the methods have the first of both
				schema, answer = forms[0].(*object), m.alternatives(answer)[0].(*object)
			}
			t := m.typeOf(schema, pascal(op.id)+"Corpo")
			op.body, op.form = &t, media != "application/json"
		}
	}
	op.answer = m.typeOf(answer, pascal(op.id)+"Resposta")
	op.pages, op.item = m.paged(op)
	m.operations = append(m.operations, op)
}

// alternatives returns the schemas of which an answer has one.
func (m *model) alternatives(answer *object) []any {
	if ref := answer.text("$ref"); ref != "" {
		answer = m.schemas.object(strings.TrimPrefix(ref, componentPrefix))
	}
	return answer.list("anyOf")
}

// paged reports whether an operation answers pages, and the type of their items.
func (m *model) paged(op operation) (pages bool, item *typ) {
	if !slices.ContainsFunc(op.query, func(f field) bool { return f.name == "cursor" }) {
		return false, nil
	}
	dados := m.fieldOf(op.answer, "dados")
	if dados == nil {
		return false, nil
	}
	alternatives := []typ{*dados}
	if dados.kind == union {
		alternatives = dados.alternatives
	}
	var items []typ
	for _, a := range alternatives {
		if m.fieldOf(a, "proxima_url") == nil {
			return false, nil
		}
		if itens := m.fieldOf(a, "itens"); itens != nil {
			items = append(items, *itens.of)
		}
	}
	switch len(items) {
	case 0:
		return true, nil
	case 1:
		return true, &items[0]
	}
	return true, &typ{kind: union, alternatives: items}
}

// fieldOf returns the type of a field of a record, nil if it has none of that name.
func (m *model) fieldOf(of typ, name string) *typ {
	for _, d := range m.declarations {
		if d.name != of.name {
			continue
		}
		for i := range d.fields {
			if d.fields[i].name == name {
				return &d.fields[i].typ
			}
		}
	}
	return nil
}

// typeOf returns the type of a schema. An object without a name of its own gets one.
func (m *model) typeOf(schema *object, name string) typ {
	if ref := schema.text("$ref"); ref != "" {
		return m.component(strings.TrimPrefix(ref, componentPrefix))
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if alternatives := schema.list(key); alternatives != nil {
			return m.unionOf(alternatives, name)
		}
	}
	if values := schema.list("enum"); values != nil {
		t := typ{kind: choice}
		for _, v := range values {
			t.values = append(t.values, v.(string))
		}
		return t
	}
	t := typ{}
	is := schema.text("type")
	if several := schema.list("type"); several != nil {
		is, t.null = several[0].(string), true
	}
	switch is {
	case "string":
		t.kind = text
	case "integer":
		t.kind = whole
	case "number":
		t.kind = number
	case "boolean":
		t.kind = boolean
	case "array":
		of := m.typeOf(schema.object("items"), name+"Item")
		t.kind, t.of = list, &of
	case "object":
		return m.objectType(schema, name)
	}
	return t
}

// component returns the type of a named schema: a record, or what it stands for.
func (m *model) component(component string) typ {
	schema, name := m.schemas.object(component), pascal(component)
	if schema.text("type") == "object" && schema.object("properties") != nil {
		return m.objectType(schema, name)
	}
	return m.typeOf(schema, name)
}

// objectType declares an object with properties; others are mappings.
func (m *model) objectType(schema *object, name string) typ {
	properties := schema.object("properties")
	if properties == nil {
		of := typ{}
		if values := schema.object("additionalProperties"); values != nil {
			of = m.typeOf(values, name+"Valor")
		}
		return typ{kind: mapping, of: &of}
	}
	if m.declared[name] {
		return typ{kind: record, name: name}
	}
	m.declared[name] = true
	d := declaration{name: name, about: schema.text("description")}
	for _, key := range properties.keys {
		p := properties.object(key)
		d.fields = append(d.fields, field{
			name: key, about: p.text("description"), typ: m.typeOf(p, name+pascal(key)), required: slices.Contains(schema.list("required"), any(key)),
		})
	}
	m.declarations = append(m.declarations, d)
	return typ{kind: record, name: name}
}

func (m *model) unionOf(alternatives []any, name string) typ {
	t := typ{kind: union}
	for i, value := range alternatives {
		schema := value.(*object)
		if schema.text("type") == "null" {
			t.null = true
			continue
		}
		t.alternatives = append(t.alternatives, m.typeOf(schema, fmt.Sprint(name, i+1)))
	}
	if len(t.alternatives) == 1 {
		only := t.alternatives[0]
		only.null = only.null || t.null
		return only
	}
	return t
}

// words splits a name at its marks and capitals.
func words(name string) (out []string) {
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
		}
		word = nil
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && !unicode.IsUpper(runes[i-1]):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return out
}

func pascal(name string) string {
	var b strings.Builder
	for _, word := range words(name) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

func camel(name string) string {
	p := pascal(name)
	return strings.ToLower(p[:1]) + p[1:]
}

func snake(name string) string { return strings.Join(words(name), "_") }
