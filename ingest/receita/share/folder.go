package share

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"razao/internal/web/fetch"
)

const manifestName = "manifest.json"

// folder is the target of a download with its manifest. It is safe for concurrent use.
type folder struct {
	dir string

	mu       sync.Mutex // guards manifest
	manifest manifest
}

// manifest says which versions the files and parts of the folder are.
type manifest struct {
	Month string             `json:"month"`
	Files map[string]listing `json:"files"`
}

// listing is what the share listed when the download of a file began.
type listing struct {
	Bytes    int64     `json:"bytes"`
	ETag     string    `json:"etag"`
	Modified time.Time `json:"modified,omitzero"`
	SHA256   string    `json:"sha256,omitempty"` // "": not verified yet
}

// of reports whether the entry is of this version of the file.
func (r listing) of(file File) bool { return r.Bytes == file.Bytes && r.ETag == file.ETag }

// openFolder creates a folder or reads its manifest. A folder of another month is an error, because
// all months use the same names.
func openFolder(dir, month string) (*folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("folder for %s: %w", month, err)
	}
	f := &folder{dir: dir}
	return f, f.read(month)
}

// read reads the manifest; a missing one is empty.
func (f *folder) read(month string) error {
	f.manifest = manifest{Month: month, Files: map[string]listing{}}
	path := filepath.Join(f.dir, manifestName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("manifest of the download: %w", err)
	}
	var stored manifest
	if err := json.Unmarshal(data, &stored); err != nil {
		return fmt.Errorf("%s cannot be read (%w): delete it to download everything again", path, err)
	}
	if stored.Month != month {
		return fmt.Errorf("%s holds the release of %q: download %s into a folder of its own", f.dir, stored.Month, month)
	}
	if stored.Files != nil {
		f.manifest = stored
	}
	return nil
}

func (f *folder) path(file File) string { return filepath.Join(f.dir, file.Name) }
func (f *folder) part(file File) string { return f.path(file) + ".part" }

// url returns the address of a file below base.
func (f *folder) url(base *url.URL, file File) string {
	return base.JoinPath(f.manifest.Month, file.Name).String()
}

// held returns how many bytes of a file have arrived.
func (f *folder) held(file File) int64 {
	info, err := os.Stat(f.part(file))
	if err != nil {
		return 0
	}
	return info.Size()
}

// holds reports whether a file is complete, verified and the version that the share lists.
func (f *folder) holds(file File) bool {
	f.mu.Lock()
	r := f.manifest.Files[file.Name]
	f.mu.Unlock()
	info, err := os.Stat(f.path(file))
	return err == nil && r.SHA256 != "" && r.of(file) && info.Size() == file.Bytes
}

// begin prepares the download of a listed file and returns how many bytes of it have arrived. Bytes
// of another version are deleted before the manifest names the new one, so a crash cannot mix them.
func (f *folder) begin(file File) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.manifest.Files[file.Name].of(file) {
		return f.held(file), nil
	}
	for _, path := range []string{f.part(file), f.path(file)} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
	}
	return 0, f.save(file, "")
}

// finish records the checksum of a verified part and renames it. A crash in between leaves a
// complete part, which the next run verifies again.
func (f *folder) finish(file File, sum string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.save(file, sum); err != nil {
		return err
	}
	return os.Rename(f.part(file), f.path(file))
}

// save sets an entry and replaces the manifest atomically. The caller holds mu.
func (f *folder) save(file File, sum string) error {
	f.manifest.Files[file.Name] = listing{Bytes: file.Bytes, ETag: file.ETag, Modified: file.Modified, SHA256: sum}
	return fetch.SaveManifest(filepath.Join(f.dir, manifestName), f.manifest)
}

// verify reads a zip in full, compares the checksums of its members and returns its SHA-256 in
// hexadecimal. A damaged zip is fetch.ErrDamaged.
func verify(ctx context.Context, path string, size int64) (string, error) {
	r, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, fetch.Reader(ctx, r)); err != nil {
		return "", err
	}
	if err := fetch.CheckZip(ctx, r, size); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
