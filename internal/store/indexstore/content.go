package indexstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"razao/index/folder"
	"razao/internal/web/fetch"
)

// contentError reports content that does not match its checksum, or ended early.
type contentError struct {
	want folder.File
	size int64
	sum  string // "" when it ended early
}

func (e *contentError) Error() string {
	if e.sum == "" {
		return fmt.Sprintf("expected %d bytes, %d came", e.want.Bytes, e.size)
	}
	return fmt.Sprintf("expected %d bytes with SHA-256 %s, %d came with %s", e.want.Bytes, e.want.SHA256, e.size, e.sum)
}

// digest is a running checksum and length of the bytes written to it.
type digest struct {
	hash hash.Hash
	size int64
}

func newDigest() *digest { return &digest{hash: sha256.New()} }

// Write implements io.Writer.
func (d *digest) Write(p []byte) (int, error) {
	d.size += int64(len(p))
	return d.hash.Write(p)
}

func (d *digest) reset() {
	d.hash.Reset()
	d.size = 0
}

func (d *digest) sum() string { return hex.EncodeToString(d.hash.Sum(nil)) }

// verdict returns a *contentError unless the bytes so far are exactly the wanted file.
func (d *digest) verdict(want folder.File) error {
	if d.size != want.Bytes || d.sum() != want.SHA256 {
		return &contentError{want, d.size, d.sum()}
	}
	return nil
}

// verifyingReader is a reader that verifies the file while it is uploaded. On a mismatch it returns a
// *contentError instead of the last bytes, so the other side never has a complete file: nothing
// false is stored under a checksum, even if the file changes during the upload.
type verifyingReader struct {
	from io.ReadSeeker
	want folder.File
	got  *digest
	step func() // called after each read, for the watchdog
}

// Read implements io.Reader.
func (c *verifyingReader) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	_, _ = c.got.Write(p[:n])
	c.step()
	// A sender that knows the size may stop reading before EOF.
	if errors.Is(err, io.EOF) || err == nil && c.got.size >= c.want.Bytes {
		if wrong := c.got.verdict(c.want); wrong != nil {
			return 0, wrong // withhold the last bytes
		}
	}
	return n, err
}

// Seek implements io.Seeker, to the beginning only: that is what a retry needs.
func (c *verifyingReader) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekStart {
		return 0, errors.New("a file that is checked is read from its beginning")
	}
	c.got.reset()
	return c.from.Seek(0, io.SeekStart)
}

// isContent reports whether a local file has the size and checksum of want. Any error counts as no.
func isContent(ctx context.Context, path string, want folder.File) bool {
	got, err := describe(ctx, path, want.Path)
	return err == nil && got == want
}

// describe returns size and checksum of the local file on, as the entry for path.
func describe(ctx context.Context, on, path string) (folder.File, error) {
	file, err := os.Open(on)
	if err != nil {
		return folder.File{}, err
	}
	defer func() { _ = file.Close() }()
	d := newDigest()
	_, err = io.Copy(d, fetch.Reader(ctx, file))
	return folder.File{Path: path, Bytes: d.size, SHA256: d.sum()}, err
}
