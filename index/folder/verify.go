package folder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Verify compares the content of every file with its checksum. The error of a change is ErrDamaged.
func (m *Manifest) Verify(ctx context.Context, dir string) error { return m.verify(ctx, dir, nil) }

// VerifyOnce is Verify without reading again what was read before: a file that has the inode, the size and the time of its
// last change that it had then. What is not as it should be is never remembered, nor is anything when the folder cannot be
// written.
func (m *Manifest) VerifyOnce(ctx context.Context, dir string) error {
	return m.verify(ctx, dir, readVerified(dir))
}

func (m *Manifest) verify(ctx context.Context, dir string, before verified) error {
	now := verified{}
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
		_ = now.write(dir) // a folder that cannot be written is verified each time
	}
	return err
}

// verify compares a file with its checksum, unless before says that this was done. It returns what to remember, "" for
// nothing.
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

// Stat describes the files that are there, by path.
func (m *Manifest) Stat(dir string) map[string]fs.FileInfo {
	all := make(map[string]fs.FileInfo, len(m.Files))
	for _, f := range m.Files {
		if info, err := os.Stat(f.in(dir)); err == nil {
			all[f.Path] = info
		}
	}
	return all
}

// settling is how long a file must have been left alone to be remembered: a second change at the same tick of the file
// system's clock would not be seen.
const settling = 2 * time.Second

// identity describes the file that has the checksum when its content is verified, "" where files have no number.
func (f *File) identity(path string) (identity string, settled bool, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", false, err
	}
	if number := fileNumber(info); number != "" {
		identity = fmt.Sprintf("%s %d %d %s", number, info.Size(), info.ModTime().UnixNano(), f.SHA256)
	}
	return identity, time.Since(info.ModTime()) > settling, nil
}

// filesAtOnce is how many files are read at the same time.
func filesAtOnce() int { return min(runtime.GOMAXPROCS(0), 4) }

// eachFile calls do for the files, several at once. One that fails does not keep the others from being read: what is known
// of them makes the next attempt short. The error is that of the first in the manifest's order.
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

func hashFile(ctx context.Context, path string) (size int64, sum string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer file.Close()
	h := sha256.New()
	for buf := make([]byte, 1<<20); ctx.Err() == nil; {
		n, err := file.Read(buf)
		_, _ = h.Write(buf[:n]) // a hash takes everything
		size += int64(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return size, "", err
		}
	}
	return size, hex.EncodeToString(h.Sum(nil)), ctx.Err()
}

// verifiedName is the file in an index folder that remembers what was verified. It is no part of the index.
const verifiedName = ".verified.json"

// verified are the identities of the verified files by their paths.
type verified map[string]string

func readVerified(dir string) verified {
	var v verified
	body, err := os.ReadFile(filepath.Join(dir, verifiedName))
	if err != nil || json.Unmarshal(body, &v) != nil {
		return nil
	}
	return v
}

// write replaces the file at once: several processes may do so.
func (v verified) write(dir string) error {
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

// Forget makes the next VerifyOnce of a folder read everything.
func Forget(dir string) error {
	if err := os.Remove(filepath.Join(dir, verifiedName)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
