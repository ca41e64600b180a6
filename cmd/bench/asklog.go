package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"razao/index"
	"razao/internal/cnpj"
	"razao/internal/territory"
)

const (
	lastOffset  = index.MaxTotal - searchLimit // of the last page that can be reached
	exportLimit = 10_000                       // rows of an export
)

// askClass is what people do with the index: the unit of the goals and of the mixture.
type askClass struct {
	name  string
	share int // of a hundred queries of the mixture
	ask   func(ctx context.Context, ix *index.Index, q index.Query) (hits int, err error)
	kinds []askKind
}

// askKind is one way to ask.
type askKind struct {
	name string
	next func(r *rand.Rand) index.Query
}

// queryLog makes queries from the records of a load.
type queryLog struct {
	*drawn
	atlas  *territory.Atlas
	common []string
}

func newQueryLog(d *drawn) (*queryLog, error) {
	atlas, err := territory.Open()
	if err != nil {
		return nil, err
	}
	return &queryLog{drawn: d, atlas: atlas, common: commonWords(d.names, 30)}, nil
}

// classes returns everything that is asked. The shares are a guess at a busy day: most requests come from boxes in which
// somebody types, some follow links of listings, few count.
func (l *queryLog) classes() []askClass {
	return []askClass{
		{"search", 35, askSearch, l.searchKinds()},
		{"completion", 40, askSuggest, l.completionKinds()},
		{"listing", 15, askSearch, l.listingKinds()},
		{"exact totals", 5, askTotal, l.totalKinds()},
		{"counts beside filters", 2, askFacets, l.facetKinds()},
		{"ranking", 3, askRanking, l.rankingKinds()},
		{"export of 10,000 rows", 0, askExport, l.exportKinds()},
	}
}

func askSearch(ctx context.Context, ix *index.Index, q index.Query) (int, error) {
	found, err := ix.Search(ctx, q)
	return len(found.Hits), err
}

func askSuggest(ctx context.Context, ix *index.Index, q index.Query) (int, error) {
	hits, err := ix.Suggest(ctx, q.Text, suggestLimit)
	return len(hits), err
}

func askTotal(ctx context.Context, ix *index.Index, q index.Query) (int, error) {
	found, err := ix.Search(ctx, q)
	return found.Total, err
}

func askFacets(ctx context.Context, ix *index.Index, q index.Query) (int, error) {
	facets, err := ix.Facets(ctx, q)
	return len(facets["uf"]), err
}

func askExport(ctx context.Context, ix *index.Index, q index.Query) (rows int, err error) {
	err = ix.Each(ctx, q, exportLimit, func(cnpj.Full) error {
		rows++
		return nil
	})
	return rows, err
}

// askRanking asks for the figures of a place and its most important companies, or, in another order, for a listing.
func askRanking(ctx context.Context, ix *index.Index, q index.Query) (int, error) {
	if q.Order != index.ByRank {
		return askSearch(ctx, ix, q)
	}
	rankings := ix.Rankings()
	known := true
	switch {
	case q.Filters.Municipio != "":
		_, known = rankings.Municipality(q.Filters.Municipio)
	case q.Filters.UF != "":
		_, known = rankings.UF(q.Filters.UF)
	}
	top, err := rankings.Top(ctx, q.Filters.UF, q.Filters.Municipio, q.Limit)
	if !known {
		return 0, err
	}
	return len(top), err
}

// text makes a kind of search out of texts.
func text(name string, next func(r *rand.Rand) string) askKind {
	return askKind{name, func(r *rand.Rand) index.Query { return index.Query{Text: next(r), Limit: searchLimit} }}
}

func (l *queryLog) searchKinds() []askKind {
	kinds := []askKind{
		text("trade name", from(l.trades)),
		text("word and city", func(r *rand.Rand) string { return l.wordAndCity(r, false) }),
		text("words, city and UF", func(r *rand.Rand) string { return l.wordAndCity(r, true) }),
		text("phrase", func(r *rand.Rand) string { return `"` + strings.Join(firstTwo(pick(r, l.names)), " ") + `"` }),
		text("typing error", func(r *rand.Rand) string { return misspelt(r, pick(r, l.names)) }),
		text("fixed, awkward", from(awkward())),
		{"word with five filters", func(r *rand.Rand) index.Query {
			s := pick(r, l.sketches)
			return index.Query{Text: pick(r, wordsOf(s.name)), Filters: s.five(), Limit: searchLimit}
		}},
		{"word and city, taken literally", func(r *rand.Rand) index.Query {
			return index.Query{Text: l.wordAndCity(r, false), LiteralPlaces: true, Limit: searchLimit}
		}},
		{"common word, last page", func(r *rand.Rand) index.Query {
			return index.Query{Text: pick(r, l.common), Offset: lastOffset, Limit: searchLimit}
		}},
		{"common word, by capital", func(r *rand.Rand) index.Query {
			return index.Query{Text: pick(r, l.common), Order: index.ByCapital, Limit: searchLimit}
		}},
		{"two words of a name, newest", func(r *rand.Rand) index.Query {
			return index.Query{Text: l.twoWords(r), Order: index.ByNewest, Limit: searchLimit}
		}},
	}
	for _, kind := range l.searches() {
		if kind.name != "trade name" {
			kinds = append(kinds, text(kind.name, kind.next))
		}
	}
	return kinds
}

func (l *queryLog) completionKinds() []askKind {
	var kinds []askKind
	for _, kind := range l.suggestions() {
		kinds = append(kinds, text(kind.name, kind.next))
	}
	return append(kinds, text("city", func(r *rand.Rand) string {
		m := pick(r, l.atlas.Municipalities())
		return beginning(m.Name, 2+r.IntN(8))
	}))
}

// orders of a listing, by what a page calls them.
func orders() map[string]index.Order {
	return map[string]index.Order{
		"importance": index.ByRank, "capital": index.ByCapital, "name": index.ByName,
		"newest": index.ByNewest, "oldest": index.ByOldest,
	}
}

func (l *queryLog) listingKinds() []askKind {
	list := func(name string, order index.Order, offset int, narrow func(s *sketch) index.Filters) askKind {
		return askKind{name, func(r *rand.Rand) index.Query {
			s := pick(r, l.sketches)
			return index.Query{Filters: narrow(&s), Order: order, Offset: offset, Limit: searchLimit}
		}}
	}
	kinds := []askKind{
		list("UF", index.ByRank, 0, func(s *sketch) index.Filters { return index.Filters{UF: s.uf} }),
		list("municipality", index.ByRank, 0, func(s *sketch) index.Filters { return index.Filters{Municipio: s.municipio} }),
		list("activity", index.ByRank, 0, func(s *sketch) index.Filters { return index.Filters{CNAE: s.cnae} }),
		list("UF, situation, division of activity", index.ByRank, 0, (*sketch).three),
		list("five filters", index.ByRank, 0, (*sketch).five),
		list("five wide filters", index.ByRank, 0, (*sketch).wide),
		list("UF and situation, last page", index.ByRank, lastOffset, (*sketch).two),
	}
	all := orders()
	for _, name := range []string{"capital", "name", "newest", "oldest"} {
		kinds = append(kinds, list("UF and situation, by "+name, all[name], 0, (*sketch).two),
			list("five filters, by "+name, all[name], 0, (*sketch).five),
			list("UF and situation, by "+name+", last page", all[name], lastOffset, (*sketch).two))
	}
	return kinds
}

func (l *queryLog) totalKinds() []askKind {
	words := func(name string, next func(r *rand.Rand) string) askKind {
		return askKind{name, func(r *rand.Rand) index.Query { return index.Query{Text: next(r)} }}
	}
	return []askKind{
		words("common word", from(l.common)),
		words("two common words", func(r *rand.Rand) string { return pick(r, l.common) + " " + pick(r, l.common) }),
		words("two words of a name", l.twoWords),
		{"common word, UF and situation", func(r *rand.Rand) index.Query {
			s := pick(r, l.sketches)
			return index.Query{Text: pick(r, l.common), Filters: s.two()}
		}},
		{"five filters", func(r *rand.Rand) index.Query {
			s := pick(r, l.sketches)
			return index.Query{Filters: s.five()}
		}},
		{"five wide filters", func(r *rand.Rand) index.Query {
			s := pick(r, l.sketches)
			return index.Query{Filters: s.wide()}
		}},
	}
}

func (l *queryLog) facetKinds() []askKind {
	return []askKind{
		{"nothing chosen", func(*rand.Rand) index.Query { return index.Query{} }},
		{"UF", func(r *rand.Rand) index.Query { return index.Query{Filters: index.Filters{UF: pick(r, l.sketches).uf}} }},
		{"five filters", func(r *rand.Rand) index.Query {
			s := pick(r, l.sketches)
			return index.Query{Filters: s.five()}
		}},
		{"common word", func(r *rand.Rand) index.Query { return index.Query{Text: pick(r, l.common)} }},
		{"two words of a name", func(r *rand.Rand) index.Query { return index.Query{Text: l.twoWords(r)} }},
		{"common word, UF and situation", func(r *rand.Rand) index.Query {
			s := pick(r, l.sketches)
			return index.Query{Text: pick(r, l.common), Filters: s.two()}
		}},
	}
}

// rankingKinds are places with their figures, and the largest active companies of each.
func (l *queryLog) rankingKinds() []askKind {
	place := func(name string, narrow func(s *sketch) index.Filters) askKind {
		return askKind{name, func(r *rand.Rand) index.Query {
			s := pick(r, l.sketches)
			return index.Query{Filters: narrow(&s), Limit: searchLimit}
		}}
	}
	largest := func(name string, narrow func(s *sketch) index.Filters) askKind {
		return askKind{name, func(r *rand.Rand) index.Query {
			s := pick(r, l.sketches)
			f := narrow(&s)
			f.Situacao, f.HeadOffice = "02", index.Yes
			return index.Query{Filters: f, Order: index.ByCapital, Limit: searchLimit}
		}}
	}
	country := func(*sketch) index.Filters { return index.Filters{} }
	ofUF := func(s *sketch) index.Filters { return index.Filters{UF: s.uf} }
	ofMunicipality := func(s *sketch) index.Filters { return index.Filters{Municipio: s.municipio} }
	return []askKind{
		place("figures and first of the country", country),
		place("figures and first of a UF", ofUF),
		place("figures and first of a municipality", ofMunicipality),
		largest("largest of the country", country),
		largest("largest of a UF", ofUF),
		largest("largest of a municipality", ofMunicipality),
		largest("largest of an activity", func(s *sketch) index.Filters { return index.Filters{CNAE: s.cnae} }),
	}
}

func (l *queryLog) exportKinds() []askKind {
	var kinds []askKind
	all := orders()
	for _, name := range []string{"importance", "capital", "name", "newest"} {
		kinds = append(kinds, askKind{"UF and situation, by " + name, func(r *rand.Rand) index.Query {
			s := pick(r, l.sketches)
			return index.Query{Filters: s.two(), Order: all[name]}
		}})
	}
	return kinds
}

func (l *queryLog) twoWords(r *rand.Rand) string {
	words := wordsOf(pick(r, l.names))
	return pick(r, words) + " " + pick(r, words)
}

// wordAndCity is what somebody types who knows where a company is.
func (l *queryLog) wordAndCity(r *rand.Rand, withUF bool) string {
	s := pick(r, l.sketches)
	m, ok := l.atlas.ByRFB(s.municipio)
	if !ok {
		return pick(r, wordsOf(s.name))
	}
	if !withUF {
		return pick(r, wordsOf(s.name)) + " " + m.Name
	}
	return fmt.Sprintf("%s %s %s", strings.Join(firstTwo(s.name), " "), m.Name, m.UF)
}

// awkward returns what somebody types by mistake or to see what happens.
func awkward() []string {
	return []string{
		"", " ", "a", "1", "%", "...", "''", `"`, "S/A", "ltda", "me", "comercio e servicos ltda", "j. c. silva",
		"padaria são paulo sp", "são paulo", "rio de janeiro rj", "' OR 1=1 --", "<script>alert(1)</script>", "\x00\x01",
		"🍞 padaria", strings.Repeat("padaria ", 1250), strings.Repeat("a", 10_000), "00000000000000", "00.000.000/0000-00",
	}
}

// misspelt swaps, drops or doubles a letter of one long word.
func misspelt(r *rand.Rand, name string) string {
	words := wordsOf(name)
	at := r.IntN(len(words))
	letters := []rune(words[at])
	if len(letters) < 4 {
		return name
	}
	i := 1 + r.IntN(len(letters)-2)
	switch r.IntN(3) {
	case 0:
		letters[i], letters[i+1] = letters[i+1], letters[i]
	case 1:
		letters = append(letters[:i], letters[i+1:]...)
	default:
		letters = append(letters[:i+1], letters[i:]...)
	}
	words[at] = string(letters)
	return strings.Join(words, " ")
}

func firstTwo(name string) []string {
	words := wordsOf(name)
	return words[:min(2, len(words))]
}

// mixture draws from the classes by their shares, and from the kinds of a class in equal parts.
func mixture(classes []askClass) func(r *rand.Rand) (*askClass, index.Query) {
	total := 0
	for _, c := range classes {
		total += c.share
	}
	return func(r *rand.Rand) (*askClass, index.Query) {
		at := r.IntN(total)
		for i := range classes {
			c := &classes[i]
			if at -= c.share; at < 0 {
				return c, pick(r, c.kinds).next(r)
			}
		}
		panic("shares do not add up to their total")
	}
}
