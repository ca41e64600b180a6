package schema

import (
	"context"
	"io"

	"github.com/jackc/pgx/v5"

	"razao/internal/registry/pack"
	"razao/internal/registry/presence"
	"razao/internal/source"
)

// SourceTables is what a load of a public-record source keeps beside its records.
type SourceTables struct {
	Fields     []source.Field
	Dictionary *pack.Dictionary
	Presence   *presence.Builder
	// Archive yields the blobs from which the load can be made again without its files, io.EOF at the end; nil for none.
	Archive func() ([]byte, error)
}

// CommitSource is Commit for a load of a public-record source.
func (w *Writer) CommitSource(ctx context.Context, t *SourceTables) (size int64, err error) {
	return w.commit(ctx, func() error { return w.writeSourceTables(ctx, t) })
}

func (w *Writer) writeSourceTables(ctx context.Context, t *SourceTables) error {
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
	keys := t.Presence.Blobs()
	err = w.table(ctx, "presence", blobs, []string{"seq", "doc"},
		pgx.CopyFromSlice(len(keys), func(i int) ([]any, error) { return []any{i, keys[i]}, nil }))
	if err != nil || t.Archive == nil {
		return err
	}
	return w.table(ctx, "archive", blobs, []string{"seq", "doc"}, &blobRows{next: t.Archive})
}

// blobRows feeds blobs to COPY.
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
