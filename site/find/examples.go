package find

import (
	"context"
	"net/url"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/cnpj"
	"razao/internal/store/snapshot"
	"razao/site/page"
	"razao/site/wording"
)

// ExampleListing returns a listing with invented content, for the page that shows all components.
func ExampleListing() Listing {
	here := &url.URL{Path: "/componentes"}
	values := []facetValue{{"São Paulo", "1.806", "/componentes", true}, {"Minas Gerais", "819", "/componentes", false}}
	years := []facetField{{Filter: filter.Named(filter.YearFrom), Text: "de"}, {Filter: filter.Named(filter.YearTo), Text: "até"}}
	number, _ := cnpj.ParseFull("12345678000195")
	return Listing{
		Chips: []chip{{Text: "Estado: São Paulo", URL: "/componentes"}}, Filtered: 1,
		Facets: []facet{
			{Label: "Estado", First: values, Rest: values[1:], Note: "Sem contagem neste momento: Devedores."},
			{Label: "Abertura", First: values[1:], Form: &facetForm{Action: "/componentes", Fields: years}},
		},
		Choices: []choice{{"Ordem", []choiceLink{{"maior capital", "/componentes", true}, {"nome", "/componentes", false}}}},
		Total:   187, Pager: page.NewPager("Páginas de resultados", here, "pagina", "", 1, resultsPerPage, 187),
		Results: []result{
			{
				CNPJ: number, Name: "Padaria Estrela do Sul Ltda.", TradeName: "Estrela do Sul Pães e Doces", HeadOffice: "Matriz", City: "Campinas/SP",
				Status: wording.Status{Text: "Ativa", Tone: "ok"}, Activity: wording.Activity{Code: "1091-1/02", Text: "Fabricação de produtos de padaria"}, Reason: "Encontrada pelo nome",
			},
			{CNPJ: number, Name: "Uma Razão Social Comprida o Bastante para Ocupar Mais de Uma Linha em Qualquer Telefone Ltda.", Status: wording.Status{Text: "Baixada", Tone: "mute"}},
		},
	}
}

// exampleWords are tried in turn until one finds a company in the load.
var exampleWords = [...]string{"padaria", "farmácia", "transportes", "comércio", "serviços"}

// Examples returns three searches that find something in the load: a word, the name of a company
// that has it, and that company's masked CNPJ. It avoids natural persons. It returns nil when none
// of the words finds a company.
func (hs *Handlers) Examples(ctx context.Context, snap *snapshot.Snapshot) ([]string, error) {
	for _, word := range exampleWords {
		found, err := snap.Find(ctx, index.Query{Text: word, Limit: 1})
		if err != nil {
			return nil, err
		}
		for _, m := range found.Matches {
			if !m.Individual() {
				return []string{word, wording.NameOf(m.Head, &m.Establishment), m.Establishment.CNPJ.Masked()}, nil
			}
		}
	}
	return nil, nil
}
