package questions

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/territory"
)

// The limits with which the website queries the index.
const (
	Hits        = 20                    // results on a page
	Completions = 10                    // suggestions for a beginning
	lastOffset  = index.MaxTotal - Hits // of the last page that the website links to
)

// Class is one use of the index: the unit for which there are goals, and of which the mixture
// consists.
type Class struct {
	Name  string
	Share int    // percent of the queries of the mixture
	Kinds []Kind // drawn uniformly by Mixture
}

// The names of the classes. They select the method of the index that answers.
const (
	Search     = "search"
	Completion = "completion"
	Listing    = "listing"
	Totals     = "exact totals"
	Facets     = "counts beside filters"
	Ranking    = "ranking"
)

// Kind is one way to ask within a class. Next draws a query.
type Kind struct {
	Name string
	Next func(r *rand.Rand) index.Query
}

// Log generates queries from a sample of a load. Its methods are safe for concurrent use as long as
// each caller has its own generator.
type Log struct {
	*Drawn
	atlas  *territory.Atlas
	common []string // the most frequent words of names
}

// NewLog returns a log over a sample.
func NewLog(d *Drawn) (*Log, error) {
	atlas, err := territory.Open()
	if err != nil {
		return nil, err
	}
	return &Log{Drawn: d, atlas: atlas, common: commonWords(d.names, 30)}, nil
}

// Classes returns every class with all of its kinds. The shares are a guess at a busy day: most
// requests are completions while somebody types, some follow links to listings, few need counts.
func (l *Log) Classes() []Class {
	return []Class{
		{Search, 35, l.searchKinds()},
		{Completion, 40, l.completionKinds()},
		{Listing, 15, l.listingKinds()},
		{Totals, 5, l.totalKinds()},
		{Facets, 2, l.facetKinds()},
		{Ranking, 3, l.rankingKinds()},
	}
}

// narrow derives filters from a sampled establishment, so that combinations are realistic.
type narrow func(s *sketch) filter.Set

// ask returns a kind that draws a text and filters and adds them to base. Either may be nil.
func (l *Log) ask(name string, base index.Query, text func(r *rand.Rand) string, filters narrow) Kind {
	return Kind{name, func(r *rand.Rand) index.Query {
		q := base
		if text != nil {
			q.Text = text(r)
		}
		if filters != nil {
			s := Pick(r, l.sketches)
			q.Filters = filters(&s)
		}
		return q
	}}
}

// searchKinds are queries of the search box with a page of results.
func (l *Log) searchKinds() []Kind {
	page := index.Query{Limit: Hits}
	text := func(name string, next func(r *rand.Rand) string) Kind { return l.ask(name, page, next, nil) }
	return []Kind{
		text("one common word", from(l.common)),
		text("two common words", l.twoCommon),
		text("two words of a name", l.twoWords),
		text("whole name", from(l.names)),
		text("trade name", from(l.trades)),
		text("partner's name", from(l.partners)),
		text("word and city", func(r *rand.Rand) string { return l.wordAndCity(r, false) }),
		text("words, city and UF", func(r *rand.Rand) string { return l.wordAndCity(r, true) }),
		text("phrase", func(r *rand.Rand) string { return `"` + strings.Join(firstTwo(Pick(r, l.names)), " ") + `"` }),
		text("word and beginning", func(r *rand.Rand) string {
			words := wordsOf(Pick(r, l.names))
			return Pick(r, words) + " " + beginning(Pick(r, words), 2+r.IntN(3))
		}),
		text("typing error", func(r *rand.Rand) string { return misspelt(r, Pick(r, l.names)) }),
		text("CNPJ", l.number),
		text("noise", l.noise),
		text("fixed, awkward", from(awkward())),
		{"word with five filters", func(r *rand.Rand) index.Query {
			s := Pick(r, l.sketches)
			return index.Query{Text: Pick(r, wordsOf(s.name)), Filters: s.five(), Limit: Hits}
		}},
		l.ask("word and city, taken literally", index.Query{LiteralPlaces: true, Limit: Hits},
			func(r *rand.Rand) string { return l.wordAndCity(r, false) }, nil),
		l.ask(commonLastPage, index.Query{Offset: lastOffset, Limit: Hits}, from(l.common), nil),
		l.ask("common word, by capital", index.Query{Order: index.ByCapital, Limit: Hits}, from(l.common), nil),
		l.ask("two words of a name, newest", index.Query{Order: index.ByNewest, Limit: Hits}, l.twoWords, nil),
	}
}

const commonLastPage = "common word, last page"

// completionKinds are beginnings of names, numbers and cities, by length.
func (l *Log) completionKinds() []Kind {
	text := func(name string, next func(r *rand.Rand) string) Kind { return l.ask(name, index.Query{}, next, nil) }
	typed := func(low, high int) func(r *rand.Rand) string {
		return func(r *rand.Rand) string {
			texts := l.names
			if r.IntN(4) == 0 {
				texts = l.trades
			}
			return beginning(strings.Join(wordsOf(Pick(r, texts)), " "), low+r.IntN(high-low+1))
		}
	}
	return []Kind{
		text("1 letter", typed(1, 1)),
		text("2 letters", typed(2, 2)),
		text("3 letters", typed(3, 3)),
		text("4 or 5 letters", typed(4, 5)),
		text("6 to 8 letters", typed(6, 8)),
		text("word and 1 to 3 letters", func(r *rand.Rand) string {
			words := wordsOf(Pick(r, l.names))
			return words[0] + " " + beginning(words[len(words)-1], 1+r.IntN(3))
		}),
		text("3 to 11 digits", func(r *rand.Rand) string { return Pick(r, l.Numbers).String()[:3+r.IntN(9)] }),
		text("city", func(r *rand.Rand) string { return beginning(Pick(r, l.atlas.Municipalities()).Name, 2+r.IntN(8)) }),
	}
}

// orders are the orders of a listing with their names in the report.
var orders = []struct {
	name string
	by   index.Order
}{{"capital", index.ByCapital}, {"name", index.ByName}, {"newest", index.ByNewest}, {"oldest", index.ByOldest}}

func ofUF(s *sketch) filter.Set           { return filter.Of(filter.UF, s.uf) }
func ofMunicipality(s *sketch) filter.Set { return filter.Of(filter.Municipio, s.municipio) }
func ofActivity(s *sketch) filter.Set     { return filter.Of(filter.CNAE, s.cnae) }

// listingKinds are filters without a text, in every order, first and last page.
func (l *Log) listingKinds() []Kind {
	list := func(name string, order index.Order, offset int, filters narrow) Kind {
		return l.ask(name, index.Query{Order: order, Offset: offset, Limit: Hits}, nil, filters)
	}
	kinds := []Kind{
		list("UF", index.ByRank, 0, ofUF),
		list("municipality", index.ByRank, 0, ofMunicipality),
		list("activity", index.ByRank, 0, ofActivity),
		list("UF, situation, division of activity", index.ByRank, 0, (*sketch).three),
		list("five filters", index.ByRank, 0, (*sketch).five),
		list("five wide filters", index.ByRank, 0, (*sketch).wide),
		list("UF and situation, last page", index.ByRank, lastOffset, (*sketch).two),
	}
	for _, order := range orders {
		kinds = append(kinds, list("UF and situation, by "+order.name, order.by, 0, (*sketch).two),
			list("five filters, by "+order.name, order.by, 0, (*sketch).five),
			list("UF and situation, by "+order.name+", last page", order.by, lastOffset, (*sketch).two))
	}
	return kinds
}

// totalKinds ask for the exact number of matches and no hits.
func (l *Log) totalKinds() []Kind {
	return []Kind{
		l.ask("common word", index.Query{}, from(l.common), nil),
		l.ask("two common words", index.Query{}, l.twoCommon, nil),
		l.ask("two words of a name", index.Query{}, l.twoWords, nil),
		l.ask("common word, UF and situation", index.Query{}, from(l.common), (*sketch).two),
		l.ask("five filters", index.Query{}, nil, (*sketch).five),
		l.ask("five wide filters", index.Query{}, nil, (*sketch).wide),
	}
}

// facetKinds ask for the counts beside the filters.
func (l *Log) facetKinds() []Kind {
	return []Kind{
		l.ask("nothing chosen", index.Query{}, nil, nil),
		l.ask("UF", index.Query{}, nil, ofUF),
		l.ask("five filters", index.Query{}, nil, (*sketch).five),
		l.ask("common word", index.Query{}, from(l.common), nil),
		l.ask("two words of a name", index.Query{}, l.twoWords, nil),
		l.ask("common word, UF and situation", index.Query{}, from(l.common), (*sketch).two),
	}
}

// rankingKinds ask for the figures of a place with its first companies, and for the active
// companies of a place or activity with the most capital.
func (l *Log) rankingKinds() []Kind {
	place := func(name string, filters narrow) Kind { return l.ask(name, index.Query{Limit: Hits}, nil, filters) }
	largest := func(name string, filters narrow) Kind {
		return l.ask(name, index.Query{Order: index.ByCapital, Limit: Hits}, nil, func(s *sketch) filter.Set {
			return filters(s).Add(filter.Situacao, "02").Add(filter.HeadOffice, "matriz")
		})
	}
	country := func(*sketch) filter.Set { return filter.Set{} }
	return []Kind{
		place("figures and first of the country", country),
		place("figures and first of a UF", ofUF),
		place("figures and first of a municipality", ofMunicipality),
		largest("largest of the country", country),
		largest("largest of a UF", ofUF),
		largest("largest of a municipality", ofMunicipality),
		largest("largest of an activity", ofActivity),
	}
}

func (l *Log) twoCommon(r *rand.Rand) string { return Pick(r, l.common) + " " + Pick(r, l.common) }

func (l *Log) twoWords(r *rand.Rand) string {
	words := wordsOf(Pick(r, l.names))
	return Pick(r, words) + " " + Pick(r, words)
}

// wordAndCity returns what somebody types who knows the city of a company.
func (l *Log) wordAndCity(r *rand.Rand, withUF bool) string {
	s := Pick(r, l.sketches)
	m, ok := l.atlas.ByRFB(s.municipio)
	if !ok {
		return Pick(r, wordsOf(s.name))
	}
	if !withUF {
		return Pick(r, wordsOf(s.name)) + " " + m.Name
	}
	return fmt.Sprintf("%s %s %s", strings.Join(firstTwo(s.name), " "), m.Name, m.UF)
}

// awkward returns inputs that are typed by mistake or as probes: empty, far too long, punctuation,
// control characters, SQL and script injection.
func awkward() []string {
	return []string{
		"", " ", "a", "1", "%", "...", "''", `"`, "S/A", "ltda", "me", "comercio e servicos ltda", "j. c. silva",
		"padaria são paulo sp", "são paulo", "rio de janeiro rj", "' OR 1=1 --", "<script>alert(1)</script>", "\x00\x01",
		"🍞 padaria", strings.Repeat("padaria ", 1250), strings.Repeat("a", 10_000), "00000000000000", "00.000.000/0000-00",
	}
}

// misspelt returns name with one typing error: a letter of one word swapped with the next, dropped
// or doubled. A word of less than four letters is left alone.
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

// Mixture returns a generator that draws a class by its share and then one of its kinds uniformly.
func Mixture(classes []Class) func(r *rand.Rand) (*Class, index.Query) {
	total := 0
	for _, c := range classes {
		total += c.Share
	}
	return func(r *rand.Rand) (*Class, index.Query) {
		at := r.IntN(total)
		for i := range classes {
			c := &classes[i]
			if at -= c.Share; at < 0 {
				return c, Pick(r, c.Kinds).Next(r)
			}
		}
		panic("shares do not add up to their total")
	}
}
