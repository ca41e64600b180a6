package record

import "slices"

// Kind says what a field holds and how it is published. Its text is for the dictionary of the data.
type Kind string

// The kinds of fields. An absent text or code is "" unless its kind says otherwise; every other absent value is null.
const (
	Text        Kind = "texto"
	TextOrNull  Kind = "texto ou null"
	TextOrNone  Kind = "texto; sem o campo quando não há"
	Texts       Kind = "lista de textos; sem o campo quando vazia"
	Code        Kind = "código"
	IBGECode    Kind = "código do IBGE" // follows from the municipality: no field of the row
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
	Rate        Kind = "número com casas decimais" // in files alone
	One         Kind = "objeto ou null"            // Field.Of
	Many        Kind = "lista de objetos"          // Field.Of
)

// Unit is that of numbers, or how a date is written; "" of what has neither.
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

// Field is one published field of a record.
type Field struct {
	Name     string // in files, SQL, JSON and CSV
	Go       string // the field of the Go struct
	Kind     Kind
	Domain   Domain // of codes that answers describe, else ""
	About    string // what it holds, in Portuguese
	Personal bool   // names a natural person, or tells where one can be reached
	Values   []string
	Of       func() Table
}

// Table is one kind of record, its fields in the order in which they are published. What is said of a record anywhere follows
// from its table: the JSON of answers, their schemas, columns, the dictionary of the data.
type Table struct {
	Name   string // in schemas
	Title  string // in words
	Type   string // the Go struct
	About  string // what a record is, in Portuguese
	Fields []Field
}

// Field returns the field with a name, which there must be.
func (t *Table) Field(name string) Field {
	return t.Fields[slices.IndexFunc(t.Fields, func(f Field) bool { return f.Name == name })]
}

// Described returns the fields whose codes are described in answers, in their order.
func (t *Table) Described() []Field {
	var described []Field
	for _, f := range t.Fields {
		if f.Domain != "" {
			described = append(described, f)
		}
	}
	return described
}
