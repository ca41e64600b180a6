package registry

import (
	"context"
	"fmt"
	"slices"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry/pack"
)

// Scan calls visit for every root of the load, ascending, with all its partners and a cursor over
// all its establishments. It streams the table and holds the rows of one root; what it passes is
// valid only during the call. It stops at the first error of visit and returns it, wrapped. Contacts are as
// published, even those hidden on request: nothing made from a scan may show them.
func (v *View) Scan(ctx context.Context, visit func(*pack.Head, []record.Partner, *pack.EstablishmentCursor) error) error {
	var g rowCollector
	err := v.EachRow(ctx, func(root cnpj.Root, seq int32, doc []byte) error {
		if root != g.root || len(g.chunks) == 0 {
			if err := g.visit(visit); err != nil {
				return err
			}
			g = rowCollector{root: root, chunks: g.chunks[:0], partners: g.partners[:0], packed: g.packed[:0]}
		}
		g.chunks = append(g.chunks, chunk{seq, doc})
		return nil
	})
	if err != nil {
		return err
	}
	return g.visit(visit)
}

// Roots are the roots from From up to Below, which is not among them.
type Roots struct{ From, Below cnpj.Root }

var allRoots = Roots{Below: cnpj.Orders * cnpj.Orders}

// EachRow calls visit for every row of the load's records as it is stored (package pack), ascending
// by root and seq. visit may keep doc. It stops at the first error of visit and returns it,
// wrapped.
func (v *View) EachRow(ctx context.Context, visit func(root cnpj.Root, seq int32, doc []byte) error) error {
	return v.eachRow(ctx, allRoots, visit, v.scanSQL)
}

// EachRowIn is EachRow for the roots in a range.
func (v *View) EachRowIn(ctx context.Context, in Roots, visit func(root cnpj.Root, seq int32, doc []byte) error) error {
	return v.eachRow(ctx, in, visit, v.rangeSQL, int64(in.From), int64(in.Below))
}

func (v *View) eachRow(ctx context.Context, in Roots, visit func(root cnpj.Root, seq int32, doc []byte) error, query string, args ...any) error {
	done, begun, last, err := v.eachCached(ctx, in, visit)
	if done || err != nil {
		return err
	}
	var root cnpj.Root
	var seq int32
	var doc []byte
	err = eachRow(ctx, v.pool, []any{(*int64)(&root), &seq, &doc}, func() error {
		if begun && rowKeyOf(root, seq) <= last {
			return nil
		}
		return visit(root, seq, doc)
	}, query, args...)
	if err != nil {
		return fmt.Errorf("scan load %d: %w", v.Load.ID, err)
	}
	return nil
}

// rowCollector collects the rows of one root. Its buffers are reused for the next.
type rowCollector struct {
	root     cnpj.Root
	chunks   []chunk // by seq: further partners, head, further establishments
	partners []record.Partner
	packed   []byte // buffer of all establishments, see pack.Head.AllEstablishments
}

type chunk struct {
	seq int32
	doc []byte
}

// visit decodes the rows and passes them on. It does nothing without rows, as before the first
// root; rows without a head are corrupt.
func (g *rowCollector) visit(visit func(*pack.Head, []record.Partner, *pack.EstablishmentCursor) error) error {
	at := slices.IndexFunc(g.chunks, func(c chunk) bool { return c.seq == 0 })
	if at < 0 {
		if len(g.chunks) == 0 {
			return nil
		}
		return fmt.Errorf("scan the records: %w", pack.ErrCorrupt)
	}
	h, establishments, err := g.open(at)
	if err != nil {
		return fmt.Errorf("scan the records: %w", err)
	}
	return visit(&h, g.partners, &establishments)
}

// open decodes the head, which is chunks[at], collects all partners and joins all establishments.
func (g *rowCollector) open(at int) (h pack.Head, establishments pack.EstablishmentCursor, err error) {
	if h, err = pack.DecodeHead(g.root, g.chunks[at].doc); err != nil {
		return h, establishments, err
	}
	if err := g.collect(h.FirstPartners()); err != nil {
		return h, establishments, err
	}
	for _, c := range slices.Backward(g.chunks[:at]) { // -1, -2, …
		partners, err := pack.FurtherPartners(c.doc)
		if err != nil {
			return h, establishments, err
		}
		if err := g.collect(partners); err != nil {
			return h, establishments, err
		}
	}
	var further [][]byte
	for _, c := range g.chunks[at+1:] {
		further = append(further, c.doc)
	}
	establishments, g.packed, err = h.AllEstablishments(g.packed, further...)
	return h, establishments, err
}

// collect appends the partners of a chunk.
func (g *rowCollector) collect(c pack.PartnerCursor) error {
	for c.Next() {
		g.partners = append(g.partners, c.Partner)
	}
	return c.Err()
}
