package intent

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/pt"

	"razao/index/text"
	"razao/internal/cnae"
)

// everydayTable has names of activities that the words of the official descriptions do not lead to.
//
//go:embed atividades.csv
var everydayTable string

// maxActivities is in how many subclasses words may be before they are too general to be meant as an activity; a word that
// is in more of them alone tells nothing (comércio, fabricação).
const maxActivities = 40

// Activities finds economic activities (CNAE) in queries. It is safe for concurrent use and never changes.
type Activities struct {
	names    cnae.Names
	codes    []string            // the subclasses, in order
	byStem   map[string][]string // the subclasses with a word in their description, by its stem, in order
	written  map[string]string   // words of the descriptions with their accents, by folded word
	everyday map[string]Activity // by the stems of the name
}

// Activity is what a query means by an activity.
type Activity struct {
	Codes []string // digits, in order: subclasses (7), or as typed a division (2), group (3) or class (5)
	Name  string   // in Portuguese: the official description of the only code, otherwise the words or the codes as typed
}

// OpenActivities reads the descriptions from the classification that is built in.
func OpenActivities() (*Activities, error) {
	names, err := cnae.Load()
	if err != nil {
		return nil, err
	}
	a := &Activities{names, nil, make(map[string][]string), make(map[string]string), make(map[string]Activity)}
	for code := range names {
		if len(code) == 7 {
			a.codes = append(a.codes, code)
		}
	}
	slices.Sort(a.codes)
	for _, code := range a.codes {
		a.addDescription(code)
	}
	rows, err := csv.NewReader(strings.NewReader(everydayTable)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read table of everyday activities: %w", err)
	}
	for _, row := range rows[1:] {
		codes := strings.Fields(row[1])
		a.everyday[strings.Join(stems(Parse(row[0])), " ")] = Activity{codes, a.nameOf(codes, row[0])}
	}
	return a, nil
}

// addDescription indexes the words of a subclass, but for what it is not: what follows "exceto" and "sem", and the word
// behind "não".
func (a *Activities) addDescription(code string) {
	description := a.names[code]
	negated := false
	for _, token := range text.Tokens(description) {
		word := token.Text
		if word == "exceto" || word == "sem" {
			return
		}
		if _, known := a.written[word]; !known {
			a.written[word] = strings.ToLower(description[token.Start:token.End])
		}
		if s := stem(word); !negated && word != "nao" && !slices.Contains(a.byStem[s], code) {
			a.byStem[s] = append(a.byStem[s], code)
		}
		negated = word == "nao"
	}
}

// Find returns the activity that all words of a query together name, in any inflection: an everyday name (dentista), or
// words of official descriptions (padarias). "X e Y" may be two activities. Quoted words are names of companies, and
// words that more than 40 subclasses have are too general.
func (a *Activities) Find(list []Word) (found Activity, ok bool) {
	if len(list) > maxQueryWords || slices.ContainsFunc(list, func(q Word) bool { return q.Phrase != 0 }) {
		return found, false
	}
	all := stems(list)
	if found, ok = a.everyday[strings.Join(all, " ")]; ok {
		return Activity{slices.Clone(found.Codes), found.Name}, true
	}
	if !slices.ContainsFunc(all, a.isSpecific) {
		return found, false
	}
	codes := a.having(all)
	if len(codes) == 0 { // loja de móveis: comércio varejista
		codes = a.having(officially(all))
	}
	if len(codes) == 0 {
		codes = a.having(slices.DeleteFunc(all, func(s string) bool { return !a.isSpecific(s) }))
	}
	if len(codes) == 0 {
		codes = a.either(list)
	}
	if len(codes) == 0 || len(codes) > maxActivities {
		return found, false
	}
	return Activity{codes, a.nameOf(codes, a.accented(list))}, true
}

// either returns the codes of both sides of an "e" that name activities of their own.
func (a *Activities) either(list []Word) []string {
	i := slices.IndexFunc(list, func(q Word) bool { return q.Text == "e" })
	if i < 0 {
		return nil
	}
	left, ok := a.Find(list[:i])
	right, also := a.Find(list[i+1:])
	if !ok || !also {
		return nil
	}
	codes := slices.Concat(left.Codes, right.Codes)
	slices.Sort(codes)
	return slices.Compact(codes)
}

// having returns the subclasses that have all stems, in order.
func (a *Activities) having(all []string) []string {
	if len(all) == 0 {
		return nil
	}
	codes := slices.Clone(a.byStem[all[0]])
	for _, s := range all[1:] {
		codes = slices.DeleteFunc(codes, func(code string) bool {
			_, found := slices.BinarySearch(a.byStem[s], code)
			return !found
		})
	}
	return codes
}

// isSpecific says whether a stem tells anything of an activity.
func (a *Activities) isSpecific(s string) bool {
	return !slices.Contains(vague, s) && len(a.byStem[s]) <= maxActivities
}

// accented writes the words of a query with the accents that the descriptions show.
func (a *Activities) accented(list []Word) string {
	words := make([]string, len(list))
	for i, q := range list {
		words[i] = q.Text
		if written, ok := a.written[q.Text]; ok {
			words[i] = written
		}
	}
	return strings.Join(words, " ")
}

// nameOf returns the official description of a single code, other otherwise.
func (a *Activities) nameOf(codes []string, other string) string {
	if len(codes) == 1 && a.names[codes[0]] != "" {
		return a.names[codes[0]]
	}
	return other
}

// stems returns the stems of the words that have weight.
func stems(list []Word) []string {
	var out []string
	for _, q := range list {
		if !text.IsWeightless([]byte(q.Text)) {
			out = append(out, stem(q.Text))
		}
	}
	return out
}

// stem cuts plural and gender off a folded word.
func stem(word string) string {
	for _, ending := range [...][2]string{{"oes", "ões"}, {"aes", "ães"}, {"ois", "óis"}} { // the stemmer needs these accents
		if before, ok := strings.CutSuffix(word, ending[0]); ok {
			word = before + ending[1]
		}
	}
	token := analysis.Token{Term: []byte(word)}
	pt.NewPortugueseLightStemmerFilter().Filter(analysis.TokenStream{&token})
	return string(token.Term)
}

// vague are the stems of the official wording that tell nothing alone, though they are in few descriptions.
var vague = stems(Parse("geral similares semelhantes especializado especificados anteriormente predominancia associado relacionados " +
	"qualquer diversos comerciais industriais tipo loja casa com por sob ou ao que"))

// official has the stems of words that the official descriptions put otherwise: a loja is comércio varejista.
var official = map[string]string{
	stem("loja"): stem("varejista"), stem("fabrica"): stem("fabricacao"), stem("conserto"): stem("reparacao"),
}

// officially returns stems as the official descriptions have them.
func officially(all []string) []string {
	out := slices.Clone(all)
	for i, s := range out {
		out[i] = cmp.Or(official[s], s)
	}
	return out
}
