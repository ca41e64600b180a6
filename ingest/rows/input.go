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
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"

	"razao/internal/record"
)

// InventedMark is the name of the file that lies beside invented data. It is never one of an input's files.
const InventedMark = "DADOS-FICTICIOS.txt"

// Input is what a loader reads: the files that an operator pointed to.
type Input struct {
	// From is what the operator named.
	From string
	// Files are all the files found, those inside zips by their own names, ordered by name. Hidden files and the mark
	// of invented data are left out; there is at least one file.
	Files []*File
	// Period is the operator's, "" when there is none; it overrides what names and contents say.
	Period string
	// Invented is true when the files lie beside the mark of invented data.
	Invented bool
	// Workers is how many goroutines may parse at once, at least 1.
	Workers int
	// Scratch is a folder for temporary files; it exists and is deleted after the load. Files that were fetched lie in
	// it.
	Scratch string

	size   int64 // of all Files
	outers []*outer
}

// File is one file to read, or one member of a zip.
type File struct {
	Name  string // without folders
	Path  string // of the file or at its address; a member's lies below its zip's. Folders and zips may name a period
	Size  int64  // bytes when open, a .gz included as it is
	Index int    // its position in Input.Files

	in    *Input
	outer *outer
	bytes func() (io.ReadCloser, error) // as they are, a .gz packed
}

// outer is a file as it was published: a zip, or a file that is read itself.
type outer struct {
	path   string
	opened atomic.Bool // it, or a member of it
	close  func() error
}

// FindOptions are what Find is told besides where to look.
type FindOptions struct {
	Period   string       // handed on as Input.Period
	Workers  int          // handed on as Input.Workers; less than 1 means 1
	Client   *http.Client // fetches addresses; nil: one that gives up on a server that is silent for long
	MaxBytes int64        // a larger file is not fetched; 0: 16 GiB
	Log      *slog.Logger // tells of addresses that are fetched; nil: nobody
}

// NewInput returns an input without files; Add adds them. Close it when done.
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

// Find opens what an operator named: a folder (its files, and those in zips in it, not deeper folders), a file or a zip,
// or an http(s) address, which is fetched into scratch first. Nothing is said yet about whether the files fit a source.
// Close the input when done.
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
	slices.SortStableFunc(in.Files, func(a, b *File) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path))
	})
	for i, f := range in.Files {
		f.Index = i
		in.size += f.Size
	}
	return in, nil
}

func (in *Input) find(ctx context.Context, o FindOptions) error {
	if isAddress(in.From) {
		path, err := newFetcher(o).fetch(ctx, in.From, in.Scratch)
		if err != nil {
			return fmt.Errorf("fetch %s: %w", in.From, err)
		}
		return in.add(path, in.From)
	}
	from, err := filepath.Abs(in.From) // names of folders above it may say something too
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

func (in *Input) addFolder(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("files to read: %w", err)
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		info, err := os.Stat(path) // of what a link points to
		switch {
		case e.Name() == InventedMark:
			in.Invented = true
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

// add takes a file, or the members of a zip. label is its path for people.
func (in *Input) add(path, label string) error {
	o := &outer{path: path}
	zipped, size, err := sniff(path)
	if err != nil {
		return err
	}
	if zipped {
		return in.addMembers(o, label)
	}
	in.outers = append(in.outers, o)
	in.Files = append(in.Files, &File{
		Name: filepath.Base(path), Path: label, Size: size, in: in, outer: o,
		bytes: func() (io.ReadCloser, error) { return os.Open(path) },
	})
	return nil
}

// Close closes open zips.
func (in *Input) Close() error {
	var errs []error
	for _, o := range in.outers {
		if o.close != nil {
			errs = append(errs, o.close())
		}
	}
	return errors.Join(errs...)
}

// Published returns the files as they were published, a zip as one file, with their checksums, in the order of their
// names: those that were opened. It reads them once more.
func (in *Input) Published(ctx context.Context) ([]record.SourceFile, error) {
	files := []record.SourceFile{}
	for _, o := range in.outers {
		if !o.opened.Load() {
			continue
		}
		f, err := fingerprint(ctx, o.path)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	slices.SortStableFunc(files, func(a, b record.SourceFile) int { return cmp.Compare(a.Nome, b.Nome) })
	return files, nil
}

// OneTable returns the one CSV file of the input. Several are several periods, and which one is meant is not for a loader
// to guess. expected says what the operator should name.
func (in *Input) OneTable(expected string) (*File, error) {
	var names []string
	var table *File
	for _, f := range in.Files {
		if name := strings.ToLower(f.Name); strings.HasSuffix(name, ".csv") || strings.HasSuffix(name, ".csv.gz") {
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

// NoFile is the error of an input without any file of a source: it says which names are expected and which were found.
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

// Published returns the file as it was published, a member's zip, with its checksum. It reads it once more.
func (f *File) Published(ctx context.Context) (record.SourceFile, error) {
	return fingerprint(ctx, f.outer.path)
}

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
		m, err = io.CopyN(h, r, 64<<20) // in pieces, so that it can be stopped
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

// Open returns the bytes of the file; a .gz is unpacked. Errors, also those of reading, say which file and, of a damaged
// one, to fetch it again. A loader that does not read by Table opens with Output.Open, which also tells the progress.
func (f *File) Open() (io.ReadCloser, error) { return f.open(func(int64) {}) }

// open is Open; count is told of bytes as they are counted in Size.
func (f *File) open(count func(n int64)) (io.ReadCloser, error) {
	raw, err := f.bytes()
	if err != nil {
		return nil, f.readError(err)
	}
	f.outer.opened.Store(true)
	const buffer = 64 << 10
	r := &reader{file: f, raw: raw}
	br := bufio.NewReaderSize(&counter{raw, count}, buffer)
	r.data = br
	magic, err := br.Peek(2)
	if err == nil && string(magic) == "\x1f\x8b" {
		r.data, err = gzip.NewReader(br)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		_ = raw.Close()
		return nil, f.readError(err)
	}
	return r, nil
}

// reader reads a file and explains what goes wrong.
type reader struct {
	file *File
	data io.Reader
	raw  io.Closer
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.data.Read(p)
	if err == nil || err == io.EOF { // not io.ErrUnexpectedEOF, which says that the file is cut short
		return n, err
	}
	return n, r.file.readError(err)
}

// Close implements io.Closer.
func (r *reader) Close() error { return r.raw.Close() }

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
