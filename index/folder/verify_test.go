package folder

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// sound makes a folder of two intact files, last modified an hour ago, with its manifest.
func sound(t *testing.T) (dir string, m Manifest) {
	t.Helper()
	dir = t.TempDir()
	for name, body := range map[string]string{"one": "first file", filepath.Join("shard", "two"): "second file"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		overwrite(t, filepath.Join(dir, name), body, hourAgo)
	}
	m.Format = Format
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir, m
}

var hourAgo = time.Now().Add(-time.Hour).Truncate(time.Second)

// overwrite changes a file in place and sets its modification time.
func overwrite(t *testing.T, path, body string, changed time.Time) {
	t.Helper()
	if err := errors.Join(os.WriteFile(path, []byte(body), 0o600), os.Chtimes(path, changed, changed)); err != nil {
		t.Fatal(err)
	}
}

// expect fails unless VerifyOnce reports the folder as whole or damaged, as wanted.
func expect(t *testing.T, m *Manifest, dir string, want error) {
	t.Helper()
	if err := m.VerifyOnce(t.Context(), dir); !errors.Is(err, want) {
		t.Errorf("VerifyOnce: %v, want %v", err, want)
	}
}

// TestVerifiedFilesAreNotReadAgain alters a file without changing its identity: only a reader can
// notice.
func TestVerifiedFilesAreNotReadAgain(t *testing.T) {
	t.Parallel()
	dir, m := sound(t)
	expect(t, &m, dir, nil)
	overwrite(t, filepath.Join(dir, "one"), "fIrst file", hourAgo)
	expect(t, &m, dir, nil)
	if err := m.Verify(t.Context(), dir); !errors.Is(err, ErrDamaged) {
		t.Errorf("Verify: %v", err)
	}
	expect(t, &m, dir, ErrDamaged) // Verify remembers the other file only
	overwrite(t, filepath.Join(dir, "one"), "first file", hourAgo)
	expect(t, &m, dir, nil)

	overwrite(t, filepath.Join(dir, "shard", "two"), "secOnd file", hourAgo)
	expect(t, &m, dir, nil)
	if err := Forget(dir); err != nil {
		t.Fatal(err)
	}
	expect(t, &m, dir, ErrDamaged)
	if err := Forget(dir); err != nil {
		t.Errorf("nothing to forget: %v", err)
	}
}

// TestChangedFilesAreReadAgain tells files by inode, size and time.
func TestChangedFilesAreReadAgain(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, path string){
		"later": func(t *testing.T, path string) { overwrite(t, path, "fIrst file", hourAgo.Add(time.Nanosecond)) },
		"as old, of another inode": func(t *testing.T, path string) {
			overwrite(t, path+".new", "fIrst file", hourAgo)
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
		},
		"longer": func(t *testing.T, path string) { overwrite(t, path, "first file.", hourAgo) },
		"gone":   func(t *testing.T, path string) { _ = os.Remove(path) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, m := sound(t)
			expect(t, &m, dir, nil)
			change(t, filepath.Join(dir, "one"))
			expect(t, &m, dir, ErrDamaged)
		})
	}
}

// TestFreshFilesAreNotRemembered alters a file within a tick of the file system's clock.
func TestFreshFilesAreNotRemembered(t *testing.T) {
	t.Parallel()
	dir, m := sound(t)
	now := time.Now()
	overwrite(t, filepath.Join(dir, "one"), "first file", now)
	expect(t, &m, dir, nil)
	overwrite(t, filepath.Join(dir, "one"), "fIrst file", now)
	expect(t, &m, dir, ErrDamaged)
}

func TestAFolderThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir, m := sound(t)
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	expect(t, &m, dir, nil)
	overwrite(t, filepath.Join(dir, "one"), "fIrst file", hourAgo.Add(time.Minute))
	expect(t, &m, dir, ErrDamaged)
}

func TestVerifyEndsWithItsContext(t *testing.T) {
	t.Parallel()
	dir, m := sound(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := m.VerifyOnce(ctx, dir); !errors.Is(err, context.Canceled) || errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

// TestTheManifestHasAChecksum flips every bit of a manifest.
func TestTheManifestHasAChecksum(t *testing.T) {
	t.Parallel()
	dir, _ := sound(t)
	path := filepath.Join(dir, ManifestName)
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 * len(body) {
		body[i/8] ^= 1 << (i % 8)
		overwrite(t, path, string(body), hourAgo)
		if _, err := Read(dir); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrFormat) {
			t.Errorf("bit %d of byte %d (%q): %v", i%8, i/8, body[max(i/8-8, 0):min(i/8+8, len(body))], err)
		}
		body[i/8] ^= 1 << (i % 8)
	}
	overwrite(t, path, string(body), hourAgo)
	if _, err := Read(dir); err != nil {
		t.Errorf("as it was: %v", err)
	}
}
