// Package sample invents releases of the registry of companies in the official dialect, of any size: the data of the
// demonstration and of the tests. Nobody and nothing in them exists.
//
// Every company follows from the seed and its index alone, so each file is written without the others, in pieces that
// any number of workers make in any order, and the same options give the same bytes.
package sample

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Mark is the name of the file beside the zips that says that the release is invented.
const Mark = "DADOS-FICTICIOS.txt"

const markText = `Todos os dados desta pasta são fictícios: empresas, pessoas, números e endereços foram inventados por "razao sample".
Apenas as seis tabelas de códigos são as publicadas pela Receita Federal.
`

// Options say what to invent.
type Options struct {
	Roots    int               // companies, 1 to 70 million
	Seed     uint64            // the same options give the same bytes
	Month    string            // the release, AAAA-MM; roots with letters occur from 2026-08 on
	Workers  int               // processors to use, 0 for all; the result does not depend on it
	Progress func(roots int64) // told now and then how many companies' worth of work is done; may be nil
}

// Summary counts what was written.
type Summary struct {
	Dir            string // folder of the release
	Companies      int64  // rows of Empresas
	Establishments int64
	Partners       int64
	Simples        int64
	Domains        int64 // rows of the six tables of codes
	CSVBytes       int64
	ZipBytes       int64
}

// Write writes the release as dir/receita/AAAA-MM, with the 37 zips and Mark. The folder appears when it is complete;
// one that is there already is an error that matches fs.ErrExist. When ctx ends, Write cleans up and returns its error.
func Write(ctx context.Context, dir string, o Options) (Summary, error) {
	g, err := newGenerator(o)
	if err != nil {
		return Summary{}, fmt.Errorf("sample: %w", err)
	}
	final := filepath.Join(dir, "receita", o.Month)
	if _, err := os.Lstat(final); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fs.ErrExist
		}
		return Summary{}, fmt.Errorf("folder %s: %w", final, err)
	}
	beside := filepath.Join(dir, "receita", "."+o.Month+".incomplete")
	sum, err := g.writeRelease(ctx, beside, o)
	if err == nil {
		err = os.Rename(beside, final)
	}
	if err != nil {
		return Summary{}, errors.Join(fmt.Errorf("sample release %s: %w", o.Month, err), os.RemoveAll(beside))
	}
	sum.Dir = final
	return sum, nil
}

// writeRelease fills a new folder; what a killed run left there is removed.
func (g *generator) writeRelease(ctx context.Context, dir string, o Options) (Summary, error) {
	if err := os.RemoveAll(dir); err != nil {
		return Summary{}, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Summary{}, err
	}
	if err := os.WriteFile(filepath.Join(dir, Mark), []byte(markText), 0o644); err != nil {
		return Summary{}, err
	}
	files, err := g.files()
	if err != nil {
		return Summary{}, err
	}
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := press{dir: dir, workers: workers, progress: o.Progress}
	err = p.run(ctx, files)
	return p.sum, err
}
