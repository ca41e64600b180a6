// Package sample invents one plausible country for demonstrations, tests and benchmarks: monthly
// releases of the registry of companies in the tax authority's format, of any size, and what the
// public-record sources publish about the same companies, each in its publisher's format. No company
// or person in it exists; only the tables of codes and the municipalities are real.
//
// What the rows agree on comes from package country. Every row is a pure function of seed, index and
// month, so files are made in parallel, the bytes depend only on the options, and memory does not
// depend on their size. A later month is made without reading the files of an earlier one: companies
// of both agree because they have the same seed.
//
// The files are clean. The defects of real ones are tried beside the readers, in ingest.
package sample

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"razao/internal/sample/country"
)

// Mark is the name of the file, in every folder of a sample, that declares the data invented.
// Loaders look for it and mark their loads so.
const Mark = "DADOS-FICTICIOS.txt"

const (
	markText = `Todos os dados desta pasta são fictícios: empresas, pessoas, números e endereços foram inventados por "razao sample".
`
	codesText = `Apenas as seis tabelas de códigos são as publicadas pela Receita Federal.
`
)

// Options say what to generate. Roots and Month are required.
type Options struct {
	Roots       int               // companies of the first release, 1 to 70,000,000
	Seed        uint64            // the same options give the same bytes
	Month       string            // of the release, AAAA-MM; alphanumeric roots occur from 2026-08
	First       string            // month of the first release of the series, "" for Month
	Since       string            // earlier month that MUDANCAS.csv compares with, "" for no such file
	Day         string            // when sources are fetched, AAAA-MM-DD; "" for the last of Month
	OnlyReceita bool              // no public-record sources
	Debts       int               // rows of pgfn, 0 for the national number in proportion to Roots
	Workers     int               // goroutines, 0 for GOMAXPROCS; the bytes do not depend on it
	Progress    func(roots int64) // called by one goroutine at a time: work done, in companies; may be nil
}

// Summary counts what Write wrote.
type Summary struct {
	Dir            string // folder of the release
	Companies      int64  // rows of Empresas
	Establishments int64
	Partners       int64
	Changes        int64 // rows of MUDANCAS.csv, 0 without Since
	Simples        int64
	Domains        int64 // rows of the six tables of codes
	CSVBytes       int64 // of the release without the sources, as ZipBytes
	ZipBytes       int64
	Sources        map[string]int64 // rows by folder, such as "pgfn"; nil with OnlyReceita
}

// Write writes the release to dir/receita/AAAA-MM, 37 zips, and beside it one folder per source
// (dir/pgfn, dir/ceis, …; pncp_orgao has none: its contracts are those of dir/pncp). Every folder
// has the file Mark. That of the release also has State, from which Next continues, and with
// o.Since MUDANCAS.csv.
//
// Folders are filled under temporary names and renamed when all are complete, that of the release
// last. If one exists already, the error matches fs.ErrExist and nothing is written. On any error,
// also when ctx ends, Write removes what it has written.
func Write(ctx context.Context, dir string, o Options) (Summary, error) {
	files, err := o.files()
	if err != nil {
		return Summary{}, fmt.Errorf("sample: %w", err)
	}
	w := newWriter(dir, files, o.companiesDone(files))
	if err := w.absent(); err != nil {
		return Summary{}, err
	}
	if err = w.writeAll(ctx, o.Workers); err == nil {
		err = w.publish()
	}
	if err != nil {
		return Summary{}, errors.Join(fmt.Errorf("sample release %s: %w", o.Month, err), w.discard())
	}
	return o.summary(dir, files, w.written), nil
}

// files declares all files to write: the release with State, MUDANCAS.csv, the sources, and the
// marks.
func (o *Options) files() ([]file, error) {
	c, err := country.New(o.Seed, o.Roots, o.first(), o.Month)
	if err != nil {
		return nil, err
	}
	files := append(releaseFiles(c, o.folder()), o.state())
	var s *sources
	if !o.OnlyReceita {
		if s, err = o.sources(c); err != nil {
			return nil, err
		}
	}
	if o.Since != "" {
		changes, err := changesFile(c, s, o.folder(), o.Since)
		if err != nil {
			return nil, err
		}
		files = append(files, changes)
	}
	if s != nil {
		files = append(files, s.files()...)
	}
	return o.marked(files), nil
}

// sources returns the sources beside the release.
func (o *Options) sources(c *country.Country) (s *sources, err error) {
	if c.Months > 0 {
		beginning, err := country.New(o.Seed, o.Roots, o.first(), o.first())
		if err != nil {
			return nil, err
		}
		if s, err = newSources(beginning, "", o.Debts, nil); err != nil {
			return nil, err
		}
	}
	return newSources(c, o.Day, o.Debts, s)
}

// first returns the month of the first release of the series.
func (o *Options) first() string { return cmp.Or(o.First, o.Month) }

// folder returns the path of the release below the directory of the sample.
func (o *Options) folder() string { return filepath.Join("receita", o.Month) }

// marked appends a Mark for every folder.
func (o *Options) marked(files []file) []file {
	var folders []string
	for _, f := range files {
		if slices.Contains(folders, f.folder) {
			continue
		}
		folders = append(folders, f.folder)
		text := markText
		if f.folder == o.folder() {
			text += codesText
		}
		files = append(files, file{folder: f.folder, name: Mark, header: text})
	}
	return files
}

// companiesDone returns a progress function that converts positions of tables to companies.
func (o *Options) companiesDone(files []file) func(done int) {
	total := 0
	for i := range files {
		total += files[i].to - files[i].from
	}
	return func(done int) {
		if o.Progress != nil {
			o.Progress(int64(float64(o.Roots) * float64(done) / float64(total)))
		}
	}
}

// summary adds up the counts of files by group.
func (o *Options) summary(dir string, files []file, all []written) Summary {
	s := Summary{Dir: filepath.Join(dir, o.folder())}
	counts := map[string]*int64{
		empresas: &s.Companies, estabelecimentos: &s.Establishments, socios: &s.Partners, simples: &s.Simples, codes: &s.Domains,
	}
	if !o.OnlyReceita {
		s.Sources = map[string]int64{}
	}
	for i, f := range files {
		switch rows, ofRelease := counts[f.group]; {
		case f.group == changes:
			s.Changes = all[i].rows
		case ofRelease:
			*rows += all[i].rows
			s.CSVBytes += all[i].bytes
			s.ZipBytes += all[i].onDisk
		case f.group != "":
			s.Sources[f.group] += all[i].rows
		}
	}
	return s
}
