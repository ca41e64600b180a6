package ingest

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"iter"
	"os"
	"slices"
	"strings"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
	"razao/internal/store/registry/pack"
	"razao/internal/store/totals"
)

// gapsOf returns the parts of a load that cannot be compared with the former one, each with the
// reason.
func (in *Ingester) gapsOf(ctx context.Context, l, former *registry.Load) ([]history.Gap, error) {
	parts := []change.Part{change.Records}
	if l.Source == registry.Receita {
		parts = []change.Part{change.Companies, change.Establishments, change.Partners, change.Simples}
	}
	whole := func(why history.Why) (gaps []history.Gap, err error) {
		for _, part := range parts {
			gaps = append(gaps, history.Gap{Part: part, Why: why})
		}
		return gaps, nil
	}
	switch {
	case former == nil:
		return whole(history.First)
	case former.State != registry.LoadReady:
		return whole(history.Gone)
	case l.Invented != former.Invented:
		return whole(history.OtherKind)
	}
	if l.Source == registry.Receita {
		same, err := in.Store.Comparable(ctx, former.ID, l.ID)
		if err != nil {
			return nil, err
		}
		if !same {
			return whole(history.Format)
		}
	}
	var gaps []history.Gap
	for _, part := range parts {
		switch {
		case len(l.Lacks(part))+len(former.Lacks(part)) > 0:
			gaps = append(gaps, history.Gap{Part: part, Why: history.Missing})
		case collapsed(rowsOf(l, part), rowsOf(former, part)):
			gaps = append(gaps, history.Gap{Part: part, Why: history.Partial})
		}
	}
	return gaps, nil
}

// rowsOf returns the number of records of a part.
func rowsOf(l *registry.Load, part change.Part) int64 {
	return map[change.Part]int64{
		change.Companies: l.Counts.Companies, change.Establishments: l.Counts.Establishments, change.Partners: l.Counts.Partners,
		change.Simples: l.Counts.Simples, change.Records: l.Counts.Records,
	}[part]
}

// collapsed reports whether one of two figures is so much smaller that one of the loads must be a
// part of what was published: the difference would be that of the files, in one month as absences
// and in the next as appearances. Loads are refused for less, unless they are forced.
func collapsed(a, b int64) bool {
	const few = 1000 // small sources do change by a fifth
	small, large := min(a, b), max(a, b)
	return small*10 < large*8 && large-small > few
}

// comparison finds what a load changed, and stores it. It is a sink of a load of Receita.
type comparison struct {
	in           *Ingester
	dir          string // for temporary files; it must not exist
	load, former *registry.Load
	check        *checks // may refuse it; nil: what is served already is not judged
}

func (c *comparison) finish(ctx context.Context, folder string) error {
	view, err := c.in.Store.View(ctx, registry.Snapshot{Loads: map[string]int64{registry.Receita: c.load.ID}})
	if err != nil {
		return err
	}
	defer c.in.readThrough(view, folder)()
	return c.companies(ctx, view)
}

func (c *comparison) abort() {} // store leaves no files behind

// companies compares a load of Receita, which view reads.
func (c *comparison) companies(ctx context.Context, view *registry.View) error {
	return c.store(ctx, change.Establishments, func(w *historyWriter, has func(change.Part) bool) error {
		c.in.progress("history")(0, 1)
		before, release, err := c.in.viewOf(ctx, c.former.ID)
		if err != nil {
			return err
		}
		defer release()
		err = c.in.Store.WriteChanges(ctx, c.former.ID, c.load.ID, func(changed func(cnpj.Root) error) error {
			return registry.EachDifference(ctx, before, view, func(root cnpj.Root, before, after *change.State) error {
				if err := changed(root); err != nil {
					return err
				}
				return w.compare(root, before, after, has)
			})
		})
		if err != nil {
			return err
		}
		c.in.progress("history")(1, 1)
		return nil
	})
}

// records compares a load of public records.
func (c *comparison) records(ctx context.Context, src *source.Source) error {
	return c.store(ctx, change.Records, func(w *historyWriter, _ func(change.Part) bool) error {
		return w.compareSources(ctx, src, c.former.ID, c.load.ID)
	})
}

// store stores what compare adds of the parts that the load has, as the former one does; nothing without
// the main one.
func (c *comparison) store(ctx context.Context, main change.Part, compare func(w *historyWriter, has func(change.Part) bool) error) error {
	gaps, err := c.in.gapsOf(ctx, c.load, c.former)
	if err != nil {
		return err
	}
	w, err := c.in.newHistoryWriter(c.dir, c.load, c.former, gaps)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(c.dir) }()
	has := func(part change.Part) bool {
		return !slices.ContainsFunc(gaps, func(g history.Gap) bool { return g.Part == part })
	}
	if has(main) {
		if err := compare(w, has); err != nil {
			return err
		}
		if err := c.in.judge(ctx, c.check, w, c.former); err != nil {
			return err
		}
	}
	return w.finish(ctx)
}

// compare adds what changed of a company and counts its openings, closures and moves by place.
func (w *historyWriter) compare(root cnpj.Root, before, after *change.State, has func(change.Part) bool) error {
	e := history.Entry{Root: root, Individual: before.Individual() || after.Individual(), Events: change.Compare(before, after, has)}
	activity := map[cnpj.Order]string{}
	city := map[cnpj.Order]string{}
	for i := range after.Establishments {
		est := &after.Establishments[i]
		activity[est.CNPJ.Order()], city[est.CNPJ.Order()] = est.CNAEFiscalPrincipal, est.Municipio
	}
	for i := range e.Events {
		ev := &e.Events[i]
		order, ok := ev.OrderOf()
		if !ok {
			continue
		}
		now := func() *history.PlaceCounts { return w.header.At(city[order], activity[order]) }
		switch ev.Kind {
		case change.Opened:
			now().Opened++
		case change.Closed:
			now().Closed++
		case change.Reactivated:
			now().Reactivated++
		case change.Moved:
			now().Arrivals++
			w.header.At(ev.Value(ev.Before, "municipio"), activity[order]).Departures++
		}
	}
	return w.add(&e)
}

// compareSources merges the records of two loads by company.
func (w *historyWriter) compareSources(ctx context.Context, src *source.Source, former, load int64) error {
	of := recordReader{store: w.in.Store, src: src, seed: maphash.MakeSeed()}
	if err := of.compareFieldsOf(ctx, former, load); err != nil {
		return err
	}
	var errs [2]error
	before, stopBefore := iter.Pull2(of.states(ctx, former, &errs[0]))
	defer stopBefore()
	after, stopAfter := iter.Pull2(of.states(ctx, load, &errs[1]))
	defer stopAfter()
	b, bs, hasBefore := before()
	a, as, hasAfter := after()
	for hasBefore || hasAfter {
		root := a
		var was, now change.SourceState
		if !hasAfter || hasBefore && b < a {
			root = b
		}
		if hasBefore && b == root {
			was = bs
			b, bs, hasBefore = before()
		}
		if hasAfter && a == root {
			now = as
			a, as, hasAfter = after()
		}
		if event, differ := change.CompareSource(was, now, of.fields); differ {
			if err := w.add(&history.Entry{Root: root, Events: []change.Event{event}}); err != nil {
				return err
			}
		}
	}
	return errors.Join(errs[:]...)
}

// recordReader reads what loads of a source say of each company.
type recordReader struct {
	store  *registry.Store
	src    *source.Source
	seed   maphash.Seed
	fields []string // that are compared
}

// compareFieldsOf chooses the fields that two loads have and that say something of the thing, not of the edition that it
// was published in. One that only one of them has came or went with a version of this program.
func (r *recordReader) compareFieldsOf(ctx context.Context, former, load int64) error {
	before, err := r.store.RecordFields(ctx, r.src, former)
	if err != nil {
		return err
	}
	after, err := r.store.RecordFields(ctx, r.src, load)
	if err != nil {
		return err
	}
	for _, f := range r.src.Fields {
		has := func(other source.Field) bool { return other.Name == f.Name }
		if !f.Edition && slices.ContainsFunc(before, has) && slices.ContainsFunc(after, has) {
			r.fields = append(r.fields, f.Name)
		}
	}
	return nil
}

// states yields what a load of the source says of each company, by root. *err is set at the end.
func (r *recordReader) states(ctx context.Context, load int64, err *error) iter.Seq2[cnpj.Root, change.SourceState] {
	return func(yield func(cnpj.Root, change.SourceState) bool) {
		var root cnpj.Root
		var state change.SourceState
		var adder *totals.Adder // nil: the source has no amounts
		var sum totals.Sum
		more := true
		end := func() {
			if state.Records > 0 && more {
				state.Total = sum.Cents()
				more = yield(root, state)
			}
		}
		hasher := recordHasher{recordReader: r}
		failed := r.store.EachRecord(ctx, r.src, load, nil, func(of cnpj.Root, it *pack.Item) {
			if of != root || state.Records == 0 {
				end()
				root, state, sum = of, change.SourceState{Fields: make([]uint64, len(r.fields))}, totals.Sum{}
				if r.src.Facts.Amount != nil {
					adder = totals.NewAdder(r.src.Facts.Amount)
				}
			}
			state.Records++
			if adder != nil {
				amount, valued := totals.ParseAmount(totals.Value(it, adder.Field))
				if adder.Adds(it, totals.Day(it, r.src.Facts.Day), amount, valued) {
					sum.Add(amount)
					state.Totaled = true
				}
			}
			hasher.add(&state, it)
		})
		if failed == nil {
			end()
		}
		*err = failed
	}
}

// recordHasher hashes the records of a load as they read.
type recordHasher struct {
	*recordReader
	at              []int               // of the compared fields among those of the load
	codes           []map[string]uint64 // hashes of the values of a Code, which many records share
	reading, hashes []byte
}

const mostCodes = 1 << 12 // whose hashes are kept of a field

// add adds a record to those of a company. They are a set: the order of the rows says nothing.
func (h *recordHasher) add(to *change.SourceState, it *pack.Item) {
	if h.at == nil {
		for _, name := range h.fields {
			h.at = append(h.at, slices.IndexFunc(it.Fields, func(f source.Field) bool { return f.Name == name }))
			h.codes = append(h.codes, map[string]uint64{})
		}
	}
	h.hashes = h.hashes[:0]
	for i, at := range h.at {
		hash := h.hash(i, it.Fields[at].Kind, it.Values[at])
		to.Fields[i] += hash
		h.hashes = binary.LittleEndian.AppendUint64(h.hashes, hash)
	}
	to.Content += maphash.Bytes(h.seed, h.hashes)
}

// hash hashes the value of the i-th compared field as it reads, 0 for none.
func (h *recordHasher) hash(i int, kind source.Kind, value string) (hash uint64) {
	if value == "" {
		return 0
	}
	if kind == source.Code {
		if hash, known := h.codes[i][value]; known {
			return hash
		}
	}
	if h.reading = change.AppendReading(h.reading[:0], kind, value); len(h.reading) > 0 {
		hash = maphash.Bytes(h.seed, h.reading)
	}
	if kind == source.Code && len(h.codes[i]) < mostCodes {
		h.codes[i][strings.Clone(value)] = hash // items are valid only during the call
	}
	return hash
}
