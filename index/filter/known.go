package filter

import (
	"slices"
	"strings"

	"razao/index/term"
)

// RecordsField is the field of Decide that says whether a source has records of the company: "S" or "N".
func RecordsField(source string) string { return Source + "." + source }

// field says how filters read a published field.
type field struct {
	name string
	has  func(f *Filter, value, is string) bool // nil: equal
}

// fields are the filters that read one published field, as events of changes have it: see package change.
var fields = map[string]field{
	UF:            {name: "uf"},
	Regiao:        {name: "uf", has: func(_ *Filter, value, is string) bool { return slices.Contains(regionUFs()[value], is) }},
	Municipio:     {name: "municipio"},
	CNAE:          {name: "cnae_fiscal_principal", has: anyActivity},
	CNAESecondary: {name: "cnae_fiscal_secundaria", has: anyActivity},
	Situacao:      {name: "situacao_cadastral"},
	SinceFrom:     {name: "data_situacao_cadastral", has: within},
	SinceTo:       {name: "data_situacao_cadastral", has: within},
	Motivo:        {name: "motivo_situacao_cadastral"},
	OpenedFrom:    {name: "data_inicio_atividade", has: within},
	OpenedTo:      {name: "data_inicio_atividade", has: within},
	YearFrom:      {name: "data_inicio_atividade", has: within},
	YearTo:        {name: "data_inicio_atividade", has: within},
	HeadOffice:    {name: "identificador_matriz_filial", has: func(_ *Filter, value, is string) bool { return (value == offices[0].Value) == (is == "1") }},
	Natureza:      {name: "natureza_juridica"},
	Porte:         {name: "porte_empresa", has: func(_ *Filter, value, is string) bool { return value == term.PorteCode(term.PorteRank(is)) }},
	Capital: {name: "capital_social", has: func(_ *Filter, value, is string) bool {
		return is != "" && value == bands[term.CapitalBand(cents(is))].Value
	}},
	CapitalFrom: {name: "capital_social", has: within},
	CapitalTo:   {name: "capital_social", has: within},
	Simples:     {name: "opcao_pelo_simples", has: opts},
	MEI:         {name: "opcao_pelo_mei", has: opts},
}

// anyActivity reports whether one of some subclasses, separated by commas, is in a section, division, group or class, or is the subclass.
func anyActivity(_ *Filter, value, is string) bool {
	for code := range strings.SplitSeq(is, ",") {
		if strings.HasPrefix(code, value) || term.Section(code) == value {
			return true
		}
	}
	return false
}

func within(f *Filter, value, is string) bool {
	if is == "" {
		return false
	}
	at := day(is)
	if f.Form == Amount {
		at = cents(is)
	}
	if f.upper {
		return at <= f.end(value)
	}
	return at >= f.end(value)
}

func opts(_ *Filter, value, is string) bool { return (value == opting[0].Value) == (is == "S") }

// Fields returns the published fields that conditions of the set read, those of Decide.
func (s Set) Fields() []string {
	var names []string
	for name, value := range s.each {
		switch f, ok := fields[name]; {
		case ok:
			names = append(names, f.name)
		case name == Source:
			names = append(names, RecordsField(strings.TrimPrefix(value, "-")))
		}
	}
	return names
}

// Decide applies the conditions that some published fields of an establishment decide. It returns the others, and whether the decided ones
// hold. The set must be valid.
func (s Set) Decide(known map[string]string) (rest Set, holds bool) {
	rest = s
	for _, g := range s.groups() {
		if g.Name == Source {
			if rest, holds = decideSources(rest, &g, known); !holds {
				return rest, false
			}
			continue
		}
		f, reads := fields[g.Name]
		is, has := known[f.name]
		if !reads || !has {
			continue
		}
		equal := func(value string) bool { return value == is }
		if f.has != nil {
			equal = func(value string) bool { return f.has(g.Filter, value, is) }
		}
		if len(g.any) > 0 && !slices.ContainsFunc(g.any, equal) || slices.ContainsFunc(g.none, equal) {
			return rest, false
		}
		rest = rest.Without(g.Name)
	}
	return rest, true
}

// decideSources applies the condition of the sources, of which known decides some.
func decideSources(s Set, g *group, known map[string]string) (rest Set, holds bool) {
	for _, id := range g.none {
		switch known[RecordsField(id)] {
		case "S":
			return s, false
		case "N":
			s = s.Drop(Source, "-"+id)
		}
	}
	undecided := len(g.any)
	for _, id := range g.any {
		switch known[RecordsField(id)] {
		case "S":
			for _, value := range g.any {
				s = s.Drop(Source, value)
			}
			return s, true
		case "N":
			s = s.Drop(Source, id)
			undecided--
		}
	}
	return s, undecided > 0 || len(g.any) == 0
}
