// Package sample generates invented data for demonstrations, tests and benchmarks: monthly releases
// of the registry of companies in the tax authority's format, of any size, and what the
// public-record sources publish about the same companies, each in its publisher's format. No
// company or person in them exists; only the tables of codes are real.
//
// Every row is a pure function of seed, index and month (counter-based random numbers, see package
// draw). So files are generated in pieces, in parallel and in any order, the bytes depend only on
// the options, and memory is bounded by the pieces under way, not by the size of the sample. A
// later month is generated without reading the files of an earlier one: companies of both agree
// because they have the same seed.
//
//	world     places, people, companies and their history: what all rows agree on
//	cadastre  the rows of the release: Empresas, Estabelecimentos, Sócios, Simples, codes
//	records   the rows of the public-record sources
//	table     publishers' CSV dialects; a File declares a table and how its rows are made
//	press     writes the files in parallel, zipped or not, and publishes the folders
//	draw      seeded random choices
//
// Real files have defects: duplicate rows, impossible dates, broken quoting. The sample has them
// too, in the proportions counted in real months; from 10,000 companies on each occurs at least
// once.
package sample

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"razao/internal/sample/cadastre"
	"razao/internal/sample/press"
	"razao/internal/sample/records"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// Mark is the name of the file, in every folder of a sample, that declares the data invented.
// Loaders look for it and mark their loads so.
const Mark = "DADOS-FICTICIOS.txt"

const (
	markText = `Todos os dados desta pasta são fictícios: empresas, pessoas, números e endereços foram inventados por "razao sample".
`
	domainsText = `Apenas as seis tabelas de códigos são as publicadas pela Receita Federal.
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
	Progress    func(roots int64) // called by one goroutine: work done, in companies; may be nil
}

// Summary counts what Write wrote.
type Summary struct {
	Dir            string // folder of the release
	Companies      int64  // rows of Empresas, duplicates included
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
	f := press.NewFolders(dir, files)
	if err := f.Absent(); err != nil {
		return Summary{}, err
	}
	written, err := press.Write(ctx, f, files, o.Workers, o.told)
	if err == nil {
		err = f.Publish()
	}
	if err != nil {
		return Summary{}, errors.Join(fmt.Errorf("sample release %s: %w", o.Month, err), f.Discard())
	}
	return o.summary(dir, files, written), nil
}

// files declares all files to write: the release with State, MUDANCAS.csv, the sources, and the
// marks.
func (o *Options) files() ([]table.File, error) {
	w, err := world.New(o.Seed, o.Roots, o.first(), o.Month)
	if err != nil {
		return nil, err
	}
	files := append(cadastre.Files(w, o.folder()), o.state())
	if o.Since != "" {
		changes, err := cadastre.ChangesFile(w, o.folder(), o.Since)
		if err != nil {
			return nil, err
		}
		files = append(files, changes)
	}
	if !o.OnlyReceita {
		more, err := records.Files(w, o.Day, o.Debts)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return o.marked(files), nil
}

// first returns the month of the first release of the series.
func (o *Options) first() string { return cmp.Or(o.First, o.Month) }

// folder returns the path of the release below the directory of the sample.
func (o *Options) folder() string { return filepath.Join("receita", o.Month) }

// marked appends a Mark for every folder.
func (o *Options) marked(files []table.File) []table.File {
	var folders []string
	for _, f := range files {
		if slices.Contains(folders, f.Folder) {
			continue
		}
		folders = append(folders, f.Folder)
		text := markText
		if f.Folder == o.folder() {
			text += domainsText
		}
		files = append(files, table.File{Folder: f.Folder, Name: Mark, Header: text, Uncounted: true})
	}
	return files
}

// told converts progress from positions of tables to companies.
func (o *Options) told(done, total int) {
	if o.Progress != nil {
		o.Progress(int64(float64(o.Roots) * float64(done) / float64(total)))
	}
}

// summary adds up the counts of files by group.
func (o *Options) summary(dir string, files []table.File, written []press.Written) Summary {
	s := Summary{Dir: filepath.Join(dir, o.folder())}
	counts := map[string]*int64{
		cadastre.Empresas: &s.Companies, cadastre.Estabelecimentos: &s.Establishments, cadastre.Socios: &s.Partners,
		cadastre.Simples: &s.Simples, cadastre.Dominios: &s.Domains,
	}
	if !o.OnlyReceita {
		s.Sources = map[string]int64{}
	}
	for i, f := range files {
		switch rows, ofRelease := counts[f.Group]; {
		case f.Uncounted:
		case f.Group == cadastre.Changes:
			s.Changes = written[i].Rows
		case ofRelease:
			*rows += written[i].Rows
			s.CSVBytes += written[i].Bytes
			s.ZipBytes += written[i].OnDisk
		default:
			s.Sources[f.Folder] += written[i].Rows
		}
	}
	return s
}
