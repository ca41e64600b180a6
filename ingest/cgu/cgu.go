// Package cgu reads the registers of sanctions of the Controladoria-Geral da União: CEIS, CNEP, CEPIM and the leniency
// agreements. All are published alike: every field in quotes, line breaks inside them, Windows-1252, and the day that
// a file describes in its name. A file always holds the whole register.
package cgu

import "razao/ingest/rows"

// notCompany is the rule that leaves out persons and foreign signatories.
const notCompany = "nao_cnpj"

func newTable(fields rows.Fields) *rows.Table {
	return &rows.Table{Quoted: true, Columns: fields.Columns()}
}

// draft is a row of a register.
type draft struct {
	*rows.Draft
	cnpj int // position
}

func newDraft(fields rows.Fields) *draft {
	return &draft{Draft: fields.Draft(), cnpj: fields.Position("cnpj")}
}

// fill takes the values of a row. It returns false when the row is not about a company.
func (d *draft) fill(r *rows.Row) (ok bool) {
	d.Fill(r)
	d.Owner, ok = rows.ParseOwner(d.Values[d.cnpj])
	return ok
}

// newestFirst is the start of an order by a date as published; what is no date comes last.
func newestFirst(date string) string {
	day, err := rows.Date(date)
	if err != nil {
		day = "" // the literal Sem informação
	}
	return rows.Descending(day)
}
