// Package cgu loads the four registers that the Controladoria-Geral da União publishes in the
// Portal da Transparência: CEIS, CNEP, CEPIM and the leniency agreements.
//
// All have one dialect: Windows-1252, semicolons, every field in double quotes with quotes doubled,
// CRLF, and line breaks inside fields (OBSERVAÇÕES, TERMOS DO ACORDO), so a file is parsed as
// quoted CSV, never line by line. Dates are DD/MM/AAAA or empty, or the literal "Sem informação";
// they are kept as published. CNPJs stand as 14 bare digits; CEIS and CNEP also publish full CPFs,
// whose rows are dropped ("nao_cnpj").
//
// A file holds a whole register on the day in its name, AAAAMMDD_CEIS.csv inside AAAAMMDD_CEIS.zip,
// and replaces the one before. That day is the period of the load. There is no archive of earlier
// days.
//
//	CEIS, CNEP  key CÓDIGO DA SANÇÃO; CNEP has VALOR DA MULTA besides the columns of CEIS
//	CEPIM       no code and no date; CNPJ and NÚMERO CONVÊNIO together are unique
//	Acordos     ID DO ACORDO, one row for each company that signed; its effects are a second file
//
// Near-duplicates with different codes are separate sanctions and are all kept.
package cgu

import "razao/ingest/rows"

// notCompany is the rule that drops rows of persons and of foreign signatories.
const notCompany = "nao_cnpj"

// newTable returns the table of a register's columns in the common dialect.
func newTable(fields rows.Fields) *rows.Table {
	return &rows.Table{Quoted: true, Columns: fields.Columns()}
}

// draft is the record that one goroutine fills anew for each row.
type draft struct {
	*rows.Draft
	cnpj int // position of the field
}

func newDraft(fields rows.Fields) *draft {
	return &draft{Draft: fields.Draft(), cnpj: fields.Position("cnpj")}
}

// fill copies the values of a row and sets the owner. ok is false when the row's document is not a
// CNPJ.
func (d *draft) fill(r *rows.Row) (ok bool) {
	d.Fill(r)
	d.Owner, ok = rows.ParseOwner(d.Values[d.cnpj])
	return ok
}
