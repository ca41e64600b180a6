// Package holdings reads what searches are to know of a load of public records: whom it has records of, and what these come to.
package holdings

import (
	"context"
	"maps"
	"slices"

	"razao/index/flags"
	"razao/internal/cnpj"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/source"
	"razao/internal/source/tally"
)

// Read reads a load of a source. Records count for the establishment that they are kept for, as when it is asked about: those of its
// company's other establishments do not, nor those that are kept for the company alone, unless the source names companies only (as in
// registry.Store.Owners). The records themselves are read, once and in pieces, only where searches ask for more than that there are any.
func Read(ctx context.Context, store *registry.Store, src source.Source, load int64) (*flags.Records, error) {
	records := &flags.Records{}
	if !src.Facts.Sought.Any() {
		return records, store.Owners(ctx, &src, load, func(first, last cnpj.Full) { records.Add(first, last) })
	}
	g := gathering{facts: &src.Facts, of: map[cnpj.Order]*tally.Sought{}, into: records}
	err := store.EachRecord(ctx, &src, load, src.SoughtFields(), g.add)
	g.end()
	return records, err
}

// gathering adds up the records of one company after another.
type gathering struct {
	facts *source.Facts
	root  cnpj.Root
	of    map[cnpj.Order]*tally.Sought // its establishments
	into  *flags.Records
}

func (g *gathering) add(root cnpj.Root, it *pack.Item) {
	if root != g.root {
		g.end()
		g.root = root
	}
	order, ok := it.Owner()
	if !ok {
		return
	}
	s := g.of[order]
	if s == nil {
		s = tally.NewSought(g.facts)
		g.of[order] = s
	}
	s.Add(it)
}

// end passes the establishments of a company on.
func (g *gathering) end() {
	for _, order := range slices.Sorted(maps.Keys(g.of)) {
		number := cnpj.Join(g.root, order)
		g.into.Add(number, number, valuesOf(g.of[order])...)
	}
	g.of = map[cnpj.Order]*tally.Sought{} // one that has been large would stay slow
}

func valuesOf(s *tally.Sought) []flags.Value {
	var values []flags.Value
	if total, ok := s.Cents(); ok {
		values = append(values, flags.Value{Measure: flags.Total, From: total, To: total})
	}
	for year := range s.Years() {
		values = append(values, flags.Value{Measure: flags.Year, From: int64(year), To: int64(year)})
	}
	for _, days := range s.InForce() {
		values = append(values, flags.Value{Measure: flags.InForce, From: days.From, To: days.To})
	}
	return values
}
