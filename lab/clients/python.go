package clients

import (
	"fmt"
	"strings"
)

// python returns the types and methods in Python.
func python(m *model) ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\nfrom __future__ import annotations\n\nfrom collections.abc import Iterator\nfrom decimal import Decimal\nfrom typing import Any, Literal, NotRequired, TypedDict, Unpack\n\nfrom .client import Client, escape\n", header)
	for _, d := range m.declarations {
		m.pyRecord(&b, d.name, d.about, d.fields)
	}
	for _, op := range m.operations {
		if len(op.query) > 0 {
			m.pyRecord(&b, pascal(op.id)+"Parametros", "", op.query)
		}
	}
	b.WriteString("\n\nclass Razao(Client):\n    \"\"\"A API v2.\"\"\"\n")
	for _, op := range m.operations {
		m.pyMethod(&b, op)
	}
	return []byte(b.String()), nil
}

func (m *model) pyRecord(b *strings.Builder, name, about string, fields []field) {
	fmt.Fprintf(b, "\n\nclass %s(TypedDict):\n", name)
	if about != "" {
		fmt.Fprintf(b, "    \"\"\"%s\"\"\"\n\n", about)
	}
	for _, f := range fields {
		t := m.inPython(f.typ)
		if !f.required {
			t = "NotRequired[" + t + "]"
		}
		fmt.Fprintf(b, "    %s: %s%s\n", f.name, t, after("  # ", f.about))
	}
}

func (m *model) inPython(t typ) string {
	name := map[kind]string{anything: "Any", text: "str", whole: "int", number: "Decimal", boolean: "bool", record: t.name}[t.kind]
	switch t.kind {
	case list:
		name = "list[" + m.inPython(*t.of) + "]"
	case mapping:
		name = "dict[str, " + m.inPython(*t.of) + "]"
	case choice:
		var all []string
		for _, v := range t.values {
			all = append(all, fmt.Sprintf("%q", v))
		}
		name = "Literal[" + strings.Join(all, ", ") + "]"
	case union:
		var all []string
		for _, a := range t.alternatives {
			all = append(all, m.inPython(a))
		}
		name = strings.Join(all, " | ")
	}
	if t.null {
		name += " | None"
	}
	return name
}

func (m *model) pyMethod(b *strings.Builder, op operation) {
	arguments, path := "self", op.path
	for _, p := range op.inPath {
		arguments += ", " + snake(p.name) + ": str"
		path = strings.ReplaceAll(path, "{"+p.name+"}", "{escape("+snake(p.name)+")}")
	}
	given := fmt.Sprintf("%q", path)
	if len(op.inPath) > 0 {
		given = "f" + given
	}
	call, name, answer := "_get", snake(op.id), m.inPython(op.answer)
	switch {
	case op.body != nil:
		arguments += ", corpo: " + m.inPython(*op.body)
		call, given = map[bool]string{true: "_post_form", false: "_post"}[op.form], given+", corpo"
	case len(op.query) > 0:
		arguments += ", **parametros: Unpack[" + pascal(op.id) + "Parametros]"
		given += ", parametros"
	}
	method := func(name, about, answer, call string) {
		fmt.Fprintf(b, "\n    def %[1]s(%[2]s) -> %[3]s:\n        \"\"\"%[4]s\"\"\"\n        answer: %[3]s = self.%[5]s(%[6]s)\n        return answer\n", name, arguments, answer, about, call, given)
	}
	method(name, op.about+": "+op.method+" "+op.path, answer, call)
	if op.pages {
		method(name+"_paginas", "As páginas de "+name+".", "Iterator["+answer+"]", "_pages")
	}
	if op.item != nil {
		method(name+"_itens", "Os itens de todas as páginas de "+name+".", "Iterator["+m.inPython(*op.item)+"]", "_items")
	}
}
