// Package reconcile finds the company that somebody else's list names: record linkage of a name, and what
// the list says of place and activity, with the companies of a snapshot.
//
// The index proposes candidates (blocking): the companies it finds by the name at the place, then in the state, then anywhere, and, if
// none is much like it, by the name without one of its words. Their records are then compared with what is wanted, and that decides
// the order: the index ranks by importance, which says nothing here.
package reconcile

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/index/intent"
	"razao/index/term"
	"razao/internal/data/cnpj"
	"razao/internal/data/territory"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
)

const (
	proposed    = 25  // companies that one search proposes
	mostWeighed = 32  // words of a name whose rarity is looked up, as many as a search reads
	mostDropped = 6   // words that are left out in turn
	mostLost    = 0.6 // of the weight of a name may be left out
	goodName    = 0.9 // a name this much alike ends the search for better ones
	sameName    = 0.8 // a name this much alike ends the search with words left out
	likeName    = 0.6 // a name this much alike may be the same, if there is other evidence
	leastName   = 0.3 // less is another name

	// NameWork is the work after which no other search is begun for a name, in steps (see snapshot.CallWork). Names with two slips take a
	// fifth of it; one of twenty words that no company has would take several times as much, for nothing.
	NameWork = 20_000
)

// Shares of a score of what the list may say. Of what it does not say the others get the share.
const (
	nameShare     = 0.70
	placeShare    = 0.17
	activityShare = 0.13
)

// A match is a candidate whose name is this much alike, whose score is this high, which no other comes
// close to, and whose activity is the one of the list if that says one.
const (
	sureName  = 0.9
	sureScore = 80
	sureLead  = 4
)

// asTrade is how alike a trade name is that is the wanted one: of two companies the one with it as its
// registered name is likelier.
const asTrade = 0.97

// sameState is how much of the place a company of the same state has.
const sameState = 0.45

// Wanted is a company as a list describes it.
type Wanted struct {
	Name       string   // as written; or a CNPJ
	UF         string   // two letters; "": the list does not say
	Municipio  string   // code of the tax authority; "": the list does not say
	Activities []string // CNAE as far as the list says it: letter of a section, or 2, 3, 5 or 7 digits; any of them
}

// Candidate is a company that may be the wanted one, by an establishment: its head office, or a branch that is nearer to the place or has the
// trade name.
type Candidate struct {
	snapshot.Match
	Score    float64 // 0 to 100
	Likeness float64 // of the names, 0 to 1
	Number   bool    // the list has its CNPJ
	// Whether place and main activity are those of the list; false if it does not say.
	SameMunicipio, SameUF, SameActivity bool
	Sure                                bool // it is the only one that can be meant: a match

	wanted *Wanted
}

// Reason says in words what speaks for the candidate and what against it: "nome quase igual, no município".
func (c *Candidate) Reason() string {
	if c.Number {
		return "o CNPJ é o da lista"
	}
	var parts []string
	switch {
	case c.Likeness >= asTrade:
		parts = append(parts, "nome igual")
	case c.Likeness >= sureName:
		parts = append(parts, "nome quase igual")
	case c.Likeness >= likeName:
		parts = append(parts, "nome parecido")
	default:
		parts = append(parts, "só parte do nome")
	}
	switch {
	case c.SameMunicipio:
		parts = append(parts, "no município")
	case c.SameUF && c.wanted.Municipio == "":
		parts = append(parts, "no estado")
	case c.SameUF:
		parts = append(parts, "em outro município do estado")
	case c.wanted.UF != "":
		parts = append(parts, "em outro estado")
	}
	switch {
	case c.SameActivity:
		parts = append(parts, "da mesma atividade")
	case len(c.wanted.Activities) > 0:
		parts = append(parts, "de outra atividade")
	}
	return strings.Join(parts, ", ")
}

// Active reports whether the establishment is.
func (c *Candidate) Active() bool { return c.Establishment.SituacaoCadastral == term.SituacaoAtiva }

// Matcher reads what lists say and finds what they mean. It is safe for concurrent use.
type Matcher struct {
	filters    *filter.Reader
	activities *intent.Activities
	atlas      *territory.Atlas
}

// New returns a matcher. It fails only in a damaged build.
func New(live *snapshot.Live) (*Matcher, error) {
	filters, err := live.Filters()
	if err != nil {
		return nil, err
	}
	activities, err := intent.OpenActivities()
	if err != nil {
		return nil, fmt.Errorf("activities: %w", err)
	}
	return &Matcher{filters, activities, live.Atlas()}, nil
}

// Read returns what a list says in its words: a place is the name of a municipality, with or without its
// state, or a code of it, or a state; an activity is a code of the CNAE or words ("padaria"). What cannot be read is as if it
// had not been said, because lists say anything.
func (m *Matcher) Read(name, municipio, uf, activity string) Wanted {
	w := Wanted{Name: strings.Join(strings.Fields(name), " "), UF: m.state(uf)}
	if said := besideState.FindStringSubmatch(municipio); said != nil && m.state(said[2]) != "" {
		municipio = said[1] + "/" + said[2]
	}
	if city, _, ok := m.filters.Municipality(municipio, w.UF); ok {
		w.Municipio, w.UF = city.RFB, city.UF
	} else if w.UF == "" {
		w.UF = m.state(municipio)
	}
	if given, ok := m.filters.Value(filter.AnyLoad{}, filter.CNAE, activity); ok && activity != "" {
		w.Activities = []string{given.Value}
	} else if found, ok := m.activities.Find(intent.Parse(activity)); ok {
		w.Activities = found.Codes
	}
	return w
}

// besideState matches a municipality with its state as people write both: Brasília - DF, BRASILIA (DF).
var besideState = regexp.MustCompile(`^\s*(.*?)\s*(?:[-–,]\s*|\(\s*)(\pL{2})\s*\)?\s*$`)

// Place implements [spreadsheet.Places].
func (m *Matcher) Place(text string) (state, municipality bool) {
	said := m.Read("", text, "", "")
	return said.UF != "" && said.Municipio == "", said.Municipio != ""
}

// state returns the letters of a state, by them or by its name.
func (m *Matcher) state(text string) string {
	text = strings.TrimSpace(text)
	if uf, ok := m.atlas.UF(text); ok {
		return uf.Code
	}
	for _, uf := range m.atlas.UFs() {
		if term.Fold(uf.Name) == term.Fold(text) {
			return uf.Code
		}
	}
	return ""
}

// Find returns the companies that may be the wanted one, the likeliest first, at most most of them; none if nothing in
// the name can be looked for. What it takes is taken of the budget, nil for no more than a name may take; if that is spent meanwhile, there
// may be likelier ones. The errors are those of [snapshot.Snapshot.Find] and of the budget.
func (m *Matcher) Find(ctx context.Context, s *snapshot.Snapshot, w Wanted, most int, b *snapshot.Budget) ([]Candidate, error) {
	if b == nil {
		b = snapshot.NewBudget(1, 0, nil)
	}
	f := finding{snap: s, atlas: m.atlas, Wanted: w, name: nameOf(w.Name), budget: b}
	if typed, ok := cnpj.Read(w.Name); ok && typed.MeansNumber() {
		return f.byNumber(ctx, typed)
	}
	if found, err := f.byRoot(ctx); err != nil || len(found) > 0 {
		return found, err
	}
	if !f.name.says() || cnpj.HasCPF(w.Name) { // a natural person is not looked up by name
		return nil, nil
	}
	if err := f.weigh(ctx); err != nil {
		return nil, err
	}
	if err := f.propose(ctx); err != nil {
		return nil, err
	}
	slices.SortStableFunc(f.candidates, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	f.decide()
	return f.candidates[:min(most, len(f.candidates))], nil
}

// finding is one question on its way.
type finding struct {
	Wanted
	snap       *snapshot.Snapshot
	atlas      *territory.Atlas
	name       name
	candidates []Candidate
	best       float64 // likeness of the names, at the place that was asked for
	dropped    string  // word that the search left out at that place
	budget     *snapshot.Budget
	work       int // done so far
}

// ended reports whether no other search is to be begun: a name is found that is much alike, or too much work is done.
func (f *finding) ended() bool { return f.best >= goodName || f.work >= NameWork || f.budget.Spent() }

// byNumber returns the company of a number.
func (f *finding) byNumber(ctx context.Context, typed cnpj.Input) ([]Candidate, error) {
	number, err := registry.ParseDocument(typed.Text)
	if err != nil {
		return nil, nil
	}
	found, err := Numbers(ctx, f.snap, []registry.Document{number})
	if err != nil || found[0] == nil {
		return nil, err
	}
	return []Candidate{{Match: *found[0], Score: 100, Number: true, Sure: true}}, nil
}

// byRoot returns the company whose root stands before the name, as the names of individual entrepreneurs have
// it, if the rest is much like that name.
func (f *finding) byRoot(ctx context.Context) ([]Candidate, error) {
	first, rest, _ := strings.Cut(f.Name, " ")
	typed, ok := cnpj.Read(first)
	if !ok || !typed.IsRoot() || typed.Digits < len(typed.Text) {
		return nil, nil
	}
	found, err := f.byNumber(ctx, typed)
	if err != nil || len(found) == 0 || likeness(nameOf(rest), nameOf(found[0].Company.RazaoSocial), nil) < likeName {
		return nil, err
	}
	return found, nil
}

// weigh makes common words of the name lighter than rare ones.
func (f *finding) weigh(ctx context.Context) error {
	ix, err := f.snap.Internals().Index(&index.Query{})
	if err != nil {
		return err
	}
	weighed := f.name[:min(len(f.name), mostWeighed)]
	words := make([]string, len(weighed))
	for i := range weighed {
		words[i] = weighed[i].text
	}
	rarity, err := ix.Rarity(ctx, words)
	if err != nil {
		return f.snap.Internals().Wrap("rarity of words", err)
	}
	for i := range weighed {
		if w := &weighed[i]; w.weight == wholeWord {
			w.weight = commonWord + (wholeWord-commonWord)*rarity[i]
		}
	}
	return nil
}

// propose searches in smaller and then in larger places, and then for less.
func (f *finding) propose(ctx context.Context) error {
	var places []filter.Set
	if f.Municipio != "" {
		places = append(places, filter.Of(filter.Municipio, f.Municipio))
	}
	if f.UF != "" {
		places = append(places, filter.Of(filter.UF, f.UF))
	}
	places = append(places, filter.Set{})
	for i, place := range places {
		understood, err := f.search(ctx, index.Query{Text: f.name.sought(f.Name), Filters: place, AllWords: i < len(places)-1})
		if err != nil || f.ended() {
			return err
		}
		if i == 0 && len(understood.Dropped) == 1 {
			f.dropped = understood.Dropped[0]
		}
	}
	return f.searchForLess(ctx, places[0])
}

// searchForLess leaves out one word after the other, the commonest first, unless it is most of what the name says.
func (f *finding) searchForLess(ctx context.Context, place filter.Set) error {
	var said name
	var all float64
	for i := range f.name {
		if w := f.name[i]; w.distinguishes() {
			said = append(said, w)
			all += w.weight
		}
	}
	order := make([]int, len(said))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(said[a].weight, said[b].weight) })
	for _, i := range order[:min(len(order), mostDropped)] {
		if f.best >= sameName || said[i].weight > mostLost*all || said[i].text == f.dropped {
			continue
		}
		var rest []string
		for k := range said {
			if k != i {
				rest = append(rest, said[k].text)
			}
		}
		if _, err := f.search(ctx, index.Query{Text: strings.Join(rest, " "), Filters: place, LiteralPlaces: true}); err != nil || f.ended() {
			return err
		}
	}
	return nil
}

// search adds what a query finds in names.
func (f *finding) search(ctx context.Context, q index.Query) (understood index.Understood, err error) {
	q.Scope, q.ByCompany, q.Limit = index.InNames, true, proposed
	found, err := f.snap.Find(ctx, q)
	if err != nil {
		return understood, err
	}
	f.work += found.Work
	if _, err := f.budget.Take(ctx, found.Work); err != nil {
		return understood, err
	}
	for _, m := range found.Matches {
		if slices.ContainsFunc(f.candidates, func(c Candidate) bool { return c.Root == m.Root }) {
			continue
		}
		if err := f.toHeadOffice(ctx, &m); err != nil {
			return understood, err
		}
		if c := f.compare(m); c.Likeness >= leastName {
			f.candidates = append(f.candidates, c)
		}
	}
	return found.Understood, nil
}

// toHeadOffice replaces a branch by the head office if the list has the registered name, and the head office is as near to the
// place: the index takes the establishment that has the most of the words.
func (f *finding) toHeadOffice(ctx context.Context, m *snapshot.Match) error {
	e := &m.Establishment
	if e.HeadOffice() || f.Municipio != "" && e.Municipio == f.Municipio || likeness(f.name, nameOf(m.Company.RazaoSocial), f.placeWords(e.Municipio, e.UF)) < sureName {
		return nil
	}
	office, err := f.snap.HeadOffice(ctx, m.Head)
	if err == nil && office != nil && (office.UF == f.UF || e.UF != f.UF) {
		m.Establishment = *office
	}
	return err
}

// compare says how much a company is like the wanted one.
func (f *finding) compare(m snapshot.Match) Candidate {
	e := &m.Establishment
	c := Candidate{
		Match: m, wanted: &f.Wanted, SameUF: f.UF != "" && e.UF == f.UF, SameMunicipio: f.Municipio != "" && e.Municipio == f.Municipio,
		SameActivity: slices.ContainsFunc(f.Activities, func(code string) bool {
			return code == term.Section(e.CNAEFiscalPrincipal) || code != "" && strings.HasPrefix(e.CNAEFiscalPrincipal, code)
		}),
	}
	place := f.placeWords(e.Municipio, e.UF)
	c.Likeness = max(likeness(f.name, nameOf(m.Company.RazaoSocial), place), asTrade*likeness(f.name, nameOf(e.NomeFantasia), place))
	score, shares := nameShare*c.Likeness, nameShare
	if f.UF != "" {
		shares += placeShare
		switch {
		case c.SameMunicipio || f.Municipio == "" && c.SameUF:
			score += placeShare
			f.best = max(f.best, c.Likeness)
		case c.SameUF:
			score += placeShare * sameState
		}
	} else {
		f.best = max(f.best, c.Likeness)
	}
	if len(f.Activities) > 0 {
		shares += activityShare
		if c.SameActivity {
			score += activityShare
		}
	}
	c.Score = 100 * score / shares
	return c
}

// placeWords returns the words of a place.
func (f *finding) placeWords(municipio, uf string) map[string]bool {
	words := map[string]bool{term.Fold(uf): true}
	m, _ := f.atlas.ByRFB(municipio)
	for _, word := range term.Words(m.Name + " " + m.RFBName) {
		words[word] = true
	}
	return words
}

// decide says whether the first candidate is the wanted company.
func (f *finding) decide() {
	if len(f.candidates) == 0 {
		return
	}
	first := &f.candidates[0]
	first.Sure = first.Likeness >= sureName && first.Score >= sureScore && (first.SameActivity || len(f.Activities) == 0) &&
		(len(f.candidates) == 1 || first.Score-f.candidates[1].Score >= sureLead)
}
