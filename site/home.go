package site

import (
	"context"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/internal/web"
)

// homePage is the first page: the search box and what is behind it.
type homePage struct {
	frame
	Counts   registry.Counts
	Examples []string // texts that find something
}

func (*homePage) template() string { return "home" }

// exampleWords are tried in turn until one finds a company in what is loaded.
var exampleWords = [...]string{"padaria", "farmácia", "transportes", "comércio", "serviços"}

// home answers /.
func (s *Site) home(c *gin.Context, snap *snapshot.Snapshot) (reply, error) {
	p := &homePage{Counts: snap.Load.Counts}
	p.Title = "O cadastro aberto das empresas brasileiras"
	p.Description = "Consulta gratuita às empresas brasileiras por nome, CNPJ ou sócio, nos dados abertos da Receita Federal, competência " +
		formatMonth(snap.Load.Period) + "."
	p.Canonical = "/"
	p.SearchInContent = true
	examples, err := s.examples(c.Request.Context(), snap)
	if err != nil { // the page is whole without them
		web.EventOf(c.Request.Context()).Err = err
	}
	p.Examples = examples
	return reply{page: p}, nil
}

// examples returns searches that find something: a word, the name of a company that has it, and that company's CNPJ.
func (s *Site) examples(ctx context.Context, snap *snapshot.Snapshot) ([]string, error) {
	for _, word := range exampleWords {
		found, err := snap.Index.Search(ctx, index.Query{Text: word, Limit: 1})
		if err != nil {
			return nil, err
		}
		results, err := s.hydrate(ctx, snap, found.Hits)
		if err != nil {
			return nil, err
		}
		if len(results) > 0 && !results[0].private {
			return []string{word, results[0].Name, results[0].CNPJ.Masked()}, nil
		}
	}
	return nil, nil
}
