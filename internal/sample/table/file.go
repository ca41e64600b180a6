package table

import (
	"bytes"
	"time"
)

// File is one table, in a zip or on its own. Its rows are made by position, any range of positions apart from the
// others.
type File struct {
	Folder   string // that it appears in, below the directory of the sample
	Name     string // of the zip, which neighbours in a list share when they are its members, or of the table
	Member   string // "" when the table is not zipped
	Group    string // of tables whose rows are counted together, "" when nobody counts them
	Dialect  Dialect
	Header   []byte // before the rows, or all there is when Rows is nil
	Footer   []byte
	Modified time.Time // of the file, zero for the time of writing
	From, To int       // positions
	Piece    int       // positions that a worker makes at a time, 0 for pieceSize
	Rows     func(r *Rows, from, to int)
}

const pieceSize = 4096

// Each returns the Rows of a file that is made position by position. What row changes of the dialect holds for that
// position.
func Each(row func(r *Rows, x int)) func(*Rows, int, int) {
	return func(r *Rows, from, to int) {
		dialect := r.Dialect
		for x := from; x < to; x++ {
			row(r, x)
			r.Dialect = dialect
		}
	}
}

// PieceSize returns how many positions a piece has.
func (f *File) PieceSize() int {
	if f.Piece > 0 {
		return f.Piece
	}
	return pieceSize
}

// HasPiece says whether a piece begins at a position: an empty table with a header still has one.
func (f *File) HasPiece(at int) bool { return at < f.To || at == f.From && len(f.Header) > 0 }

// AppendPiece appends the part of the file that begins at a position and returns how many rows it has.
func (f *File) AppendPiece(b []byte, from int) ([]byte, int) {
	r := Rows{Dialect: f.Dialect, Bytes: b}
	to := min(from+f.PieceSize(), f.To)
	if from == f.From {
		r.Bytes = append(r.Bytes, f.Header...)
	}
	if f.Rows == nil {
		return r.Bytes, bytes.Count(f.Header, []byte("\n"))
	}
	f.Rows(&r, from, to)
	if to == f.To {
		r.Bytes = append(r.Bytes, f.Footer...)
	}
	return r.Bytes, r.Count
}
