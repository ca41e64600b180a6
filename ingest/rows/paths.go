package rows

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"razao/internal/data/record"
)

// Paths returns the paths of the published files of the input, a zip as one file.
func (in *Input) Paths() []string {
	var paths []string
	for _, p := range in.published {
		paths = append(paths, p.path)
	}
	return paths
}

// Fingerprints compares files with those of former loads by name, size and SHA-256. Checksums are
// computed when they are needed and kept. It is for one goroutine.
type Fingerprints struct {
	Paths []string
	sums  []record.SourceFile // of Paths, in order; nil: not computed
}

// Are reports whether Paths are exactly these files. Only if all names and sizes agree are the
// files read. A file that cannot be looked at is a difference, not an error: whoever reads it next
// will say what is wrong.
func (f *Fingerprints) Are(ctx context.Context, files []record.SourceFile) (bool, error) {
	sizes := make([]record.SourceFile, len(files))
	for i, file := range files {
		sizes[i] = record.SourceFile{Nome: file.Nome, Bytes: file.Bytes}
	}
	for _, path := range f.Paths {
		info, err := os.Stat(path)
		if err != nil {
			return false, nil // whoever reads the file says why
		}
		i := slices.Index(sizes, record.SourceFile{Nome: filepath.Base(path), Bytes: info.Size()})
		if i < 0 {
			return false, nil
		}
		sizes = slices.Delete(sizes, i, i+1)
	}
	if len(sizes) > 0 {
		return false, nil
	}
	if f.sums == nil {
		for _, path := range f.Paths {
			sum, err := fingerprint(ctx, path)
			if err != nil {
				return false, err
			}
			f.sums = append(f.sums, sum)
		}
	}
	for _, sum := range f.sums {
		if !slices.Contains(files, sum) {
			return false, nil
		}
	}
	return true, nil
}
