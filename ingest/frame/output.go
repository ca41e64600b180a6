package frame

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"razao/internal/registry"
)

const (
	keptRejects  = 1000    // all are counted
	keptRawBytes = 4 << 10 // of each
	maxCPF       = 14      // bytes, written with its punctuation
	minRejects   = 100     // so many are always tolerated
	rejectShare  = 1000    // and one of so many rows
)

// Output receives what a loader reads and counts it. It is safe for concurrent use.
type Output struct {
	newSink  func(source string) Sink
	progress func(done, total int64)
	done     atomic.Int64

	mu      sync.Mutex // guards what follows, and calls of newSink
	figures Figures
	rejects []registry.Reject
}

// NewOutput returns an output that hands records to sinks, one for each source of the loader; newSink is called for
// every writer, when it adds its first record of a source, and never twice at a time. progress is told of bytes of files,
// from several goroutines; it may be nil.
func NewOutput(newSink func(source string) Sink, progress func(done, total int64)) *Output {
	return &Output{
		newSink: newSink, progress: progress,
		figures: Figures{Dropped: map[string]int64{}, Marked: map[string]int64{}},
	}
}

// Sink keeps the records of one source that one goroutine reads. It copies what it needs.
type Sink interface {
	Add(*Record) error
	Close() error
}

// Open opens a file and tells the progress of reading it. Table.Read does so by itself.
func (o *Output) Open(f *File) (io.ReadCloser, error) {
	return f.open(func(n int64) {
		const step = 1 << 20
		done := o.done.Add(n)
		if o.progress != nil && done/step != (done-n)/step {
			o.progress(min(done, f.in.size), f.in.size) // a file read twice is no further progress
		}
	})
}

// Writer returns a new writer for one goroutine; close it when the goroutine is done.
func (o *Output) Writer() *Writer {
	return &Writer{out: o, sinks: map[string]Sink{}, dropped: map[string]int64{}, marked: map[string]int64{}}
}

// Figures returns the counts so far. Call it when all writers are closed.
func (o *Output) Figures() *Figures {
	o.mu.Lock()
	defer o.mu.Unlock()
	f := o.figures
	f.Dropped, f.Marked = maps.Clone(f.Dropped), maps.Clone(f.Marked)
	return &f
}

// Rejects returns rejected rows, the first thousand that were met, in the order of files and lines.
func (o *Output) Rejects() []registry.Reject {
	o.mu.Lock()
	defer o.mu.Unlock()
	rejects := slices.Clone(o.rejects)
	slices.SortStableFunc(rejects, func(a, b registry.Reject) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return rejects
}

// Writer takes what one goroutine reads. What it counted is part of the figures once it is closed.
type Writer struct {
	out             *Output
	sinks           map[string]Sink
	read            int64
	dropped, marked map[string]int64
}

// Row counts a row that was read; Table.Read does so by itself.
func (w *Writer) Row() { w.read++ }

// Add keeps a record of a source.
func (w *Writer) Add(source string, r *Record) error {
	sink := w.sinks[source]
	if sink == nil {
		w.out.mu.Lock()
		sink = w.out.newSink(source)
		w.out.mu.Unlock()
		w.sinks[source] = sink
	}
	return sink.Add(r)
}

// Drop counts a row that is left out by a rule, such as "pessoa_fisica".
func (w *Writer) Drop(rule string) { w.dropped[rule]++ }

// Mark counts something that the account of the load should tell.
func (w *Writer) Mark(note string) { w.marked[note]++ }

// Reject keeps aside a row that cannot be read, with up to 4 KiB of its bytes, CPFs in them masked; Table.Read does so by itself. column is ""
// when the row as a whole is the trouble. It returns an error when no number of good rows could still outweigh the bad
// ones.
func (w *Writer) Reject(f *File, line int64, column, reason string, raw []byte) error {
	o := w.out
	o.mu.Lock()
	defer o.mu.Unlock()
	o.figures.Rejected++
	if len(o.rejects) < keptRejects {
		// Masked before it is cut, so that no number is cut in half and passes.
		raw = []byte(MaskCPFs(string(raw[:min(len(raw), keptRawBytes+maxCPF)])))
		raw = raw[:min(len(raw), keptRawBytes)]
		o.rejects = append(o.rejects, registry.Reject{File: f.Name, Line: line, Column: column, Reason: reason, Raw: raw})
	}
	const shortestRow = 20 // bytes
	if bound := max(minRejects, f.in.size/shortestRow/rejectShare); o.figures.Rejected > bound {
		return fmt.Errorf("%d rows cannot be read, more than the %d tolerated: the files are damaged or have another layout; the last is %s line %d, %s: %s",
			o.figures.Rejected, bound, f.Name, line, cmp.Or(column, "row"), reason)
	}
	return nil
}

// Close closes the sinks and hands the counts over. The writer is not used afterwards.
func (w *Writer) Close() error {
	var errs []error
	for _, source := range slices.Sorted(maps.Keys(w.sinks)) {
		errs = append(errs, w.sinks[source].Close())
	}
	w.out.mu.Lock()
	defer w.out.mu.Unlock()
	w.out.figures.Read += w.read
	for rule, n := range w.dropped {
		w.out.figures.Dropped[rule] += n
	}
	for note, n := range w.marked {
		w.out.figures.Marked[note] += n
	}
	return errors.Join(errs...)
}
