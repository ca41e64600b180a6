package download

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"razao/internal/web/fetch"
)

// manifestName is hidden, as parts are: a loader that reads the folder ignores both.
const manifestName = ".download.json"

// Manifest records which version of each file a folder holds.
type Manifest struct {
	Source string             `json:"source"`
	Files  map[string]Version `json:"files"` // complete, under their names
	Parts  map[string]Version `json:"parts"` // hidden, until the whole download is complete
}

// Version identifies one state of a published file.
type Version struct {
	Address  string    `json:"address"`
	ETag     string    `json:"etag,omitempty"`
	Modified string    `json:"modified,omitempty"` // Last-Modified as sent
	Bytes    int64     `json:"bytes,omitempty"`    // 0: unknown
	Whole    bool      `json:"whole"`              // complete and checked
	SHA256   string    `json:"sha256,omitempty"`   // of a whole one
	Arrived  time.Time `json:"arrived,omitzero"`
}

// is reports whether a listing means this version.
func (v *Version) is(o *Origin) bool { return v.ETag == o.ETag && v.Bytes == o.Bytes }

// ifRange returns a strong validator for If-Range (RFC 9110, section 13.1.5): the strong ETag, else
// Last-Modified. "" if there is neither; the part is then not resumed.
func (v *Version) ifRange() string {
	if strings.HasPrefix(v.ETag, `"`) {
		return v.ETag
	}
	return v.Modified
}

// conditional returns the header of a conditional request, which answers 304 if the file is still
// this version.
func (v *Version) conditional() http.Header {
	h := http.Header{}
	if v.ETag != "" {
		h.Set("If-None-Match", v.ETag)
	} else if v.Modified != "" {
		h.Set("If-Modified-Since", v.Modified)
	}
	return h
}

// ReadManifest reads the manifest of a folder; a missing one is empty. One of another source is an
// error.
func ReadManifest(dir, source string) (Manifest, error) {
	m := Manifest{Source: source}
	path := filepath.Join(dir, manifestName)
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("manifest of the download: %w", err)
	}
	if err == nil {
		if err := json.Unmarshal(text, &m); err != nil {
			return m, fmt.Errorf("%s cannot be read (%w): delete it to download everything again", path, err)
		}
	}
	if m.Source != source {
		return m, fmt.Errorf("%s holds the files of %s: download %s into a folder of its own", dir, m.Source, source)
	}
	if m.Files == nil {
		m.Files = map[string]Version{}
	}
	if m.Parts == nil {
		m.Parts = map[string]Version{}
	}
	return m, nil
}

// Folder is the target of downloads with its manifest. It is safe for concurrent use, but only one
// Fetch may run in a folder at a time.
type Folder struct {
	*Downloader
	dir string

	mu       sync.Mutex // guards manifest
	manifest Manifest
}

// Open creates dir or reads its manifest. The folder belongs to one source, or one edition of it: a
// folder of another one is an error, because publish deletes what it does not know.
func (d *Downloader) Open(dir, source string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("download folder: %w", err)
	}
	f := &Folder{Downloader: d, dir: dir}
	var err error
	if f.manifest, err = ReadManifest(dir, source); err != nil {
		return nil, err
	}
	marked, err := marked(dir)
	if err != nil {
		return nil, err
	}
	if marked {
		f.adoptRenamed()
	}
	return f, nil
}

// adoptRenamed brings the manifest up to what an interrupted publish had renamed: a whole part that is
// no longer there has become the file. The mark stays until the next publish is complete.
func (f *Folder) adoptRenamed() {
	for name, part := range f.manifest.Parts {
		_, err := os.Stat(f.part(name))
		if part.Whole && errors.Is(err, fs.ErrNotExist) && sizeOf(f.path(name)) == part.Bytes {
			f.manifest.Files[name] = part
			delete(f.manifest.Parts, name)
		}
	}
}

func (f *Folder) path(name string) string { return filepath.Join(f.dir, name) }
func (f *Folder) part(name string) string { return filepath.Join(f.dir, "."+name+".incomplete") }

// sizeOf returns the bytes of a file, 0 if it does not exist.
func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// partOf returns the version of the part that came from an origin, in the version that is listed.
func (f *Folder) partOf(o Origin) (Version, bool) {
	f.mu.Lock()
	part, known := f.manifest.Parts[o.Name]
	f.mu.Unlock()
	known = known && part.Address == o.Address && (!o.listed() || part.is(&o))
	return part, known
}

// held returns how many bytes have arrived from an origin.
func (f *Folder) held(o Origin) int64 {
	if _, known := f.partOf(o); !known {
		return 0
	}
	return sizeOf(f.part(o.Name))
}

// arrived reports whether a former run ended between the last byte of a part and its check.
func (f *Folder) arrived(o Origin) bool {
	part, known := f.partOf(o)
	return known && !part.Whole && part.Bytes > 0 && part.Bytes == f.held(o)
}

// file returns the version of the file of that name; false if it is not as it was downloaded.
func (f *Folder) file(name string) (Version, bool) {
	f.mu.Lock()
	file, known := f.manifest.Files[name]
	f.mu.Unlock()
	return file, known && file.Bytes == sizeOf(f.path(name))
}

// Holds reports whether the listed versions of files are complete and checked, under their names.
func (f *Folder) Holds(origins ...Origin) bool {
	for _, o := range origins {
		if file, known := f.file(o.Name); !o.listed() || !known || !file.is(&o) {
			return false
		}
	}
	return true
}

// setPart records the version of a part.
func (f *Folder) setPart(name string, v Version) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.manifest.Parts[name] = v
	return f.save()
}

// drop deletes a part and its entry.
func (f *Folder) drop(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := os.Remove(f.part(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, known := f.manifest.Parts[name]; !known {
		return nil
	}
	delete(f.manifest.Parts, name)
	return f.save()
}

// conditions returns the header of the next request for a file and the offset that it resumes from:
// If-None-Match or If-Modified-Since for a complete part or file, Range with If-Range for a partial
// one (RFC 9110, section 13.1), nothing otherwise.
func (f *Folder) conditions(o Origin) (header http.Header, held int64) {
	part, isPart := f.partOf(o)
	file, isFile := f.file(o.Name)
	held = f.held(o)
	switch {
	case isPart && held > 0 && part.Whole:
		return part.conditional(), 0
	case isPart && held > 0 && part.ifRange() != "":
		return http.Header{"Range": {fmt.Sprintf("bytes=%d-", held)}, "If-Range": {part.ifRange()}}, held
	case isFile && file.Address == o.Address && !o.listed():
		return file.conditional(), 0
	}
	return http.Header{}, 0
}

// unchanged handles a 304: the complete part, or else the file, is the published version; a stale
// part is deleted.
func (f *Folder) unchanged(o Origin) error {
	if part, known := f.partOf(o); known && part.Whole {
		return nil
	}
	return f.drop(o.Name)
}

// start creates an empty part for the version that is listed, or else that an answer carries. The
// old bytes are truncated before the manifest names the new version, so a crash cannot mix them.
func (f *Folder) start(o Origin, a *fetch.Answer) error {
	w, err := os.Create(f.part(o.Name))
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	v := Version{Address: o.Address, ETag: o.ETag, Bytes: o.Bytes, Modified: a.Header.Get("Last-Modified")}
	if !o.listed() {
		v.ETag, v.Bytes = a.Header.Get("ETag"), max(a.ContentLength, 0)
	}
	return f.setPart(o.Name, v)
}

// publish renames the parts of a finished download and deletes files and parts that do not belong
// to it. The folder is marked from before the first rename until the manifest is saved, so that
// after a crash in between loaders refuse it and the next Fetch recovers.
func (f *Folder) publish(names []string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := mark(f.dir); err != nil {
		return err
	}
	for _, name := range names {
		part, known := f.manifest.Parts[name]
		if !known {
			continue // unchanged
		}
		if err := os.Rename(f.part(name), f.path(name)); err != nil {
			return err
		}
		f.manifest.Files[name] = part
		delete(f.manifest.Parts, name)
	}
	for name := range f.manifest.Files {
		if slices.Contains(names, name) {
			continue
		}
		if err := os.Remove(f.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		delete(f.manifest.Files, name)
	}
	for name := range f.manifest.Parts {
		if err := os.Remove(f.part(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		delete(f.manifest.Parts, name)
	}
	if err := f.save(); err != nil {
		return err
	}
	return unmark(f.dir)
}

// save replaces the manifest atomically. The caller holds mu.
func (f *Folder) save() error {
	return saveManifest(filepath.Join(f.dir, manifestName), &f.manifest)
}
