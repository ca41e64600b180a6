package ingest

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"razao/index/flags"
	"razao/index/folder"
	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/totals"
)

// publish makes loads (by source id) and an index the current snapshot; sources that are not among
// loads keep theirs. name is the folder of the index, "" for the one in service. The index first
// gets the flags that it lacks for the loads of the new snapshot.
//
// If the snapshot has operations of BNDES, and a load of the same edition is linked to its
// companies, that load takes their place. This makes a rollback of companies a switch of pointers
// instead of a load.
func (in *Ingester) publish(ctx context.Context, loads map[string]int64, name string) error {
	if err := in.lock.Held(ctx); err != nil {
		return err
	}
	now, err := in.currentSnapshot(ctx)
	if err != nil {
		return err
	}
	known, err := in.Store.Loads(ctx)
	if err != nil {
		return err
	}
	all, switched := map[string]int64{}, map[string]int64{}
	maps.Copy(all, now.Loads)
	maps.Copy(all, loads)
	maps.Copy(switched, loads)
	i := slices.IndexFunc(known, func(l registry.Load) bool { return l.ID == all[bndesID] })
	if i >= 0 {
		if l := linked(known, known[i].Edition, all[registry.Receita]); l != nil {
			all[bndesID], switched[bndesID] = l.ID, l.ID
		}
	}
	if used := cmp.Or(name, now.IndexName); used != "" {
		err := in.flag(ctx, used, all, loads)
		switch {
		case errors.Is(err, folder.ErrDamaged), errors.Is(err, folder.ErrFormat):
			// A damaged index must not hold back records: servers serve them and report the index.
			in.Log.Warn("the index does not know the records of sources", "index", used, "error", err)
		case err != nil:
			return err
		case in.Send != nil:
			in.Send(ctx, used)
		}
	}
	_, err = in.Store.Publish(ctx, switched, name)
	return err
}

// flag writes the flags that the index of that name lacks for loads (by source id). A load that
// cannot be read is logged and left out, unless it is in wanted: searches then cannot filter by
// that source, and the rest of the search works. It returns folder.ErrDamaged or folder.ErrFormat
// if the index cannot be used.
func (in *Ingester) flag(ctx context.Context, name string, loads, wanted map[string]int64) (err error) {
	w, err := flags.NewWriter(filepath.Join(in.IndexDir, name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	report := in.progress("flags of sources")
	for i, id := range slices.Sorted(maps.Keys(loads)) {
		if !w.Has(id, loads[id]) {
			if err := in.flagLoad(ctx, w, id, loads[id], wanted[id] != 0); err != nil {
				return err
			}
		}
		report(int64(i+1), int64(len(loads)))
	}
	return nil
}

// flagLoad writes the flags of one load.
func (in *Ingester) flagLoad(ctx context.Context, w *flags.Writer, id string, load int64, wanted bool) error {
	var records *flags.Records
	var err error
	if id == registry.Receita {
		records, err = changedBy(ctx, in.Store, load)
	} else {
		records, err = recordsOf(ctx, in.Store, mustFind(id), load)
	}
	if err != nil && !wanted && ctx.Err() == nil {
		in.Log.Warn("a load cannot be read; the index does not know whom it has records of", "source", id, "load", load, "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	return w.Write(ctx, id, load, records, in.workers())
}

// changedBy returns the flags of a load of companies: all establishments of those that it changed.
func changedBy(ctx context.Context, store *registry.Store, load int64) (*flags.Records, error) {
	view, err := store.View(ctx, registry.Snapshot{Loads: map[string]int64{registry.Receita: load}})
	if err != nil {
		return nil, err
	}
	records := &flags.Records{}
	return records, view.EachChange(ctx, func(root cnpj.Root, by int64) error {
		if by == load {
			records.Add(cnpj.Join(root, 0), cnpj.Join(root, cnpj.Orders-1))
		}
		return nil
	})
}

// recordsOf returns the flags of a load of a source. A record counts for the establishment that it is
// kept for, as in a lookup of that establishment. Records kept for the company alone count only if
// the source names companies and not establishments (see registry.Store.Owners). All of a company's
// count for it as a whole.
//
// If searches ask only whether there are records, the list of owners answers that. If they ask for
// amounts (source.Facts.Measures), all records are streamed once in the order of roots; memory holds
// the sums of one company and the result.
func recordsOf(ctx context.Context, store *registry.Store, src source.Source, load int64) (*flags.Records, error) {
	records := &flags.Records{}
	if !src.Facts.Measures.Any() {
		return records, ownersOf(ctx, store, &src, load, records)
	}
	g := companySums{facts: &src.Facts, of: map[cnpj.Order]*totals.Measures{}, into: records}
	err := store.EachRecord(ctx, &src, load, src.MeasuredFields(), g.add)
	g.end()
	return records, err
}

// ownersOf adds the owners of a load's records, which have no values, and their companies.
func ownersOf(ctx context.Context, store *registry.Store, src *source.Source, load int64, into *flags.Records) error {
	root := cnpj.Root(-1)
	end := func() {
		if root >= 0 && !src.CompanyOnly { // else each establishment has the records of its company
			into.AddCompany(root)
		}
	}
	err := store.Owners(ctx, src, load, func(first, last cnpj.Full) {
		if first.Root() != root {
			end()
			root = first.Root()
		}
		into.Add(first, last)
	})
	end()
	return err
}

// companySums adds up the records of one company at a time.
type companySums struct {
	facts *source.Facts
	root  cnpj.Root
	of    map[cnpj.Order]*totals.Measures // sums by establishment of root
	whole *totals.Measures                // of all its records, nil without any
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
	if g.whole == nil {
		g.whole = totals.NewMeasures(g.facts)
	}
	g.whole.Add(it)
	s := g.of[order]
	if s == nil {
		s = totals.NewMeasures(g.facts)
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
	if g.whole != nil {
		g.into.AddCompany(g.root, valuesOf(g.whole)...)
	}
	g.of, g.whole = map[cnpj.Order]*totals.Measures{}, nil // a map that was large once stays slow to walk
}

// valuesOf returns the sums of an establishment or a company as values of the index. A sum that the source does
// not define has no value.
func valuesOf(s *totals.Measures) []flags.Value {
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
