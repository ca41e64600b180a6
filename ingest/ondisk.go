package ingest

import (
	"path/filepath"

	"razao/index/flags"
	"razao/index/folder"
	"razao/internal/store/registry"
)

// Findable is an index on disk that makes the records of a load searchable: an index of companies,
// or the file of flags of a source beside one.
type Findable struct {
	Index string // name of the folder below IndexDir
	Bytes int64  // of the index, or of the flags alone
	Err   error  // the index cannot be used, by its manifest or its file sizes
}

// Findable returns what is on disk for a load, as the manifests say; contents are not verified. For
// a load of the Receita these are its complete indexes, oldest first; for a load of a source, the
// flags in any index folder.
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
