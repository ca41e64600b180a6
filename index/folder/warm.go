package folder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxWarmBytes bounds how much Warm reads: what a small machine can cache beside PostgreSQL.
const maxWarmBytes = 2 << 30

// Warm fills the page cache with the files of an index, shards first and most important documents
// first, up to 2 GiB, so that the first queries do not wait for the disk. It returns ctx.Err(),
// wrapped, when ctx ends.
func (m *Manifest) Warm(ctx context.Context, dir string) error {
	left := int64(maxWarmBytes)
	for _, ofShard := range [...]bool{true, false} {
		for _, f := range m.Files {
			if f.ofShard() != ofShard || left <= 0 {
				continue
			}
			read, err := readThrough(ctx, f.in(dir), left, io.Discard)
			if err != nil {
				return fmt.Errorf("warming the index: %w", err)
			}
			left -= read
		}
	}
	return nil
}

// readThrough copies at least limit bytes of a file, or all of it, to w, a hash or io.Discard: neither
// fails. It returns ctx.Err() when ctx ends meanwhile.
func readThrough(ctx context.Context, path string, limit int64, w io.Writer) (int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	var read int64
	buf := make([]byte, 64<<10)
	for read < limit {
		if err := ctx.Err(); err != nil {
			return read, err
		}
		n, err := file.Read(buf)
		read += int64(n)
		_, _ = w.Write(buf[:n])
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return read, err
		}
	}
	return read, nil
}
