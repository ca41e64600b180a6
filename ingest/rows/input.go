package rows

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzip"

	"razao/ingest/download"
	"razao/internal/data/record"
)

// InventedMark is the name of the file that marks a folder or zip of invented data. It is never one
// of an input's files.
const InventedMark = "DADOS-FICTICIOS.txt"

// Input is what a loader reads: the files that an operator pointed to. Make it with [Find] or
// [NewInput], and close it. It may be read by several goroutines.
type Input struct {
	// From is the folder, file or address that the operator named.
	From string
	// Files are all files found, in the order of their names; those in zips by their own names.
	// Hidden files and the mark of invented data are left out. An input from Find has at least one.
	Files []*File
	// Period is the operator's, which overrides names and contents; "" if there is none.
	Period string
	// Until is the last day that contents may be of, AAAA-MM-DD: a later one is a typing error and says
	// nothing about the period. "": any.
	Until string
	// Invented reports that the files lie beside InventedMark.
	Invented bool
	// Workers is how many goroutines may parse at once, at least 1.
	Workers int
	// Scratch is a folder for temporary files. It exists, belongs to the caller of Find, and holds
	// a file that was fetched.
	Scratch string

	size      int64            // bytes of all Files; bounds how many rows there can be
	published []*publishedFile // files as published
}

// File is one file to read, or one member of a zip.
type File struct {
	Name  string // base name
	Path  string // for people and for periods: the path or address; a member's follows its zip's
	Size  int64  // uncompressed bytes, but of a .gz as it lies on disk
	Index int    // its position in Input.Files

	in        *Input
	published *publishedFile
	bytes     func() (io.ReadCloser, error) // opens the file as it is, a .gz compressed
}

// PlainName returns the name in lower case without .gz.
func (f *File) PlainName() string { return strings.TrimSuffix(strings.ToLower(f.Name), ".gz") }

// publishedFile is a file as it was published: a zip, or a file that is read itself.
type publishedFile struct {
	path   string
	size   int64        // bytes on disk
	opened atomic.Bool  // the file or one of its members was opened
	close  func() error // closes the zip; nil: not a zip
}

// FindOptions are the settings of [Find]; the zero value is ready for use.
type FindOptions struct {
	Period  string       // becomes Input.Period
	Workers int          // becomes Input.Workers; less than 1 means 1
	Log     *slog.Logger // of fetches and retries; nil: silent
}

// NewInput returns an input without files; add them with Add and close it when done. from is a name
// for messages.
func NewInput(from string, workers int) *Input { return &Input{From: from, Workers: max(workers, 1)} }

// Add adds a file, or the members of a zip, and returns what it added.
func (in *Input) Add(path string) ([]*File, error) {
	had := len(in.Files)
	if err := in.add(path, path); err != nil {
		return nil, err
	}
	added := in.Files[had:]
	for i, f := range added {
		f.Index = had + i
		in.size += f.Size
	}
	return added, nil
}

// Find opens what an operator named: a folder (its files and those in its zips, not subfolders), a
// file or zip, or an http(s) address, which is first downloaded to scratch. It does not check
// whether the files fit a source. An input without files is an error. Close the input when done.
func Find(ctx context.Context, from, scratch string, o FindOptions) (*Input, error) {
	in := &Input{From: from, Period: o.Period, Workers: max(o.Workers, 1), Scratch: scratch}
	if err := in.find(ctx, o); err != nil {
		_ = in.Close()
		return nil, err
	}
	if len(in.Files) == 0 {
		_ = in.Close()
		return nil, fmt.Errorf("%s holds no files", from)
	}
	if !in.Invented { // a month to come may be invented
		in.Until = Tomorrow()
	}
	slices.SortStableFunc(in.Files, func(a, b *File) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path))
	})
	for i, f := range in.Files {
		f.Index = i
		in.size += f.Size
	}
	return in, nil
}

// Tomorrow returns the last day that published contents may be of, AAAA-MM-DD: it may be that day already in
// another time zone.
func Tomorrow() string { return time.Now().AddDate(0, 0, 1).Format(time.DateOnly) }

// find is Find without the order of files.
func (in *Input) find(ctx context.Context, o FindOptions) error {
	if strings.HasPrefix(in.From, "http://") || strings.HasPrefix(in.From, "https://") {
		path, err := download.Address(ctx, in.From, in.Scratch, download.Settings{Log: o.Log, Stall: 2 * time.Minute})
		if err != nil {
			return fmt.Errorf("fetch %s: %w", in.From, err)
		}
		return in.add(path, in.From)
	}
	from, err := filepath.Abs(in.From) // parent folders may name the period
	if err != nil {
		return fmt.Errorf("files to read: %w", err)
	}
	info, err := os.Stat(from)
	if err != nil {
		return fmt.Errorf("files to read: %w", err)
	}
	if !info.IsDir() {
		_, err := os.Stat(filepath.Join(filepath.Dir(from), InventedMark))
		in.Invented = err == nil
		return in.add(from, from)
	}
	return in.addFolder(from)
}

// addFolder adds the regular files of a folder, those behind symbolic links included. It refuses a
// folder whose download was interrupted while it replaced files.
func (in *Input) addFolder(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("files to read: %w", err)
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		info, err := os.Stat(path) // follows symbolic links
		switch {
		case e.Name() == InventedMark:
			in.Invented = true
		case e.Name() == download.MixedMark:
			return fmt.Errorf("%s may hold files of two editions, because a download was interrupted while it replaced them: download them again, or check them and delete %s",
				folder, path)
		case strings.HasPrefix(e.Name(), "."):
		case err != nil:
			return fmt.Errorf("files to read: %w", err)
		case info.Mode().IsRegular():
			if err := in.add(path, path); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds a file, or the members of a zip. label is its path for people.
func (in *Input) add(path, label string) error {
	zipped, size, err := sniff(path)
	if err != nil {
		return err
	}
	p := &publishedFile{path: path, size: size}
	if zipped {
		return in.addMembers(p, label)
	}
	in.published = append(in.published, p)
	in.Files = append(in.Files, &File{
		Name: filepath.Base(path), Path: label, Size: size, in: in, published: p,
		bytes: func() (io.ReadCloser, error) { return os.Open(path) },
	})
	return nil
}

// Close closes the zips. Files that are open become invalid.
func (in *Input) Close() error {
	var errs []error
	for _, p := range in.published {
		if p.close != nil {
			errs = append(errs, p.close())
		}
	}
	return errors.Join(errs...)
}

// Published returns the published files that were opened, a zip as one, with size and SHA-256, in
// the order of their names. It reads them again in full; ctx stops it.
func (in *Input) Published(ctx context.Context) ([]record.SourceFile, error) {
	files := []record.SourceFile{}
	for _, p := range in.published {
		if !p.opened.Load() {
			continue
		}
		f, err := fingerprint(ctx, p.path)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	slices.SortStableFunc(files, func(a, b record.SourceFile) int { return cmp.Compare(a.Nome, b.Nome) })
	return files, nil
}

// OneTable returns the one CSV file (.csv or .csv.gz) of the input. No file and several files are
// errors: each file is a period of its own, and a loader must not guess which one is meant.
// expected describes the file for the message.
func (in *Input) OneTable(expected string) (*File, error) {
	var names []string
	var table *File
	for _, f := range in.Files {
		if strings.HasSuffix(f.PlainName(), ".csv") {
			table = f
			names = append(names, f.Name)
		}
	}
	switch len(names) {
	case 0:
		return nil, in.NoFile(expected)
	case 1:
		return table, nil
	}
	return nil, fmt.Errorf("%s holds %s: expected one file, %s; name the one to load", in.From, strings.Join(names, ", "), expected)
}

// NoFile returns the error of an input that has no file of the source. It names what is expected
// and up to 20 files that were found.
func (in *Input) NoFile(expected string) error {
	const shown = 20
	var names []string
	for _, f := range in.Files {
		if len(names) == shown {
			names = append(names, fmt.Sprintf("and %d more", len(in.Files)-shown))
			break
		}
		names = append(names, f.Name)
	}
	return fmt.Errorf("%s holds no file of this source: expected %s, found %s", in.From, expected, strings.Join(names, ", "))
}

// Published returns the published file that f is or lies in, with size and SHA-256. It reads it
// again in full.
func (f *File) Published(ctx context.Context) (record.SourceFile, error) {
	return fingerprint(ctx, f.published.path)
}

// fingerprint returns the base name, size and SHA-256 of a file.
func fingerprint(ctx context.Context, path string) (record.SourceFile, error) {
	r, err := os.Open(path)
	if err != nil {
		return record.SourceFile{}, fmt.Errorf("checksum: %w", err)
	}
	defer func() { _ = r.Close() }()
	h := sha256.New()
	var n int64
	for err == nil {
		var m int64
		m, err = io.CopyN(h, r, 64<<20) // in pieces, so that ctx can stop it
		n += m
		if err == nil {
			err = ctx.Err()
		}
	}
	if !errors.Is(err, io.EOF) {
		return record.SourceFile{}, fmt.Errorf("checksum of %s: %w", path, err)
	}
	return record.SourceFile{Nome: filepath.Base(path), Bytes: n, SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}

// Open returns the contents of the file, of a .gz uncompressed. Errors, also those of reading, name
// the file and say how to mend a damaged one. Loaders that do not read by [Table] use
// [Output.Open], which also reports progress.
func (f *File) Open() (io.ReadCloser, error) { return f.open(func(int64) {}) }

// open is Open; count is called with bytes read, in the measure of Size.
func (f *File) open(count func(n int64)) (io.ReadCloser, error) {
	raw, err := f.bytes()
	if err != nil {
		return nil, f.readError(err)
	}
	f.published.opened.Store(true)
	const buffer = 64 << 10
	r := &reader{file: f, raw: raw}
	br := bufio.NewReaderSize(&counter{raw, count}, buffer)
	r.data = br
	magic, err := br.Peek(2)
	if err == nil && string(magic) == "\x1f\x8b" {
		var unpacked *gzip.Reader
		if unpacked, err = gzip.NewReader(br); err == nil {
			r.data = download.Unpacked(unpacked, f.Size)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		_ = raw.Close()
		return nil, f.readError(err)
	}
	return r, nil
}

// reader reads a file and explains its errors.
type reader struct {
	file *File
	data io.Reader
	raw  io.Closer
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.data.Read(p)
	if err == nil || err == io.EOF { // io.ErrUnexpectedEOF means a truncated file
		return n, err
	}
	return n, r.file.readError(err)
}

// Close implements io.Closer.
func (r *reader) Close() error { return r.raw.Close() }

// counter reports the bytes read through it.
type counter struct {
	r     io.Reader
	count func(n int64)
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.count(int64(n))
	return n, err
}
