package intent

import (
	"slices"
	"strings"

	"razao/index/text"
	"razao/internal/territory"
)

// Gazetteer finds the names of places in queries.
type Gazetteer struct {
	cities map[string][]territory.Municipality // by the significant words of their names; the most populous first
	states map[string]string                   // UF by the significant words of its name
	ufs    map[string]string                   // UF by its two letters, folded
	short  map[string][]territory.Municipality // one city each, by what people call it
}

// shortNames are codes of the cities that have another name in everyday use.
var shortNames = map[string]string{"bh": "4123", "sp capital": "7107", "sampa": "7107", "floripa": "8105"}

const (
	maxPlaceWords = 6
	// manyInhabitants makes a city of one word likely to be meant without its UF. Names of smaller ones are mostly words.
	manyInhabitants = 100_000
)

// OpenGazetteer reads the names of all cities and states from the territory that is built in.
func OpenGazetteer() (*Gazetteer, error) {
	atlas, err := territory.Open()
	if err != nil {
		return nil, err
	}
	g := &Gazetteer{
		make(map[string][]territory.Municipality), make(map[string]string), make(map[string]string),
		make(map[string][]territory.Municipality),
	}
	for name, code := range shortNames {
		if city, ok := atlas.ByRFB(code); ok {
			g.short[name] = []territory.Municipality{city}
		}
	}
	for _, uf := range atlas.UFs() {
		if uf.Code != territory.Abroad {
			g.ufs[text.Fold(uf.Code)] = uf.Code
			g.states[placeKey(Parse(uf.Name))] = uf.Code
		}
	}
	for _, m := range atlas.Municipalities() {
		if m.UF != territory.Abroad {
			key := placeKey(Parse(m.Name))
			g.cities[key] = append(g.cities[key], m)
		}
	}
	for _, same := range g.cities {
		slices.SortStableFunc(same, func(a, b territory.Municipality) int { return b.Population - a.Population })
	}
	return g, nil
}

// placeKey joins the words of a place's name that have weight.
func placeKey(list []Word) string {
	var b strings.Builder
	for _, q := range list {
		if text.IsWeightless([]byte(q.Text)) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(q.Text)
	}
	return b.String()
}

// Place is a place found in a query.
type Place struct {
	Words     string // as folded: "campinas sp"
	UF        string
	Municipio string // 4 digits, "" for a whole state
	Rest      []Word // the other words
	From, To  int    // where its words begin, and where the other ones go on
	Likely    bool   // hardly anything else can be meant: it is tried even when the words match as they stand
}

// Find returns the place that a query names: likely ones first, then the one that ends last, as people write where after what, then
// the one of most words. It must leave a word that has weight.
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

// Whole returns the place that all words together name, and nothing else.
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

// before says whether Find prefers a place to another.
func (p *Place) before(other *Place) bool {
	switch {
	case p.Likely != other.Likely:
		return p.Likely
	case p.To != other.To:
		return p.To > other.To
	}
	return p.From < other.From
}

// at judges the n words from start on, and returns how many it takes with a UF that follows.
func (g *Gazetteer) at(list []Word, start, n int) (p Place, length int, ok bool) {
	words := list[start : start+n]
	quoted := slices.ContainsFunc(words, func(q Word) bool { return q.Phrase != 0 })
	if quoted || text.IsWeightless([]byte(words[0].Text)) || text.IsWeightless([]byte(words[n-1].Text)) {
		return p, 0, false
	}
	key := placeKey(words)
	if cities := g.named(key, list, start, start+n); len(cities) > 0 {
		city, length, certain := g.choose(cities, list[start+n:])
		p.UF, p.Municipio = city.UF, city.RFB
		p.Likely = certain || n > 1 || city.Population >= manyInhabitants
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

// named returns the cities of a name. Short ones are also words of names: they count at the end and behind "em".
func (g *Gazetteer) named(key string, list []Word, from, to int) []territory.Municipality {
	if short := g.short[key]; short != nil {
		_, length, _ := g.choose(short, list[to:])
		if to+length == len(list) || from > 0 && list[from-1].Text == "em" {
			return short
		}
	}
	return g.cities[key]
}

// choose returns the city of the UF that follows, and how many words that takes, or else the most populous one.
func (g *Gazetteer) choose(cities []territory.Municipality, after []Word) (city territory.Municipality, length int, certain bool) {
	for n := min(len(after), maxPlaceWords); n > 0; n-- {
		key := placeKey(after[:n])
		for _, city := range cities {
			if g.ufs[key] == city.UF || g.states[key] == city.UF {
				return city, n, true
			}
		}
	}
	return cities[0], 0, false
}

func joinWords(list []Word) string {
	texts := make([]string, len(list))
	for i, q := range list {
		texts[i] = q.Text
	}
	return strings.Join(texts, " ")
}
