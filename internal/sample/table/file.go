package table

import (
	"bytes"
	"time"
)

// File declares one table, in a zip or on its own. Its rows are made by position, any range of positions apart from the
// others.
type File struct {
	Folder    string    // that it appears in, below the directory of the sample
	Name      string    // of the zip, which neighbours in a list share when they are its members, or of the table
	Member    string    // "" when the table is not zipped
	Group     string    // of tables whose rows are counted together, "" for the folder's
	Uncounted bool      // what another file says, or no table
	Modified  time.Time // of the file, zero for the time of writing

	Dialect  Dialect
	Header   string // before the rows, instead of the titles
	Footer   string
	From, To int // positions
	Piece    int // positions that a worker makes at a time, 0 for pieceSize

	// One of these makes the rows; without any the header is all there is.
	Row   func(x int) Row             // that of a position
	Each  func(r *Rows, x int)        // those of a position
	Range func(r *Rows, from, to int) // those of positions

	// What is peculiar to rows made by Row.
	Titles []string         // of all columns, when rows fill some of them in any order; else every row has the same
	Join   func(Row) string // makes one field of a row, and there are no titles
	Loose  func(x int) bool // rows whose fields stand in quotes only where needed
}

// Row has the titles of its columns and the texts that stand there by turns.
type Row []string

// Cells yields every title with its text.
func (r Row) Cells(yield func(title, text string) bool) {
	for i := 0; i < len(r) && yield(r[i], r[i+1]); i += 2 {
	}
}

const pieceSize = 4096

// PieceSize returns how many positions a piece has.
func (f *File) PieceSize() int {
	if f.Piece > 0 {
		return f.Piece
	}
	return pieceSize
}

// HasPiece says whether a piece begins at a position: an empty table with a header still has one.
func (f *File) HasPiece(at int) bool {
	return at < f.To || at == f.From && (f.Header != "" || f.Row != nil && f.Join == nil)
}

// AppendPiece appends the part of the file that begins at a position and returns how many rows it has.
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
			texts[at[title]] = text // what stands later in a row holds
		}
		r.Add(texts...)
	}
}
