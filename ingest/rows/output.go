package rows

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"razao/internal/data/cnpj"
	"razao/internal/data/profile"
	"razao/internal/data/source"
	"razao/internal/store/registry"
)

// Bounds of what is kept about rejects.
const (
	keptRejects  = 1000    // rejects; all are counted
	keptRawBytes = 4 << 10 // bytes of each
)

// ErrRejects is wrapped by the error of a load with more rejected rows than real files have.
var ErrRejects = errors.New("the files are damaged or have another layout")

// tolerated returns how many of this number of rows may be rejected: 0.1 %, and 100 in small files.
func tolerated(rows int64) int64 {
	const least, share = 100, 1000
	return max(least, rows/share)
}

// Output receives the records of a loader and counts its rows. It is safe for concurrent use; each
// goroutine writes through a [Writer] of its own.
type Output struct {
	newSink  func(source string) Sink
	progress func(done, total int64)
	done     atomic.Int64
	lenient  bool

	mu      sync.Mutex // guards what follows, and calls of newSink
	figures Figures
	rejects []registry.Reject
	meters  map[string]*profile.Meter // by table, of the writers that are closed
}

// NewOutput returns an output that hands records to sinks. newSink is called when a writer adds its
// first record of a source, never twice at a time. progress is called with bytes of the files, by
// several goroutines; it may be nil.
func NewOutput(newSink func(source string) Sink, progress func(done, total int64)) *Output {
	return &Output{
		newSink: newSink, progress: progress, meters: map[string]*profile.Meter{},
		figures: Figures{Dropped: map[string]int64{}, Marked: map[string]int64{}, Repaired: map[string]int64{}},
	}
}

// AcceptRejects removes the limit for rejected rows. Call it before reading.
func (o *Output) AcceptRejects() { o.lenient = true }

// Sink keeps the records of one source that one goroutine reads. Add copies what it needs of a
// record, which the loader reuses. Close is called once, when the goroutine is done.
type Sink interface {
	Add(*Record) error
	Close() error
}

// Open is [File.Open] with progress: bytes read are reported to the output's progress function.
// Table.Read uses it; a loader that parses a file itself should too.
func (o *Output) Open(f *File) (io.ReadCloser, error) {
	return f.open(func(n int64) {
		const step = 1 << 20
		done := o.done.Add(n)
		if first := done == n; o.progress != nil && (first || done/step != (done-n)/step) {
			o.progress(min(done, f.in.size), f.in.size) // a file may be read twice
		}
	})
}

// Writer returns a new writer for one goroutine. Close it when the goroutine is done.
func (o *Output) Writer() *Writer {
	return &Writer{out: o, sinks: map[string]sourceSink{}, meters: map[string]*profile.Meter{}, dropped: map[string]int64{}, marked: map[string]int64{}, repaired: map[string]int64{}}
}

// Figures returns a copy of the counts. They are complete when all writers are closed.
func (o *Output) Figures() *Figures {
	o.mu.Lock()
	defer o.mu.Unlock()
	f := o.figures
	f.Dropped, f.Marked, f.Repaired = maps.Clone(f.Dropped), maps.Clone(f.Marked), maps.Clone(f.Repaired)
	if len(f.Repaired) == 0 {
		f.Repaired = nil
	}
	return &f
}

// Check returns an [ErrRejects] that names the first reject if too many rows were rejected, unless
// AcceptRejects was called. Call it when all writers are closed.
func (o *Output) Check() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.bound(o.figures.Read)
}

// bound returns an ErrRejects if more rows were rejected than are tolerated among so many rows. The
// caller holds mu.
func (o *Output) bound(rows int64) error {
	if o.lenient {
		return nil
	}
	return o.excess(rows)
}

// Accepted returns what Check would have returned without AcceptRejects.
func (o *Output) Accepted() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.excess(o.figures.Read)
}

func (o *Output) excess(rows int64) error {
	most := tolerated(rows)
	if o.figures.Rejected <= most {
		return nil
	}
	first := slices.MinFunc(o.rejects, inFiles)
	return fmt.Errorf("%d rows cannot be read, more than the %d tolerated: %w; the first is %s line %d, %s: %s",
		o.figures.Rejected, most, ErrRejects, first.File, first.Line, cmp.Or(first.Column, "row"), first.Reason)
}

// inFiles orders rejects by file and line.
func inFiles(a, b registry.Reject) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
}

// Rejects returns the first thousand rejects that were met, in the order of files and lines. With
// several goroutines these need not be the first in the files.
func (o *Output) Rejects() []registry.Reject {
	o.mu.Lock()
	defer o.mu.Unlock()
	rejects := slices.Clone(o.rejects)
	slices.SortStableFunc(rejects, inFiles)
	return rejects
}

// Measured returns what was measured of the tables, sorted by name, when all writers are closed. known reports
// whether a code is in its table; nil: nobody knows.
func (o *Output) Measured(known func(column *profile.Declaration, code string) bool) (tables []profile.Table) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(o.meters)) {
		tables = append(tables, o.meters[name].Table(known))
	}
	return tables
}

// Writer takes what one goroutine reads. It is not safe for concurrent use. Its counts become part
// of the output's when it is closed.
type Writer struct {
	out             *Output
	sinks           map[string]sourceSink
	read            int64
	dropped, marked map[string]int64
	repaired        map[string]int64
	meters          map[string]*profile.Meter // by table
}

// Meter returns the meter of a table, a new one if the writer has none yet.
func (w *Writer) Meter(table string, columns []profile.Declaration, latin1 bool) *profile.Meter {
	m := w.meters[table]
	if m == nil {
		m = profile.NewMeter(table, columns, latin1)
		w.meters[table] = m
	}
	return m
}

// Row counts a row that was read. Table.Read calls it; other readers must.
func (w *Writer) Row() { w.read++ }

// Add keeps a record of a source, with the CPFs in its values masked, except in those of kind JSON.
// r may be reused afterwards.
func (w *Writer) Add(id string, r *Record) error {
	sink, ok := w.sinks[id]
	if !ok {
		src, _ := source.Find(id)
		w.out.mu.Lock()
		sink = sourceSink{w.out.newSink(id), src.Fields, w.Meter(id, profile.Source(&src), false)}
		w.out.mu.Unlock()
		w.sinks[id] = sink
	}
	for i, value := range r.Values {
		if sink.fields[i].MayHoldCPF(value) {
			r.Values[i] = cnpj.MaskCPFs(value)
		}
	}
	sink.measure(r)
	return sink.Add(r)
}

// sourceSink is the sink of a source, and the fields of its records.
type sourceSink struct {
	Sink
	fields []source.Field
	meter  *profile.Meter
}

// measure measures a record, unless it is a tombstone.
func (s *sourceSink) measure(r *Record) {
	if r.Values == nil || !s.meter.Wants(r.Where.Line) {
		return
	}
	root := r.Owner.Root.String()
	for i, value := range r.Values {
		if s.fields[i].Kind == source.Document {
			value = r.Owner.form()
		}
		s.meter.Add(i, root, value)
	}
}

// form says what is known of an owner, for the measures of a source: its number, its root, or a number that is none.
func (o *Owner) form() string {
	switch {
	case o.Published != "":
		return "inválido"
	case o.Order == 0:
		return "raiz"
	}
	return "cnpj"
}

// Drop counts a row that was understood and left out under a rule, such as "pessoa_fisica".
func (w *Writer) Drop(rule string) { w.dropped[rule]++ }

// Mark counts an event under a note, for the account of the load.
func (w *Writer) Mark(note string) { w.marked[note]++ }

// Count counts many rows as read and marks them.
func (w *Writer) Count(note string, rows int64) {
	w.read += rows
	w.marked[note] += rows
}

// Repair counts values that were unreadable and became null, by kind of column.
func (w *Writer) Repair(kind string, values int64) { w.repaired[kind] += values }

// Reject counts a row that cannot be read and keeps up to 4 KiB of its bytes, CPFs masked.
// Table.Read calls it. line is where the row begins; column is "" if the row as a whole is at
// fault. It returns an [ErrRejects] as soon as the rejects are too many for any number of rows that
// the files could hold, unless that is accepted.
func (w *Writer) Reject(f *File, line int64, column, reason string, raw []byte) error {
	o := w.out
	o.mu.Lock()
	defer o.mu.Unlock()
	o.figures.Rejected++
	if len(o.rejects) < keptRejects {
		// Masked before it is cut: half a CPF would not be recognised. Reasons quote values.
		kept := cnpj.MaskCPFs(string(raw))
		o.rejects = append(o.rejects, registry.Reject{
			File: f.Name, Line: line, Column: column, Reason: cnpj.MaskCPFs(reason), Raw: []byte(kept[:min(len(kept), keptRawBytes)]),
		})
	}
	const shortestRow = 20 // bytes; more than any file could have in rows of this size
	return o.bound(f.in.size / shortestRow)
}

// Fault rejects the row if err was made by [Reject]. Any other error ends the load and is returned
// with its file and line.
func (w *Writer) Fault(f *File, line int64, err error, raw []byte) error {
	var r *rejection
	if errors.As(err, &r) {
		return w.Reject(f, line, r.column, r.reason, raw)
	}
	return fmt.Errorf("%s line %d: %w", f.Name, line, err)
}

// Close closes the sinks and adds the counts to the output. The writer must not be used afterwards.
// The errors are those of the sinks.
func (w *Writer) Close() error {
	var errs []error
	for _, source := range slices.Sorted(maps.Keys(w.sinks)) {
		errs = append(errs, w.sinks[source].Close())
	}
	w.out.mu.Lock()
	defer w.out.mu.Unlock()
	w.out.figures.Read += w.read
	addTo(w.out.figures.Dropped, w.dropped)
	addTo(w.out.figures.Marked, w.marked)
	addTo(w.out.figures.Repaired, w.repaired)
	for table, m := range w.meters {
		if all := w.out.meters[table]; all != nil {
			all.Merge(m)
		} else {
			w.out.meters[table] = m
		}
	}
	return errors.Join(errs...)
}

func addTo(total, counts map[string]int64) {
	for name, n := range counts {
		total[name] += n
	}
}
