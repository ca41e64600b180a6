package registry

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry/history"
	"razao/internal/store/registry/pack"
)

// Comparable reports whether the records of two loads of Receita have the format version that this
// program reads. Packed rows are compared as bytes: across versions all would differ.
func (s *Store) Comparable(ctx context.Context, loads ...int64) (bool, error) {
	for _, load := range loads {
		var version int
		err := s.pool.QueryRow(ctx, `SELECT get_byte(doc, 0) FROM `+recordsOf(load)+` LIMIT 1`).Scan(&version)
		if errors.Is(err, pgx.ErrNoRows) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("format of load %d: %w", load, err)
		}
		if version != pack.Version {
			return false, nil
		}
	}
	return true, nil
}

// recordsOf returns the quoted name of the table with the records of a load.
func recordsOf(load int64) string { return pgx.Identifier{schemaName(load), "record"}.Sanitize() }

// EachDifference calls visit for the companies whose records differ between two loads, ascending. Of
// a large company the states hold only the partners and establishments of rows that differ. They are
// valid during the call. Each load is read once, in the order of its keys, as EachRow reads it; memory
// holds one company. The loads must be Comparable.
func EachDifference(ctx context.Context, former, load *View, visit func(root cnpj.Root, before, after *change.State) error) error {
	g := differing{visit: visit}
	var failed error
	next, stop := iter.Pull2(former.rows(ctx, &failed))
	defer stop()
	key, was, more := next()
	err := load.EachRow(ctx, func(root cnpj.Root, seq int32, now []byte) error {
		at := rowKeyOf(root, seq)
		for ; more && key < at; key, was, more = next() {
			if err := g.add(key, was, nil); err != nil {
				return err
			}
		}
		if failed != nil {
			return failed
		}
		if !more || key > at {
			return g.add(at, nil, now)
		}
		before := was
		key, was, more = next()
		if bytes.Equal(before, now) {
			return nil
		}
		return g.add(at, before, now)
	})
	for ; more && err == nil; key, was, more = next() {
		err = g.add(key, was, nil)
	}
	if err = cmp.Or(err, failed); err == nil {
		err = g.end()
	}
	if err != nil {
		return fmt.Errorf("compare load %d with %d: %w", load.Load.ID, former.Load.ID, err)
	}
	return nil
}

// rows yields the rows of EachRow. *err is set at the end.
func (v *View) rows(ctx context.Context, err *error) iter.Seq2[rowKey, []byte] {
	return func(yield func(rowKey, []byte) bool) {
		*err = v.EachRow(ctx, func(root cnpj.Root, seq int32, doc []byte) error {
			if !yield(rowKeyOf(root, seq), doc) {
				return context.Canceled // nobody asks for more
			}
			return nil
		})
	}
}

// differing collects the rows of one company that differ, of both loads.
type differing struct {
	visit  func(root cnpj.Root, before, after *change.State) error
	root   cnpj.Root
	rows   bool // rows of root were added
	states [2]change.State
}

// add adds a pair of rows, nil on the side that does not have the row. Rows come by root and seq: the
// head row, which further establishments need for decoding, may come after further partners.
func (g *differing) add(key rowKey, was, now []byte) error {
	root := key.root()
	if root != g.root || !g.rows {
		if err := g.end(); err != nil {
			return err
		}
		*g = differing{visit: g.visit, root: root, rows: true}
	}
	for i, doc := range [][]byte{was, now} {
		if doc == nil {
			continue
		}
		if err := g.decode(i, key.seq(), doc); err != nil {
			return fmt.Errorf("company %s: %w", root, err)
		}
	}
	return nil
}

func (g *differing) decode(side int, seq int32, doc []byte) (err error) {
	s := &g.states[side]
	var partners pack.PartnerCursor
	var establishments pack.EstablishmentCursor
	switch {
	case seq == 0:
		h, err := pack.DecodeHead(g.root, doc)
		if err != nil {
			return err
		}
		s.Exists, s.Company, s.HasSimples, s.Simples = true, h.Company, h.HasSimples, h.Simples
		partners, establishments = h.FirstPartners(), h.FirstEstablishments()
	case seq < 0:
		partners, err = pack.FurtherPartners(doc)
	default:
		establishments, err = (&pack.Head{Root: g.root}).FurtherEstablishments(doc)
	}
	if err != nil {
		return err
	}
	for partners.Next() {
		s.Partners = append(s.Partners, partners.Partner)
	}
	for establishments.Next() {
		s.Establishments = append(s.Establishments, establishments.Establishment)
	}
	return errors.Join(partners.Err(), establishments.Err())
}

// end visits the collected company. A company whose head row is the same in both loads exists in
// both; what the head says is then equal, and left empty on both sides.
func (g *differing) end() error {
	if !g.rows {
		return nil
	}
	if before, after := &g.states[0], &g.states[1]; !before.Exists && !after.Exists {
		before.Exists, after.Exists = true, true
		before.Company.CapitalSocial, after.Company.CapitalSocial = record.NoCents, record.NoCents
	}
	return g.visit(g.root, &g.states[0], &g.states[1])
}

// WriteChanges makes the table change of a load: the roots whose records are not those of the load
// that they first came with, each with the load that brought them. each calls add for the roots that
// differ from the former load, ascending; entries of that load are carried over for the others.
func (s *Store) WriteChanges(ctx context.Context, former, load int64, each func(add func(cnpj.Root) error) error) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		schema := pgx.Identifier{schemaName(load)}.Sanitize()
		table := schema + `.change`
		if _, err := tx.Exec(ctx, `DROP TABLE IF EXISTS `+table+`; CREATE TABLE `+table+` (root bigint NOT NULL, load_id bigint NOT NULL)`); err != nil {
			return err
		}
		pr, pw := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			out := bufio.NewWriterSize(pw, 1<<16) // a read of the pipe is a message to the server
			err := each(func(root cnpj.Root) error {
				line := strconv.AppendInt(out.AvailableBuffer(), int64(root), 10)
				line = append(line, '\t')
				line = append(strconv.AppendInt(line, load, 10), '\n')
				_, err := out.Write(line)
				return err
			})
			err = cmp.Or(err, out.Flush())
			_ = pw.CloseWithError(err)
			ended <- err
		}()
		_, err := tx.Conn().PgConn().CopyFrom(ctx, pr, `COPY `+table+` FROM STDIN`)
		_ = pr.CloseWithError(err) // each fails with this if it has not ended
		if eachErr := <-ended; eachErr != nil && err != nil {
			err = errors.Join(eachErr, err) // PostgreSQL only knows that the COPY failed
		}
		if err != nil {
			return err
		}
		carry := `SELECT 1`
		var before *string
		if err := tx.QueryRow(ctx, `SELECT to_regclass($1)::text`, schemaName(former)+`.change`).Scan(&before); err != nil {
			return err
		}
		if before != nil {
			carry = `INSERT INTO ` + table + ` (root, load_id)
				SELECT was.root, was.load_id FROM ` + *before + ` was JOIN ` + recordsOf(load) + ` now ON now.root = was.root AND now.seq = 0
				ON CONFLICT (root) DO NOTHING`
		}
		for _, query := range []string{
			`ALTER TABLE ` + table + ` ADD PRIMARY KEY (root)`, carry, `ANALYZE ` + table, `SELECT open_load('` + schemaName(load) + `')`,
		} {
			if _, err := tx.Exec(ctx, query); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("changes of load %d: %w", load, err)
	}
	return nil
}

// WriteHistory stores what a load changed, in place of what was stored of it. each calls add for the
// stored entries (history.AppendEntry) in the order of history.Hash.
func (s *Store) WriteHistory(ctx context.Context, h *history.Header, each func(add func(hash uint64, entry []byte) error) error) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		w, err := history.NewWriter(ctx, tx, h)
		if err != nil {
			return err
		}
		if err := each(func(hash uint64, entry []byte) error { return w.Add(ctx, hash, entry) }); err != nil {
			return err
		}
		return w.Close(ctx)
	})
}

// ForgetHistory deletes the history of loads that can never be announced again.
func (s *Store) ForgetHistory(ctx context.Context) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return history.Forget(ctx, tx) })
}

// ForgetHistoryBefore deletes the history of loads that were announced before a moment, and returns how
// many they were.
func (s *Store) ForgetHistoryBefore(ctx context.Context, moment time.Time) (n int64, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) (err error) { n, err = history.ForgetBefore(ctx, tx, moment); return err })
	return n, err
}

// AnnounceHistory notes in the journal the loads of the history in service that it does not have.
func (s *Store) AnnounceHistory(ctx context.Context) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return history.Announce(ctx, tx) })
}

// History returns the history of the snapshot in service, before the first one an empty history.
func (s *Store) History(ctx context.Context) (*history.Chain, error) {
	id, err := s.CurrentID(ctx)
	if errors.Is(err, ErrNoSnapshot) {
		return &history.Chain{}, nil
	}
	if err != nil {
		return nil, err
	}
	snapshot, err := s.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	return history.Read(ctx, s.pool, slices.Collect(maps.Values(snapshot.Loads)))
}
