package index_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"razao/index"
	"razao/index/build"
	"razao/index/filter"
	"razao/internal/data/cnpj"
)

// An index is built once, from documents in any order, and never changes; the more important of two hits comes first.
func Example() {
	dir, err := os.MkdirTemp("", "index")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := buildTown(filepath.Join(dir, "000001")); err != nil {
		fmt.Println(err)
		return
	}
	ix, err := index.Open(filepath.Join(dir, "000001"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ix.Close()

	found, err := ix.Search(context.Background(), index.Query{Text: "padaria central", Filters: filter.Of(filter.UF, "SP"), Limit: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Total, "of", ix.Manifest().Docs)
	for _, hit := range found.Hits {
		fmt.Println(hit.CNPJ.Masked(), hit.Why == index.WhyExactName)
	}
	facets, err := ix.Facets(context.Background(), index.Query{Text: "padaria"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(facets["uf"])
	// Output:
	// 2 of 3
	// 11.222.333/0001-81 true
	// 12.345.678/0001-95 false
	// [{SP 2} {RJ 1}]
}

func buildTown(dir string) error {
	b, err := build.New(dir, build.Options{Load: 1, Month: "2026-09"})
	if err != nil {
		return err
	}
	w := b.Writer()
	for number, d := range map[string]build.Doc{
		"12345678000195": {RazaoSocial: "PADARIA CENTRAL DE CAMPINAS LTDA", UF: "SP", Municipio: "6291"},
		"11222333000181": {RazaoSocial: "PADARIA CENTRAL LTDA", UF: "SP", Municipio: "7107"},
		"98765432000198": {RazaoSocial: "PADARIA CARIOCA LTDA", UF: "RJ", Municipio: "6001"},
	} {
		if d.CNPJ, err = cnpj.ParseFull(number); err != nil {
			return err
		}
		d.HeadOffice, d.SituacaoCadastral, d.Branches = true, "02", 1
		if err := w.Add(&d); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	_, err = b.Finish(context.Background())
	return err
}
