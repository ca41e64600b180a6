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
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// loaders returns the constructors of the loaders that need nothing but files, by source id. BNDES
// is not among them: it also needs the companies in service.
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

// SourceIDs returns the ids that [Ingester.Source] accepts, in the order of package source.
// pncp_orgao is not one of them: the loader of pncp fills it.
func SourceIDs() []string {
	var ids []string
	for _, id := range source.IDs() {
		if loaders()[id] != nil || id == bndesID {
			ids = append(ids, id)
		}
	}
	return ids
}

// bndesID is the source whose records are linked to companies by inference.
const bndesID = "bndes"

// loader returns the loader of a source. view is the Receita load that links are inferred with, nil
// if there is none. An unknown id is an error that lists the valid ones.
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

// scanOf adapts a view to the scan of establishments that BNDES links against; nil for a nil view.
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

// linkedWith records that the load is linked to the companies of view, and makes the loader note
// their month in the provenance.
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
