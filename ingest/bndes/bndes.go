// Package bndes loads the financing operations that BNDES publishes and links each to a company.
//
// There are two files, both Windows-1252 CSV with semicolons, ISO dates and decimal commas. The
// portal's datastore answers the same rows as JSON, which is read too.
//
//	não automáticas        one row per sub-credit of a contract, full CNPJ: 31.415.926/0001-71
//	indiretas automáticas  one row per operation, masked CNPJ: **.*27.182/0001-**
//
// The mask hides the first three positions of the root and both check digits, so it alone fits a
// thousand numeric roots. A masked number is inferred by fixed rules only (see the values of
// metodo_vinculo): the root stands in brackets in the client's name, or exactly one establishment
// of the whole Receita load has the visible positions, the municipality and the name. No rule ranks
// candidates or measures similarity. An operation that no rule decides stays unlinked: it is
// counted and archived, but gives no record. Neither file has a key, and identical rows are
// separate operations, so nothing is deduplicated.
//
// A load runs in three passes, because the queries must be known before the scan of the Receita
// load and the answers before the first record:
//
//  1. Read. Goroutines parse the files and pack operations into blobs, which go to a spool file
//     on disk and to the load's archive.
//  2. Gather and scan. Every operation puts its query to the linker; one pass over all
//     establishments answers them. The linker's memory grows with the distinct queries, not with
//     operations or establishments.
//  3. Write. Goroutines read the blobs back, look up each link and emit the records.
//
// Links depend on two loads. When the Receita load changes, Relink repeats passes 2 and 3 from the
// archive, without the published files.
package bndes

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"razao/ingest/rows"
	"razao/internal/data/territory"
	"razao/internal/store/registry/pack"
)

const sourceID = "bndes"

// Scan calls visit once for each root of the Receita load, from one goroutine, with a cursor over
// all its establishments. The head and the cursor are valid only during the call. An error of visit
// ends the scan and is returned.
type Scan func(ctx context.Context, visit func(*pack.Head, *pack.EstablishmentCursor) error) error

// Operacoes returns the loader of the published files; both must be present. scan is nil while
// there is no Receita load: then only numbers published in full are linked, and a note says so. The
// loader passes every blob of packed operations to archive, in any order but never two at a time;
// the blob is reused, so archive must copy it.
//
// The period of the load is the month of the newest contract, and the coverage begins with the
// oldest.
func Operacoes(scan Scan, archive func(blob []byte) error) rows.Loader {
	return loader(scan, archive, readFiles)
}

// Relink returns a loader of operations that an earlier load archived; it reads no files. blobs
// calls yield with each blob, in any order, and stops at the first error. The records are those
// that Operacoes gives with the same scan; every archived operation counts as a row read. Blobs of
// another codec version fail the load.
func Relink(blobs func(yield func(blob []byte) error) error, scan Scan, archive func(blob []byte) error) rows.Loader {
	return loader(scan, archive, func(_ context.Context, _ *rows.Input, out *rows.Output, s *spool) error {
		return readArchive(blobs, out, s)
	})
}

// loader returns a loader whose operations come from fill, which must leave the spool flushed.
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
		span, err := gather(ctx, s, links, in.Until)
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

// readFiles packs the operations of the published files into the spool.
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

// readArchive copies archived blobs into the spool, after decoding each one once: damage is found
// here, and the rows are counted.
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

// period spans the dates of the first and the last contract, leaving out those after until, unless it is "".
type period struct{ earliest, newest, until string } // AAAA-MM-DD, "" when no operation has a date

// gather runs over the spool once: it puts every operation's query to the linker and returns the
// period.
func gather(ctx context.Context, s *spool, links *linker, until string) (span period, err error) {
	span.until = until
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

// extend widens the period by a date; "" is ignored. It clones the dates that it keeps, since they
// share memory with a whole blob.
func (p *period) extend(date string) {
	if date == "" || p.until != "" && date > p.until {
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

// write emits a record for every linked operation and counts all of them by method. Workers take
// blobs in turn.
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

// add counts one operation and emits its record if it has a link. Records are ordered by contract
// date, newest first; those of one day keep the order of file and line.
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
