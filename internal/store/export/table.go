package export

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"razao/internal/data/cnpj"
	"razao/internal/data/datapackage"
	"razao/internal/data/record"
)

// row is what columns read.
type row struct {
	root   string             // of the company
	office string             // UF of its head office, or else of its first establishment; "" for neither
	of     reflect.Value      // the record, a struct of package record
	value  func(i int) string // the value of a field, where of is not set
}

// column appends the value of a row to the batch of a file; i is its place among the columns.
type column struct {
	record.Field
	add func(b *batch, i int, r *row)
}

// table writes the files of one table.
type table struct {
	record.Table
	name    string // of its folder, or of its file if it has one only
	columns []column
	schema  *parquet.Schema
	root    *os.Root
	files   map[string]*file // by UF; "" for the one of a table that is not divided
	to      *encoders

	cited    []datapackage.Source // where the rows come from, if not from the company registry
	licenses []datapackage.License
}

func newTable(root *os.Root, name string, of record.Table, columns []column, to *encoders) *table {
	of.Fields = nil
	for i := range columns {
		of.Fields = append(of.Fields, columns[i].Field)
	}
	return &table{Table: of, name: name, columns: columns, schema: schemaOf(name, of.Fields), root: root, files: map[string]*file{}, to: to}
}

// write appends a row to the file of a UF, "" for tables that are not divided.
func (t *table) write(uf string, r *row) error {
	if t.files[uf] == nil {
		if err := t.open(uf); err != nil {
			return err
		}
	}
	f := t.files[uf]
	for i := range t.columns {
		t.columns[i].add(f.batch, i, r)
	}
	return f.next()
}

// open creates the file of a UF.
func (t *table) open(uf string) error {
	path := t.name + suffix
	if uf != "" {
		path = filepath.Join(t.name, uf+suffix)
	}
	f, err := create(t.root, path, t.schema, t.Fields)
	if err != nil {
		return fmt.Errorf("create a file of %s: %w", t.name, err)
	}
	t.files[uf] = f
	t.to.add(f)
	return nil
}

// put appends a value that is not null.
func (b *batch) put(i int, v parquet.Value) {
	b.columns[i] = append(b.columns[i], v)
	b.columns[i][len(b.columns[i])-1].SetDefinitionLevel(1)
}

// null appends null.
func (b *batch) null(i int) { b.columns[i] = append(b.columns[i], parquet.Value{}) }

// text appends a text, null if it is empty.
func (b *batch) text(i int, text string) {
	if text == "" {
		b.null(i)
		return
	}
	b.put(i, parquet.ByteArrayValue(b.copied(text)))
}

// list appends a list of texts.
func (b *batch) list(i int, joined string) {
	if joined == "" {
		b.null(i)
		return
	}
	repeated := 0
	for text := range strings.SplitSeq(joined, ",") {
		b.put(i, parquet.ByteArrayValue(b.copied(text)))
		b.columns[i][len(b.columns[i])-1].SetRepetitionLevel(repeated)
		repeated = 1
	}
}

// day appends a day as days since 1970.
func (b *batch) day(i int, d record.Date) {
	if d == 0 {
		b.null(i)
		return
	}
	b.put(i, parquet.Int32Value(int32(d.Time().Unix()/int64((24*time.Hour)/time.Second))))
}

// textColumn is a column that is not in the struct of its record.
func textColumn(f record.Field, of func(r *row) string) column {
	return column{f, func(b *batch, i int, r *row) { b.text(i, of(r)) }}
}

// rootColumn is the key of companies.
func rootColumn() column {
	company := record.CompanyTable()
	return textColumn(company.Field("cnpj_basico"), func(r *row) string { return r.root })
}

// officeColumn is the UF by which tables of companies are divided.
func officeColumn() column {
	f := record.Field{Name: "uf_matriz", Kind: record.Text, About: "sigla do estado da matriz, pelo qual os arquivos são divididos"}
	return textColumn(f, func(r *row) string { return r.office })
}

// columnsOf returns the columns of a table of package record, whose values are in structs of type T.
func columnsOf[T any](t record.Table, ibge func(rfb string) string) []column {
	var all []column
	for _, f := range t.Fields {
		all = append(all, columnOf(f, reflect.TypeFor[T](), ibge))
	}
	return all
}

func columnOf(f record.Field, of reflect.Type, ibge func(rfb string) string) column {
	number := func(r *row) cnpj.Full { return cnpj.Full(r.of.FieldByName("CNPJ").Int()) }
	switch f.Kind {
	case record.Root:
		return textColumn(f, func(r *row) string { return r.root })
	case record.Order:
		return textColumn(f, func(r *row) string { return number(r).Order().String() })
	case record.CheckDigits:
		return textColumn(f, func(r *row) string { return number(r).CheckDigits() })
	}
	in, ok := of.FieldByName(f.Go)
	if !ok {
		panic("export: " + of.Name() + " has no field " + f.Go)
	}
	at := in.Index[0]
	switch f.Kind {
	case record.IBGECode:
		return textColumn(f, func(r *row) string { return ibge(r.of.Field(at).String()) })
	case record.Codes:
		return column{f, func(b *batch, i int, r *row) { b.list(i, r.of.Field(at).String()) }}
	}
	switch reflect.New(in.Type).Elem().Interface().(type) {
	case string:
		return column{f, func(b *batch, i int, r *row) { b.text(i, r.of.Field(at).String()) }}
	case cnpj.Full:
		return textColumn(f, func(r *row) string { return cnpj.Full(r.of.Field(at).Int()).String() })
	case record.Date:
		return column{f, func(b *batch, i int, r *row) { b.day(i, record.Date(r.of.Field(at).Uint())) }}
	case record.Cents:
		return column{f, func(b *batch, i int, r *row) {
			if cents := record.Cents(r.of.Field(at).Int()); cents == record.NoCents {
				b.null(i)
			} else {
				b.put(i, parquet.Int64Value(int64(cents)))
			}
		}}
	case record.Flag:
		return column{f, func(b *batch, i int, r *row) {
			if flag := record.Flag(r.of.Field(at).Uint()); flag == record.Unknown {
				b.null(i)
			} else {
				b.put(i, parquet.BooleanValue(flag == record.Yes))
			}
		}}
	}
	panic("export: no column for " + in.Type.String())
}

// numberColumn is a number of a source, which the publisher writes in decimal. Anything else fails the export: it would be lost.
func numberColumn(f record.Field, of func(r *row) string) column {
	f.Kind = record.Rate
	return column{f, func(b *batch, i int, r *row) {
		text := of(r)
		if text == "" {
			b.null(i)
			return
		}
		number, err := strconv.ParseFloat(text, 64)
		if err != nil && b.err == nil {
			b.err = fmt.Errorf("%s of %s: %q is no number", f.Name, r.root, text)
		}
		b.put(i, parquet.DoubleValue(number))
	}}
}
