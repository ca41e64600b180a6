package receita

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zip"

	"razao/internal/record"
)

// source is an opened file of a release.
type source struct {
	file  *File
	size  int64 // of the CSV
	bytes int64 // of the file as published
	open  func() (io.ReadCloser, error)
	close func() error
}

// openSource opens a zip and checks its one member, or an extracted member.
func openSource(f *File, month string) (*source, error) {
	info, err := os.Stat(f.Path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	if !strings.EqualFold(filepath.Ext(f.Path), ".zip") {
		return &source{
			file: f, size: info.Size(), bytes: info.Size(),
			open:  func() (io.ReadCloser, error) { return os.Open(f.Path) },
			close: func() error { return nil },
		}, checkMember(f, filepath.Base(f.Path), month)
	}
	archive, err := zip.OpenReader(f.Path)
	if err != nil {
		return nil, fmt.Errorf("%s is not a whole zip file (%w): download it again", f.Path, err)
	}
	if len(archive.File) != 1 {
		_ = archive.Close()
		return nil, fmt.Errorf("%s has %d members, 1 is expected", f.Path, len(archive.File))
	}
	member := archive.File[0]
	if err := checkMember(f, member.Name, month); err != nil {
		_ = archive.Close()
		return nil, err
	}
	return &source{file: f, size: int64(member.UncompressedSize64), bytes: info.Size(), open: member.Open, close: archive.Close}, nil
}

// readError says what to do about a file that cannot be read to its end.
func readError(f *File, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, zip.ErrChecksum) || errors.Is(err, zip.ErrFormat) {
		return fmt.Errorf("%s is damaged (%w): download it again", f.Path, err)
	}
	return fmt.Errorf("read %s: %w", f.Path, err)
}

// fingerprint returns name, size and checksum of a file as published.
func fingerprint(f *File) (record.SourceFile, error) {
	r, err := os.Open(f.Path)
	if err != nil {
		return record.SourceFile{}, fmt.Errorf("read %s: %w", f.Path, err)
	}
	defer func() { _ = r.Close() }()
	h := sha256.New()
	n, err := io.Copy(h, r)
	if err != nil {
		return record.SourceFile{}, fmt.Errorf("read %s: %w", f.Path, err)
	}
	return record.SourceFile{Nome: filepath.Base(f.Path), Bytes: n, SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}
