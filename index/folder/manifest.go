package folder

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Format is the version of the folders that this program writes and reads. It rises with every change of the fields,
// of the terms or of how words are folded.
const Format = 4

const manifestName = "manifest.json"

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
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		size, sum, err := hashFile(path)
		m.Files = append(m.Files, File{filepath.ToSlash(rel), size, sum})
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(m.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	body, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return writeSynced(filepath.Join(dir, manifestName), append(body, '\n'))
}

// Read reads and judges the manifest of dir: format version, and that every file is there in its size.
func Read(dir string) (Manifest, error) {
	var m Manifest
	body, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return m, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return m, fmt.Errorf("%w (%s: %w)", ErrDamaged, manifestName, err)
	}
	if m.Format != Format {
		return m, fmt.Errorf("%w (it has version %d, this program reads %d)", ErrFormat, m.Format, Format)
	}
	for _, f := range m.Files {
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(f.Path)))
		if err != nil {
			return m, fmt.Errorf("%w (%w)", ErrDamaged, err)
		}
		if info.Size() != f.Bytes {
			return m, fmt.Errorf("%w (%s has %d bytes instead of %d)", ErrDamaged, f.Path, info.Size(), f.Bytes)
		}
	}
	return m, nil
}

// Verify compares the content of every file with its checksum.
func (m *Manifest) Verify(dir string) error {
	for _, f := range m.Files {
		_, sum, err := hashFile(filepath.Join(dir, filepath.FromSlash(f.Path)))
		if err != nil {
			return fmt.Errorf("%w (%w)", ErrDamaged, err)
		}
		if sum != f.SHA256 {
			return fmt.Errorf("%w (the content of %s has changed)", ErrDamaged, f.Path)
		}
	}
	return nil
}

func hashFile(path string) (size int64, sum string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer file.Close()
	h := sha256.New()
	size, err = io.Copy(h, file)
	return size, hex.EncodeToString(h.Sum(nil)), err
}

func writeSynced(path string, body []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(body)
	return errors.Join(err, file.Sync(), file.Close())
}
