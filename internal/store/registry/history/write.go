package history

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Header describes what is written of a load.
type Header struct {
	Load      int64
	Former    int64 // that it was compared with; 0: none
	Gaps      []Gap
	Companies int64            // that have entries
	Events    map[string]int64 // by code
	Places    map[Place]*PlaceCounts
}

// Place is a municipality, by the tax authority's code, and a division of CNAE.
type Place struct{ Municipality, Division string }

// PlaceCounts counts establishments of a place in one load: opened, closed, reactivated, come from
// another municipality, gone to one.
type PlaceCounts struct{ Opened, Closed, Reactivated, Arrivals, Departures int32 }

// Writer stores the history of one load in a transaction. Add its entries in the order of Hash.
type Writer struct {
	tx     pgx.Tx
	load   int64
	level  int
	bucket int32
	raw    []byte  // entries of bucket
	blocks [][]any // complete ones that were not sent
}

// blocksAtOnce is how many blocks are sent by one COPY.
const blocksAtOnce = 512

// NewWriter replaces what is stored of a load by the header. Entries follow by Add and Close.
func NewWriter(ctx context.Context, tx pgx.Tx, h *Header) (*Writer, error) {
	w := &Writer{tx: tx, load: h.Load, level: levelOf(h.Companies)}
	if _, err := tx.Exec(ctx, `DELETE FROM history WHERE load_id = $1`, h.Load); err != nil {
		return nil, fmt.Errorf("history of load %d: %w", h.Load, err)
	}
	gaps := h.Gaps
	if gaps == nil {
		gaps = []Gap{}
	}
	events := h.Events
	if events == nil {
		events = map[string]int64{}
	}
	const header = `
		INSERT INTO history (load_id, former_id, gaps, level, companies, events)
		VALUES ($1, nullif($2::bigint, 0), $3, $4, $5, $6)`
	if _, err := tx.Exec(ctx, header, h.Load, h.Former, gaps, w.level, h.Companies, events); err != nil {
		return nil, fmt.Errorf("history of load %d: %w", h.Load, err)
	}
	rows := make([][]any, 0, len(h.Places))
	for p, n := range h.Places {
		rows = append(rows, []any{h.Load, p.Municipality, p.Division, n.Opened, n.Closed, n.Reactivated, n.Arrivals, n.Departures})
	}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"history_place"},
		[]string{"load_id", "municipality", "division", "opened", "closed", "reactivated", "came", "went"}, pgx.CopyFromRows(rows))
	if err != nil {
		return nil, fmt.Errorf("history of load %d: %w", h.Load, err)
	}
	return w, nil
}

// Add adds the stored form of an entry (AppendEntry), which is copied.
func (w *Writer) Add(ctx context.Context, hash uint64, entry []byte) error {
	if bucket := bucketOf(hash, w.level); bucket != w.bucket {
		w.endBlock()
		w.bucket = bucket
		if len(w.blocks) >= blocksAtOnce {
			if err := w.send(ctx); err != nil {
				return err
			}
		}
	}
	w.raw = append(w.raw, entry...)
	return nil
}

func (w *Writer) endBlock() {
	if len(w.raw) > 0 {
		w.blocks = append(w.blocks, []any{w.level, w.bucket, w.load, compress(w.raw)})
		w.raw = w.raw[:0]
	}
}

func (w *Writer) send(ctx context.Context) error {
	_, err := w.tx.CopyFrom(ctx, pgx.Identifier{"history_block"}, []string{"level", "bucket", "load_id", "doc"}, pgx.CopyFromRows(w.blocks))
	if err != nil {
		return fmt.Errorf("history of load %d: %w", w.load, err)
	}
	w.blocks = w.blocks[:0]
	return nil
}

// Close sends what is left. The caller commits.
func (w *Writer) Close(ctx context.Context) error {
	w.endBlock()
	return w.send(ctx)
}

// Count counts the company and events of an entry in a load of a source.
func (h *Header) Count(of string, e *Entry) {
	for i := range e.Events {
		h.Events[e.Events[i].Kind.Info().CodeOf(of)]++
	}
	h.Companies++
}

// At returns the counts of a place, which the caller changes.
func (h *Header) At(municipality, activity string) *PlaceCounts {
	p := Place{Municipality: municipality, Division: activity[:min(2, len(activity))]}
	n := h.Places[p]
	if n == nil {
		n = &PlaceCounts{}
		h.Places[p] = n
	}
	return n
}

// Switch notes in the journal that the loads now take the place of the loads before, both of the
// same sources: those that leave the chains are withdrawn, those that enter are announced. It runs in the
// transaction that publishes.
func Switch(ctx context.Context, tx pgx.Tx, before, now []int64) error {
	const chain = `
		WITH RECURSIVE link AS (SELECT load_id, former_id FROM history),
		was AS (SELECT load_id, former_id FROM link WHERE load_id = ANY($1) UNION
			SELECT link.load_id, link.former_id FROM link JOIN was ON link.load_id = was.former_id),
		is_now AS (SELECT load_id, former_id FROM link WHERE load_id = ANY($2) UNION
			SELECT link.load_id, link.former_id FROM link JOIN is_now ON link.load_id = is_now.former_id)
		INSERT INTO history_journal (load_id, withdrawn) `
	for _, query := range []string{
		chain + `SELECT load_id, true FROM was WHERE load_id NOT IN (SELECT load_id FROM is_now) ORDER BY load_id DESC`,
		chain + `SELECT load_id, false FROM is_now WHERE load_id NOT IN (SELECT load_id FROM was) ORDER BY load_id`,
	} {
		if _, err := tx.Exec(ctx, query, before, now); err != nil {
			return fmt.Errorf("journal of the history: %w", err)
		}
	}
	return nil
}

// inService begins a statement about the loads of the history in service, the table chain.
const inService = `
	WITH RECURSIVE chain AS (
		SELECT h.load_id, h.former_id FROM history h JOIN snapshot_load USING (load_id) JOIN current_snapshot USING (snapshot_id)
		UNION SELECT h.load_id, h.former_id FROM history h JOIN chain ON h.load_id = chain.former_id)`

// Announce notes in the journal the loads of the history in service that it does not have.
func Announce(ctx context.Context, tx pgx.Tx) error {
	const query = inService + `
		INSERT INTO history_journal (load_id, withdrawn)
		SELECT load_id, false FROM chain WHERE load_id NOT IN (SELECT load_id FROM history_journal) ORDER BY load_id`
	if _, err := tx.Exec(ctx, query); err != nil {
		return fmt.Errorf("journal of the history: %w", err)
	}
	return nil
}

// ForgetBefore deletes the history of the loads that were announced before a moment, and returns how many
// they were. Readers who come from before it learn that they have missed something.
func ForgetBefore(ctx context.Context, tx pgx.Tx, moment time.Time) (int64, error) {
	const query = `
		DELETE FROM history WHERE load_id IN (SELECT load_id FROM history_journal WHERE NOT withdrawn GROUP BY load_id HAVING max(at) < $1)`
	tag, err := tx.Exec(ctx, query, moment)
	if err != nil {
		return 0, fmt.Errorf("forget history: %w", err)
	}
	return tag.RowsAffected(), nil
}

// Forget deletes the history of loads that can never be announced again: loads that failed or were
// refused, and deleted ones that no chain of the snapshot in service has.
func Forget(ctx context.Context, tx pgx.Tx) error {
	const query = inService + `
		DELETE FROM history USING load
		WHERE load.id = history.load_id AND load.state IN ('failed', 'refused', 'dropped') AND load_id NOT IN (SELECT load_id FROM chain)`
	if _, err := tx.Exec(ctx, query); err != nil {
		return fmt.Errorf("forget withdrawn history: %w", err)
	}
	return nil
}
