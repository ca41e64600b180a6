package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"

	"razao/index"
)

const drawnPaths = 20_000 // of each kind of request, drawn before the measurement

// askServer measures pages of results and suggestions as the website sends them, records included.
func (o *options) askServer(ctx context.Context, f *folder, db *database, log *queryLog) (_ []lookupRun, err error) {
	s, err := o.startServer(ctx, f, db)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	var runs []lookupRun
	for _, kind := range log.requests() {
		paths := drawPaths(kind)
		request := asked{kind.name, s.Program, func(dst []byte, r *rand.Rand) []byte {
			return append(dst, paths[r.IntN(len(paths))]...)
		}, nil, o.conns, nil, false}
		for _, conns := range o.conns {
			run, err := o.lookupRun(ctx, s, db, &request, conns)
			if err != nil {
				return runs, fmt.Errorf("%s, %d connections: %w", kind.name, conns, err)
			}
			runs = append(runs, run)
		}
	}
	return runs, nil
}

// requestKind is a kind of address of the website.
type requestKind struct {
	name string
	next func(r *rand.Rand) string
}

// requests are the pages that search and the addresses that complete.
func (l *queryLog) requests() []requestKind {
	search, listing, completion := l.searchKinds(), l.listingKinds(), l.completionKinds()
	search = slices.DeleteFunc(search, func(k askKind) bool { return k.name == "common word, last page" })
	return []requestKind{
		{"/busca, all searches", func(r *rand.Rand) string { return searchPath(pick(r, search).next(r)) }},
		{"/busca, all listings", func(r *rand.Rand) string { return searchPath(pick(r, listing).next(r)) }},
		{"/busca, common word, last page", func(r *rand.Rand) string {
			return searchPath(index.Query{Text: pick(r, l.common), Offset: lastOffset})
		}},
		{"/sugestoes, all completions", func(r *rand.Rand) string {
			return "/sugestoes?" + url.Values{"q": {pick(r, completion).next(r).Text}}.Encode()
		}},
	}
}

func drawPaths(kind requestKind) []string {
	r := rand.New(rand.NewPCG(3, 3))
	paths := make([]string, drawnPaths)
	for i := range paths {
		paths[i] = kind.next(r)
	}
	return paths
}

// searchPath is the address of a page of results, with those filters that single companies are drawn by.
func searchPath(q index.Query) string {
	values := url.Values{"q": {q.Text}}
	for name, value := range map[string]string{
		"uf": q.Filters.UF, "municipio": q.Filters.Municipio, "situacao": q.Filters.Situacao,
		"porte": q.Filters.Porte, "cnae": q.Filters.CNAE, "ordem": orderParameter(q.Order),
	} {
		if value != "" {
			values.Set(name, value)
		}
	}
	if q.LiteralPlaces {
		values.Set("literal", "1")
	}
	if q.Offset > 0 {
		values.Set("pagina", strconv.Itoa(q.Offset/searchLimit+1))
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
