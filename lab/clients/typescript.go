package clients

import (
	"fmt"
	"slices"
	"strings"
)

// typescript returns the types and methods in TypeScript.
func typescript(m *model) ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n\nimport { Client } from \"./client.js\";\n", header)
	for _, d := range m.declarations {
		if d.about != "" {
			fmt.Fprintf(&b, "\n/** %s */", d.about)
		}
		fmt.Fprintf(&b, "\nexport interface %s {\n", d.name)
		for _, f := range d.fields {
			m.tsField(&b, f)
		}
		b.WriteString("}\n")
	}
	for _, op := range m.operations {
		if len(op.query) > 0 {
			fmt.Fprintf(&b, "\nexport interface %sParametros {\n", pascal(op.id))
			for _, p := range op.query {
				m.tsField(&b, p)
			}
			b.WriteString("}\n")
		}
	}
	b.WriteString("\nexport class Razao extends Client {\n")
	for i, op := range m.operations {
		if i > 0 {
			b.WriteString("\n")
		}
		m.tsMethod(&b, op)
	}
	b.WriteString("}\n")
	return []byte(b.String()), nil
}

func (m *model) tsField(b *strings.Builder, f field) {
	optional := "?"
	if f.required {
		optional = ""
	}
	about := ""
	if f.about != "" {
		about = "/** " + f.about + " */ "
	}
	fmt.Fprintf(b, "  %s%s%s: %s;\n", about, f.name, optional, m.inTS(f.typ))
}

func (m *model) inTS(t typ) string {
	name := map[kind]string{anything: "unknown", text: "string", whole: "number", number: "number", boolean: "boolean", record: t.name}[t.kind]
	switch t.kind {
	case list:
		name = m.inTS(*t.of)
		if strings.Contains(name, "|") {
			name = "(" + name + ")"
		}
		name += "[]"
	case mapping:
		name = "Record<string, " + m.inTS(*t.of) + ">"
	case choice:
		var all []string
		for _, v := range t.values {
			all = append(all, fmt.Sprintf("%q", v))
		}
		name = strings.Join(all, " | ")
	case union:
		var all []string
		for _, a := range t.alternatives {
			all = append(all, m.inTS(a))
		}
		name = strings.Join(all, " | ")
	}
	if t.null {
		name += " | null"
	}
	return name
}

func (m *model) tsMethod(b *strings.Builder, op operation) {
	var arguments []string
	path := op.path
	for _, p := range op.inPath {
		arguments = append(arguments, camel(p.name)+": string")
		path = strings.ReplaceAll(path, "{"+p.name+"}", "${encodeURIComponent("+camel(p.name)+")}")
	}
	path = "`" + path + "`"
	given := path
	name := camel(op.id)
	if len(op.query) > 0 {
		usual := " = {}"
		if slices.ContainsFunc(op.query, func(p field) bool { return p.required }) {
			usual = ""
		}
		arguments = append(arguments, "parametros: "+pascal(op.id)+"Parametros"+usual)
		given += ", { ...parametros }"
	}
	call := "get"
	if op.body != nil {
		arguments = append(arguments, "corpo: "+m.inTS(*op.body))
		call, given = map[bool]string{true: "postForm", false: "post"}[op.form], given+", corpo"
	}
	all, answer := strings.Join(arguments, ", "), m.inTS(op.answer)
	fmt.Fprintf(b, "  /** %s: %s %s */\n  %s(%s): Promise<%s> {\n    return this.%s(%s);\n  }\n", op.about, op.method, op.path, name, all, answer, call, given)
	if op.pages {
		fmt.Fprintf(b, "\n  /** As páginas de %[1]s. */\n  %[1]sPaginas(%[2]s): AsyncGenerator<%[3]s> {\n    return this.pages(%[4]s);\n  }\n", name, all, answer, given)
	}
	if op.item != nil {
		fmt.Fprintf(b, "\n  /** Os itens de todas as páginas de %[1]s. */\n  %[1]sItens(%[2]s): AsyncGenerator<%[3]s> {\n    return this.items(%[4]s);\n  }\n", name, all, m.inTS(*op.item), given)
	}
}
