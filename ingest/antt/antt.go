// Package antt reads the register of road hauliers (RNTRC) that ANTT publishes once a month as one CSV file. Companies
// and cooperatives are kept; the self-employed, most of the rows, are dropped.
package antt

import (
	"context"
	"regexp"
	"strings"

	"razao/ingest/rows"
	"razao/internal/source"
)

const rntrc = "rntrc"

// RNTRC returns the loader of rntrc. Its period is the month in the file's name.
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

var monthInName = regexp.MustCompile(`(?i)_(0[1-9]|1[0-2])_(20\d\d)\.csv`)

// month returns the month that a file's name tells, AAAA-MM, or "".
func month(name string) string {
	m := monthInName.FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	return m[2] + "-" + m[1]
}

// layout says where the columns are; the fields of the source have the same names and positions.
type layout struct {
	columns                                  []rows.Column
	number, name, document, category, status int
}

func newLayout() *layout {
	src, _ := source.Find(rntrc)
	l := &layout{}
	position := map[string]int{}
	for i, field := range src.Fields {
		position[field.Name] = i
		l.columns = append(l.columns, rows.Column{Name: field.Name})
	}
	l.number, l.name = position["numero_rntrc"], position["nome_transportador"]
	l.document, l.category = position["cpfcnpjtransportador"], position["categoria_transportador"]
	l.status = position["data_situacao_rntrc"]
	return l
}

// reader reads rows for one goroutine.
type reader struct {
	*layout
	out    *rows.Writer
	record rows.Record
}

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
	r.record.Values[r.document] = "" // follows from the owner
	r.record.Values[r.name] = rows.MaskCPFs(row.Value(r.name))
	r.record.Where, r.record.Owner = row.Where, owner
	r.record.Order = rows.Descending(status) + row.Value(r.number)
	return r.out.Add(rntrc, &r.record)
}

// ownerOf returns the company that a row is about, or the rule by which the row is left out.
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
