// Package holdings reads from the record store what the search index keeps about a load of public
// records: which establishments have records, and for some sources what these come to (total,
// years, days in force). It connects the store (internal/store/registry) with the flags beside the index
// (index/flags), which do not know each other.
package holdings

import (
	"context"
	"maps"
	"slices"

	"razao/index/flags"
	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/tally"
)

// Read returns the flags of a load of a source. A record counts for the establishment that it is
// kept for, as in a lookup of that establishment. Records kept for the company alone count only if
// the source names companies and not establishments (see registry.Store.Owners).
//
// If searches ask only whether there are records, the list of owners answers that. If they ask for
// amounts (source.Facts.Sought), all records are streamed once in the order of roots; memory holds
// the sums of one company and the result.
func Read(ctx context.Context, store *registry.Store, src source.Source, load int64) (*flags.Records, error) {
	records := &flags.Records{}
	if !src.Facts.Sought.Any() {
		return records, store.Owners(ctx, &src, load, func(first, last cnpj.Full) { records.Add(first, last) })
	}
	g := companySums{facts: &src.Facts, of: map[cnpj.Order]*tally.Sought{}, into: records}
	err := store.EachRecord(ctx, &src, load, src.SoughtFields(), g.add)
	g.end()
	return records, err
}

// companySums adds up the records of one company at a time.
type companySums struct {
	facts *source.Facts
	root  cnpj.Root
	of    map[cnpj.Order]*tally.Sought // sums by establishment of root
	into  *flags.Records
}

// add adds a record. Roots must rise.
func (g *companySums) add(root cnpj.Root, it *pack.Item) {
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

// end passes the establishments of the company on, in order, and clears the sums.
func (g *companySums) end() {
	for _, order := range slices.Sorted(maps.Keys(g.of)) {
		number := cnpj.Join(g.root, order)
		g.into.Add(number, number, valuesOf(g.of[order])...)
	}
	g.of = map[cnpj.Order]*tally.Sought{} // a map that was large once stays slow to walk
}

// valuesOf returns the sums of an establishment as values of the index. A sum that the source does
// not define has no value.
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
