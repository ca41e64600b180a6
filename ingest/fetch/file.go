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

// ErrDamaged says that a file has arrived, but not as it should be.
var ErrDamaged = errors.New("it is not a whole zip file")

// CheckZip reads all members of a zip to their ends, so that their checksums are compared. What is wrong with the zip is
// ErrDamaged, and trouble that another attempt may cure; what is wrong with our disk is not.
func CheckZip(ctx context.Context, r io.ReaderAt, size int64) error {
	err := readZip(ctx, r, size)
	var local *fs.PathError
	if err == nil || ctx.Err() != nil || errors.As(err, &local) {
		return err
	}
	return Passing("%w (%w)", ErrDamaged, err)
}

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

// SaveManifest replaces the file at path by v as JSON, whole or not at all.
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

func writeSynced(path string, text []byte) error {
	w, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return errors.Join(err, w.Sync(), w.Close())
}
