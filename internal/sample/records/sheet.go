package records

import (
	"strings"
	"time"

	"razao/internal/sample/table"
)

// cell is a column's title and what stands there in a row.
type cell struct{ title, text string }

// sheet declares a table of a source: where it is found, how it is written and how a row is made.
type sheet struct {
	source, name, member string
	repeats              bool // what another table of the source says
	dialect              table.Dialect
	from, to, piece      int
	row                  func(x int) []cell
	titles               string              // of all columns, when rows fill some of them in any order; else every row has the same
	join                 func([]cell) string // makes one field of a row, where the dialect has none
	loose                func(x int) bool    // rows whose fields stand in quotes only where needed
	header, footer       string              // of a joined table
	modified             time.Time
}

func (s sheet) file() table.File {
	f := table.File{
		Folder: s.source, Name: s.name, Member: s.member, Group: s.source, Modified: s.modified,
		Dialect: s.dialect, From: s.from, To: s.to, Piece: s.piece,
		Header: s.dialect.Encode(s.header), Footer: s.dialect.Encode(s.footer),
	}
	if s.repeats {
		f.Group = ""
	}
	if s.join != nil {
		f.Rows = table.Each(func(r *table.Rows, x int) { r.Add(s.join(s.row(x))) })
		return f
	}
	var titles []string
	if s.titles != "" {
		titles = strings.Split(s.titles, ";")
		s.row = placed(s.row, titles)
	} else {
		for _, c := range s.row(0) {
			titles = append(titles, c.title)
		}
	}
	f.Header = s.dialect.Header(titles)
	f.Rows = table.Each(func(r *table.Rows, x int) {
		if s.loose != nil && s.loose(x) {
			r.Quoting = table.AsNeeded
		}
		for _, c := range s.row(x) {
			r.Field(c.text)
		}
		r.Close()
	})
	return f
}

// placed returns rows of all columns for rows that fill some of them; what stands later in a row holds.
func placed(row func(x int) []cell, titles []string) func(x int) []cell {
	at := map[string]int{}
	for i, title := range titles {
		at[title] = i
	}
	return func(x int) []cell {
		all := make([]cell, len(titles))
		for _, c := range row(x) {
			all[at[c.title]] = c
		}
		return all
	}
}

// timeOfDay returns one in working hours.
func timeOfDay(d *dice) string {
	return table.Digits(7+d.N(12), 2) + ":" + table.Digits(d.N(60), 2) + ":" + table.Digits(d.N(60), 2)
}
