package receita

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"razao/ingest/frame"
	"razao/internal/record"
	"razao/internal/registry"
)

const (
	blockBytes   = 1 << 20  // what a worker gets at once, cut between records
	maxRecord    = 64 << 20 // a longer one means that the file is no CSV
	keptRejects  = 1000     // stored; all are counted
	keptRawBytes = 4 << 10  // of each
	minRejects   = 100      // so many are always tolerated
	rejectShare  = 1000     // and one of so many rows
)

// Result is what reading a release gave besides its records.
type Result struct {
	Files    []record.SourceFile
	Domains  record.Domains  // as published: only the tables with a file of their own
	Rows     map[Table]int64 // read, rejected ones included
	Rejected int64
	Rejects  []registry.Reject // the first of them
	Repaired map[string]int64  // kind → values that were no value
}

// RowsRead returns the number of rows of all record tables.
func (r *Result) RowsRead() int64 {
	var n int64
	for _, rows := range r.Rows {
		n += rows
	}
	return n
}

// Options of Read.
type Options struct {
	Workers    int                    // parsers; each gets a handler of its own
	NewHandler func() Handler         // called once for each worker, one after the other
	Progress   func(done, size int64) // bytes of CSV; may be nil; called from several goroutines
}

// Read reads all files of the release. Records come in no particular order. It fails when a file is damaged or has
// another layout, when too many rows cannot be read, or when a handler fails.
func (rel *Release) Read(ctx context.Context, o Options) (*Result, error) {
	sources, err := rel.openAll()
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, s := range sources {
			_ = s.close()
		}
	}()
	j := &job{options: o, month: rel.Month, sources: sources}
	j.result = Result{Domains: record.Domains{}, Rows: map[Table]int64{}, Repaired: map[string]int64{}}
	for _, s := range sources {
		if !s.file.Table.isDomain() {
			j.size += s.size
		}
	}
	if err := j.run(ctx); err != nil {
		return nil, err
	}
	return &j.result, nil
}

func (rel *Release) openAll() ([]*source, error) {
	var sources []*source
	for i := range rel.Files {
		s, err := openSource(&rel.Files[i], rel.Month)
		if err != nil {
			for _, s := range sources {
				_ = s.close()
			}
			return nil, err
		}
		sources = append(sources, s)
	}
	return sources, nil
}

// job is one run of Read.
type job struct {
	options Options
	month   string
	sources []*source
	size    int64
	done    atomic.Int64
	buffers sync.Pool

	mu     sync.Mutex // guards result
	result Result
}

// block is a run of whole records of one file.
type block struct {
	file *File
	line int64 // of its first record
	data []byte
}

func (j *job) run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	blocks := make(chan block, j.options.Workers)
	readers, reading := errgroup.WithContext(ctx)
	readers.SetLimit(max(j.options.Workers, 1))
	// The largest files go first: the last one decides when all is done.
	order := slices.SortedFunc(slices.Values(j.sources), func(a, b *source) int { return cmp.Compare(b.size, a.size) })
	g.Go(func() error {
		defer close(blocks)
		for _, s := range order {
			readers.Go(func() error { return j.readFile(reading, s, blocks) })
		}
		return readers.Wait()
	})
	for range max(j.options.Workers, 1) {
		handler := j.options.NewHandler()
		g.Go(func() error { return j.parseBlocks(ctx, handler, blocks) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	slices.SortFunc(j.result.Files, func(a, b record.SourceFile) int { return cmp.Compare(a.Nome, b.Nome) })
	slices.SortFunc(j.result.Rejects, func(a, b registry.Reject) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	if tolerated := max(minRejects, j.result.RowsRead()/rejectShare); j.result.Rejected > tolerated {
		return tooManyRejects(&j.result, tolerated)
	}
	return nil
}

func tooManyRejects(r *Result, tolerated int64) error {
	first := r.Rejects[0]
	return fmt.Errorf("%d rows cannot be read, more than the %d tolerated: the files are damaged or have another layout; the first is %s line %d, %s: %s",
		r.Rejected, tolerated, first.File, first.Line, cmp.Or(first.Column, "row"), first.Reason)
}

// readFile reads one file: its checksum, and its rows as blocks or, of a domain table, at once.
func (j *job) readFile(ctx context.Context, s *source, blocks chan<- block) error {
	published, err := fingerprint(s.file)
	if err != nil {
		return err
	}
	r, err := s.open()
	if err != nil {
		return readError(s.file, err)
	}
	defer func() { _ = r.Close() }()
	if s.file.Table.isDomain() {
		err = j.readDomain(s.file, r)
	} else {
		err = j.split(ctx, s.file, r, blocks)
	}
	if err != nil {
		return err
	}
	j.mu.Lock()
	j.result.Files = append(j.result.Files, published)
	j.mu.Unlock()
	return nil
}

// split cuts the stream of a file into blocks between records.
func (j *job) split(ctx context.Context, f *File, r io.Reader, blocks chan<- block) error {
	line := int64(1)
	data := j.buffer()
	for first := true; ; first = false {
		var end bool
		var err error
		if data, end, err = fill(r, data); err != nil {
			return readError(f, err)
		}
		if first {
			if err := checkLayout(f, data); err != nil {
				return err
			}
		}
		cut := len(data)
		if !end {
			if cut = recordStart(data); cut < 0 {
				if cap(data) >= maxRecord {
					return fmt.Errorf("%s line %d: no record ends within %d bytes: not a CSV file of a release", f.Name, line, maxRecord)
				}
				data = append(make([]byte, 0, 2*cap(data)), data...)
				continue
			}
		}
		next := append(j.buffer(), data[cut:]...)
		lines := int64(bytes.Count(data[:cut], []byte{'\n'}))
		select {
		case blocks <- block{file: f, line: line, data: data[:cut]}:
		case <-ctx.Done():
			return ctx.Err()
		}
		if end {
			return nil
		}
		line += lines
		data = next
	}
}

// fill reads until data is full or r ends.
func fill(r io.Reader, data []byte) (_ []byte, end bool, err error) {
	for len(data) < cap(data) {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF { // unlike io.ErrUnexpectedEOF, which says that the archive is cut short
			return data, true, nil
		}
		if err != nil {
			return data, false, err
		}
	}
	return data, false, nil
}

// buffer returns an empty buffer for a block.
func (j *job) buffer() []byte {
	if b, ok := j.buffers.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return make([]byte, 0, blockBytes)
}

// checkLayout refuses a file whose first record has another number of columns.
func checkLayout(f *File, data []byte) error {
	want := layouts()[f.Table].columns
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.FieldsPerRecord = ';', -1
	record, err := r.Read()
	if err != nil || len(record) == want {
		return nil // an unreadable first record is a reject like any other
	}
	return fmt.Errorf("%s has %d columns, a %s file has %d: the layout has changed, or this is another file", f.Name, len(record), f.Table, want)
}

// parseBlocks is one worker: it turns blocks into records until there are no more.
func (j *job) parseBlocks(ctx context.Context, handler Handler, blocks <-chan block) error {
	year, err := strconv.Atoi(j.month[:4])
	if err != nil {
		return fmt.Errorf("month %q: %w", j.month, err)
	}
	w := &rows{clean: newCleaner(year), handler: handler}
	counts := map[Table]int64{}
	scanners := map[Table]*scanner{}
	for b := range blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		t := b.file.Table
		if scanners[t] == nil {
			scanners[t] = newScanner(layouts()[t].columns)
		}
		n, err := j.parse(w, scanners[t], b)
		if err != nil {
			return err
		}
		counts[t] += n
		j.progress(int64(len(b.data)))
		j.buffers.Put(&b.data)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for t, n := range counts {
		j.result.Rows[t] += n
	}
	for kind, n := range w.clean.repaired {
		j.result.Repaired[kind] += n
	}
	return nil
}

func (j *job) progress(n int64) {
	done := j.done.Add(n)
	if j.options.Progress != nil {
		j.options.Progress(done, j.size)
	}
}

// parse hands the records of a block on and returns how many rows it had.
func (j *job) parse(w *rows, s *scanner, b block) (n int64, err error) {
	s.reset(b.data)
	for ; ; n++ {
		fields, start, end, err := s.next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err == nil {
			err = w.handle(b.file.Table, fields)
		}
		if err == nil {
			continue
		}
		if err := j.reject(b, start, end, err); err != nil {
			return n, err
		}
	}
}

// reject counts a row that cannot be read and keeps it while there is room. It returns err when err does not concern
// the row alone, and an error when no number of good rows could still outweigh the bad ones.
func (j *job) reject(b block, start, end int, err error) error {
	r := registry.Reject{File: b.file.Name, Reason: err.Error()}
	var parse *csv.ParseError
	var row *rowError
	switch {
	case errors.As(err, &parse):
		r.Reason = parse.Err.Error()
		if errors.Is(err, csv.ErrFieldCount) {
			r.Reason = fmt.Sprintf("the row does not have %d columns", layouts()[b.file.Table].columns)
		}
	case errors.As(err, &row):
		r.Column, r.Reason = row.column, row.reason
	default:
		return err
	}
	for start < end && b.data[start] == '\n' {
		start++ // blank lines before the row
	}
	r.Line = b.line + int64(bytes.Count(b.data[:start], []byte{'\n'}))
	r.Raw = []byte(frame.MaskCPFs(string(b.data[start:min(end, start+keptRawBytes)])))

	j.mu.Lock()
	defer j.mu.Unlock()
	j.result.Rejected++
	if len(j.result.Rejects) < keptRejects {
		j.result.Rejects = append(j.result.Rejects, r)
	}
	const shortestRow = 20 // bytes
	if bound := max(minRejects, j.size/shortestRow/rejectShare); j.result.Rejected > bound {
		return tooManyRejects(&j.result, bound)
	}
	return nil
}

// readDomain reads a table of codes.
func (j *job) readDomain(f *File, r io.Reader) error {
	cr := csv.NewReader(r)
	cr.Comma, cr.FieldsPerRecord = ';', domainColumns
	clean := newCleaner(0)
	table := map[string]string{}
	for {
		record, err := cr.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var parse *csv.ParseError
		if errors.As(err, &parse) {
			return fmt.Errorf("%s line %d: %w", f.Name, parse.StartLine, parse.Err)
		}
		if err != nil {
			return readError(f, err)
		}
		clean.reset()
		code := clean.text([]byte(record[0]))
		table[strings.Clone(code)] = strings.Clone(clean.text([]byte(record[1])))
	}
	if len(table) == 0 {
		return fmt.Errorf("%s is empty", f.Name)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.result.Domains[domainOf(f.Table)] = table
	return nil
}

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
