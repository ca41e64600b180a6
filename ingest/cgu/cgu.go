// Package cgu reads the registers of sanctions of the Controladoria-Geral da União: CEIS, CNEP, CEPIM and the leniency
// agreements. All are published alike: every field in quotes, line breaks inside them, Windows-1252, and the day that
// a file describes in its name. A file always holds the whole register.
package cgu

import (
	"slices"

	"razao/ingest/frame"
)

// notCompany is the rule that leaves out persons and foreign signatories.
const notCompany = "nao_cnpj"

// field is a field of a source and the column that it is read from.
type field struct {
	name   string
	column frame.Column // without a name: the value is not a column's
	free   bool         // people wrote it: it may hold a person's number
}

func column(name, heading string, otherwise ...string) field {
	return field{name: name, column: frame.Column{Name: heading, Also: otherwise}}
}

func freeText(name, heading string, otherwise ...string) field {
	return field{name: name, column: frame.Column{Name: heading, Also: otherwise}, free: true}
}

func position(fields []field, name string) int {
	return slices.IndexFunc(fields, func(f field) bool { return f.name == name })
}

func newTable(fields []field) *frame.Table {
	t := &frame.Table{Quoted: true}
	for _, f := range fields {
		if f.column.Name != "" {
			t.Columns = append(t.Columns, f.column)
		}
	}
	return t
}

// draft is the record that one goroutine fills again for each row.
type draft struct {
	frame.Record
	fields []field
	cnpj   int // position in fields
}

func newDraft(fields []field) *draft {
	d := &draft{fields: fields, cnpj: position(fields, "cnpj")}
	d.Values = make([]string, len(fields))
	return d
}

// fill takes the values of a row. It returns false when the row is not about a company.
func (d *draft) fill(r *frame.Row) bool {
	d.Where = r.Where
	next := 0
	for i, f := range d.fields {
		if f.column.Name == "" {
			continue
		}
		value := r.Value(next)
		next++
		if f.free {
			value = frame.MaskCPFs(value)
		}
		d.Values[i] = value
	}
	var ok bool
	d.Owner, ok = frame.ParseOwner(d.Values[d.cnpj])
	return ok
}

// newestFirst is the start of an order by a date as published; what is no date comes last.
func newestFirst(date string) string {
	day, err := frame.Date(date)
	if err != nil {
		day = "" // the literal Sem informação
	}
	return frame.Descending(day)
}
