package receita

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"

	"razao/ingest/rows"
	"razao/internal/data/profile"
	"razao/internal/data/record"
	"razao/internal/data/territory"
)

// Result is what reading a release gives besides its records and their counts.
type Result struct {
	Files   []record.SourceFile // the published files with size and SHA-256, by name
	Domains record.Domains      // tables of codes that have a file of their own, as published
}

// Options of [Release.Read].
type Options struct {
	Workers    int            // readers and parsers, each; less than 1 means 1
	NewHandler func() Handler // called once for each parser, one after the other
	Output     *rows.Output   // counts rows, marked with their tables' names; nil: discarded
}

// Read reads all files of the release and returns when all goroutines have ended. Records come in
// no particular order. It fails if a file is damaged or has another layout or encoding, if a
// handler fails, if ctx ends, or with rows.ErrRejects if too many rows cannot be read.
func (rel *Release) Read(ctx context.Context, o Options) (*Result, error) {
	if o.Output == nil {
		o.Output = rows.NewOutput(nil, nil)
	}
	in, files, err := rel.openAll(o.Workers)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	year, err := strconv.Atoi(rel.Month[:4])
	if err != nil {
		return nil, fmt.Errorf("month %q: %w", rel.Month, err)
	}
	atlas, err := territory.Open()
	if err != nil {
		return nil, err
	}
	j := &job{
		Options: o, year: year, atlas: atlas, files: map[*rows.File]*File{},
		blocks: rows.NewBlocks(in.Workers, recordStart), result: Result{Domains: record.Domains{}},
	}
	for _, f := range files {
		j.files[f.rows] = f.File
		if f.Table.isDomain() {
			j.result.Domains[domainOf(f.Table)] = map[string]string{}
		}
	}
	// Largest first: a large file that starts last would be read alone at the end.
	slices.SortStableFunc(files, func(a, b openFile) int { return cmp.Compare(b.rows.Size, a.rows.Size) })
	if err := j.run(ctx, files, in.Workers); err != nil {
		return nil, err
	}
	for _, f := range files {
		if f.Table.isDomain() && len(j.result.Domains[domainOf(f.Table)]) == 0 {
			return nil, &otherError{fmt.Errorf("%s is empty", f.Name)}
		}
	}
	slices.SortFunc(j.result.Files, func(a, b record.SourceFile) int { return cmp.Compare(a.Nome, b.Nome) })
	return &j.result, o.Output.Check()
}

// job is one run of Read.
type job struct {
	Options
	year   int // of the release
	atlas  *territory.Atlas
	files  map[*rows.File]*File
	blocks *rows.Blocks

	mu        sync.Mutex // guards what follows
	result    Result
	described int // bytes of its tables of codes
}

// run starts readers and parsers, workers of each. Readers stop when a parser fails, because they
// share its context; parsers end when the readers have closed the queue.
func (j *job) run(ctx context.Context, files []openFile, workers int) error {
	g, ctx := errgroup.WithContext(ctx)
	readers, reading := errgroup.WithContext(ctx)
	readers.SetLimit(workers)
	g.Go(func() error {
		defer j.blocks.Done()
		for _, f := range files {
			readers.Go(func() error { return j.readFile(reading, f) })
		}
		return readers.Wait()
	})
	for range workers {
		w := &parser{
			clean: newCleaner(j.year, j.atlas), handler: j.NewHandler(), describe: j.describe, account: j.Output.Writer(), scanners: map[Table]*scanner{},
			columns: profile.Release(),
		}
		g.Go(func() error {
			err := j.blocks.Each(ctx, func(b rows.Block) error { return w.parse(j.files[b.File].Table, b) })
			for kind, n := range w.clean.repaired {
				w.account.Repair(kind, n)
			}
			return errors.Join(err, w.account.Close())
		})
	}
	return g.Wait()
}

// readFile computes the checksum of a file, judges its beginning and sends it as blocks.
func (j *job) readFile(ctx context.Context, f openFile) error {
	published, err := f.rows.Published(ctx)
	if err != nil {
		return err
	}
	r, err := j.Output.Open(f.rows)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	head := bufio.NewReaderSize(r, headBytes)
	data, err := head.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	data, marked := bytes.CutPrefix(data, []byte(rows.ByteOrderMark))
	if err := checkLayout(f.File, data); err != nil {
		return &otherError{err}
	}
	if marked {
		_, _ = head.Discard(len(rows.ByteOrderMark)) // it was peeked at
		w := j.Output.Writer()
		w.Mark("marca_utf8_ignorada")
		if err := w.Close(); err != nil {
			return err
		}
	}
	if err := j.blocks.Cut(ctx, f.rows, head, 1); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.result.Files = append(j.result.Files, published)
	return nil
}

const (
	headBytes = 1 << 20 // of a file show its encoding
	judged    = 1000    // rows show its layout
)

// checkLayout refuses a file whose encoding is not ISO-8859-1, or whose rows are those of another
// layout: more of the first ones have some other number of columns than the right one, or none can be
// read. A few damaged rows show nothing, wherever they stand.
func checkLayout(f *File, data []byte) error {
	const accident = 10 // pairs of ISO-8859-1 letters that form valid UTF-8 by chance
	if valid, stray, _ := rows.Characters(data); valid > stray+accident {
		return fmt.Errorf("%s is written in UTF-8, a release in ISO-8859-1: the layout has changed, or this is another file", f.Name)
	}
	want := layouts()[f.Table].columns
	widths, total := widthsOf(data, want)
	usual := want
	for width, n := range widths {
		if width != 0 && n > widths[usual] {
			usual = width
		}
	}
	if usual != want {
		return fmt.Errorf("%s has %d columns, a %s file has %d: the layout has changed, or this is another file", f.Name, usual, f.Table, want)
	}
	if total > 1 && total == widths[0] {
		return fmt.Errorf("none of the first rows of %s can be read as one of a %s file: the layout has changed, or this is another file", f.Name, f.Table)
	}
	return nil
}

// widthsOf returns how many of the first rows have how many fields, under 0 those that cannot be read,
// and how many rows that are.
func widthsOf(data []byte, want int) (widths map[int]int, total int) {
	s := newScanner(want)
	s.reset(data)
	widths = map[int]int{}
	for ; total < judged; total++ {
		_, _, _, err := s.next()
		switch {
		case errors.Is(err, io.EOF):
			return widths, total
		case err != nil:
			widths[s.width]++
		default:
			widths[want]++
		}
	}
	return widths, total
}

// mostDescribed bounds the bytes of a table of codes, which is kept in memory.
const mostDescribed = 16 << 20

// describe keeps the description of a code.
func (j *job) describe(t Table, code, description string) error {
	const overhead = 64 // bytes of an entry besides its texts, at least
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.described += len(code) + len(description) + overhead; j.described > mostDescribed {
		return &otherError{fmt.Errorf("%s is no table of codes: they take more than %d bytes", t, mostDescribed)}
	}
	j.result.Domains[domainOf(t)][code] = description
	return nil
}

// domainOf returns the domain of a table of codes.
func domainOf(t Table) record.Domain {
	switch t {
	case CNAEs:
		return record.DomainCNAE
	case Motivos:
		return record.DomainMotivo
	case Municipios:
		return record.DomainMunicipio
	case Naturezas:
		return record.DomainNatureza
	case Paises:
		return record.DomainPais
	default:
		return record.DomainQualificacao
	}
}
