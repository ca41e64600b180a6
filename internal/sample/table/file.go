package table

import (
	"bytes"
	"time"
)

// File declares one table. Its rows belong to positions From to To-1; what a position yields
// depends on nothing else, so pieces can be made in any order. A File is not changed by its
// methods, and its functions must be safe for concurrent use.
type File struct {
	Folder    string    // path below the directory of the sample
	Name      string    // of the file; neighbours in a list with the same zip are its members
	Member    string    // name inside the zip, "" when the table is not zipped
	Group     string    // name under which rows are counted, "" for Folder
	Uncounted bool      // not counted: no table, or the rows of another file once more
	Modified  time.Time // modification time to set, zero for none

	Dialect  Dialect
	Header   string // text before the rows, instead of a row of titles
	Footer   string // text after the rows
	From, To int    // range of positions
	Piece    int    // positions of a piece, 0 for pieceSize

	// One of these makes the rows; without any, Header is the whole file.
	Row   func(x int) Row             // the one row of a position
	Each  func(r *Rows, x int)        // appends any number of rows of a position
	Range func(r *Rows, from, to int) // appends the rows of positions from to to-1

	// Options for Row.
	Titles []string         // all columns; nil if every row has the same titles in the same order
	Join   func(Row) string // formats a row as one field; then there are no titles
	Loose  func(x int) bool // positions whose row is quoted only AsNeeded
}

// Row alternates titles of columns and the texts in them. With File.Titles a title may repeat: its
// last text counts.
type Row []string

// Cells yields every title with its text, in order.
func (r Row) Cells(yield func(title, text string) bool) {
	for i := 0; i < len(r) && yield(r[i], r[i+1]); i += 2 {
	}
}

const pieceSize = 4096 // positions, unless File.Piece says otherwise

// PieceSize returns the number of positions of a piece.
func (f *File) PieceSize() int {
	if f.Piece > 0 {
		return f.Piece
	}
	return pieceSize
}

// HasPiece reports whether a piece begins at position at. An empty table still has one if it has a
// header.
func (f *File) HasPiece(at int) bool {
	return at < f.To || at == f.From && (f.Header != "" || f.Row != nil && f.Join == nil)
}

// AppendPiece appends to b the piece that begins at position from, with the header if it is the
// first and the footer if it is the last, and returns the number of its rows. The pieces in order
// are the file.
func (f *File) AppendPiece(b []byte, from int) ([]byte, int) {
	r := Rows{Dialect: f.Dialect, Bytes: b}
	to := min(from+f.PieceSize(), f.To)
	if from == f.From {
		f.appendHeader(&r)
	}
	switch {
	case f.Range != nil:
		f.Range(&r, from, to)
	case f.Each != nil:
		for x := from; x < to; x++ {
			f.Each(&r, x)
		}
	case f.Row != nil:
		f.appendRows(&r, from, to)
	default:
		r.Count = bytes.Count(r.Bytes, []byte("\n"))
	}
	if to == f.To {
		r.text(f.Footer, false)
	}
	return r.Bytes, r.Count
}

// appendHeader appends Header, or else the titles as a row, which is not counted.
func (f *File) appendHeader(r *Rows) {
	if f.Header != "" || f.Row == nil || f.Join != nil {
		r.text(f.Header, false)
		return
	}
	titles := f.Titles
	if titles == nil {
		for title := range f.Row(0).Cells {
			titles = append(titles, title)
		}
	}
	plain := Rows{Dialect: f.Dialect, Bytes: r.Bytes}
	plain.Lead = ""
	if f.Dialect.PlainHeader {
		plain.Quoting = Bare
	}
	plain.Add(titles...)
	r.Bytes = plain.Bytes
}

// appendRows appends the rows that Row makes.
func (f *File) appendRows(r *Rows, from, to int) {
	at := make(map[string]int, len(f.Titles))
	for i, title := range f.Titles {
		at[title] = i
	}
	for x := from; x < to; x++ {
		row := f.Row(x)
		if f.Join != nil {
			r.Add(f.Join(row))
			continue
		}
		r.Quoting = f.Dialect.Quoting
		if f.Loose != nil && f.Loose(x) {
			r.Quoting = AsNeeded
		}
		if f.Titles == nil {
			for _, text := range row.Cells {
				r.Field(text)
			}
			r.Close()
			continue
		}
		texts := make([]string, len(f.Titles))
		for title, text := range row.Cells {
			texts[at[title]] = text // the last text of a title counts
		}
		r.Add(texts...)
	}
}
