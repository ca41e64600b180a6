package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"razao/index"
	"razao/internal/cnpj"
)

const (
	manyRecords   = 1_000  // companies that count as having many
	readForLinks  = 500    // pages of companies
	naturezaOfOne = "2135" // individual entrepreneur

	// referencePage brings along Swagger UI, which is no part of the goals.
	referencePage = "/api/docs"
)

// pageKind is a kind of page.
type pageKind struct {
	name   string
	next   func(r *rand.Rand) string // a path
	file   bool                      // it is no page for reading
	header string                    // lines of the request: who is signed in
}

// visits are the addresses that are asked for.
type visits struct {
	index      string // folder
	log        *queryLog
	owners     owners
	many       []cnpj.Full // those with records of most sources
	individual []cnpj.Full
	largest    []cnpj.Full // of the company with most establishments

	partners, states, cities []string // paths that pages link to
}

// drawVisits draws companies from the load.
func drawVisits(ctx context.Context, f *folder, db *database) (*visits, error) {
	live, _, err := openSnapshot(ctx, f, db)
	if err != nil {
		return nil, err
	}
	defer live.Close()
	say("drawing numbers and texts from the load")
	d, err := draw(ctx, live)
	if err != nil {
		return nil, err
	}
	v := &visits{}
	for _, number := range d.numbers {
		if number.Root() == d.largest {
			v.largest = append(v.largest, number)
		}
	}
	if v.log, err = newQueryLog(d); err != nil {
		return nil, err
	}
	if v.owners, err = drawOwners(ctx, live); err != nil {
		return nil, err
	}
	v.many = v.owners.most(manyRecords)
	s, err := live.Acquire()
	if err != nil {
		return nil, err
	}
	defer s.Release()
	v.index = s.Index.Folder()
	one := index.Query{Filters: index.Filters{Natureza: naturezaOfOne}}
	err = s.Index.Each(ctx, one, drawnOwners, func(number cnpj.Full) error {
		v.individual = append(v.individual, number)
		return nil
	})
	if err == nil && len(v.individual) == 0 {
		err = errors.New("no individual entrepreneur: take more -roots")
	}
	return v, err
}

// most returns the n establishments with records of most sources.
func (o owners) most(n int) []cnpj.Full {
	sources := map[cnpj.Full]int{}
	for _, numbers := range o {
		for _, number := range numbers {
			sources[number]++
		}
	}
	all := slices.Sorted(maps.Keys(sources))
	slices.SortStableFunc(all, func(a, b cnpj.Full) int { return sources[b] - sources[a] })
	return all[:min(n, len(all))]
}

var partnerLink = regexp.MustCompile(`href="(/socio/[0-9]{6}/[a-z0-9-]+)"`)

// followLinks takes the addresses of partners from pages of companies, and those of places from the sitemap.
func (v *visits) followLinks(ctx context.Context, w *weigher, c *crawl) error {
	for _, path := range c.others {
		switch strings.Count(path, "/") {
		case 2:
			v.states = append(v.states, path)
		case 3:
			v.cities = append(v.cities, path)
		}
	}
	isPlace := func(path string) bool { return !strings.HasPrefix(path, "/uf/") }
	v.states, v.cities = slices.DeleteFunc(v.states, isPlace), slices.DeleteFunc(v.cities, isPlace)
	r := rand.New(rand.NewPCG(6, 6))
	for range readForLinks {
		page, _, err := w.get(ctx, "/"+pick(r, v.log.numbers).String(), "")
		if err != nil {
			return err
		}
		for _, link := range partnerLink.FindAllSubmatch(page, -1) {
			v.partners = append(v.partners, string(link[1]))
		}
	}
	if len(v.partners) == 0 || len(v.states) == 0 || len(v.cities) == 0 {
		return fmt.Errorf("there are links to %d partners, %d states and %d cities: take more -roots",
			len(v.partners), len(v.states), len(v.cities))
	}
	return nil
}

// kinds are all pages; signedIn is the header of somebody with an account.
func (v *visits) kinds(signedIn string) []pageKind {
	page := func(name string, next func(r *rand.Rand) string) pageKind { return pageKind{name: name, next: next} }
	file := func(name string, next func(r *rand.Rand) string) pageKind {
		return pageKind{name: name, next: next, file: true}
	}
	company := func(of []cnpj.Full, suffix string) func(r *rand.Rand) string {
		return func(r *rand.Rand) string { return "/" + pick(r, of).String() + suffix }
	}
	among := func(paths []string, suffix string) func(r *rand.Rand) string {
		return func(r *rand.Rand) string { return pick(r, paths) + suffix }
	}
	kinds := []pageKind{page("/", at("/"))}
	for _, k := range v.log.requests() {
		kinds = append(kinds, pageKind{name: k.name, next: k.next, file: strings.HasPrefix(k.name, "/sugestoes")})
	}
	kinds = append(kinds,
		page("/{cnpj}", company(v.log.numbers, "")),
		page("/{cnpj}, records of most sources", company(v.many, "")),
		page("/{cnpj}, individual entrepreneur", company(v.individual, "")),
		page("/{cnpj}, largest company", company(v.largest, "")),
		file("/{cnpj}.md", company(v.log.numbers, ".md")),
		file("/{cnpj}.md, records of most sources", company(v.many, ".md")),
		page("/{cnpj}/ibama/autos/1", company(v.owners["ibama_autos"], "/ibama/autos/1")),
		page("/{cnpj}/ibama/embargos/1", company(v.owners["ibama_embargos"], "/ibama/embargos/1")),
		page("/socio/{d6}/{sl}", among(v.partners, "")),
		page("/empresas", at("/empresas")),
		page("/empresas, activity and order", v.listing),
		page("/uf/{uf}", among(v.states, "")),
		page("/uf/{uf}?ordem=recente", among(v.states, "?ordem=recente")),
		page("/uf/{uf}/{cidade}", among(v.cities, "")),
		page("/estados", at("/estados")),
		page("/municipios", at("/municipios")),
		file("/municipios.csv", at("/municipios.csv")),
	)
	kinds = append(kinds, pageKind{"/empresas.csv, 10,000 rows at the most", v.export, true, signedIn},
		pageKind{"/conta", at("/conta"), false, signedIn})
	for _, path := range []string{
		"/login", "/metodologia/bndes", "/api", "/api/v1", referencePage, "/assistente", "/assistente/whatsapp", "/assistente/telegram",
		"/privacidade", "/termos",
	} {
		kinds = append(kinds, page(path, at(path)))
	}
	for _, path := range []string{"/openapi.json", "/llms.txt", "/robots.txt", "/sitemap.xml", "/sitemaps/0001.xml.gz", "/sitemaps/0002.xml.gz"} {
		kinds = append(kinds, file(path, at(path)))
	}
	return kinds
}

func at(path string) func(*rand.Rand) string { return func(*rand.Rand) string { return path } }

// listing is a page of companies of an activity, in one of the orders.
func (v *visits) listing(r *rand.Rand) string {
	order := pick(r, []string{"capital", "nome", "recente", "antiga"})
	return "/empresas?" + url.Values{"cnae": {pick(r, v.log.sketches).cnae[:2]}, "ordem": {order}}.Encode()
}

// export is a file of companies of a state.
func (v *visits) export(r *rand.Rand) string {
	return "/empresas.csv?" + url.Values{"uf": {pick(r, v.log.sketches).uf}}.Encode()
}
