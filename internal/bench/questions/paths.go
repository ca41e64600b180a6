package questions

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/internal/source"
)

// Address is a kind of address of the website.
type Address struct {
	Name string
	Next func(r *rand.Rand) string
}

// Addresses are the pages that search and the addresses that complete.
func (l *Log) Addresses() []Address {
	search, listing, completion := l.searchKinds(), l.listingKinds(), l.completionKinds()
	search = slices.DeleteFunc(search, func(k Kind) bool { return k.Name == commonLastPage })
	return []Address{
		{"/busca, all searches", func(r *rand.Rand) string { return searchPath(Pick(r, search).Next(r)) }},
		{"/busca, all listings", func(r *rand.Rand) string { return searchPath(Pick(r, listing).Next(r)) }},
		{"/busca, common word, last page", func(r *rand.Rand) string {
			return searchPath(index.Query{Text: Pick(r, l.common), Offset: lastOffset})
		}},
		{"/sugestoes, all completions", func(r *rand.Rand) string {
			return "/sugestoes?" + url.Values{"q": {Pick(r, completion).Next(r).Text}}.Encode()
		}},
	}
}

// Name is what a company, or a branch of it, is called.
func (l *Log) Name(r *rand.Rand) string {
	return Pick(r, Pick(r, [][]string{l.names, l.names, l.trades}))
}

// Partner is the name of a partner.
func (l *Log) Partner(r *rand.Rand) string { return Pick(r, l.partners) }

// Person is the page of a partner.
func (l *Log) Person(r *rand.Rand) string { return Pick(r, l.people) }

// State is the page of a state.
func (l *Log) State(r *rand.Rand) string { return "/uf/" + strings.ToLower(Pick(r, l.sketches).uf) }

// City is the page of a municipality.
func (l *Log) City(r *rand.Rand) string {
	m, _ := l.atlas.ByRFB(Pick(r, l.sketches).municipio) // sketches are of places that there are
	return "/uf/" + strings.ToLower(m.UF) + "/" + m.Slug
}

// Listing is a page of companies of an activity, in one of the orders.
func (l *Log) Listing(r *rand.Rand) string {
	order := Pick(r, []string{"capital", "nome", "recente", "antiga"})
	return "/empresas?" + url.Values{"cnae": {Pick(r, l.sketches).cnae[:2]}, "ordem": {order}}.Encode()
}

// Export is a file of companies of a state.
func (l *Log) Export(r *rand.Rand) string {
	return "/empresas.csv?" + url.Values{"uf": {Pick(r, l.sketches).uf}}.Encode()
}

// Filters are at most a few of the parameters by which searches and listings are narrowed.
func (l *Log) Filters(r *rand.Rand, most int) url.Values {
	s := Pick(r, l.sketches)
	all := [][]string{
		{"uf", s.uf},
		{"municipio", s.municipio},
		{"situacao", s.situacao},
		{"porte", s.porte},
		{"natureza", s.natureza},
		{"cnae", s.cnae[:2], s.cnae[:3], s.cnae[:5], s.cnae},
		{"ano_de", "1990", "2005", "2020"},
		{"ano_ate", "2004", "2019", "2026"},
		{"capital", "0", "1-10k", "10k-100k", "100k-1m", "1m-10m", "10m-100m", "100m"},
		{"tipo", "matriz", "filial", "todos"},
		{"simples", "sim", "nao"},
		{"mei", "sim", "nao"},
		append([]string{"fonte"}, source.IDs()...),
	}
	values := url.Values{}
	for range r.IntN(most + 1) {
		choice := Pick(r, all)
		values.Set(choice[0], Pick(r, choice[1:]))
	}
	return values
}

// searchPath is the address of a page of results, with those filters that single companies are drawn by.
func searchPath(q index.Query) string {
	values := url.Values{"q": {q.Text}}
	for name, value := range map[string]string{
		"uf": q.Filters.Value(filter.UF), "municipio": q.Filters.Value(filter.Municipio), "situacao": q.Filters.Value(filter.Situacao),
		"porte": q.Filters.Value(filter.Porte), "cnae": q.Filters.Value(filter.CNAE), "ordem": orderParameter(q.Order),
	} {
		if value != "" {
			values.Set(name, value)
		}
	}
	if q.LiteralPlaces {
		values.Set("literal", "1")
	}
	if q.Offset > 0 {
		values.Set("pagina", strconv.Itoa(q.Offset/Hits+1))
	}
	return "/busca?" + values.Encode()
}

// orderParameter is what the website calls an order, "" for the one that needs no name.
func orderParameter(o index.Order) string {
	switch o {
	case index.ByCapital:
		return "capital"
	case index.ByName:
		return "nome"
	case index.ByNewest:
		return "recentes"
	case index.ByOldest:
		return "antigas"
	}
	return ""
}
