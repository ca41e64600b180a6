package find

import (
	"context"
	"net/url"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/page"
)

// ExampleListing returns a listing with invented content, for the page that shows all components.
func ExampleListing() Listing {
	here := &url.URL{Path: "/componentes"}
	values := []facetValue{{"São Paulo", "1.806", "100.0%", "/componentes", true}, {"Minas Gerais", "819", "45.4%", "/componentes", false}}
	years := []facetField{{Filter: filter.Named(filter.YearFrom), Text: "de"}, {Filter: filter.Named(filter.YearTo), Text: "até"}}
	number, _ := cnpj.ParseFull("12345678000195")
	return Listing{
		links: links{
			Chips:   []variant{{Text: "Estado: São Paulo", URL: "/componentes"}},
			Choices: []choice{{"Um resultado por", []choiceLink{{"empresa", "/componentes", true}, {"estabelecimento", "/componentes", false}}}},
			Order:   orderForm{target{Action: "/componentes"}, []formOption{{filter.Option{Value: "capital", Text: "maior capital"}, true}, {filter.Option{Value: "nome", Text: "nome"}, false}}},
			Pager:   page.NewPager("Páginas de resultados", here, pageName, "", 1, resultsPerPage, 187),
		},
		Facets: []facet{
			{Label: "Estado", Open: true, First: values, Rest: values[1:], Others: "/componentes", Note: "Sem contagem neste momento: Devedores."},
			{Label: "Abertura", Open: true, First: values[1:], Form: &facetForm{target{Action: "/componentes"}, years}},
			{Label: "Porte", First: values[1:]},
		},
		Total: 187,
		Results: []result{
			{
				CNPJ: number, Name: "Padaria Estrela do Sul Ltda.", TradeName: "Estrela do Sul Pães e Doces", HeadOffice: "Matriz", City: "Campinas/SP",
				Status: wording.Status{Text: "Ativa", Tone: "ok"}, Activity: wording.Activity{Code: "1091-1/02", Text: "Fabricação de produtos de padaria"},
				Opened: "12/03/2019", Capital: ptbr.Money(record.Cents(48_000_000)), Offices: 3, Sources: 2, Reason: "Encontrada pelo CNPJ", Others: 2, OthersURL: "/componentes",
			},
			{CNPJ: number, Name: "Uma Razão Social Comprida o Bastante para Ocupar Mais de Uma Linha em Qualquer Telefone Ltda.", Status: wording.Status{Text: "Baixada", Tone: "mute"}, Capital: ptbr.Money(record.Cents(99_999_999_999_900)), Improbable: true, Offices: 1},
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
