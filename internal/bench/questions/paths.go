package questions

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/source"
)

// Address is a kind of website path for search. Next draws a path with its query string.
type Address struct {
	Name string
	Next func(r *rand.Rand) string
}

// Addresses returns the paths of search results and of completions.
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

// Name draws the name of a company, or in one of three cases a trade name.
func (l *Log) Name(r *rand.Rand) string {
	return Pick(r, Pick(r, [][]string{l.names, l.names, l.trades}))
}

// Partner draws the name of a partner.
func (l *Log) Partner(r *rand.Rand) string { return Pick(r, l.partners) }

// Person draws the path of a partner's page.
func (l *Log) Person(r *rand.Rand) string { return Pick(r, l.people) }

// State draws the path of a state's page.
func (l *Log) State(r *rand.Rand) string { return "/uf/" + strings.ToLower(Pick(r, l.sketches).uf) }

// City draws the path of a municipality's page.
func (l *Log) City(r *rand.Rand) string {
	m, _ := l.atlas.ByRFB(Pick(r, l.sketches).municipio) // sketches have municipalities that exist
	return "/uf/" + strings.ToLower(m.UF) + "/" + m.Slug
}

// Listing draws the path of a listing of companies by division of activity, in one of the orders.
func (l *Log) Listing(r *rand.Rand) string {
	order := Pick(r, []string{"capital", "nome", "recente", "antiga"})
	return "/empresas?" + url.Values{"cnae": {Pick(r, l.sketches).cnae[:2]}, "ordem": {order}}.Encode()
}

// Export draws the path of the CSV of the companies of a state.
func (l *Log) Export(r *rand.Rand) string {
	return "/empresas.csv?" + url.Values{"uf": {Pick(r, l.sketches).uf}}.Encode()
}

// Filters draws at most `most` parameters of searches and listings. Values of one call are of one
// establishment, where they depend on one.
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

// searchPath returns the path of the results of q, with the filters that [sketch] derives from one
// establishment.
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

// orderParameter returns the value of the parameter ordem for an order, "" for the default.
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
