package change

import (
	"slices"
	"strings"

	"razao/internal/data/record"
	"razao/internal/data/source"
)

// Codes returns the codes of all events in the order of [Kinds], those of the public records once
// for each source.
func Codes() []string {
	var codes []string
	for i := range kinds {
		if kinds[i].Part != Records {
			codes = append(codes, kinds[i].Code)
		}
	}
	for _, id := range source.IDs() {
		for i := range kinds {
			if kinds[i].Part == Records {
				codes = append(codes, kinds[i].CodeOf(id))
			}
		}
	}
	return codes
}

// Groups returns the beginnings that codes share, up to a dot: empresa, socio, fonte, fonte.pgfn.
func Groups() []string {
	var groups []string
	for _, code := range Codes() {
		for i := range code {
			if code[i] == '.' && !slices.Contains(groups, code[:i]) {
				groups = append(groups, code[:i])
			}
		}
	}
	return groups
}

// Selected returns the codes that a word of a reader selects: a code itself, or a group all of its
// own; none if it is neither.
func Selected(word string) []string {
	return slices.DeleteFunc(Codes(), func(code string) bool {
		return code != word && !strings.HasPrefix(code, word+".")
	})
}

// EventTable returns the table of an event, with its codes.
func EventTable() record.Table {
	t := record.ChangeTable()
	code := slices.IndexFunc(t.Fields, func(f record.Field) bool { return f.Name == "evento" })
	t.Fields[code].Kind, t.Fields[code].Values = record.Choice, Codes()
	return t
}

// ValuesTable returns the fields that events have before and after, those of all kinds together.
func ValuesTable() record.Table {
	t := record.Table{
		Name: "ValoresDaMudanca", Title: "Valores de uma mudança",
		About: "O que o evento diz que havia antes, ou há depois. Estão presentes todos os campos do evento, e só eles.",
	}
	for i := range kinds {
		table := TableOf(kinds[i].Part)
		for _, name := range kinds[i].Fields {
			if !slices.ContainsFunc(t.Fields, func(f record.Field) bool { return f.Name == name }) {
				t.Fields = append(t.Fields, table.Field(name))
			}
		}
	}
	return t
}
