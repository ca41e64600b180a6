package registry

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"razao/internal/registry/pack"
	"razao/internal/source"
)

// SourceTables is what a load of a public-record source keeps beside its records.
type SourceTables struct {
	Fields     []source.Field
	Dictionary *pack.Dictionary
	Presence   *PresenceBuilder
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
	presence := t.Presence.blobs()
	err = w.table(ctx, "presence", blobs, []string{"seq", "doc"},
		pgx.CopyFromSlice(len(presence), func(i int) ([]any, error) { return []any{i, presence[i]}, nil }))
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

// PresenceBuilder gathers which establishments, or companies as a whole, a load has records of.
type PresenceBuilder struct {
	full [][]byte // complete blobs
	last []byte   // the one being filled
	n    int
	prev uint64
}

const presenceEntries = 1 << 16 // of a blob

// Add adds keys made by AppendPresence, rising over all calls.
func (p *PresenceBuilder) Add(keys []uint64) {
	for _, key := range keys {
		if p.n == presenceEntries {
			p.full, p.last, p.n, p.prev = append(p.full, p.last), nil, 0, 0
		}
		p.last = binary.AppendUvarint(p.last, key-p.prev)
		p.prev = key
		p.n++
	}
}

func (p *PresenceBuilder) blobs() [][]byte {
	if p.n == 0 {
		return p.full
	}
	return append(p.full, p.last)
}

// Archive passes the blobs that a load keeps to visit, in their order. A blob is valid only during the call.
func (s *Store) Archive(ctx context.Context, load int64, visit func([]byte) error) error {
	rows, err := s.pool.Query(ctx, `SELECT doc FROM `+pgx.Identifier{schemaName(load)}.Sanitize()+`.archive ORDER BY seq`)
	if err != nil {
		return fmt.Errorf("archive of load %d: %w", load, err)
	}
	var doc []byte
	if _, err := pgx.ForEachRow(rows, []any{&doc}, func() error { return visit(doc) }); err != nil {
		return fmt.Errorf("archive of load %d: %w", load, err)
	}
	return nil
}
