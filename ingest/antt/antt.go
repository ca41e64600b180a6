// Package antt loads rntrc, the register of road hauliers (RNTRC) that ANTT publishes once a month.
//
// The file, transportadores_rntrc_MM_AAAA.csv, is ISO-8859-1 with semicolons and CRLF; values stand
// in double quotes, but the header does not and some rows only in part. Its eleven columns have the
// names of the source's fields, so the table of columns is made from package source. Dates are
// DD/MM/AAAA and stay as published.
//
// CNPJs are published with punctuation, CPFs masked with asterisks. The category decides what is
// kept: ETC (companies) and CTC (cooperatives); TAC, the self-employed, are most of the rows and
// are dropped. Only the situations ATIVO and PENDENTE are published, so a company's absence proves
// nothing. A company may have several rows; the newest situation is served first.
package antt

import (
	"context"
	"regexp"
	"strings"

	"razao/ingest/rows"
	"razao/internal/data/source"
)

const rntrc = "rntrc"

// RNTRC returns the loader of rntrc. It reads exactly one CSV file. The period is the month in the
// file's name, "" when the name has none; the operator's overrides it.
func RNTRC() rows.Loader {
	return rows.Loader{Sources: []string{rntrc}, Read: read}
}

func read(ctx context.Context, in *rows.Input, out *rows.Output) (rows.Facts, error) {
	f, err := in.OneTable("transportadores_rntrc_MM_AAAA.csv")
	if err != nil {
		return rows.Facts{}, err
	}
	l := newLayout()
	table := rows.Table{Quoted: true, Columns: l.columns, Visit: func(w *rows.Writer) func(*rows.Row) error {
		r := &reader{layout: l, out: w, record: rows.Record{Values: make([]string, len(l.columns))}}
		return r.visit
	}}
	if err := table.Read(ctx, in, f, out); err != nil {
		return rows.Facts{}, err
	}
	return rows.Facts{Period: month(f.Name)}, nil
}

// monthInName matches the end of a published name: month, then year.
var monthInName = regexp.MustCompile(`(?i)_(0[1-9]|1[0-2])_(20\d\d)\.csv`)

// month returns the month in a file's name as AAAA-MM, or "" when the name has none.
func month(name string) string {
	m := monthInName.FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	return m[2] + "-" + m[1]
}

// layout holds the columns to read, one for each field of the source and at the same position, and
// the positions of the fields that are not copied as they are.
type layout struct {
	columns                            []rows.Column
	number, document, category, status int
}

func newLayout() *layout {
	src, _ := source.Find(rntrc)
	l := &layout{}
	position := map[string]int{}
	for i, field := range src.Fields {
		position[field.Name] = i
		l.columns = append(l.columns, rows.Column{Name: field.Name})
	}
	l.number, l.category = position["numero_rntrc"], position["categoria_transportador"]
	l.document = position["cpfcnpjtransportador"]
	l.status = position["data_situacao_rntrc"]
	return l
}

// reader turns rows into records on one goroutine. It reuses one record: the writer copies what it
// is given.
type reader struct {
	*layout
	out    *rows.Writer
	record rows.Record
}

// visit adds the record of one row, drops the row by the rule of ownerOf, or rejects it when the
// date that orders the records is not DD/MM/AAAA. Rows of persons are dropped before anything can
// be rejected.
func (r *reader) visit(row *rows.Row) error {
	owner, rule := ownerOf(row.Value(r.category), row.Value(r.document))
	if rule != "" {
		r.out.Drop(rule)
		return nil
	}
	status, err := rows.Date(row.Value(r.status))
	if err != nil {
		return rows.Reject(r.columns[r.status].Name, err.Error())
	}
	for i := range r.columns {
		r.record.Values[i] = row.Value(i)
	}
	r.record.Values[r.document] = "" // follows from Owner
	r.record.Where, r.record.Owner = row.Where, owner
	r.record.Order = rows.Descending(status) + row.Value(r.number)
	return r.out.Add(rntrc, &r.record)
}

// ownerOf returns the company that a row is about, or the rule by which the row is dropped:
// "autonomo_tac", "categoria_desconhecida", or one of rows.CompanyOf.
func ownerOf(category, document string) (o rows.Owner, rule string) {
	switch strings.ToUpper(category) {
	case "ETC", "CTC":
	case "TAC":
		return o, "autonomo_tac"
	default:
		return o, "categoria_desconhecida"
	}
	return rows.CompanyOf(document)
}
