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

	"razao/internal/web/fetch"
)

// manifestName is hidden, as parts are: a loader that reads the folder ignores both.
const manifestName = ".download.json"

// folder is the target of a download with its manifest.
type folder struct {
	dir string
	manifest
}

// manifest records which version of each file the folder holds.
type manifest struct {
	Source string              `json:"source"`
	Files  map[string]*version `json:"files"` // complete, under their names
	Parts  map[string]*version `json:"parts"` // hidden, until the whole download is complete
}

// openFolder creates dir or reads its manifest. A folder of another source is an error, because
// publish deletes what it does not know.
func openFolder(dir, source string) (*folder, error) {
	f := &folder{dir: dir, manifest: manifest{Source: source}}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, manifestName)
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil {
		if err := json.Unmarshal(text, &f.manifest); err != nil {
			return nil, fmt.Errorf("%s cannot be read (%w): delete it to download everything again", path, err)
		}
	}
	if f.Source != source {
		return nil, fmt.Errorf("%s holds the files of %s: download %s into a folder of its own", dir, f.Source, source)
	}
	if f.Files == nil {
		f.Files = map[string]*version{}
	}
	if f.Parts == nil {
		f.Parts = map[string]*version{}
	}
	marked, err := fetch.Marked(dir)
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
func (f *folder) adoptRenamed() {
	for name, part := range f.Parts {
		_, err := os.Stat(f.part(name))
		if part.Whole && errors.Is(err, fs.ErrNotExist) && sizeOf(f.path(name)) == part.Bytes {
			f.Files[name] = part
			delete(f.Parts, name)
		}
	}
}

func (f *folder) path(name string) string { return filepath.Join(f.dir, name) }
func (f *folder) part(name string) string { return filepath.Join(f.dir, "."+name+".incomplete") }

// sizeOf returns the bytes of a file, 0 if it does not exist.
func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// partOf returns the version of the part that came from a place, nil if there is none.
func (f *folder) partOf(p place) *version {
	part := f.Parts[p.name]
	if part == nil || part.Address != p.address || sizeOf(f.part(p.name)) == 0 {
		return nil
	}
	return part
}

// held returns how many bytes have arrived from a place.
func (f *folder) held(p place) int64 {
	if f.partOf(p) == nil {
		return 0
	}
	return sizeOf(f.part(p.name))
}

// drop deletes a part and its entry.
func (f *folder) drop(name string) error {
	if err := os.Remove(f.part(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if f.Parts[name] == nil {
		return nil
	}
	delete(f.Parts, name)
	return f.save()
}

// conditions returns the header of the next request for a file and the offset that it resumes from:
// If-None-Match or If-Modified-Since for a complete part or file, Range with If-Range for a partial
// one (RFC 9110, section 13.1), nothing otherwise.
func (f *folder) conditions(p place) (header http.Header, held int64) {
	part, file := f.partOf(p), f.Files[p.name]
	switch {
	case part != nil && part.Whole:
		return part.conditional(), 0
	case part != nil && part.ifRange() != "":
		held = f.held(p)
		return http.Header{"Range": {fmt.Sprintf("bytes=%d-", held)}, "If-Range": {part.ifRange()}}, held
	case file != nil && file.Address == p.address && file.Bytes == sizeOf(f.path(p.name)):
		return file.conditional(), 0
	}
	return http.Header{}, 0
}

// unchanged handles a 304: the complete part, or else the file, is the published version; a stale
// part is deleted.
func (f *folder) unchanged(p place) error {
	if part := f.partOf(p); part != nil && part.Whole {
		return nil
	}
	return f.drop(p.name)
}

// start creates an empty part for the version in an answer. The old bytes are truncated before the
// manifest names the new version, so a crash cannot mix them.
func (f *folder) start(p place, a *fetch.Answer) error {
	w, err := os.Create(f.part(p.name))
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	f.Parts[p.name] = versionOf(a, p.address)
	return f.save()
}

// publish renames the parts of a finished download and deletes files and parts that do not belong
// to it. The folder is marked from before the first rename until the manifest is saved, so that
// after a crash in between loaders refuse it and the next Fetch recovers.
func (f *folder) publish(names []string) error {
	if err := fetch.Mark(f.dir); err != nil {
		return err
	}
	for _, name := range names {
		part := f.Parts[name]
		if part == nil {
			continue // unchanged
		}
		if err := os.Rename(f.part(name), f.path(name)); err != nil {
			return err
		}
		f.Files[name] = part
		delete(f.Parts, name)
	}
	for name := range f.Files {
		if slices.Contains(names, name) {
			continue
		}
		if err := os.Remove(f.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		delete(f.Files, name)
	}
	for name := range f.Parts {
		if err := f.drop(name); err != nil {
			return err
		}
	}
	if err := f.save(); err != nil {
		return err
	}
	return fetch.Unmark(f.dir)
}

// save replaces the manifest atomically.
func (f *folder) save() error {
	return fetch.SaveManifest(filepath.Join(f.dir, manifestName), &f.manifest)
}
