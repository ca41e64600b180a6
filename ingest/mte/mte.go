// Package mte loads the two registers of employers that the Ministério do Trabalho e Emprego
// publishes: the Cadastro de Empregadores (mte_empregadores, the "lista suja") and the Cadastro de
// Empregadores em Ajustamento de Conduta (mte_ceac).
//
// Both are small Windows-1252 tables with semicolons, no quotes and CRLF, but none behind the last
// row. A report generator makes them: lines may stand before the header and after the rows, so the
// header is searched for and only rows whose ID is a number are read. ID numbers the rows of one
// edition and is no key; a company may have several rows, one for each inspection, and none are
// merged.
//
// CNPJ/CPF holds punctuated CNPJs and full CPFs; rows of persons are dropped ("nao_cnpj"), and CPFs
// inside names and addresses masked. Dates are DD/MM/AAAA and stay as published; so do cells that
// hold a history of inclusions, from which a list of periods is derived (see period). Records are
// served by the start of their last period, newest first.
//
// Neither table is dated. The day of mte_empregadores stands only in its text edition,
// cadastro_de_empregadores.txt (see companion); the version of mte_ceac, AAAA_NNNN, is its file's
// name.
package mte

import (
	"fmt"
	"slices"
	"strings"

	"razao/ingest/rows"
)

// Rules by which rows are dropped.
const (
	notCompany = "nao_cnpj"
	notRow     = "linha_sem_numero" // decoration of the report generator
)

// newTable returns the table of a register's columns, whose header may stand on any line.
func newTable(fields rows.Fields) *rows.Table {
	return &rows.Table{Start: isHeader, Columns: fields.Columns()}
}

// isHeader reports whether a line holds the columns ID and CNPJ/CPF, in any order: the versions of
// the CEAC order their columns differently.
func isHeader(line string) bool {
	names := strings.Split(line, ";")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return slices.Contains(names, "ID") && slices.Contains(names, "CNPJ/CPF")
}

// draft is the record that one goroutine fills anew for each row.
type draft struct {
	*rows.Draft
	fields   rows.Fields
	id, cnpj int // positions of fields
}

func newDraft(fields rows.Fields) *draft {
	return &draft{Draft: fields.Draft(), fields: fields, id: fields.Position("id_publicacao"), cnpj: fields.Position("cnpj")}
}

// fill copies the values of a row and sets the owner. It returns the rule by which the row is
// dropped, or "".
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

// number turns the value of field i into a JSON number, without leading zeros; "" stays null. Its
// error rejects the row.
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

// newestFirst returns a record's order: the start of its last period, newest first, records without
// periods last. Records of one day keep the order of the list.
func newestFirst(periods []period) string {
	if len(periods) == 0 {
		return rows.NewestFirst("")
	}
	return rows.NewestFirst(periods[len(periods)-1].Inicio)
}

// tables returns the CSV files of the input, packed ones included.
func tables(in *rows.Input) []*rows.File {
	var files []*rows.File
	for _, f := range in.Files {
		if strings.HasSuffix(f.PlainName(), ".csv") {
			files = append(files, f)
		}
	}
	return files
}
