// Package mte reads the two registers of employers of the Ministério do Trabalho e Emprego: the Cadastro de Empregadores
// and the CEAC, of those in adjustment of conduct. Both are small tables without quotes, made by a report
// generator that may put lines before the header and after the rows.
package mte

import (
	"fmt"
	"slices"
	"strings"

	"razao/ingest/rows"
)

// Rules that leave rows out.
const (
	notCompany = "nao_cnpj"
	notRow     = "linha_sem_numero" // the report generator's, not the register's
)

func newTable(fields rows.Fields) *rows.Table {
	return &rows.Table{Start: isHeader, Columns: fields.Columns()}
}

// isHeader does not ask where the columns stand: that of the CEAC is not the same in all versions.
func isHeader(line string) bool {
	names := strings.Split(line, ";")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return slices.Contains(names, "ID") && slices.Contains(names, "CNPJ/CPF")
}

// draft is a row of a register.
type draft struct {
	*rows.Draft
	fields   rows.Fields
	id, cnpj int // positions
}

func newDraft(fields rows.Fields) *draft {
	return &draft{Draft: fields.Draft(), fields: fields, id: fields.Position("id_publicacao"), cnpj: fields.Position("cnpj")}
}

// fill takes the values of a row. It returns the rule by which the row is left out, or "".
func (d *draft) fill(r *rows.Row) (rule string) {
	d.Fill(r)
	if !digitsOnly(d.Values[d.id]) {
		return notRow
	}
	var ok bool
	if d.Owner, ok = rows.ParseOwner(d.Values[d.cnpj]); !ok {
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
		return rows.Reject(d.fields[i].Column.Name, fmt.Sprintf("%q is not a whole number", text))
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
		return rows.Descending("")
	}
	day, err := rows.Date(periods[len(periods)-1].Inicio)
	if err != nil {
		day = "" // not a day of the calendar
	}
	return rows.Descending(day)
}

// tables returns the files that may be a register.
func tables(in *rows.Input) []*rows.File {
	var files []*rows.File
	for _, f := range in.Files {
		if strings.HasSuffix(plainName(f), ".csv") {
			files = append(files, f)
		}
	}
	return files
}

func plainName(f *rows.File) string { return strings.TrimSuffix(strings.ToLower(f.Name), ".gz") }
