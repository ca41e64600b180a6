// Package sitemap lists the pages of establishments for search engines: which there are and when each was last changed.
//
// The list is made once, with a load, and never changed: a file of ten bytes for every page, in CNPJ order, and a
// description of its parts. A part is what one file of the sitemap protocol holds. The XML is made of it when it is asked
// for, because only the server knows its public address.
package sitemap

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"time"

	"razao/internal/cnpj"
)

const (
	// Format is the version of the files. A list of another version is not read.
	Format = 1

	partURLs = 45_000 // the protocol allows 50,000
	cellSize = 10     // eight bytes of the number, two of the day

	listName     = "sitemap"
	describeName = "sitemap.json"
)

// ErrDamaged is the error of a list that is not as it was written, or of another format.
var ErrDamaged = errors.New("sitemap damaged: make it again with `razao index build`")

// Day is a date in days since 1970; 0 means that it is not known.
type Day uint16

// DayOf returns the day of an instant in UTC, 0 for one that is before 1970 or after 2149.
func DayOf(t time.Time) Day {
	const seconds = 24 * 60 * 60
	days := t.Unix() / seconds
	if days < 0 || days > 1<<16-1 {
		return 0
	}
	return Day(days)
}

// Time returns midnight UTC of the day, the zero time when it is not known.
func (d Day) Time() time.Time {
	if d == 0 {
		return time.Time{}
	}
	return time.Unix(0, 0).UTC().AddDate(0, 0, int(d))
}

// Part is a file of the sitemap.
type Part struct {
	URLs   int    `json:"urls"`
	Newest Day    `json:"newest"` // last change of a page in it; 0 when none is known
	SHA256 string `json:"sha256"` // of its numbers and days
}

// description is what stands beside the list.
type description struct {
	Format int    `json:"format"`
	Parts  []Part `json:"parts"`
}

// Writer makes the list. Its folder must exist; after an error what it wrote is of no use.
type Writer struct {
	dir      string
	file     *os.File
	out      *bufio.Writer
	sum      hash.Hash
	part     Part
	parts    []Part
	last     cnpj.Full
	partURLs int
}

// Create begins the list of a folder.
func Create(dir string) (*Writer, error) {
	file, err := os.OpenFile(filepath.Join(dir, listName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("sitemap: %w", err)
	}
	return &Writer{dir: dir, file: file, out: bufio.NewWriterSize(file, 1<<16), sum: sha256.New(), last: -1, partURLs: partURLs}, nil
}

// Add lists the page of an establishment. Numbers must rise.
func (w *Writer) Add(number cnpj.Full, changed Day) error {
	if number <= w.last {
		return fmt.Errorf("sitemap: %s comes after %s", number, w.last)
	}
	w.last = number
	if w.part.URLs == w.partURLs {
		w.endPart()
	}
	var cell [cellSize]byte
	binary.BigEndian.PutUint64(cell[:], uint64(number))
	binary.BigEndian.PutUint16(cell[8:], uint16(changed))
	if _, err := w.out.Write(cell[:]); err != nil {
		return fmt.Errorf("sitemap: %w", err)
	}
	_, _ = w.sum.Write(cell[:]) // a hash takes everything
	w.part.URLs++
	w.part.Newest = max(w.part.Newest, changed)
	return nil
}

func (w *Writer) endPart() {
	w.part.SHA256 = hex.EncodeToString(w.sum.Sum(nil))
	w.parts = append(w.parts, w.part)
	w.part = Part{}
	w.sum.Reset()
}

// Close writes what is pending and the description, and returns how many pages are listed.
func (w *Writer) Close() (urls int64, err error) {
	if w.part.URLs > 0 {
		w.endPart()
	}
	if err := errors.Join(w.out.Flush(), w.file.Close()); err != nil {
		return 0, fmt.Errorf("sitemap: %w", err)
	}
	for _, p := range w.parts {
		urls += int64(p.URLs)
	}
	body, err := json.Marshal(description{Format, w.parts})
	if err != nil {
		return 0, fmt.Errorf("sitemap: %w", err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, describeName), body, 0o600); err != nil {
		return 0, fmt.Errorf("sitemap: %w", err)
	}
	return urls, nil
}

// Abort closes the file of a list that is given up. It does nothing after Close.
func (w *Writer) Abort() { _ = w.file.Close() }

// List is a list that was made. It is safe for concurrent use.
type List struct {
	dir   string
	parts []Part
}

// Open reads the description of the list of a folder. The error wraps fs.ErrNotExist when the folder has none, which is
// so when it is older than this package, and ErrDamaged when it cannot be read.
func Open(dir string) (*List, error) {
	body, err := os.ReadFile(filepath.Join(dir, describeName))
	if err != nil {
		return nil, fmt.Errorf("sitemap: %w", err)
	}
	parts, err := readParts(body)
	if err != nil {
		return nil, err
	}
	return &List{dir, parts}, nil
}

// readParts reads a description.
func readParts(body []byte) ([]Part, error) {
	var d description
	if err := json.Unmarshal(body, &d); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	if d.Format != Format {
		return nil, fmt.Errorf("%w (it has format %d, this program reads %d)", ErrDamaged, d.Format, Format)
	}
	for _, p := range d.Parts {
		if p.URLs <= 0 || p.URLs > partURLs {
			return nil, fmt.Errorf("%w (a part has %d pages)", ErrDamaged, p.URLs)
		}
	}
	return d.Parts, nil
}

// Parts describes the parts in their order, which is that of the numbers in them.
func (l *List) Parts() []Part { return l.parts }

// Each calls visit for every page of the part at an index of Parts, in CNPJ order. It stops at the first error of
// visit. A list that cannot be what was written is ErrDamaged.
func (l *List) Each(part int, visit func(number cnpj.Full, changed Day) error) error {
	file, err := os.Open(filepath.Join(l.dir, listName))
	if err != nil {
		return fmt.Errorf("sitemap: %w", err)
	}
	defer file.Close()
	var before int64
	for _, p := range l.parts[:part] {
		before += int64(p.URLs)
	}
	cells := make([]byte, l.parts[part].URLs*cellSize)
	if n, err := file.ReadAt(cells, before*cellSize); n < len(cells) {
		return fmt.Errorf("%w (%w)", ErrDamaged, cmp.Or(err, io.ErrUnexpectedEOF))
	}
	for last := cnpj.Full(-1); len(cells) > 0; cells = cells[cellSize:] {
		number := cnpj.Full(binary.BigEndian.Uint64(cells))
		if number <= last || number >= cnpj.Orders*cnpj.Orders*cnpj.Orders {
			return fmt.Errorf("%w (%d comes after %d)", ErrDamaged, number, last)
		}
		last = number
		if err := visit(number, Day(binary.BigEndian.Uint16(cells[8:]))); err != nil {
			return err
		}
	}
	return nil
}
