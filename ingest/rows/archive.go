package rows

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zip"

	"razao/ingest/download"
)

// sniff reports whether a file is a zip, by its magic bytes whatever its name, and its size. Office
// documents are zips too, and are not unpacked. A file named .zip that is none is an error, because
// the publisher's server probably sent an error page.
func sniff(name string) (zipped bool, size int64, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return false, 0, fmt.Errorf("files to read: %w", err)
	}
	if !info.Mode().IsRegular() { // opening a FIFO waits for who writes to it, and holds the lock for loading
		return false, 0, fmt.Errorf("files to read: %s is no regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return false, 0, fmt.Errorf("files to read: %w", err)
	}
	defer func() { _ = f.Close() }()
	var head [4]byte
	n, err := io.ReadFull(f, head[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, 0, fmt.Errorf("files to read: %w", err)
	}
	ext := strings.ToLower(filepath.Ext(name))
	office := slices.Contains([]string{".xlsx", ".ods", ".docx", ".odt"}, ext)
	zipped = string(head[:n]) == "PK\x03\x04" && !office
	if ext == ".zip" && !zipped {
		return false, 0, fmt.Errorf("%s is no zip file, or holds nothing: fetch it again", name)
	}
	return zipped, info.Size(), nil
}

// addMembers adds the files inside a zip, and keeps the zip open until in is closed. Members are
// known by their base names only, so a path in the archive (path traversal) never becomes a path on
// disk. An encrypted member is an error, as is an archive that [download.OpenZip] refuses.
func (in *Input) addMembers(p *publishedFile, label string) error {
	file, err := os.Open(p.path)
	if err != nil {
		return fmt.Errorf("files to read: %w", err)
	}
	p.close = file.Close
	in.published = append(in.published, p)
	archive, err := download.OpenZip(file, p.size)
	switch {
	case errors.Is(err, download.ErrBomb):
		return fmt.Errorf("%s is %w", label, err)
	case err != nil:
		return fmt.Errorf("%s is not a whole zip file (%w): fetch it again", label, err)
	}
	for _, m := range archive.File {
		name := path.Base(strings.ReplaceAll(m.Name, `\`, "/"))
		switch {
		case m.FileInfo().IsDir(), strings.HasPrefix(name, "."), strings.HasPrefix(m.Name, "__MACOSX/"):
			continue
		case name == InventedMark:
			in.Invented = true
			continue
		}
		const encrypted = 1
		if m.Flags&encrypted != 0 {
			return fmt.Errorf("%s in %s is encrypted: unpack it first", name, label)
		}
		in.Files = append(in.Files, &File{
			Name: name, Path: label + "/" + m.Name, Size: int64(m.UncompressedSize64), in: in, published: p, bytes: m.Open,
		})
	}
	return nil
}

// readError adds to an error of reading the file what an operator can do about it.
func (f *File) readError(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, download.ErrBomb):
		return fmt.Errorf("%s is %w", f.Path, err)
	case errors.Is(err, zip.ErrAlgorithm):
		return fmt.Errorf("%s is packed in an unknown way (%w): unpack it first", f.Path, err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat),
		errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		return fmt.Errorf("%s is damaged (%w): fetch it again", f.Path, err)
	}
	return fmt.Errorf("read %s: %w", f.Path, err)
}
