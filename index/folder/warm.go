package folder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// maxWarmBytes bounds how much Warm reads: what a machine of 8 GB can cache beside the record
// store.
const maxWarmBytes = 2 << 30

// Warm fills the page cache with the files of an index, shards first and most important documents
// first, up to 2 GiB, so that the first queries do not wait for the disk. It returns ctx.Err(),
// wrapped, when ctx ends.
func (m *Manifest) Warm(ctx context.Context, dir string) error {
	left := int64(maxWarmBytes)
	files := slices.Clone(m.Files)
	slices.SortStableFunc(files, func(a, b File) int {
		switch {
		case a.OfShard() == b.OfShard():
			return 0
		case a.OfShard():
			return -1
		}
		return 1
	})
	for _, f := range files {
		read, err := readThrough(ctx, f.in(dir), left)
		if err != nil {
			return fmt.Errorf("warming the index: %w", err)
		}
		if left -= read; left <= 0 {
			break
		}
	}
	return nil
}

// readThrough reads at least limit bytes of a file, or all of it, and discards them.
func readThrough(ctx context.Context, path string, limit int64) (int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	var read int64
	buf := make([]byte, 1<<20)
	for read < limit {
		if err := ctx.Err(); err != nil {
			return read, err
		}
		n, err := file.Read(buf)
		read += int64(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return read, err
		}
	}
	return read, nil
}
