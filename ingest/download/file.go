package download

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zip"

	"razao/internal/web/fetch"
)

// errDamaged says that a file arrived in full but is not intact.
var errDamaged = errors.New("it is not a whole zip file")

// checkZip decompresses all members of a zip, so that their CRC-32 sums are compared. progress is called with
// of the bytes. A broken zip is a *fetch.Trouble that wraps errDamaged and may be retried, one that
// [OpenZip] refuses wraps ErrBomb and may not; an error of the local file system or of ctx is returned
// as it is.
func checkZip(ctx context.Context, r io.ReaderAt, size int64, progress func(done, total int64)) error {
	err := readZip(ctx, r, size, progress)
	var local *fs.PathError
	switch {
	case err == nil, ctx.Err() != nil, errors.As(err, &local):
		return err
	case errors.Is(err, ErrBomb):
		return &fetch.Trouble{Err: fmt.Errorf("%w: %w", ErrBroken, err)}
	}
	return fetch.Passing("%w (%w)", errDamaged, err)
}

// readZip is checkZip without the classification of errors.
func readZip(ctx context.Context, r io.ReaderAt, size int64, progress func(done, total int64)) error {
	archive, err := OpenZip(r, size)
	if err != nil {
		return err
	}
	if len(archive.File) == 0 {
		return errors.New("it has no members")
	}
	var done, total int64
	for _, member := range archive.File {
		total += int64(member.UncompressedSize64)
	}
	for _, member := range archive.File {
		if err := readMember(ctx, member, func(n int64) { done += n; progress(done, total) }); err != nil {
			return fmt.Errorf("%s: %w", member.Name, err)
		}
	}
	return nil
}

func readMember(ctx context.Context, member *zip.File, count func(n int64)) error {
	m, err := member.Open()
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }()
	const step = 64 << 20 // bytes between reports of progress
	for r := fetch.Reader(ctx, m); err == nil; {
		var n int64
		n, err = io.CopyN(io.Discard, r, step)
		count(n)
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// MixedMark is the name of the hidden file that marks a folder while the files of one edition are
// replaced with those of another. After a crash it tells that the folder may hold some of each.
const MixedMark = ".download.mixed"

// mark writes the MixedMark of a folder to disk before it returns.
func mark(folder string) error {
	if err := writeSynced(filepath.Join(folder, MixedMark), nil); err != nil {
		return fmt.Errorf("mark of the download: %w", err)
	}
	return syncFolder(folder)
}

// unmark removes the mark again.
func unmark(folder string) error {
	if err := os.Remove(filepath.Join(folder, MixedMark)); err != nil {
		return fmt.Errorf("mark of the download: %w", err)
	}
	return syncFolder(folder)
}

// marked reports whether a folder has the mark.
func marked(folder string) (bool, error) {
	_, err := os.Stat(filepath.Join(folder, MixedMark))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// saveManifest replaces the file at path with v as indented JSON. It writes a temporary file, syncs
// it, renames it and syncs the folder, so a crash leaves the old or the new manifest, never part of
// one; after saveManifest, the new one. Earlier renames in the folder are durable then too.
func saveManifest(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("manifest of the download: %w", err)
	}
	if err := writeSynced(path+".new", append(text, '\n')); err != nil {
		return fmt.Errorf("manifest of the download: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("manifest of the download: %w", err)
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder flushes the entries of a folder to disk.
func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
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
