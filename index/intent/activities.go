package intent

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

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
	everyday map[string]Activity // by the stems of the name, and by the stem of the name in one word
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
		words, codes := Parse(row[0]), strings.Fields(row[1])
		activity := Activity{codes, a.nameOf(codes, row[0])}
		a.everyday[strings.Join(stems(words), " ")], a.everyday[together(words)] = activity, activity
	}
	return a, nil
}

// addDescription indexes the words of a subclass, but for what it is not: what follows "exceto" and "sem", the word behind
// "não", and água doce, which is no sweet.
func (a *Activities) addDescription(code string) {
	description := a.names[code]
	before := ""
	for _, token := range text.Tokens(description) {
		word := token.Text
		if word == "exceto" || word == "sem" {
			return
		}
		if _, known := a.written[word]; !known {
			a.written[word] = strings.ToLower(description[token.Start:token.End])
		}
		isOther := word == "nao" || before == "nao" || before == "agua" && (word == "doce" || word == "salgada")
		if s := stem(word); !isOther && (len(a.byStem[s]) == 0 || a.byStem[s][len(a.byStem[s])-1] != code) {
			a.byStem[s] = append(a.byStem[s], code)
		}
		before = word
	}
}

// Find returns the activity that all words of a query together name, in any inflection: an everyday name (dentista), or
// words of official descriptions (padarias). "X e Y" may be two activities. Quoted words are names of companies, and
// words that more than 40 subclasses have are too general.
func (a *Activities) Find(list []Word) (found Activity, ok bool) {
	if len(list) > maxQueryWords || slices.ContainsFunc(list, func(q Word) bool { return q.Phrase != 0 }) {
		return found, false
	}
	all, core := stems(list), stems(undressed(list))
	for _, name := range [...]string{strings.Join(all, " "), together(list), strings.Join(core, " ")} {
		if found, ok = a.everyday[name]; ok {
			return Activity{slices.Clone(found.Codes), found.Name}, true
		}
	}
	codes := a.described(all, core)
	if len(codes) == 0 {
		codes = a.either(list)
	}
	if len(codes) == 0 || len(codes) > maxActivities {
		return found, false
	}
	return Activity{codes, a.nameOf(codes, a.accented(list))}, true
}

// described returns the subclasses that have all stems, as they are or as the descriptions put them, or else all stems of the
// core that tell anything.
func (a *Activities) described(all, core []string) []string {
	specific := slices.DeleteFunc(officially(core), func(s string) bool { return !a.isSpecific(s) })
	if len(specific) == 0 {
		return nil
	}
	for _, reading := range [...][]string{all, officially(all), specific} {
		if codes := a.having(reading); len(codes) > 0 {
			return codes
		}
	}
	return nil
}

// having returns the subclasses that have all stems, in order. There is at least one stem.
func (a *Activities) having(all []string) []string {
	codes := slices.Clone(a.byStem[all[0]])
	for _, s := range all[1:] {
		codes = slices.DeleteFunc(codes, func(code string) bool {
			_, found := slices.BinarySearch(a.byStem[s], code)
			return !found
		})
	}
	return codes
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

// isSpecific says whether a stem tells anything of an activity by itself.
func (a *Activities) isSpecific(s string) bool {
	return !slices.Contains(vague, s) && len(a.byStem[s]) <= maxActivities
}

// accented writes the words of a query with the accents that the descriptions, or their endings, show, without little ones at its ends.
func (a *Activities) accented(list []Word) string {
	for len(list) > 1 && text.IsWeightless([]byte(list[0].Text)) {
		list = list[1:]
	}
	for len(list) > 1 && text.IsWeightless([]byte(list[len(list)-1].Text)) {
		list = list[:len(list)-1]
	}
	words := make([]string, len(list))
	for i, q := range list {
		guess := q.Text
		if before, ok := strings.CutSuffix(guess, "coes"); ok {
			guess = before + "ções"
		}
		words[i] = cmp.Or(a.written[q.Text], guess)
	}
	return strings.Join(words, " ")
}

// nameOf returns the official description of a single code, other otherwise.
func (a *Activities) nameOf(codes []string, other string) string {
	if len(codes) == 1 {
		return cmp.Or(a.names[codes[0]], other)
	}
	return other
}
