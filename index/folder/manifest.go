package folder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Format is the version of the folders that this program writes and reads. It rises with every change of the fields,
// of the terms or of how words are folded.
const Format = 8

// ManifestName is the file in an index folder that holds its manifest.
const ManifestName = "manifest.json"

var (
	// ErrFormat is the error of an index of another format version.
	ErrFormat = errors.New("index of another format: rebuild it with `razao index build`")
	// ErrDamaged is the error of an index folder that is missing, incomplete or changed.
	ErrDamaged = errors.New("index damaged: rebuild it with `razao index build`")
)

// Manifest describes a complete index folder. It is the last file written into one.
type Manifest struct {
	Format  int       `json:"format"`
	Load    int64     `json:"load"`  // the load of the record store that the documents come from
	Month   string    `json:"month"` // competência of that load, AAAA-MM
	Docs    int64     `json:"docs"`
	Shards  []Shard   `json:"shards"` // in rank order
	Files   []File    `json:"files"`  // all but the manifest and the flags of sources, by path
	BuiltAt time.Time `json:"built_at"`
	Sum     string    `json:"manifest_sha256"` // of all that stands before it in the file, so it must come last
}

// Shard is one part of the rank order, a Bleve index of its own.
type Shard struct {
	Path string `json:"path"` // in the index folder
	Docs int64  `json:"docs"`
}

// File is a file of the index folder.
type File struct {
	Path   string `json:"path"` // slashes, relative to the folder
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// OfShard says whether the file belongs to a shard: those have folders of their own.
func (f *File) OfShard() bool { return strings.Contains(f.Path, "/") }

// in returns the path of the file in a folder.
func (f *File) in(dir string) string { return filepath.Join(dir, filepath.FromSlash(f.Path)) }

// Bytes returns the size of the folder's files.
func (m Manifest) Bytes() int64 {
	var n int64
	for _, f := range m.Files {
		n += f.Bytes
	}
	return n
}

// Write lists the files of dir and writes the manifest into it.
func (m *Manifest) Write(dir string) error {
	m.Files = nil
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if rel != ManifestName && rel != verifiedName {
			m.Files = append(m.Files, File{Path: filepath.ToSlash(rel)})
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(m.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	err = m.eachFile(func(f *File) (err error) {
		f.Bytes, f.SHA256, err = hashFile(context.Background(), f.in(dir))
		return err
	})
	if err != nil {
		return err
	}
	m.Sum = strings.Repeat("0", hex.EncodedLen(sha256.Size))
	body, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	m.Sum = sumOfManifest(body)
	copy(body[len(body)-len(manifestEnd)-len(m.Sum):], m.Sum)
	return writeSynced(filepath.Join(dir, ManifestName), body)
}

// manifestEnd is what follows the checksum at the end of a manifest.
const manifestEnd = "\"\n}"

// sumOfManifest returns the checksum of what stands before the checksum in a manifest, "" when it does not end as one.
func sumOfManifest(body []byte) string {
	covered := len(body) - hex.EncodedLen(sha256.Size) - len(manifestEnd)
	if covered < 0 || !strings.HasSuffix(string(body), manifestEnd) {
		return ""
	}
	sum := sha256.Sum256(body[:covered])
	return hex.EncodeToString(sum[:])
}

// Read reads and judges the manifest of dir: format version, its own checksum, and that every file is there in its size.
func Read(dir string) (Manifest, error) {
	var m Manifest
	body, err := os.ReadFile(filepath.Join(dir, ManifestName))
	if err != nil {
		return m, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	if m, err = Parse(body); err != nil {
		return m, err
	}
	for _, f := range m.Files {
		info, err := os.Stat(f.in(dir))
		if err != nil {
			return m, fmt.Errorf("%w (%w)", ErrDamaged, err)
		}
		if info.Size() != f.Bytes {
			return m, fmt.Errorf("%w (%s has %d bytes instead of %d)", ErrDamaged, f.Path, info.Size(), f.Bytes)
		}
	}
	return m, nil
}

// Parse reads and judges a manifest by itself: format version, checksum, and that no file lies outside the folder, as one that comes
// from elsewhere could want (path traversal). One of another format is returned as far as it can be read.
func Parse(body []byte) (Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(body, &m); err != nil {
		return m, fmt.Errorf("%w (%s: %w)", ErrDamaged, ManifestName, err)
	}
	for _, f := range m.Files {
		if !fs.ValidPath(f.Path) || f.Bytes < 0 {
			return Manifest{}, fmt.Errorf("%w (%s names the file %q of %d bytes)", ErrDamaged, ManifestName, f.Path, f.Bytes)
		}
	}
	if m.Format != Format { // first, because another version may have its checksum elsewhere
		return m, fmt.Errorf("%w (it has version %d, this program reads %d)", ErrFormat, m.Format, Format)
	}
	if m.Sum == "" || m.Sum != sumOfManifest(body) {
		return m, fmt.Errorf("%w (the content of %s has changed)", ErrDamaged, ManifestName)
	}
	return m, nil
}

func writeSynced(path string, body []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(body)
	return errors.Join(err, file.Sync(), file.Close())
}
