package registry

import (
	"context"
	"fmt"
	"slices"

	"razao/internal/cnpj"
)

// Scan calls visit for every root of the load, rising, with all its partners and a cursor over all its
// establishments. What it passes is valid only during the call. It stops at the first error of visit. Contacts are as
// published, hidden or not: nothing that is made of a scan may show them.
func (v *View) Scan(ctx context.Context, visit func(*Head, []Partner, *EstablishmentCursor) error) error {
	rows, err := v.pool.Query(ctx, v.scanSQL)
	if err != nil {
		return fmt.Errorf("scan load %d: %w", v.Load.ID, err)
	}
	defer rows.Close()
	var g gathered
	for rows.Next() {
		var root cnpj.Root
		var seq int
		var doc []byte
		if err := rows.Scan(&root, &seq, &doc); err != nil {
			return fmt.Errorf("scan load %d: %w", v.Load.ID, err)
		}
		if root != g.root || len(g.chunks) == 0 {
			if err := g.visit(visit); err != nil {
				return err
			}
			g = gathered{root: root, chunks: g.chunks[:0], partners: g.partners[:0], packed: g.packed[:0]}
		}
		g.chunks = append(g.chunks, chunk{seq, doc})
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("scan load %d: %w", v.Load.ID, err)
	}
	return g.visit(visit)
}

// gathered collects the rows of one root.
type gathered struct {
	root     cnpj.Root
	chunks   []chunk // by seq: further partners, head, further establishments
	partners []Partner
	packed   []byte
}

type chunk struct {
	seq int
	doc []byte
}

func (g *gathered) visit(visit func(*Head, []Partner, *EstablishmentCursor) error) error {
	at := slices.IndexFunc(g.chunks, func(c chunk) bool { return c.seq == 0 })
	if at < 0 {
		if len(g.chunks) == 0 {
			return nil
		}
		return fmt.Errorf("records of %s: %w", g.root, ErrCorrupt)
	}
	h, err := DecodeHead(g.root, g.chunks[at].doc)
	if err != nil {
		return fmt.Errorf("records of %s: %w", g.root, err)
	}
	if err := g.collect(h.FirstPartners()); err != nil {
		return err
	}
	for _, c := range slices.Backward(g.chunks[:at]) { // -1, -2, …
		r, err := chunkReader(c.doc)
		if err != nil {
			return fmt.Errorf("records of %s: %w", g.root, err)
		}
		if err := g.collect(PartnerCursor{r: r}); err != nil {
			return err
		}
	}
	establishments := h.FirstEstablishments()
	if further := g.chunks[at+1:]; len(further) > 0 {
		g.packed = append(g.packed, h.establishments...)
		for _, c := range further {
			r, err := chunkReader(c.doc)
			if err != nil {
				return fmt.Errorf("records of %s: %w", g.root, err)
			}
			g.packed = append(g.packed, r.rest...)
		}
		establishments.r.rest = g.packed
	}
	return visit(&h, g.partners, &establishments)
}

func (g *gathered) collect(c PartnerCursor) error {
	for c.Next() {
		g.partners = append(g.partners, c.Partner)
	}
	if err := c.Err(); err != nil {
		return fmt.Errorf("partners of %s: %w", g.root, err)
	}
	return nil
}
