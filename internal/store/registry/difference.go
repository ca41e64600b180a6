package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry/pack"
)

// Difference is what a load changed of one company. Its texts share memory with the rows that were
// read.
type Difference struct {
	New            bool                // the former load did not have the company; the rest is empty
	Heads          [2]pack.Head        // before and after: company and Simples; both zero if unchanged
	Partners       [2][]record.Partner // gone and added, sorted by name
	Establishments []EstablishmentPair // changed, gone and added, in CNPJ order
}

// EstablishmentPair is an establishment before and after a load. Before is nil if the load added
// it, After if it is gone.
type EstablishmentPair struct {
	Before, After *record.Establishment
}

// Difference compares the records of the company h with those of the former load. It reads only the
// rows that differ, in one statement. Contacts that are hidden in h are hidden on both sides. The
// error is ErrGone if the records of the former load have been deleted, or the load was compared
// with none.
func (v *View) Difference(ctx context.Context, h *pack.Head) (Difference, error) {
	d, err := v.difference(ctx, h)
	if err != nil {
		return Difference{}, fmt.Errorf("compare with the former load: %w", err)
	}
	return d, nil
}

func (v *View) difference(ctx context.Context, h *pack.Head) (Difference, error) {
	former, ok := v.Former()
	if !ok || v.formerGone.Load() {
		return Difference{}, ErrGone
	}
	chunks, err := v.differentChunks(ctx, former.ID, h.Root)
	if isGone(err) {
		v.formerGone.Store(true) // they never come back, and PostgreSQL would log every failed query
		return Difference{}, ErrGone
	}
	if err != nil {
		return Difference{}, err
	}
	var sides [2]side
	for _, c := range chunks {
		for i := range sides {
			if err := sides[i].add(h, c.seq, c.docs[i]); err != nil {
				return Difference{}, err
			}
		}
	}
	return compareSides(&sides), nil
}

// isGone reports whether err says that a table or schema in a query does not exist.
func isGone(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && (pgErr.Code == "42P01" || pgErr.Code == "3F000") // undefined_table, invalid_schema_name
}

// chunkPair is a row of a company before and after, nil on the side that does not have it.
type chunkPair struct {
	seq  int
	docs [2][]byte
}

// differentChunks returns the rows of a root that differ between the two loads, sorted by seq.
func (v *View) differentChunks(ctx context.Context, former int64, root cnpj.Root) ([]chunkPair, error) {
	query := `
		SELECT coalesce(was.seq, now.seq), was.doc, now.doc
		FROM (SELECT seq, doc FROM ` + pgx.Identifier{schemaName(former)}.Sanitize() + `.record WHERE root = $1) was
		FULL JOIN (SELECT seq, doc FROM ` + v.schema + `.record WHERE root = $1) now ON now.seq = was.seq
		WHERE now.doc IS DISTINCT FROM was.doc
		ORDER BY 1`
	return collect(ctx, v.pool, func(row pgx.CollectableRow) (p chunkPair, err error) {
		err = row.Scan(&p.seq, &p.docs[0], &p.docs[1])
		return p, err
	}, query, int64(root))
}

// side is the decoded content of the differing rows in one of the two loads.
type side struct {
	head           pack.Head
	hasHead        bool
	partners       []record.Partner
	establishments []record.Establishment
}

// add decodes a row of the company of; doc is nil if this side does not have it.
func (s *side) add(of *pack.Head, seq int, doc []byte) error {
	if doc == nil {
		return nil
	}
	var partners pack.PartnerCursor
	var establishments pack.EstablishmentCursor
	var err error
	switch {
	case seq == 0:
		var h pack.Head
		if h, err = of.Decode(doc); err == nil {
			s.head, s.hasHead = h, true
			partners, establishments = h.FirstPartners(), h.FirstEstablishments()
		}
	case seq < 0:
		partners, err = pack.FurtherPartners(doc)
	default:
		establishments, err = of.FurtherEstablishments(doc)
	}
	if err != nil {
		return err
	}
	for partners.Next() {
		s.partners = append(s.partners, partners.Partner)
	}
	for establishments.Next() {
		s.establishments = append(s.establishments, establishments.Establishment)
	}
	return errors.Join(partners.Err(), establishments.Err())
}

// compareSides compares both sides. Items of equal rows are on neither side and count as unchanged.
// Items that moved from one row to another are on both sides, because both of their rows differ.
func compareSides(sides *[2]side) Difference {
	before, after := &sides[0], &sides[1]
	if after.hasHead && !before.hasHead {
		return Difference{New: true}
	}
	return Difference{
		Heads:          [2]pack.Head{before.head, after.head},
		Partners:       [2][]record.Partner{without(before.partners, after.partners), without(after.partners, before.partners)},
		Establishments: pairs(before.establishments, after.establishments),
	}
}

// without returns the multiset difference partners − others, sorted by name. Partners are compared
// as a whole, and the same partner may be listed twice.
func without(partners, others []record.Partner) []record.Partner {
	count := make(map[record.Partner]int, len(others))
	for i := range others {
		count[others[i]]++
	}
	var left []record.Partner
	for i := range partners {
		if count[partners[i]]--; count[partners[i]] < 0 {
			left = append(left, partners[i])
		}
	}
	// Rows come by seq, and further chunks of partners have -1, -2, …: in reverse.
	slices.SortStableFunc(left, func(a, b record.Partner) int { return strings.Compare(a.NomeSocio, b.NomeSocio) })
	return left
}

// pairs merges two lists in CNPJ order and leaves out establishments that are the same in both.
func pairs(before, after []record.Establishment) []EstablishmentPair {
	var all []EstablishmentPair
	for len(before) > 0 || len(after) > 0 {
		var p EstablishmentPair
		if len(after) == 0 || len(before) > 0 && before[0].CNPJ <= after[0].CNPJ {
			p.Before, before = &before[0], before[1:]
		}
		if len(after) > 0 && (p.Before == nil || p.Before.CNPJ == after[0].CNPJ) {
			p.After, after = &after[0], after[1:]
		}
		if p.Before == nil || p.After == nil || *p.Before != *p.After {
			all = append(all, p)
		}
	}
	return all
}
