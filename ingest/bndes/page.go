package bndes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"razao/ingest/rows"
)

// page is an answer of the portal's datastore API (CKAN): up to 32,000 rows, small enough to decode
// at once.
type page struct {
	Result struct {
		Records []json.RawMessage `json:"records"`
	} `json:"result"`
}

// readPage packs the rows of one datastore answer. A row's line is its position in the answer,
// counted from 1. An answer that is no JSON, or that has no rows, ends the load.
func (l *layout) readPage(ctx context.Context, f *rows.File, out *rows.Output, s *spool) error {
	r, err := out.Open(f)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	var p page
	if err := json.NewDecoder(r).Decode(&p); err != nil {
		return fmt.Errorf("%s is not an answer of the datastore, or was cut short: fetch it again: %w", f.Path, err)
	}
	if len(p.Result.Records) == 0 {
		return fmt.Errorf("%s has no rows at result.records: expected an answer of the datastore", f.Path)
	}
	w := out.Writer()
	operations := l.parser(w, s)
	for i, record := range p.Result.Records {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.Row()
		if err := l.readRecord(operations, w, f, int64(i)+1, record); err != nil {
			return err
		}
	}
	return w.Close()
}

// readRecord packs one row. A row that is no object is rejected; a row without one of the layout's
// columns ends the load, since it means another layout. Numbers keep their published digits.
func (l *layout) readRecord(p *parser, w *rows.Writer, f *rows.File, line int64, record []byte) error {
	var values map[string]any
	d := json.NewDecoder(bytes.NewReader(record))
	d.UseNumber()
	if err := d.Decode(&values); err != nil {
		return w.Reject(f, line, "", "not an object", record)
	}
	for _, c := range l.columns {
		if _, ok := values[c.name]; !ok {
			return fmt.Errorf("%s: row %d lacks %s: the layout has changed, or this is another file", f.Path, line, c.name)
		}
	}
	value := func(i int) string { return plain(values[l.columns[i].name]) }
	column, err := p.add(rows.Where{File: f.Index, Line: line}, value)
	if column != "" {
		return w.Reject(f, line, column, err.Error(), record)
	}
	return err
}

// plain returns a JSON value as the CSV file would have it; null is "".
func plain(value any) string {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v)
	case json.Number:
		return v.String()
	default: // null
		return ""
	}
}
