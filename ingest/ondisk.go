package ingest

import (
	"path/filepath"

	"razao/index/flags"
	"razao/index/folder"
	"razao/internal/registry"
)

// Findable is what makes the records of a load be found: an index of companies, or the flags of a source beside an index.
type Findable struct {
	Index string // folder
	Bytes int64
	Err   error // the index cannot be used
}

// Findable returns what is on disk for a load, by the manifests of the indexes.
func (in *Ingester) Findable(l *registry.Load) (all []Findable, err error) {
	if l.Source == registry.Receita {
		numbers, err := in.indexesOf(l.ID)
		for _, n := range numbers {
			name := indexName(l.ID, n)
			m, err := folder.Read(filepath.Join(in.IndexDir, name))
			all = append(all, Findable{name, m.Bytes(), err})
		}
		return all, err
	}
	entries, err := readDir(in.IndexDir)
	for _, e := range entries {
		if size := flags.Size(filepath.Join(in.IndexDir, e.Name()), l.Source, l.ID); size > 0 {
			all = append(all, Findable{Index: e.Name(), Bytes: size})
		}
	}
	return all, err
}
