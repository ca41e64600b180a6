package intent

import (
	"slices"
	"strings"
	"sync"

	"razao/index/term"
	"razao/internal/data/territory"
)

// Gazetteer finds the names of places in queries. It is immutable and safe for concurrent use.
type Gazetteer struct {
	cities map[string][]territory.Municipality // by the significant words of their names, as territory.ByName sorts them
	states map[string]string                   // UF by the significant words of its name
	ufs    map[string]string                   // UF by its two letters, folded
	short  map[string][]territory.Municipality // a single city by its nickname
}

// shortNames maps nicknames of cities to their codes (tax authority).
var shortNames = map[string]string{"bh": "4123", "sp capital": "7107", "sampa": "7107", "floripa": "8105"}

const (
	// maxPlaceWords bounds the words of a name that is looked up: São José do Vale do Rio Preto has most.
	maxPlaceWords = 7
	// manyInhabitants is the population from which a city of one word is likely to be meant when
	// its UF is missing. Names of smaller cities are mostly common words.
	manyInhabitants = 100_000
)

// OpenGazetteer returns all cities and states of the built-in territory, which it reads once. It fails
// only in a damaged build.
func OpenGazetteer() (*Gazetteer, error) { return gazetteer() }

var gazetteer = sync.OnceValues(func() (*Gazetteer, error) {
	atlas, err := territory.Open()
	if err != nil {
		return nil, err
	}
	g := &Gazetteer{
		atlas.ByName(func(name string) string { return nameKey(Parse(name)) }),
		make(map[string]string), make(map[string]string), make(map[string][]territory.Municipality),
	}
	for name, code := range shortNames {
		if city, ok := atlas.ByRFB(code); ok {
			g.short[name] = []territory.Municipality{city}
		}
	}
	for _, uf := range atlas.UFs() {
		if uf.Code != territory.Abroad {
			g.ufs[term.Fold(uf.Code)] = uf.Code
			g.states[placeKey(Parse(uf.Name))] = uf.Code
		}
	}
	return g, nil
})

// placeKey returns the significant words of a name, separated by blanks.
func placeKey(list []Word) string {
	var b strings.Builder
	for _, q := range list {
		if term.IsWeightless([]byte(q.Text)) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(q.Text)
	}
	return b.String()
}

// nameKey is placeKey of a whole name, whose last word counts in any case: Francisco Sá is not
// Francisco.
func nameKey(list []Word) string {
	last := len(list) - 1
	return strings.TrimSpace(placeKey(list[:last]) + " " + list[last].Text)
}

// Place is a place named in a query.
type Place struct {
	Words     string // folded: "campinas sp"
	UF        string
	Municipio string // 4 digits, "" for a whole state
	Rest      []Word // words before and after the place; nil from Whole
	From, To  int    // half-open range of the place in the words
	Likely    bool   // hardly anything else can be meant: worth a try even when the words also match as a name
}

// Find returns the best place that some words of a query name. It prefers likely places, then the
// one that ends last, since people write the place after the name, then the one of most words. The
// remaining words must include a significant one.
func (g *Gazetteer) Find(list []Word) (best Place, ok bool) {
	for start := range list {
		for n := 1; n <= min(len(list)-start, maxPlaceWords); n++ {
			p, length, found := g.at(list, start, n)
			p.From, p.To = start, start+length
			if !found || ok && !p.before(&best) {
				continue
			}
			p.Words = joinWords(list[start : start+length])
			p.Rest = slices.Concat(list[:start], list[start+length:])
			if placeKey(p.Rest) != "" {
				best, ok = p, true
			}
		}
	}
	return best, ok
}

// Whole returns the place that the significant words name all together.
func (g *Gazetteer) Whole(list []Word) (p Place, ok bool) {
	for start := range list {
		if placeKey(list[:start]) != "" {
			break
		}
		for n := 1; n <= min(len(list)-start, maxPlaceWords); n++ {
			p, length, found := g.at(list, start, n)
			if found && placeKey(list[start+length:]) == "" {
				p.Words, p.From, p.To = joinWords(list[start:start+length]), start, start+length
				return p, true
			}
		}
	}
	return p, false
}

// Towns returns the municipalities that the words name all together, with or without a UF; without
// one, the likeliest first. It returns nil if there are none, or if words are quoted.
func (g *Gazetteer) Towns(list []Word) []territory.Municipality {
	if slices.ContainsFunc(list, func(q Word) bool { return q.Phrase != 0 }) {
		return nil
	}
	for n := min(len(list), maxPlaceWords); n > 0; n-- {
		towns, where := g.named(nameKey(list[:n]), list, 0, n), placeKey(list[n:])
		if where != "" {
			towns = slices.DeleteFunc(slices.Clone(towns), func(m territory.Municipality) bool { return !g.isIn(m, where) })
		}
		if len(towns) > 0 {
			return towns
		}
	}
	return nil
}

// InTowns reports for each word whether it is, alone or with its neighbours, the name of a municipality.
func (g *Gazetteer) InTowns(list []Word) []bool {
	in := make([]bool, len(list))
	for start := range list {
		for n := 1; n <= min(len(list)-start, maxPlaceWords); n++ {
			if words := list[start : start+n]; len(g.cities[nameKey(words)]) > 0 {
				for i := range words {
					in[start+i] = true
				}
			}
		}
	}
	return in
}

// isIn reports whether folded words name the UF of a municipality.
func (g *Gazetteer) isIn(m territory.Municipality, where string) bool {
	return g.ufs[where] == m.UF || g.states[where] == m.UF
}

// before reports whether Find prefers p to another place.
func (p *Place) before(other *Place) bool {
	switch {
	case p.Likely != other.Likely:
		return p.Likely
	case p.To != other.To:
		return p.To > other.To
	}
	return p.From < other.From
}

// at looks up the n words from start on, and returns the number of words that the place takes,
// including a UF that follows. Quoted words are literal and never places; a place does not begin with
// a stop word. "Para" is a preposition, too, and two letters are a UF only at the end.
func (g *Gazetteer) at(list []Word, start, n int) (p Place, length int, ok bool) {
	words := list[start : start+n]
	quoted := slices.ContainsFunc(words, func(q Word) bool { return q.Phrase != 0 })
	if quoted || term.IsWeightless([]byte(words[0].Text)) {
		return p, 0, false
	}
	key := nameKey(words)
	if cities := g.named(key, list, start, start+n); len(cities) > 0 {
		city, length, certain := g.choose(cities, list[start+n:])
		p.UF, p.Municipio = city.UF, city.RFB
		p.Likely = certain || n > 1 || city.Population >= manyInhabitants || start > 0 && list[start-1].Text == "em"
		return p, n + length, true
	}
	if uf, ok := g.states[key]; ok && key != "para" {
		p.UF, p.Likely = uf, true
		return p, n, true
	}
	if uf, ok := g.ufs[key]; ok && start+n == len(list) {
		p.UF, p.Likely = uf, true
		return p, n, true
	}
	return p, 0, false
}

// named returns the cities with a name. Nicknames are also words of company names: they count only
// at the end of the query or after "em".
func (g *Gazetteer) named(key string, list []Word, from, to int) []territory.Municipality {
	if short := g.short[key]; short != nil {
		_, length, _ := g.choose(short, list[to:])
		if to+length == len(list) || from > 0 && list[from-1].Text == "em" {
			return short
		}
	}
	return g.cities[key]
}

// choose returns the city in the UF that the following words name, and the number of these words;
// without a UF, the most populous city.
func (g *Gazetteer) choose(cities []territory.Municipality, after []Word) (city territory.Municipality, length int, certain bool) {
	for n := min(len(after), maxPlaceWords); n > 0; n-- {
		key := placeKey(after[:n])
		for _, city := range cities {
			if g.isIn(city, key) {
				return city, n, true
			}
		}
	}
	return cities[0], 0, false
}

// joinWords returns the words separated by blanks.
func joinWords(list []Word) string {
	texts := make([]string, len(list))
	for i, q := range list {
		texts[i] = q.Text
	}
	return strings.Join(texts, " ")
}
