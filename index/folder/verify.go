package folder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
)

// Verify reads every file, compares it with its checksum and refreshes the cache of VerifyOnce. All
// files are read even when one fails; a mismatch is ErrDamaged, and the end of ctx its error.
func (m *Manifest) Verify(ctx context.Context, dir string) error { return m.verify(ctx, dir, nil) }

// VerifyOnce is Verify, but skips files that passed before and have the same device, inode, size
// and modification time since. Successes are cached in the folder itself, failures never; in a
// read-only folder everything is read each time. Forget clears the cache.
func (m *Manifest) VerifyOnce(ctx context.Context, dir string) error {
	return m.verify(ctx, dir, readVerified(dir))
}

// verify checks all files; before has the identities of those that need not be read.
func (m *Manifest) verify(ctx context.Context, dir string, before verifiedFiles) error {
	now := verifiedFiles{}
	var mu sync.Mutex
	err := m.eachFile(func(f *File) error {
		entry, err := f.verify(ctx, dir, before[f.Path])
		if entry != "" {
			mu.Lock()
			defer mu.Unlock()
			now[f.Path] = entry
		}
		return err
	})
	if !maps.Equal(before, now) {
		_ = now.write(dir) // best effort: without the cache every file is read again
	}
	return err
}

// verify checks one file, unless its identity is still before. It returns the identity to remember,
// "" for none: the file failed, was modified while it was read, or so recently that a second
// modification might go unnoticed: see minSettledAge.
func (f *File) verify(ctx context.Context, dir, before string) (string, error) {
	path := f.in(dir)
	identity, settled, err := f.identity(path)
	if err != nil {
		return "", fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	if before != "" && before == identity {
		return before, nil
	}
	size, sum, err := hashFile(ctx, path)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", fmt.Errorf("%w (%w)", ErrDamaged, err)
	case size != f.Bytes:
		return "", fmt.Errorf("%w (%s has %d bytes instead of %d)", ErrDamaged, f.Path, size, f.Bytes)
	case sum != f.SHA256:
		return "", fmt.Errorf("%w (the content of %s has changed)", ErrDamaged, f.Path)
	}
	if after, _, err := f.identity(path); !settled || err != nil || after != identity {
		return "", nil
	}
	return identity, nil
}

// Stat returns the os.Stat results of the listed files by path; missing files have no entry.
// Comparing two results tells cheaply whether an index in service has been touched.
func (m *Manifest) Stat(dir string) map[string]fs.FileInfo {
	all := make(map[string]fs.FileInfo, len(m.Files))
	for _, f := range m.Files {
		if info, err := os.Stat(f.in(dir)); err == nil {
			all[f.Path] = info
		}
	}
	return all
}

// minSettledAge is the minimum age of a modification for its file to be remembered. Two
// modifications within one tick of the file system's clock have the same time, so the second would
// go unnoticed.
const minSettledAge = 2 * time.Second

// identity identifies the content of a file for VerifyOnce: device, inode, size, modification time
// and the checksum that it should have. settled reports whether
// the modification is old enough to be trusted.
func (f *File) identity(path string) (identity string, settled bool, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", false, err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok { // device and inode tell a file from another one renamed to its path
		identity = fmt.Sprintf("%d:%d %d %d %s", stat.Dev, stat.Ino, info.Size(), info.ModTime().UnixNano(), f.SHA256)
	}
	return identity, time.Since(info.ModTime()) > minSettledAge, nil
}

// filesAtOnce is the number of files that are read concurrently; more than four gain nothing on one
// disk.
func filesAtOnce() int { return min(runtime.GOMAXPROCS(0), 4) }

// eachFile calls do for every file, several concurrently. A failure does not stop the others, so
// that VerifyOnce remembers as much as possible. It returns the first error in the order of the
// manifest.
func (m *Manifest) eachFile(do func(*File) error) error {
	errs := make([]error, len(m.Files))
	var g errgroup.Group
	g.SetLimit(filesAtOnce())
	for i := range m.Files {
		g.Go(func() error {
			errs[i] = do(&m.Files[i])
			return nil
		})
	}
	_ = g.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// hashFile returns size and SHA-256 of a file, or ctx.Err() when ctx ends meanwhile.
func hashFile(ctx context.Context, path string) (size int64, sum string, err error) {
	h := sha256.New()
	size, err = readThrough(ctx, path, math.MaxInt64, h)
	return size, hex.EncodeToString(h.Sum(nil)), err
}

// verifiedName is the cache of VerifyOnce in an index folder. It is not part of the index.
const verifiedName = ".verified.json"

// verifiedFiles maps paths to the identities of verified files.
type verifiedFiles map[string]string

// readVerified returns the cache of a folder, nil when it is missing or unreadable.
func readVerified(dir string) verifiedFiles {
	var v verifiedFiles
	body, err := os.ReadFile(filepath.Join(dir, verifiedName))
	if err != nil || json.Unmarshal(body, &v) != nil {
		return nil
	}
	return v
}

// write replaces the cache atomically: several processes may verify the same index.
func (v verifiedFiles) write(dir string) error {
	body, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, verifiedName+".*")
	if err != nil {
		return err
	}
	_, err = file.Write(body)
	if err := errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return os.Rename(file.Name(), filepath.Join(dir, verifiedName))
}

// Forget removes the cache of a folder, so that the next VerifyOnce reads everything. A missing
// cache is no error.
func Forget(dir string) error {
	if err := os.Remove(filepath.Join(dir, verifiedName)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
