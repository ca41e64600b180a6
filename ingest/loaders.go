package ingest

import (
	"context"
	"fmt"
	"strings"

	"razao/ingest/aduana"
	"razao/ingest/antt"
	"razao/ingest/bndes"
	"razao/ingest/cgu"
	"razao/ingest/ibama"
	"razao/ingest/mte"
	"razao/ingest/pgfn"
	"razao/ingest/pncp"
	"razao/ingest/rows"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/source"
)

// loaders make the loaders of the sources that need nothing but their files.
func loaders() map[string]func() rows.Loader {
	return map[string]func() rows.Loader{
		"pgfn":                  pgfn.PGFN,
		"ceis":                  cgu.CEIS,
		"cnep":                  cgu.CNEP,
		"cepim":                 cgu.CEPIM,
		"acordos_leniencia":     cgu.AcordosLeniencia,
		"mte_empregadores":      mte.Empregadores,
		"mte_ceac":              mte.CEAC,
		"habilitacao_aduaneira": aduana.Habilitacao,
		"ibama_autos":           ibama.Autos,
		"ibama_embargos":        ibama.Embargos,
		"rntrc":                 antt.RNTRC,
		"pncp":                  pncp.Contratos,
	}
}

// SourceIDs returns the ids that Source loads, in the order of the sources. pncp_orgao comes with pncp.
func SourceIDs() []string {
	var ids []string
	for _, id := range source.IDs() {
		if loaders()[id] != nil || id == bndesID {
			ids = append(ids, id)
		}
	}
	return ids
}

const bndesID = "bndes"

// loader returns the loader of a source. view is the Receita load to link against, nil when there is none.
func (l *sourceLoad) loader(id string, view *registry.View) (rows.Loader, error) {
	if id == bndesID {
		var err error
		if l.archive, err = bndes.NewArchive(l.work); err != nil {
			return rows.Loader{}, err
		}
		return l.linkedWith(view, bndes.Operacoes(scanOf(view), l.archive.Keep)), nil
	}
	newLoader := loaders()[id]
	if newLoader == nil {
		return rows.Loader{}, fmt.Errorf("there is no source %q to load; there are %s", id, strings.Join(SourceIDs(), ", "))
	}
	return newLoader(), nil
}

// scanOf returns the scan of a view's establishments, nil without one.
func scanOf(view *registry.View) bndes.Scan {
	if view == nil {
		return nil
	}
	return func(ctx context.Context, visit func(*pack.Head, *pack.EstablishmentCursor) error) error {
		return view.Scan(ctx, func(h *pack.Head, _ []record.Partner, c *pack.EstablishmentCursor) error {
			return visit(h, c)
		})
	}
}

// linkedWith notes which month of the Receita data the links were inferred with.
func (l *sourceLoad) linkedWith(view *registry.View, loader rows.Loader) rows.Loader {
	if view == nil {
		return loader
	}
	l.linkedTo = view.Load.ID
	read := loader.Read
	loader.Read = func(ctx context.Context, in *rows.Input, out *rows.Output) (rows.Facts, error) {
		facts, err := read(ctx, in, out)
		facts.Notes = append(facts.Notes, "Vínculos inferidos com os dados da Receita Federal de "+view.Load.Period+".")
		return facts, err
	}
	return loader
}
