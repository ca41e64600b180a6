package clients

import (
	"fmt"
	"go/format"
	"strings"
)

// header begins every generated file.
const header = "Code generated from /v2/openapi.json by lab/clients. DO NOT EDIT."

// golang returns the types and methods in Go.
func golang(m *model) ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n\npackage razao\n\nimport (\n\"context\"\n\"encoding/json\"\n\"iter\"\n\"net/http\"\n)\n", header)
	for _, d := range m.declarations {
		if d.about != "" {
			fmt.Fprintf(&b, "\n// %s: %s", d.name, d.about)
		}
		fmt.Fprintf(&b, "\ntype %s struct {\n", d.name)
		for _, f := range d.fields {
			tag := f.name
			if !f.required {
				tag += ",omitempty"
			}
			fmt.Fprintf(&b, "%s %s `json:%q`%s\n", pascal(f.name), m.inGo(f.typ), tag, after(" // ", f.about))
		}
		b.WriteString("}\n")
	}
	for _, op := range m.operations {
		m.goMethod(&b, op)
	}
	return format.Source([]byte(b.String()))
}

// after returns prefix and text, nothing for no text.
func after(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// inGo returns the Go type of a value. Null is a nil pointer; what has several shapes stays JSON.
func (m *model) inGo(t typ) string {
	name := map[kind]string{anything: "any", text: "string", choice: "string", whole: "int64", number: "json.Number", boolean: "bool"}[t.kind]
	switch t.kind {
	case list:
		return "[]" + m.inGo(*t.of)
	case mapping:
		return "map[string]" + m.inGo(*t.of)
	case union:
		return "json.RawMessage"
	case record:
		name = t.name
	case anything:
		return name
	}
	if t.null {
		return "*" + name
	}
	return name
}

func (m *model) goMethod(b *strings.Builder, op operation) {
	name, arguments, path := pascal(op.id), "ctx context.Context", fmt.Sprintf("%q", op.path)
	for _, p := range op.inPath {
		arguments += ", " + camel(p.name) + " string"
		path = strings.ReplaceAll(path, "{"+p.name+"}", `"+escape(`+camel(p.name)+`)+"`)
	}
	path = strings.TrimSuffix(path, `+""`)
	query := "nil"
	if len(op.query) > 0 {
		fmt.Fprintf(b, "\n// %[1]sParametros are what %[1]s may say; what is empty is left out.\ntype %[1]sParametros struct {\n", name)
		for _, p := range op.query {
			fmt.Fprintf(b, "%s %s `query:%q`%s\n", pascal(p.name), m.inGo(p.typ), p.name, after(" // ", p.about))
		}
		b.WriteString("}\n")
		arguments += ", parametros " + name + "Parametros"
		query = "values(parametros)"
	}
	answer := m.inGo(op.answer)
	fmt.Fprintf(b, "\n// %[1]s: %[2]s (%[3]s %[4]s).\nfunc (c *Client) %[1]s(", name, op.about, op.method, op.path)
	if op.body != nil {
		fmt.Fprintf(b, "%s, corpo %s) (*%s, error) {\nreturn ask[%[3]s](ctx, c, request{method: http.Method%s, path: %s, %s: corpo})\n}\n",
			arguments, m.inGo(*op.body), answer, map[string]string{"POST": "Post"}[op.method], path, map[bool]string{true: "form", false: "body"}[op.form])
		return
	}
	fmt.Fprintf(b, "%s) (*%s, error) {\nreturn ask[%[2]s](ctx, c, request{method: http.MethodGet, path: %s, query: %s})\n}\n", arguments, answer, path, query)
	if !op.pages {
		return
	}
	next := "dereference(p.Dados.ProximaUrl)"
	switch dados := m.fieldOf(op.answer, "dados"); {
	case dados.kind == union:
		next = "nextIn(p.Dados)"
	case !m.fieldOf(*dados, "proxima_url").null:
		next = "p.Dados.ProximaUrl"
	}
	next = fmt.Sprintf("func(p *%s) string { return %s }", answer, next)
	fmt.Fprintf(b, "\n// %[1]sPaginas walks through the pages of %[1]s.\nfunc (c *Client) %[1]sPaginas(%[2]s) iter.Seq2[*%[3]s, error] {\nreturn pages(ctx, c, request{method: http.MethodGet, path: %[4]s, query: %[5]s}, %[6]s)\n}\n",
		name, arguments, answer, path, query, next)
	if op.item == nil {
		return
	}
	items := fmt.Sprintf("func(p *%s) []%s { return p.Dados.Itens }", answer, m.inGo(*op.item))
	if op.item.kind == union {
		items = fmt.Sprintf("func(p *%s) []json.RawMessage { return itemsIn(p.Dados) }", answer)
	}
	var given []string
	for _, argument := range strings.Split(arguments, ", ") {
		given = append(given, strings.Fields(argument)[0])
	}
	fmt.Fprintf(b, "\n// %[1]sItens walks through the items of all pages of %[1]s.\nfunc (c *Client) %[1]sItens(%[2]s) iter.Seq2[%[3]s, error] {\nreturn each(c.%[1]sPaginas(%[4]s), %[5]s)\n}\n",
		name, arguments, m.inGo(*op.item), strings.Join(given, ", "), items)
}
