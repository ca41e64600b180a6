// Package bndes reads the financing operations that BNDES publishes and links them to companies.
//
// One of the two files names its clients by their CNPJ; the other one hides five of its fourteen positions. A hidden
// number is inferred by fixed rules only: the company's root stands in the client's name, or exactly one establishment
// of the whole tax authority's load has the visible positions, the municipality and the name. Nothing is ranked and
// nothing is alike: what the rules do not decide stays unlinked.
//
// Links depend on two loads, so operations are also packed into an archive of their load, from which they can be linked
// again without the published files.
package bndes

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"razao/ingest/rows"
	"razao/internal/registry/pack"
	"razao/internal/territory"
)

const sourceID = "bndes"

// Scan calls visit for every root of the Receita load, one at a time, with a cursor over all its establishments. What it
// passes is valid only during the call.
type Scan func(ctx context.Context, visit func(*pack.Head, *pack.EstablishmentCursor) error) error

// Operacoes returns the loader of the published files. scan is nil while there is no Receita load: then only published
// numbers are linked. archive keeps the packed operations with the load; it is called by one goroutine at a time and
// copies what it gets.
func Operacoes(scan Scan, archive func(blob []byte) error) rows.Loader {
	return loader(scan, archive, readFiles)
}

// Relink returns the loader of operations that were archived by an earlier load; it reads no files. blobs passes them in
// any order. The records are those that Operacoes would give with the same scan.
func Relink(blobs func(yield func(blob []byte) error) error, scan Scan, archive func(blob []byte) error) rows.Loader {
	return loader(scan, archive, func(_ context.Context, _ *rows.Input, out *rows.Output, s *spool) error {
		return readArchive(blobs, out, s)
	})
}

// loader returns a loader that gets its operations from fill. They are kept on disk in between: which questions there are
// must be known before the scan, and the answers before the first record.
func loader(scan Scan, archive func([]byte) error, fill func(context.Context, *rows.Input, *rows.Output, *spool) error) rows.Loader {
	read := func(ctx context.Context, in *rows.Input, out *rows.Output) (facts rows.Facts, err error) {
		atlas, err := territory.Open()
		if err != nil {
			return rows.Facts{}, err
		}
		s, err := newSpool(in.Scratch, archive)
		if err != nil {
			return rows.Facts{}, err
		}
		defer s.close()
		if err := fill(ctx, in, out, s); err != nil {
			return rows.Facts{}, err
		}
		links := newLinker(atlas)
		span, err := gather(ctx, s, links)
		if err != nil {
			return rows.Facts{}, err
		}
		if scan != nil {
			if err := scan(ctx, links.visit); err != nil {
				return rows.Facts{}, fmt.Errorf("link operations: %w", err)
			}
		}
		return span.facts(scan != nil), write(ctx, s, links, out, max(in.Workers, 1))
	}
	return rows.Loader{Sources: []string{sourceID}, Read: read}
}

// readFiles reads the published files.
func readFiles(ctx context.Context, in *rows.Input, out *rows.Output, s *spool) error {
	files, err := choose(in)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := f.read(ctx, in, out, s); err != nil {
			return err
		}
	}
	return s.flush()
}

// readArchive copies archived operations.
func readArchive(blobs func(yield func(blob []byte) error) error, out *rows.Output, s *spool) error {
	w := out.Writer()
	err := blobs(func(blob []byte) error {
		err := unpack(blob, func(*operation) error {
			w.Row()
			return nil
		})
		if err != nil {
			return err
		}
		return s.add(blob)
	})
	if err != nil {
		return fmt.Errorf("archived operations: %w", err)
	}
	return w.Close()
}

// period is the time between the first and the last contract.
type period struct{ earliest, newest string } // AAAA-MM-DD, "" when no operation has a date

// gather asks the linker about every operation.
func gather(ctx context.Context, s *spool, links *linker) (span period, err error) {
	for i := range s.blobs() {
		if err := ctx.Err(); err != nil {
			return span, err
		}
		err := s.each(i, func(o *operation) error {
			span.extend(o.values[dataDaContratacao])
			links.ask(o)
			return nil
		})
		if err != nil {
			return span, err
		}
	}
	return span, nil
}

// extend copies what it keeps: the date shares memory with a whole blob.
func (p *period) extend(date string) {
	if date == "" {
		return
	}
	if p.earliest == "" || date < p.earliest {
		p.earliest = strings.Clone(date)
	}
	if date > p.newest {
		p.newest = strings.Clone(date)
	}
}

func (p *period) facts(scanned bool) rows.Facts {
	facts := rows.Facts{Coverage: p.earliest}
	if p.newest != "" {
		facts.Period = p.newest[:len("AAAA-MM")]
		facts.Notes = append(facts.Notes, "Contratação mais recente: "+p.newest+".")
	}
	if !scanned {
		facts.Notes = append(facts.Notes, "Sem uma carga da Receita Federal, só os CNPJs publicados por inteiro foram vinculados.")
	}
	return facts
}

// write hands the linked operations on and counts all.
func write(ctx context.Context, s *spool, links *linker, out *rows.Output, workers int) error {
	g, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range workers {
		g.Go(func() error {
			w := out.Writer()
			for i := next.Add(1) - 1; i < int64(s.blobs()); i = next.Add(1) - 1 {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := s.each(int(i), func(o *operation) error { return add(w, o, links.answer(o)) }); err != nil {
					return err
				}
			}
			return w.Close()
		})
	}
	return g.Wait()
}

func add(w *rows.Writer, o *operation, l link) error {
	w.Mark("operacoes")
	w.Mark(l.method)
	if l.method == notLinked {
		return nil
	}
	o.values[metodoVinculo] = l.method
	return w.Add(sourceID, &rows.Record{
		Where:  o.where,
		Owner:  rows.Owner{Root: l.cnpj.Root(), Order: l.cnpj.Order()},
		Order:  rows.Descending(strings.ReplaceAll(o.values[dataDaContratacao], "-", "")),
		Values: o.values[:],
	})
}
