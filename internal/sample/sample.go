// Package sample invents releases of the registry of companies in the official dialect, of any size, and what the
// public-record sources say about these companies, each in its own: the data of the demonstration and of the tests.
// Nobody and nothing in them exists.
//
// Every company follows from the seed and its index alone, so each file is written without the others, in pieces that
// any number of workers make in any order, and the same options give the same bytes.
package sample

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
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
	Roots       int               // companies, 1 to 70 million
	Seed        uint64            // the same options give the same bytes
	Month       string            // the release, AAAA-MM; roots with letters occur from 2026-08 on
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
	Simples        int64
	Domains        int64 // rows of the six tables of codes
	CSVBytes       int64 // of the release, as ZipBytes
	ZipBytes       int64
	Sources        map[string]int64 // rows by folder, every file of it counted but repetitions in another format; nil with OnlyReceita
}

// Write writes the release as dir/receita/AAAA-MM, with the 37 zips, and beside it the records of the public-record
// sources as their publishers write them, in one folder for each: dir/pgfn, dir/ceis and so on. Those of PNCP as
// contracting body lie in dir/pncp. Every folder has Mark. The folders appear when all are complete; one that is there
// already is an error that matches fs.ErrExist. When ctx ends, Write cleans up and returns its error.
func Write(ctx context.Context, dir string, o Options) (Summary, error) {
	g, err := newGenerator(o)
	if err != nil {
		return Summary{}, fmt.Errorf("sample: %w", err)
	}
	files, err := g.allFiles(o)
	if err != nil {
		return Summary{}, fmt.Errorf("sample: %w", err)
	}
	f := newFolders(dir, files)
	if err := f.absent(); err != nil {
		return Summary{}, err
	}
	sum, err := f.write(ctx, files, o)
	if err == nil {
		err = f.publish()
	}
	if err != nil {
		return Summary{}, errors.Join(fmt.Errorf("sample release %s: %w", o.Month, err), f.discard())
	}
	sum.Dir = filepath.Join(dir, g.folder)
	return sum, nil
}

// allFiles returns the files of the release and those of the sources.
func (g *generator) allFiles(o Options) ([]file, error) {
	files, err := g.files()
	if err != nil || o.OnlyReceita {
		return files, err
	}
	s, err := newSources(g, o)
	if err != nil {
		return nil, err
	}
	return append(files, s.files()...), nil
}
