package export

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	zstdcodec "github.com/parquet-go/parquet-go/compress/zstd"

	"razao/internal/data/record"
	"razao/internal/recovery"
)

const (
	batchRows  = 64       // rows that are handed to the columns at once; with more, the batches of all files leave the processor's cache
	batchBytes = 16 << 10 // of their texts
	groupRows  = 64 << 10 // rows of a row group
	pageBytes  = 32 << 10 // of a page, before compression
)

// codec compresses at the fastest level, which is an eighth of the work even so.
var codec = &zstdcodec.Codec{Level: zstd.SpeedFastest}

// schemaOf returns the Parquet schema of a table, its columns in order. Every column may be null.
func schemaOf(name string, columns []record.Field) *parquet.Schema {
	fields := make([]reflect.StructField, len(columns))
	for i := range columns {
		kind, tag := physical(columns[i].Kind)
		fields[i] = reflect.StructField{
			Name: "F" + strconv.Itoa(i), Type: kind, Tag: reflect.StructTag(`parquet:"` + columns[i].Name + "," + tag + `"`),
		}
	}
	return parquet.NewSchema(name, parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Elem().Interface()))
}

// physical returns the type in which values of a kind are stored, and how.
func physical(k record.Kind) (reflect.Type, string) {
	switch k {
	case record.Day:
		return reflect.TypeFor[int32](), "optional,date,dict"
	case record.Amount:
		return reflect.TypeFor[int64](), "optional,decimal(2:18)"
	case record.Rate:
		return reflect.TypeFor[float64](), "optional"
	case record.YesOrNo:
		return reflect.TypeFor[bool](), "optional"
	case record.Codes:
		return reflect.TypeFor[[]string](), "list,dict"
	case record.Code, record.IBGECode, record.Order, record.Choice:
		return reflect.TypeFor[string](), "optional,dict"
	}
	return reflect.TypeFor[string](), "optional"
}

// isSorted reports whether the values of a kind ascend or nearly do, so that the bounds of pages are of use to
// readers.
func isSorted(k record.Kind) bool { return k == record.CNPJ || k == record.Root || k == record.Day }

// batch holds values of rows, column by column, with a copy of their texts.
type batch struct {
	columns [][]parquet.Value
	texts   []byte
	rows    int
	err     error // of a value that its column cannot hold
}

// copied returns text in memory that stays until the batch is written.
func (b *batch) copied(text string) []byte {
	if len(b.texts)+len(text) > cap(b.texts) { // what was handed out keeps the former array
		b.texts = make([]byte, 0, max(batchBytes, len(text)))
	}
	at := len(b.texts)
	b.texts = append(b.texts, text...)
	return b.texts[at:len(b.texts):len(b.texts)]
}

// reset empties the batch.
func (b *batch) reset() {
	for i := range b.columns {
		b.columns[i] = b.columns[i][:0]
	}
	b.rows, b.texts = 0, b.texts[:0]
}

// file writes one Parquet file. While one batch is being filled, an encoder writes the other.
type file struct {
	path   string // below the folder
	out    *os.File
	buffer *bufio.Writer
	w      *parquet.GenericWriter[any]
	batch  *batch      // being filled
	free   chan *batch // the other, when it is written
	to     chan<- job  // its encoder
	rows   int64       // filled in
	bytes  int64       // once it is complete
	group  int         // rows written since the last row group; the encoder's
	err    error       // of the encoder, which writes no more after one; read once a batch is free
}

// create creates a file of a schema, and its folder, below a root.
func create(root *os.Root, path string, schema *parquet.Schema, columns []record.Field) (*file, error) {
	if err := root.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, err
	}
	out, err := root.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o640)
	if err != nil {
		return nil, err
	}
	f := &file{path: path, out: out, buffer: bufio.NewWriterSize(out, 64<<10), free: make(chan *batch, 1)}
	options := []parquet.WriterOption{schema, parquet.Compression(codec), parquet.PageBufferSize(pageBytes), parquet.CreatedBy("razao", "", "")}
	for i := range columns {
		if !isSorted(columns[i].Kind) {
			options = append(options, parquet.SkipPageStatistics(schema.Columns()[i]...))
		}
	}
	f.w = parquet.NewGenericWriter[any](f.buffer, options...)
	leaves := len(schema.Columns())
	f.batch = &batch{columns: make([][]parquet.Value, leaves)}
	f.free <- &batch{columns: make([][]parquet.Value, leaves)}
	return f, nil
}

// encoders write batches beside the reader, those of a file in their order.
type encoders struct {
	jobs  []chan job
	files int
	done  sync.WaitGroup
}

type job struct {
	f *file
	b *batch
}

func startEncoders(n int) *encoders {
	e := &encoders{jobs: make([]chan job, n)}
	for i := range e.jobs {
		jobs := make(chan job, 16)
		e.jobs[i] = jobs
		e.done.Go(func() {
			for j := range jobs {
				if j.f.err == nil {
					j.f.err = recovery.Do(func() error { return j.f.write(j.b) })
				}
				j.b.reset()
				j.f.free <- j.b
			}
		})
	}
	return e
}

// add chooses the encoder of a file: they take turns.
func (e *encoders) add(f *file) {
	f.to = e.jobs[e.files%len(e.jobs)]
	e.files++
}

// stop waits until all batches are written.
func (e *encoders) stop() {
	for _, jobs := range e.jobs {
		close(jobs)
	}
	e.done.Wait()
}

// next ends a row. It hands the batch over when it is full. The error is that of the row, or of a former batch.
func (f *file) next() error {
	if f.batch.err != nil {
		return f.batch.err
	}
	f.rows++
	if f.batch.rows++; f.batch.rows < batchRows {
		return nil
	}
	other := <-f.free
	if f.err != nil {
		return f.err
	}
	f.to <- job{f, f.batch}
	f.batch = other
	return nil
}

// write encodes a batch.
func (f *file) write(b *batch) error {
	columns := f.w.ColumnWriters()
	for i, values := range b.columns {
		if len(values) == 0 {
			continue
		}
		if _, err := columns[i].WriteRowValues(values); err != nil {
			return fmt.Errorf("write %s: %w", f.path, err)
		}
	}
	if f.group += b.rows; f.group < groupRows {
		return nil
	}
	f.group = 0
	if err := f.w.Flush(); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	return nil
}

// close writes the last batch, completes the file and syncs it. The encoders have stopped.
func (f *file) close() error {
	err := f.err
	if err == nil {
		err = f.write(f.batch)
	}
	if err == nil {
		err = f.w.Close()
	}
	if err == nil {
		err = f.buffer.Flush()
	}
	if err == nil {
		err = f.out.Sync()
	}
	if closed := f.out.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("complete %s: %w", f.path, err)
	}
	return nil
}
