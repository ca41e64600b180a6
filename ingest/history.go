package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"razao/index/extsort"
	"razao/index/flags"
	"razao/index/folder"
	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/profile"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
)

// historyWriter finds what a load changed and stores it. Companies come in the order of their roots and
// are stored in that of a hash, so the entries pass through an external sort.
type historyWriter struct {
	in     *Ingester
	of     *registry.Load
	header history.Header
	fields map[change.Kind]map[string]*tally // events that change a field, or contradict it
	sorter *extsort.Sorter
	writer *extsort.Writer
	buf    []byte
}

// newHistoryWriter returns a writer for the load of, compared with former; nil: there is none. dir is
// for temporary files and must not exist.
func (in *Ingester) newHistoryWriter(dir string, of, former *registry.Load, gaps []history.Gap) (*historyWriter, error) {
	var cuts []uint64
	for i := uint64(1); i < 16; i++ {
		cuts = append(cuts, i<<60)
	}
	sorter, err := extsort.New(dir, extsort.Options{Boundaries: cuts})
	if err != nil {
		return nil, err
	}
	w := &historyWriter{in: in, of: of, fields: map[change.Kind]map[string]*tally{}, sorter: sorter, writer: sorter.Writer()}
	w.header = history.Header{Load: of.ID, Gaps: gaps, Events: map[string]int64{}, Places: map[history.Place]*history.PlaceCounts{}}
	if former != nil {
		w.header.Former = former.ID
	}
	return w, nil
}

// add adds what changed of a company, if anything did.
func (w *historyWriter) add(e *history.Entry) error {
	if len(e.Events) == 0 {
		return nil
	}
	w.header.Count(w.of.Source, e)
	for i := range e.Events {
		w.count(e.Root, &e.Events[i])
	}
	w.buf = history.AppendEntry(w.buf[:0], e)
	return w.writer.Add(history.Hash(e.Root), 0, w.buf)
}

// tally counts events, with the first ones as examples.
type tally struct {
	n, alone, contradicted int64 // alone: without the field that it belongs to; contradicted: another field, which changes with this one, says that it has not changed
	examples               []string
}

// count counts an event by the fields that it changes; of records by theirs.
func (w *historyWriter) count(root cnpj.Root, e *change.Event) {
	const most = 3
	of := w.fields[e.Kind]
	if of == nil {
		of = map[string]*tally{}
		w.fields[e.Kind] = of
	}
	at := func(name string) *tally {
		if of[name] == nil {
			of[name] = &tally{}
		}
		return of[name]
	}
	fields := e.Kind.Declared()
	for _, i := range e.Changed() {
		f := &fields[i]
		if e.Kind == change.SourceChanged && f.Kind == record.Codes {
			for name := range strings.SplitSeq(e.Value(e.After, f.Name), ",") {
				t := at(name)
				if t.n++; len(t.examples) < most {
					t.examples = append(t.examples, root.String())
				}
			}
			continue
		}
		t := at(f.Name)
		t.n++
		if e.Alone(f.Name) {
			t.alone++
		}
		if len(t.examples) < most {
			t.examples = append(t.examples, fmt.Sprintf("%s: %s, now %s", root, profile.Example(e.Value(e.Before, f.Name), f.Personal), profile.Example(e.Value(e.After, f.Name), f.Personal)))
		}
	}
	if with := e.Contradicts(); with != "" {
		at(with).contradicted++
	}
}

// finish stores everything that was added.
func (w *historyWriter) finish(ctx context.Context) error {
	if err := w.writer.Close(); err != nil {
		return err
	}
	type entry struct {
		hash uint64
		doc  []byte
	}
	err := w.in.Store.WriteHistory(ctx, &w.header, func(add func(uint64, []byte) error) error {
		return extsort.Run(ctx, w.sorter, w.in.workers(), func(b *extsort.Bucket) ([]entry, error) {
			entries := make([]entry, b.Len())
			for i := range entries {
				hash, _, doc := b.At(i)
				entries[i] = entry{hash, slices.Clone(doc)} // the bucket's memory is reused
			}
			return entries, nil
		}, func(entries []entry) error {
			for _, e := range entries {
				if err := add(e.hash, e.doc); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return errors.Join(err, w.sorter.Remove())
}

// BuildHistory compares the loads in service again with those before them, and stores what changed:
// after an update from a version without a history, or if it was damaged. What was found when the
// records of both loads were there stays as it is if they are not kept any more. It returns the loads
// that it compared.
func (in *Ingester) BuildHistory(ctx context.Context) ([]registry.Load, error) {
	release, err := in.lockAndClean(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return nil, err
	}
	known, err := in.Store.History(ctx)
	if err != nil {
		return nil, err
	}
	var built []registry.Load
	for i := range loads {
		l := &loads[i]
		if !l.Active {
			continue
		}
		former, again := comparedBefore(loads, known.Load(l.ID), l)
		if !again {
			continue
		}
		if err := in.buildHistory(ctx, l, former); err != nil {
			return built, err
		}
		built = append(built, *l)
		if l.Source == registry.Receita {
			if err := in.flagChanged(ctx, l.ID); err != nil {
				return built, err
			}
		}
	}
	return built, in.Store.AnnounceHistory(ctx)
}

// flagChanged writes again which documents of the index in service the load of companies changed.
func (in *Ingester) flagChanged(ctx context.Context, load int64) error {
	now, err := in.currentSnapshot(ctx)
	if err != nil || now.IndexName == "" {
		return err
	}
	w, err := flags.NewWriter(filepath.Join(in.IndexDir, now.IndexName))
	if errors.Is(err, folder.ErrDamaged) || errors.Is(err, folder.ErrFormat) {
		return nil // the next index gets them
	}
	if err != nil {
		return err
	}
	return errors.Join(in.flagLoad(ctx, w, registry.Receita, load, true), w.Close())
}

// comparedBefore returns the load that l is to be compared with: the one that its history names or,
// without a history, the last one before it that was served; nil if there was none. again is false if
// its history stays as it is. A load that was served later is never it, although a rollback may go
// back to one.
func comparedBefore(loads []registry.Load, known *history.Load, l *registry.Load) (former *registry.Load, again bool) {
	for i := range loads { // the newest first
		f := &loads[i]
		switch {
		case f.Source != l.Source || f.ID >= l.ID || f.ServedAt == nil:
		case known == nil:
			return f, true
		case known.Former == f.ID:
			return f, f.State == registry.LoadReady
		}
	}
	return nil, known == nil
}

func (in *Ingester) buildHistory(ctx context.Context, l, former *registry.Load) error {
	work := in.workDir(l.ID)
	if err := os.MkdirAll(work, 0o700); err != nil {
		return fmt.Errorf("work folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	c := &comparison{in: in, dir: filepath.Join(work, "history"), load: l, former: former}
	if l.Source == registry.Receita {
		view, release, err := in.viewOf(ctx, l.ID)
		if err != nil {
			return err
		}
		defer release()
		return c.companies(ctx, view)
	}
	src := mustFind(l.Source)
	return c.records(ctx, &src)
}
