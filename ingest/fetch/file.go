package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zip"
)

// ErrDamaged says that a file arrived in full but is not intact.
var ErrDamaged = errors.New("it is not a whole zip file")

// CheckZip decompresses all members of a zip, so that their CRC-32 sums are compared. A broken zip
// is a [*Trouble] that wraps [ErrDamaged] and may be retried; an error of the local file system or
// of ctx is returned as it is.
func CheckZip(ctx context.Context, r io.ReaderAt, size int64) error {
	err := readZip(ctx, r, size)
	var local *fs.PathError
	if err == nil || ctx.Err() != nil || errors.As(err, &local) {
		return err
	}
	return Passing("%w (%w)", ErrDamaged, err)
}

// readZip is CheckZip without the classification of errors.
func readZip(ctx context.Context, r io.ReaderAt, size int64) error {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return err
	}
	if len(archive.File) == 0 {
		return errors.New("it has no members")
	}
	for _, member := range archive.File {
		if err := readMember(ctx, member); err != nil {
			return fmt.Errorf("%s: %w", member.Name, err)
		}
	}
	return nil
}

func readMember(ctx context.Context, member *zip.File) error {
	m, err := member.Open()
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }()
	_, err = io.Copy(io.Discard, Reader(ctx, m))
	return err
}

// SaveManifest replaces the file at path with v as indented JSON. It writes a temporary file, syncs
// it and renames it, so a crash leaves the old or the new manifest, never part of one.
func SaveManifest(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("manifest of the download: %w", err)
	}
	if err := writeSynced(path+".new", append(text, '\n')); err != nil {
		return fmt.Errorf("manifest of the download: %w", err)
	}
	return os.Rename(path+".new", path)
}

// writeSynced writes a file and flushes it to disk.
func writeSynced(path string, text []byte) error {
	w, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return errors.Join(err, w.Sync(), w.Close())
}
