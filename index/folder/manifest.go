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
	"strconv"
	"strings"
	"time"
)

// Format identifies what this program writes into an index folder and reads from it: fields, terms, columns, figures, how words are
// folded. It follows from the index itself: TestFormat of package build says it.
var Format = func() int {
	n, err := strconv.Atoi(format)
	if err != nil {
		panic(err)
	}
	return n
}()

// format is a text because the linker sets only those (-X): tests link a program of the next format.
var format = "1961279"

// ManifestName is the name of the manifest in an index folder.
const ManifestName = "manifest.json"

var (
	// ErrFormat is the error of an index of another format.
	ErrFormat = errors.New("index of another format: rebuild it with `razao index build`")
	// ErrDamaged is the error of an index folder that is missing, incomplete or altered.
	ErrDamaged = errors.New("index damaged: rebuild it with `razao index build`")
)

// Manifest describes a complete index folder. It is the last file written into it.
type Manifest struct {
	Format  int       `json:"format"`
	Load    int64     `json:"load"`  // load of the tax authority's records that the documents come from
	Month   string    `json:"month"` // competência of that load, AAAA-MM
	Docs    int64     `json:"docs"`
	Shards  []Shard   `json:"shards"` // in rank order
	Files   []File    `json:"files"`  // sorted by path; without the manifest and the flags of sources
	BuiltAt time.Time `json:"built_at"`
	Sum     string    `json:"manifest_sha256"` // SHA-256 of the file up to this value, so it must be the last field
}

// Shard is a contiguous part of the rank order, with a Bleve index of its own.
type Shard struct {
	Path string `json:"path"` // relative to the index folder
	Docs int64  `json:"docs"`
}

// File is a file of the index folder with its checksum.
type File struct {
	Path   string `json:"path"` // slashes, relative to the folder
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // hexadecimal
}

// ofShard reports whether the file belongs to a shard: only shards have subfolders in the manifest.
func (f *File) ofShard() bool { return strings.Contains(f.Path, "/") }

// in returns the file's path on disk for an index folder.
func (f *File) in(dir string) string { return filepath.Join(dir, filepath.FromSlash(f.Path)) }

// Bytes returns the total size of the listed files.
func (m Manifest) Bytes() int64 {
	var n int64
	for _, f := range m.Files {
		n += f.Bytes
	}
	return n
}

// Write lists and hashes all files of dir, replaces m.Files and m.Sum, and writes the manifest into
// dir, synced. It must come after every other file of the index and before any flags of sources,
// which must not be listed.
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
	// The checksum has a fixed length, so a placeholder keeps the offsets right.
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

// sumOfManifest returns the SHA-256 of a manifest's bytes before its checksum, "" when body is too
// short or does not end as a manifest does. It covers raw bytes instead of values, so any edit is
// noticed.
func sumOfManifest(body []byte) string {
	covered := len(body) - hex.EncodedLen(sha256.Size) - len(manifestEnd)
	if covered < 0 || !strings.HasSuffix(string(body), manifestEnd) {
		return ""
	}
	sum := sha256.Sum256(body[:covered])
	return hex.EncodeToString(sum[:])
}

// Read reads the manifest of dir, checks it as Parse does, and checks that every file exists with
// its size. It does not read the files: see Verify. Errors are ErrDamaged and ErrFormat.
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
		if !info.Mode().IsRegular() {
			return m, fmt.Errorf("%w (%s is no file)", ErrDamaged, f.Path)
		}
		if info.Size() != f.Bytes {
			return m, fmt.Errorf("%w (%s has %d bytes instead of %d)", ErrDamaged, f.Path, info.Size(), f.Bytes)
		}
	}
	return m, nil
}

// Parse decodes a manifest and checks it by itself: format, own checksum, that every path
// is local to the folder, since one fetched from elsewhere could try path traversal, and that every
// shard has listed files. The error of another version is ErrFormat, along with as much of the
// manifest as could be decoded, shards unchecked; anything else is ErrDamaged.
func Parse(body []byte) (Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(body, &m); err != nil {
		return m, fmt.Errorf("%w (%s: %w)", ErrDamaged, ManifestName, err)
	}
	for _, f := range m.Files {
		if !isBelow(f.Path) || f.Bytes < 0 {
			return Manifest{}, fmt.Errorf("%w (%s names the file %q of %d bytes)", ErrDamaged, ManifestName, f.Path, f.Bytes)
		}
	}
	// The format comes first: another format may have its checksum elsewhere.
	if m.Format != Format {
		return m, fmt.Errorf("%w (it has format %d, this program reads %d)", ErrFormat, m.Format, Format)
	}
	if m.Sum == "" || m.Sum != sumOfManifest(body) {
		return m, fmt.Errorf("%w (the content of %s has changed)", ErrDamaged, ManifestName)
	}
	for _, s := range m.Shards {
		if !isBelow(s.Path) || s.Docs < 0 || !m.listsBelow(s.Path) {
			return Manifest{}, fmt.Errorf("%w (%s names the shard %q of %d documents)", ErrDamaged, ManifestName, s.Path, s.Docs)
		}
	}
	return m, nil
}

// isBelow reports whether a path names something in the folder, and not the folder itself, in the one spelling that it has.
func isBelow(path string) bool { return fs.ValidPath(path) && path != "." }

// listsBelow reports whether a file of the given subfolder is listed.
func (m *Manifest) listsBelow(folder string) bool {
	return slices.ContainsFunc(m.Files, func(f File) bool { return strings.HasPrefix(f.Path, folder+"/") })
}

// writeSynced creates or truncates a file (mode 0600) and syncs it.
func writeSynced(path string, body []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(body)
	return errors.Join(err, file.Sync(), file.Close())
}
