package record

import (
	"cmp"
	"slices"
)

// Kind is the type of a field and the format in which it is published. The value is the text that
// the data dictionary shows.
type Kind string

// The kinds of fields. In JSON an absent text or code is "" unless the kind says otherwise; any
// other absent value is null.
const (
	Text        Kind = "texto"
	TextOrNull  Kind = "texto ou null"
	TextOrNone  Kind = "texto; sem o campo quando não há"
	Texts       Kind = "lista de textos; sem o campo quando vazia"
	Code        Kind = "código"
	IBGECode    Kind = "código do IBGE" // derived from the municipality, not a published column
	Codes       Kind = "lista de códigos"
	Choice      Kind = "uma de algumas palavras" // Field.Values
	CNPJ        Kind = "CNPJ de 14 posições, sem máscara"
	Root        Kind = "CNPJ de 8 posições, sem máscara"
	Order       Kind = "posições 9 a 12 do CNPJ"
	CheckDigits Kind = "posições 13 e 14 do CNPJ"
	Day         Kind = "data (AAAA-MM-DD) ou null"
	DayText     Kind = "data como texto (AAAA-MM-DD) ou null"
	Moment      Kind = "data e hora (UTC) ou null"
	Amount      Kind = "número em reais, com duas casas, ou null"
	YesOrNo     Kind = "true, false ou null"
	Count       Kind = "número inteiro"
	Rate        Kind = "número com casas decimais" // only in CSV files
	One         Kind = "objeto ou null"            // Field.Of
	Many        Kind = "lista de objetos"          // Field.Of
)

// Unit returns the unit of a number or the format of a date, "" for other kinds.
func (k Kind) Unit() string {
	switch k {
	case Amount:
		return "reais"
	case Day, DayText:
		return "AAAA-MM-DD"
	case Moment:
		return "AAAA-MM-DDTHH:MM:SSZ"
	}
	return ""
}

// Field declares a published field.
type Field struct {
	Name     string // in files, SQL, JSON and CSV
	Title    string // heading of a column of a table for people, in Portuguese; "": the name
	Go       string // name of the struct field; "" if derived
	Kind     Kind
	Domain   Domain       // code table that responses describe the code with; "": none
	About    string       // description in Portuguese
	Personal bool         // may name a natural person or tell where one can be reached
	Swings   bool         // an act of the authority may change it in a large part of the rows at once
	Values   []string     // valid values, with Kind Choice
	Of       func() Table // table of nested records, with Kind One or Many
}

// Heading returns the heading of a column for people.
func (f *Field) Heading() string { return cmp.Or(f.Title, f.Name) }

// Table declares a kind of record, with its fields in published order.
type Table struct {
	Name   string // component name in schemas
	Title  string // heading in Portuguese
	Type   string // name of the Go struct
	About  string // description in Portuguese
	Fields []Field
}

// Field returns the field with a name. It panics if there is none.
func (t *Table) Field(name string) Field {
	return t.Fields[slices.IndexFunc(t.Fields, func(f Field) bool { return f.Name == name })]
}

// Described returns the fields with a Domain, whose codes responses describe, in order.
func (t *Table) Described() []Field {
	var described []Field
	for _, f := range t.Fields {
		if f.Domain != "" {
			described = append(described, f)
		}
	}
	return described
}
