package registry

import (
	"context"
	"io"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/source"
	"razao/internal/store/registry/pack"
)

// SourceTables is the content of the tables beside the records of a public-record source.
type SourceTables struct {
	Fields     []source.Field   // in the order of the values in packed records
	Dictionary *pack.Dictionary // the one that the records were packed with
	Owners     *PackedOwners    // all owners of records
	// Archive returns the next blob of what the load can be made from again without its files, and
	// io.EOF at the end. nil means no archive.
	Archive func() ([]byte, error)
}

// CommitSource is [LoadWriter.Commit] for a load of a public-record source.
func (w *LoadWriter) CommitSource(ctx context.Context, t *SourceTables) (size int64, err error) {
	return w.commit(ctx, func() error { return w.writeSourceTables(ctx, t) })
}

func (w *LoadWriter) writeSourceTables(ctx context.Context, t *SourceTables) error {
	err := w.table(ctx, "field", `(position integer PRIMARY KEY, name text NOT NULL, kind smallint NOT NULL)`,
		[]string{"position", "name", "kind"},
		pgx.CopyFromSlice(len(t.Fields), func(i int) ([]any, error) {
			return []any{i, t.Fields[i].Name, int16(t.Fields[i].Kind)}, nil
		}))
	if err != nil {
		return err
	}
	err = w.table(ctx, "dictionary", `(code integer PRIMARY KEY, text text NOT NULL)`, []string{"code", "text"},
		pgx.CopyFromSlice(len(t.Dictionary.Texts()), func(i int) ([]any, error) {
			return []any{i, t.Dictionary.Texts()[i]}, nil
		}))
	if err != nil {
		return err
	}
	const blobs = `(seq integer PRIMARY KEY, doc bytea NOT NULL)`
	keys := t.Owners.blobs()
	err = w.table(ctx, "presence", blobs, []string{"seq", "doc"},
		pgx.CopyFromSlice(len(keys), func(i int) ([]any, error) { return []any{i, keys[i]}, nil }))
	if err != nil || t.Archive == nil {
		return err
	}
	return w.table(ctx, "archive", blobs, []string{"seq", "doc"}, &blobRows{next: t.Archive})
}

// blobRows is a pgx.CopyFromSource of (seq, blob), numbered from 1. Only one blob is in memory.
type blobRows struct {
	next func() ([]byte, error)
	seq  int32
	blob []byte
	err  error
}

func (b *blobRows) Next() bool {
	if b.blob, b.err = b.next(); b.err == io.EOF {
		b.err = nil
		return false
	}
	return b.err == nil
}

func (b *blobRows) Values() ([]any, error) {
	b.seq++
	return []any{b.seq, b.blob}, nil
}

func (b *blobRows) Err() error { return b.err }
