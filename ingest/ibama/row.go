package ibama

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"razao/ingest/rows"
	"razao/internal/data/source"
)

// layout holds, by position of the source's fields, the columns and the conversion of each value,
// and the positions of the fields that the loader interprets.
type layout struct {
	source  string
	columns []rows.Column
	convert []func(string) (string, error) // by position

	document, date, extracted int
	key                       [3]int
	changed                   []int
}

// layout resolves the names of the form against package source.
func (f *form) layout() *layout {
	src, _ := source.Find(f.source)
	l := &layout{source: f.source}
	position := map[string]int{}
	for i, field := range src.Fields {
		position[field.Name] = i
		l.columns = append(l.columns, rows.Column{Name: strings.ToUpper(field.Name)})
		l.convert = append(l.convert, f.conversion(field))
	}
	l.document, l.date = position[f.document], position[f.date]
	l.extracted = position[extractedField]
	for i, name := range f.key {
		l.key[i] = position[name]
	}
	for _, name := range f.changed {
		l.changed = append(l.changed, position[name])
	}
	return l
}

// conversion returns the function that turns a published value of a field into the kept one. Its
// error rejects the row.
func (f *form) conversion(field source.Field) func(string) (string, error) {
	switch {
	case field.Kind == source.Number:
		return rows.Decimal
	case field.Kind == source.Document:
		return func(string) (string, error) { return "", nil } // follows from Owner
	case slices.Contains(f.ids, field.Name):
		return func(s string) (string, error) { return integer(s), nil }
	}
	return func(s string) (string, error) { return s, nil }
}

// reader turns rows into records on one goroutine. It reuses one record: the writer copies what it
// is given.
type reader struct {
	*layout
	span   span
	out    *rows.Writer
	record rows.Record
}

func newReader(l *layout, w *rows.Writer) *reader {
	return &reader{layout: l, out: w, record: rows.Record{Values: make([]string, len(l.columns))}}
}

// visit adds the record of one row. A row without a company is dropped, but still takes part in the
// span and, as a void version, in the versions of its notice.
func (r *reader) visit(row *rows.Row) error {
	drawn, dateErr := parseTime(row.Value(r.date))
	r.span.addDrawn(drawn)
	if extracted, err := parseTime(row.Value(r.extracted)); err == nil {
		r.span.addExtracted(extracted)
	}
	owner, rule := ownerOf(row.Value(r.document))
	if rule != "" {
		r.out.Drop(rule)
		return r.void(row)
	}
	// Rejects keep the raw row. Rows of persons are dropped above, so that no reject holds one.
	if dateErr != nil {
		return rows.Reject(r.columns[r.date].Name, dateErr.Error())
	}
	for i, convert := range r.convert {
		value, err := convert(row.Value(i))
		if err != nil {
			return rows.Reject(r.columns[i].Name, err.Error())
		}
		r.record.Values[i] = value
	}
	key := r.keyOf(row)
	r.record.Where, r.record.Owner = row.Where, owner
	r.record.Order = rows.Descending(digits(drawn)) + key
	if len(r.changed) > 0 {
		r.record.Identity, r.record.Version = key, r.version(row)
	}
	return r.out.Add(r.source, &r.record)
}

// void adds a version without values: if it turns out to be the newest of its notice, older
// versions that named a company are void.
func (r *reader) void(row *rows.Row) error {
	key := r.keyOf(row)
	if len(r.changed) == 0 || key == "" {
		return nil
	}
	return r.out.Add(r.source, &rows.Record{Where: row.Where, Identity: key, Version: r.version(row)})
}

// keyOf returns the key of a term, SEQ or "number/series". It is "" for a row without any number:
// such rows must not count as versions of each other.
func (r *reader) keyOf(row *rows.Row) string {
	if seq := integer(row.Value(r.key[0])); seq != "" {
		return seq
	}
	number := row.Value(r.key[1])
	if number == "" {
		return ""
	}
	return number + "/" + row.Value(r.key[2])
}

// version joins the times of change into a key that sorts by bytes. The tab behind each sorts below
// every character of a time, so a date without a time comes before the same date with one.
func (r *reader) version(row *rows.Row) string {
	var b strings.Builder
	for _, column := range r.changed {
		b.WriteString(row.Value(column))
		b.WriteByte('\t')
	}
	return b.String()
}

// ownerOf returns the company that a document names, or the rule by which its row is dropped.
func ownerOf(document string) (o rows.Owner, rule string) {
	return rows.CompanyOf(integer(document))
}

// integer removes the ".0" that the publisher's database appends to integers. Left in place, it
// would turn the 11 digits of a CPF into 12, which could pass for a CNPJ without its leading zeros.
func integer(s string) string {
	whole, ok := strings.CutSuffix(s, ".0")
	if !ok || strings.Trim(whole, "0123456789") != "" {
		return s
	}
	return whole
}

// parseTime reads AAAA-MM-DD with or without HH:MM:SS; "" is the zero time.
func parseTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	form := time.DateOnly
	if len(s) > len(form) {
		form = time.DateTime
	}
	t, err := time.Parse(form, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is not a date AAAA-MM-DD HH:MM:SS", s)
	}
	return t, nil
}

// digits returns AAAAMMDDHHMMSS for the order of records, "" for the zero time.
func digits(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("20060102150405")
}
