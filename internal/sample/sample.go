// Package sample invents releases of the registry of companies in the official dialect, of any size, and what the
// public-record sources say about these companies, each in its own: the data of the demonstration and of the tests.
// Nobody and nothing in them exists.
//
// Every company follows from the seed, its index and the month alone, so each file is written without the others, in
// pieces that any number of workers make in any order, and the same options give the same bytes. That holds for the months
// that follow the first one, too: nothing of the files of a month is read to write those of the next.
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

// Mark is the name of the file beside the zips that says that the release is invented.
const Mark = "DADOS-FICTICIOS.txt"

const (
	markText = `Todos os dados desta pasta são fictícios: empresas, pessoas, números e endereços foram inventados por "razao sample".
`
	domainsText = `Apenas as seis tabelas de códigos são as publicadas pela Receita Federal.
`
)

// Options say what to invent.
type Options struct {
	Roots       int               // companies of the first release, 1 to 70 million
	Seed        uint64            // the same options give the same bytes
	Month       string            // the release, AAAA-MM; roots with letters occur from 2026-08 on
	First       string            // the first of the monthly releases that this one belongs to, "" for itself
	Since       string            // an earlier one, of which MUDANCAS.csv tells the difference, "" for none
	Day         string            // on which the sources were fetched, AAAA-MM-DD, "" for the last of the month
	OnlyReceita bool              // leave the public-record sources out
	Debts       int               // rows of pgfn, 0 for as many as the companies would have in proportion
	Workers     int               // processors to use, 0 for all; the result does not depend on it
	Progress    func(roots int64) // told now and then how many companies' worth of work is done; may be nil
}

// Summary counts what was written.
type Summary struct {
	Dir            string // folder of the release
	Companies      int64  // rows of Empresas
	Establishments int64
	Partners       int64
	Changes        int64 // rows of MUDANCAS.csv
	Simples        int64
	Domains        int64 // rows of the six tables of codes
	CSVBytes       int64 // of the release, as ZipBytes
	ZipBytes       int64
	Sources        map[string]int64 // rows by folder, every file of it counted but repetitions in another format; nil with OnlyReceita
}

// Write writes the release as dir/receita/AAAA-MM, with the 37 zips, and beside it the records of the public-record
// sources as their publishers write them, in one folder for each: dir/pgfn, dir/ceis and so on. Those of PNCP as
// contracting body lie in dir/pncp. Every folder has Mark; that of the release has State, from which Next goes on, and
// after another release MUDANCAS.csv. The folders appear when all are complete; one that is there
// already is an error that matches fs.ErrExist. When ctx ends, Write cleans up and returns its error.
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

// files returns the files of the release, those of the sources, and their marks.
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

// first returns the month of the first release.
func (o *Options) first() string { return cmp.Or(o.First, o.Month) }

// folder returns that of the release, below the directory of the sample.
func (o *Options) folder() string { return filepath.Join("receita", o.Month) }

// marked adds the mark of every folder.
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

// told passes on how much of the work is done.
func (o *Options) told(done, total int) {
	if o.Progress != nil {
		o.Progress(int64(float64(o.Roots) * float64(done) / float64(total)))
	}
}

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
