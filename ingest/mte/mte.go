// Package mte reads the two registers of employers of the Ministério do Trabalho e Emprego: the Cadastro de Empregadores
// and the CEAC, of those in adjustment of conduct. Both are small tables without quotes, made by a report
// generator that may put lines before the header and after the rows.
package mte

import (
	"fmt"
	"slices"
	"strings"

	"razao/ingest/frame"
)

// Rules that leave rows out.
const (
	notCompany = "nao_cnpj"
	notRow     = "linha_sem_numero" // the report generator's, not the register's
)

// field is a field of a source and the column that it is read from.
type field struct {
	name   string
	column frame.Column // without a name: the value is not a column's
	free   bool         // people wrote it: it may hold a person's number
}

func column(name, heading string) field {
	return field{name: name, column: frame.Column{Name: heading}}
}

func freeText(name, heading string) field {
	return field{name: name, column: frame.Column{Name: heading}, free: true}
}

func position(fields []field, name string) int {
	return slices.IndexFunc(fields, func(f field) bool { return f.name == name })
}

func newTable(fields []field) *frame.Table {
	t := &frame.Table{Start: isHeader}
	for _, f := range fields {
		if f.column.Name != "" {
			t.Columns = append(t.Columns, f.column)
		}
	}
	return t
}

// isHeader does not ask where the columns stand: that of the CEAC is not the same in all versions.
func isHeader(line string) bool {
	names := strings.Split(line, ";")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return slices.Contains(names, "ID") && slices.Contains(names, "CNPJ/CPF")
}

// draft is the record that one goroutine fills again for each row.
type draft struct {
	frame.Record
	fields   []field
	id, cnpj int // positions in fields
}

func newDraft(fields []field) *draft {
	d := &draft{fields: fields, id: position(fields, "id_publicacao"), cnpj: position(fields, "cnpj")}
	d.Values = make([]string, len(fields))
	return d
}

// fill takes the values of a row. It returns the rule by which the row is left out, or "".
func (d *draft) fill(r *frame.Row) (rule string) {
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
	if !digitsOnly(d.Values[d.id]) {
		return notRow
	}
	var ok bool
	if d.Owner, ok = frame.ParseOwner(d.Values[d.cnpj]); !ok {
		return notCompany
	}
	return ""
}

// number turns a field into a JSON number. Its error keeps the row aside.
func (d *draft) number(i int) error {
	text := d.Values[i]
	if text == "" {
		return nil
	}
	if !digitsOnly(text) {
		return frame.Reject(d.fields[i].column.Name, fmt.Sprintf("%q is not a whole number", text))
	}
	if text = strings.TrimLeft(text, "0"); text == "" {
		text = "0"
	}
	d.Values[i] = text
	return nil
}

func digitsOnly(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// newestFirst is the order of a record by the start of the last of its periods; what has none comes last. Rows of
// one day keep the order of the list.
func newestFirst(periods []period) string {
	if len(periods) == 0 {
		return frame.Descending("")
	}
	day, err := frame.Date(periods[len(periods)-1].Inicio)
	if err != nil {
		day = "" // not a day of the calendar
	}
	return frame.Descending(day)
}

// tables returns the files that may be a register.
func tables(in *frame.Input) []*frame.File {
	var files []*frame.File
	for _, f := range in.Files {
		if strings.HasSuffix(plainName(f), ".csv") {
			files = append(files, f)
		}
	}
	return files
}

func plainName(f *frame.File) string { return strings.TrimSuffix(strings.ToLower(f.Name), ".gz") }

// found lists what an operator pointed to, for the error that it does not fit.
func found(in *frame.Input) string {
	const most = 10
	var names []string
	for _, f := range in.Files {
		if len(names) == most {
			names = append(names, fmt.Sprintf("and %d more", len(in.Files)-most))
			break
		}
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}
