// Package sitemap lists the pages of establishments for search engines, with the day of their last
// change, in the sitemap protocol (sitemaps.org).
//
// The list is written once, with a load, and never changed. It is two files in the index folder:
//
//	sitemap         10 bytes per page, in CNPJ order: number (8) and day (2), big endian
//	sitemap.json    format, and for each part its number of pages, newest day and SHA-256
//
// A part is what one file of the protocol holds, 45,000 addresses; the protocol's limit is 50,000.
// The XML is rendered on request, because only the server knows its public address. The checksum of
// a part is known without reading it, so it serves as an ETag: a part in which nothing changed is
// not sent again.
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

	"razao/internal/data/cnpj"
)

const (
	// format is the version of the files. A list of another version is ErrDamaged.
	format = 1

	partURLs = 45_000 // the protocol allows 50,000
	cellSize = 10

	listName     = "sitemap"
	describeName = "sitemap.json"
)

// ErrDamaged is the error of a list that does not match its description, or is of another format.
var ErrDamaged = errors.New("sitemap damaged: make it again with `razao index build`")

// Day is a date in days since 1970-01-01; 0 means unknown.
type Day uint16

// DayOf returns the day of an instant in UTC, 0 when it is outside 1970 to 2149.
func DayOf(t time.Time) Day {
	const seconds = 24 * 60 * 60
	days := t.Unix() / seconds
	if days < 0 || days > 1<<16-1 {
		return 0
	}
	return Day(days)
}

// Time returns midnight UTC of the day, the zero time when it is unknown.
func (d Day) Time() time.Time {
	if d == 0 {
		return time.Time{}
	}
	return time.Unix(0, 0).UTC().AddDate(0, 0, int(d))
}

// Part describes one file of the sitemap.
type Part struct {
	URLs   int    `json:"urls"`
	Newest Day    `json:"newest"` // last change of any of its pages; 0 when none is known
	SHA256 string `json:"sha256"` // hexadecimal, of its cells
}

// description is the content of sitemap.json.
type description struct {
	Format int    `json:"format"`
	Parts  []Part `json:"parts"`
}

// Writer writes a list. Not safe for concurrent use. After an error, what it wrote is of no use;
// call Abort.
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

// Create starts the list in dir, which must exist and have none yet.
func Create(dir string) (*Writer, error) {
	file, err := os.OpenFile(filepath.Join(dir, listName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("sitemap: %w", err)
	}
	return &Writer{dir: dir, file: file, out: bufio.NewWriterSize(file, 1<<16), sum: sha256.New(), last: -1, partURLs: partURLs}, nil
}

// Add lists the page of an establishment. Numbers must ascend strictly.
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
	_, _ = w.sum.Write(cell[:]) // never fails: see hash.Hash
	w.part.URLs++
	w.part.Newest = max(w.part.Newest, changed)
	return nil
}

// endPart finishes the current part and starts another.
func (w *Writer) endPart() {
	w.part.SHA256 = hex.EncodeToString(w.sum.Sum(nil))
	w.parts = append(w.parts, w.part)
	w.part = Part{}
	w.sum.Reset()
}

// Close writes what is pending, then the description, and returns the number of pages. Neither file
// is synced: the maker of the folder does that.
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
	body, err := json.Marshal(description{format, w.parts})
	if err != nil {
		return 0, fmt.Errorf("sitemap: %w", err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, describeName), body, 0o600); err != nil {
		return 0, fmt.Errorf("sitemap: %w", err)
	}
	return urls, nil
}

// Abort closes the file of an abandoned list. It does nothing after Close.
func (w *Writer) Abort() { _ = w.file.Close() }

// List is a finished list. It is immutable and safe for concurrent use; each call opens the file
// anew.
type List struct {
	dir   string
	parts []Part
}

// Open reads the description of the list in dir. The error wraps fs.ErrNotExist when the folder has
// none, as old ones, and ErrDamaged when it cannot be understood.
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

// readParts decodes and checks a description.
func readParts(body []byte) ([]Part, error) {
	var d description
	if err := json.Unmarshal(body, &d); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	if d.Format != format {
		return nil, fmt.Errorf("%w (it has format %d, this program reads %d)", ErrDamaged, d.Format, format)
	}
	for _, p := range d.Parts {
		if p.URLs <= 0 || p.URLs > partURLs {
			return nil, fmt.Errorf("%w (a part has %d pages)", ErrDamaged, p.URLs)
		}
	}
	return d.Parts, nil
}

// Parts returns the parts in order of their numbers. The slice is shared and must not be changed.
func (l *List) Parts() []Part { return l.parts }

// Each calls visit for every page of a part, in CNPJ order, and stops at the first error of visit,
// which it returns. part is an index of Parts and must be in range. A file that is short, or
// numbers that do not ascend, are ErrDamaged.
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
