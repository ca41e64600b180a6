package reference

import (
	"context"

	"razao/internal/data/glossary"
	"razao/internal/store/snapshot"
	"razao/site/page"
)

// glossaryPage lists all terms by group.
type glossaryPage struct {
	page.Frame
	Groups []glossary.Group
}

// glossary answers /glossario.
func (hs *Handlers) glossary(context.Context, *snapshot.Snapshot) page.Page {
	p := &glossaryPage{Groups: glossary.Groups()}
	p.Crumbs = page.Trail("Glossário")
	p.Title = "Glossário: o que querem dizer as palavras do cadastro e dos registros"
	p.Description = "CNPJ, raiz, matriz, situação cadastral, porte, MEI, dívida ativa, CEIS, embargo, competência e outras palavras destas páginas, " +
		"em duas ou três frases e com a origem."
	p.Canonical = "/glossario"
	return p
}
