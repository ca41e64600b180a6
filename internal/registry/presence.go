package registry

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"razao/internal/cnpj"
	"razao/internal/registry/pack"
	"razao/internal/source"
)

// presenceKey numbers an establishment, given its order plus one, or with 0 the company as a whole: the keys of a root
// are together and rise with the orders.
func presenceKey(root cnpj.Root, order uint64) uint64 {
	return uint64(root)*(cnpj.Orders+1) + order
}

// AppendPresence appends the keys of the owners of a root's packed items to keys, each once and rising.
func AppendPresence(keys []uint64, root cnpj.Root, items [][]byte) []uint64 {
	from := len(keys)
	for _, item := range items {
		keys = append(keys, presenceKey(root, pack.ItemOrder(item)))
	}
	slices.Sort(keys[from:])
	return keys[:from+len(slices.Compact(keys[from:]))]
}

// Presence says which establishments have records in which sources: ten bytes in memory for each of them. It is safe
// for concurrent use.
type Presence struct {
	keys []uint64
	mask []uint16 // bit i: source i of source.All

	companyOnly uint16 // the sources that name companies only
}

// Presence reads what the loads of a snapshot have records of. Sources without a load have none.
func (s *Store) Presence(ctx context.Context, snapshot Snapshot) (*Presence, error) {
	p := &Presence{}
	for bit, src := range source.All() {
		if src.CompanyOnly {
			p.companyOnly |= 1 << bit
		}
		load, ok := snapshot.Loads[src.ID]
		if !ok {
			continue
		}
		var keys []uint64
		if err := s.eachPresence(ctx, load, func(key uint64) { keys = append(keys, key) }); err != nil {
			return nil, fmt.Errorf("presence of %s, load %d: %w", src.ID, load, err)
		}
		p.merge(keys, 1<<bit)
	}
	return p, nil
}

// Owners passes the establishments that a load of a source has records of to visit, rising: all from first to last, which
// are one mostly. A source that names companies only counts for all establishments, as it does when one is queried.
func (s *Store) Owners(ctx context.Context, id string, load int64, visit func(first, last cnpj.Full)) error {
	src, ok := source.Find(id)
	if !ok {
		return fmt.Errorf("there is no source %q", id)
	}
	last := cnpj.Root(-1) // whose establishments were all passed
	err := s.eachPresence(ctx, load, func(key uint64) {
		root, order := cnpj.Root(key/(cnpj.Orders+1)), key%(cnpj.Orders+1)
		switch {
		case order == 0 && src.CompanyOnly:
			visit(cnpj.Join(root, 0), cnpj.Join(root, cnpj.Orders-1))
			last = root
		case order > 0 && root != last:
			number := cnpj.Join(root, cnpj.Order(order-1))
			visit(number, number)
		}
	})
	if err != nil {
		return fmt.Errorf("owners of the records of %s, load %d: %w", id, load, err)
	}
	return nil
}

// eachPresence passes the keys of a load, rising.
func (s *Store) eachPresence(ctx context.Context, load int64, visit func(key uint64)) error {
	query := `SELECT doc FROM ` + pgx.Identifier{schemaName(load)}.Sanitize() + `.presence ORDER BY seq`
	rows, err := s.pool.Query(ctx, query)
	if err != nil {
		return err
	}
	var doc []byte
	_, err = pgx.ForEachRow(rows, []any{&doc}, func() error { return pack.Varints(doc, visit) })
	return err
}

// merge adds the bit of one source, whose keys rise.
func (p *Presence) merge(keys []uint64, bit uint16) {
	if len(keys) == 0 {
		return
	}
	merged := Presence{
		keys:        make([]uint64, 0, len(p.keys)+len(keys)),
		mask:        make([]uint16, 0, len(p.keys)+len(keys)),
		companyOnly: p.companyOnly,
	}
	i := 0
	for _, key := range keys {
		for ; i < len(p.keys) && p.keys[i] < key; i++ {
			merged.keys, merged.mask = append(merged.keys, p.keys[i]), append(merged.mask, p.mask[i])
		}
		mask := bit
		if i < len(p.keys) && p.keys[i] == key {
			mask |= p.mask[i]
			i++
		}
		merged.keys, merged.mask = append(merged.keys, key), append(merged.mask, mask)
	}
	merged.keys, merged.mask = append(merged.keys, p.keys[i:]...), append(merged.mask, p.mask[i:]...)
	*p = merged
}

// Sources returns the sources with records of an establishment: bit i is source i of source.All. A source that names
// companies only counts for all establishments, as it does when one is queried.
func (p *Presence) Sources(establishment cnpj.Full) uint16 {
	root := establishment.Root()
	company := presenceKey(root, 0)
	i, _ := slices.BinarySearch(p.keys, company)
	if i == len(p.keys) || p.keys[i] >= presenceKey(root+1, 0) {
		return 0 // nothing about this company, which is what most are asked in vain for
	}
	var mask uint16
	if p.keys[i] == company {
		mask = p.mask[i] & p.companyOnly
	}
	own := presenceKey(root, uint64(establishment.Order())+1)
	if j, found := slices.BinarySearch(p.keys[i:], own); found {
		mask |= p.mask[i+j]
	}
	return mask
}
