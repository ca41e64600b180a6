// Package export writes everything that a snapshot has as Parquet: companies, establishments, partners
// and Simples, a file for each state; the records of each source; the meaning of codes; and a Data Package
// that describes them (datapackage.json). Columns follow from the declarations of packages record and
// source.
//
// What is absent is null. Days are DATE, amounts DECIMAL(18,2), flags BOOLEAN, lists of codes LIST, numbers
// of sources DOUBLE, everything else UTF-8. Pages are compressed with ZSTD; columns with few values have a
// dictionary. Records come in the order of their numbers.
//
// The folder appears under its name when it is complete. Contacts that are hidden on request are not in
// it; all others are, as the API has them.
package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"time"

	"razao/internal/data/cnpj"
	"razao/internal/data/datapackage"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/data/territory"
	"razao/internal/store/loads"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
)

const (
	suffix      = ".parquet"
	incomplete  = ".incompleto" // follows the name of a folder that is being written
	elsewhere   = "sem-uf"      // name of the files of records without a state, or with one that no table knows
	reportEvery = 10_000
	mostCodes   = 20 // of a code table that the description of a column has; larger ones are in the table of codes
)

// The tables of the company registry, and the folder of those of sources.
const (
	companies      = "empresas"
	establishments = "estabelecimentos"
	partners       = "socios"
	simples        = "simples"
	codes          = "codigos"
	sources        = "fontes"
)

// Written is a table that was written.
type Written struct {
	Name        string
	Rows, Bytes int64
	Files       int
}

// Progress is called now and then with how much of a stage is done; total 0 is unknown.
type Progress func(stage string, done, total int64)

// Write writes the snapshot to a new folder. The errors name the file, or are those of the snapshot; then nothing is
// left of what was written.
func Write(ctx context.Context, snap *snapshot.Snapshot, dir string, progress Progress) ([]Written, error) {
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("%s exists already: name a new folder", dir)
		}
		return nil, err
	}
	atlas, err := territory.Open()
	if err != nil {
		return nil, err
	}
	partial := filepath.Clean(dir) + incomplete
	if err := os.RemoveAll(partial); err != nil {
		return nil, fmt.Errorf("remove a former attempt: %w", err)
	}
	if err := os.MkdirAll(partial, 0o750); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(partial)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	w := &writer{snap: snap, atlas: atlas, root: root, progress: progress}
	err = w.write(ctx)
	if err == nil {
		err = os.Rename(partial, dir)
	}
	if err != nil {
		return nil, errors.Join(err, w.abandon())
	}
	return w.summary(), nil
}

// writer writes one export.
type writer struct {
	snap     *snapshot.Snapshot
	atlas    *territory.Atlas
	root     *os.Root // the folder: no name of a file leads out of it (path traversal)
	progress Progress
	tables   []*table
	to       *encoders
	about    datapackage.Package
}

func (w *writer) write(ctx context.Context) error {
	w.describe()
	if err := w.fill(ctx); err != nil {
		return err
	}
	return w.finish()
}

// fill writes all rows.
func (w *writer) fill(ctx context.Context) error {
	w.to = startEncoders(max(1, runtime.GOMAXPROCS(0)-1)) // the reader has the other processor
	defer w.to.stop()
	for _, step := range []func(context.Context) error{w.companyTables, w.records, w.codes} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// add begins a table.
func (w *writer) add(name string, of record.Table, columns ...column) *table {
	t := newTable(w.root, name, of, columns, w.to)
	w.tables = append(w.tables, t)
	return t
}

// companyTables writes the four tables of the tax authority, in one pass over the companies.
func (w *writer) companyTables(ctx context.Context) error {
	company := columnsOf[record.Company](record.CompanyTable(), nil)
	firms := w.add(companies, record.CompanyTable(), append(company, officeColumn())...)
	offices := w.add(establishments, record.EstablishmentTable(), columnsOf[record.Establishment](record.EstablishmentTable(), w.atlas.IBGE)...)
	people := w.add(partners, record.PartnerTable(), slices.Concat([]column{rootColumn()}, columnsOf[record.Partner](record.PartnerTable(), nil), []column{officeColumn()})...)
	options := w.add(simples, record.SimplesTable(), slices.Concat([]column{rootColumn()}, columnsOf[record.Simples](record.SimplesTable(), nil), []column{officeColumn()})...)
	var done int64
	return eachCompany(ctx, w.snap, func(c *whole) error {
		if done++; done%reportEvery == 0 {
			w.progress(companies, done, w.snap.Load.Counts.Companies)
		}
		r := &row{root: c.Root.String()}
		var head bool
		for e, err := range c.establishments() {
			if err == nil {
				r.of = reflect.ValueOf(e).Elem()
				err = offices.write(w.place(e.UF), r)
			}
			if err != nil {
				return err
			}
			if !head && (r.office == "" || e.HeadOffice()) {
				r.office, head = e.UF, e.HeadOffice()
			}
		}
		var err error
		at := w.place(r.office)
		if c.HasCompany {
			r.of = reflect.ValueOf(&c.Company).Elem()
			err = firms.write(at, r)
		}
		if c.HasSimples && err == nil {
			r.of = reflect.ValueOf(&c.Simples).Elem()
			err = options.write(at, r)
		}
		for i := range c.Partners {
			if err == nil {
				r.of = reflect.ValueOf(&c.Partners[i]).Elem()
				err = people.write(at, r)
			}
		}
		return err
	})
}

// place returns the name of the file for a UF as it is stored: a load made before UFs were checked may hold any text.
func (w *writer) place(uf string) string {
	known, _ := w.atlas.UF(uf)
	return cmp.Or(known.Code, elsewhere)
}

// records writes a table for each source that the snapshot has.
func (w *writer) records(ctx context.Context) error {
	for _, src := range source.All() {
		load, ok, err := loads.Of(ctx, w.snap, src.ID)
		if err != nil {
			return fmt.Errorf("load of %s: %w", src.ID, err)
		}
		if !ok {
			continue
		}
		t := w.add(filepath.Join(sources, src.ID), record.Table{Title: src.Title, About: src.Description}, columnsOfSource(&src)...)
		w.cite(t, &load)
		var failed error
		var done int64
		stage := "records: " + src.ID
		err = w.snap.Internals().Records().EachRecord(ctx, &src, func(root cnpj.Root, it *pack.Item) {
			value := func(i int) string {
				if f := &src.Fields[i]; f.Kind != source.Document {
					return it.Value(f.Name)
				}
				return it.Document()
			}
			if done++; done%reportEvery == 0 {
				w.progress(stage, done, load.Counts.Records)
			}
			if failed == nil {
				failed = t.write("", &row{root: root.String(), value: value})
			}
		})
		if err := errors.Join(err, failed); err != nil {
			return fmt.Errorf("records of %s: %w", src.ID, err)
		}
	}
	return nil
}

// columnsOfSource returns the columns of a source: the key of companies, and its fields.
func columnsOfSource(src *source.Source) []column {
	all := []column{rootColumn()}
	if slices.ContainsFunc(src.Fields, func(f source.Field) bool { return f.Name == all[0].Name }) {
		all = nil // it publishes the key itself
	}
	for i := range src.Fields {
		f := record.Field{Name: src.Fields[i].Name, Kind: record.Text, About: src.Fields[i].Says(), Personal: src.Fields[i].Personal}
		of := func(r *row) string { return r.value(i) }
		if src.Fields[i].Kind == source.Number {
			all = append(all, numberColumn(f, of))
		} else {
			all = append(all, textColumn(f, of))
		}
	}
	return all
}

// codes writes what codes mean, in the order of domain and code.
func (w *writer) codes(context.Context) error {
	var columns []column
	for i, f := range []record.Field{
		{Name: "dominio", Kind: record.Text, About: "tabela de códigos, como a descrição das colunas a nomeia"},
		{Name: "codigo", Kind: record.Text, About: "código"},
		{Name: "descricao", Kind: record.Text, About: "o que ele quer dizer"},
	} {
		columns = append(columns, textColumn(f, func(r *row) string { return r.value(i) }))
	}
	t := w.add(codes, record.Table{Title: "Códigos", About: "O que querem dizer os códigos das outras tabelas."}, columns...)
	for _, domain := range slices.Sorted(maps.Keys(w.snap.Domains)) {
		for _, code := range slices.Sorted(maps.Keys(w.snap.Domains[domain])) {
			values := [...]string{string(domain), code, w.snap.Domains[domain][code]}
			if err := t.write("", &row{value: func(i int) string { return values[i] }}); err != nil {
				return err
			}
		}
	}
	return nil
}

// describe begins the description.
func (w *writer) describe() {
	load := &w.snap.Load
	w.about = datapackage.Package{
		Name: "razao-" + load.Period, Title: "Empresas do Brasil, " + load.Period, Version: load.Period,
		Description: "O cadastro do CNPJ e registros públicos, como foram publicados. O que falta é null.",
		Created:     w.snap.PublishedAt().UTC().Format(time.RFC3339),
	}
	if load.Invented {
		w.about.Description = "Dados fictícios de demonstração: nenhuma empresa ou pessoa existe. O que falta é null."
	}
	w.about.Cite(&load.Provenance, load.Period)
}

// cite remembers where the records of a table come from.
func (w *writer) cite(t *table, load *registry.Load) {
	t.cited = []datapackage.Source{datapackage.SourceOf(&load.Provenance, load.Period)}
	if load.Provenance.Licenca != "" {
		t.licenses = []datapackage.License{{Title: load.Provenance.Licenca}}
	}
}

// finish completes all files and writes the description.
func (w *writer) finish() error {
	for _, t := range w.tables {
		if len(t.files) == 0 { // readers find the columns of a table without rows, too
			if err := t.open(""); err != nil {
				return err
			}
		}
		for _, f := range t.files {
			if err := f.close(); err != nil {
				return err
			}
		}
		resource, err := w.resource(t)
		if err != nil {
			return err
		}
		w.about.Resources = append(w.about.Resources, resource)
	}
	out, err := w.root.OpenFile(datapackage.FileName, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o640)
	if err != nil {
		return err
	}
	err = w.about.Write(out)
	if err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

// resource describes a table.
func (w *writer) resource(t *table) (datapackage.Resource, error) {
	var paths []string
	var rows, bytes int64
	for _, uf := range slices.Sorted(maps.Keys(t.files)) {
		f := t.files[uf]
		info, err := w.root.Stat(f.path)
		if err != nil {
			return datapackage.Resource{}, err
		}
		f.bytes = info.Size()
		paths, rows, bytes = append(paths, filepath.ToSlash(f.path)), rows+f.rows, bytes+f.bytes
	}
	r := datapackage.Parquet(filepath.Base(t.name), &t.Table, paths)
	r.Rows, r.Bytes, r.Sources, r.Licenses = rows, bytes, t.cited, t.licenses
	for i := range t.Fields {
		w.explain(&r.Table.Fields[i], t.Fields[i].Domain)
	}
	switch t.name {
	case companies, establishments:
		r.Table.PrimaryKey = []string{t.Fields[0].Name}
	case codes:
		r.Table.PrimaryKey = []string{"dominio", "codigo"}
		return r, nil
	}
	if t.name != companies {
		r.Table.ForeignKeys = []datapackage.ForeignKey{{Fields: []string{"cnpj_basico"}, Reference: datapackage.Reference{Resource: companies, Fields: []string{"cnpj_basico"}}}}
	}
	return r, nil
}

// explain adds to a column what its codes mean, or where that is said.
func (w *writer) explain(f *datapackage.Field, domain record.Domain) {
	table := w.snap.Domains[domain]
	switch {
	case domain == "":
	case len(table) > mostCodes:
		f.Description += "; em " + codes + ", dominio = " + string(domain)
	default:
		for _, code := range slices.Sorted(maps.Keys(table)) {
			f.Categories = append(f.Categories, datapackage.Category{Value: code, Label: table[code]})
		}
	}
}

// abandon closes and removes what was written.
func (w *writer) abandon() error {
	for _, t := range w.tables {
		for _, f := range t.files {
			_ = f.out.Close() // it may be closed already
		}
	}
	return os.RemoveAll(w.root.Name())
}

func (w *writer) summary() (all []Written) {
	for _, t := range w.tables {
		written := Written{Name: t.name, Files: len(t.files)}
		for _, f := range t.files {
			written.Rows, written.Bytes = written.Rows+f.rows, written.Bytes+f.bytes
		}
		all = append(all, written)
	}
	return all
}
