package intent

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"sync"

	"razao/index/term"
	"razao/internal/data/record"
)

// everydayTable has everyday names of activities that the words of the official descriptions do not
// lead to: a CSV of names and codes, the codes separated by blanks.
//
//go:embed atividades.csv
var everydayTable string

// maxActivities bounds the subclasses that words may select: beyond it they are too general to be
// meant as an activity. A single word in more subclasses (comércio, fabricação) says nothing alone.
const maxActivities = 40

// Activities finds economic activities (CNAE) in queries. It is immutable and safe for concurrent
// use.
type Activities struct {
	names    record.CNAE
	codes    []string            // all subclasses, sorted
	byStem   map[string][]string // sorted subclasses by the stems of their descriptions: an inverted index
	written  map[string]string   // accented spelling of the words in descriptions, by folded word
	everyday map[string]Activity // by the stems of the name, and by the stem of the name written as one word
}

// Activity is the economic activity that a query means.
type Activity struct {
	Codes []string // digits, sorted: subclasses (7), or as typed a division (2), group (3) or class (5)
	Name  string   // in Portuguese: the official description of a single code, otherwise the words or codes as typed
}

// OpenActivities returns the built-in classification and the table of everyday names, which it reads
// once. It fails only in a damaged build.
func OpenActivities() (*Activities, error) { return activities() }

var activities = sync.OnceValues(func() (*Activities, error) {
	names, err := record.LoadCNAE()
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
		a.everyday[strings.Join(stems(words), " ")], a.everyday[joinedStem(words)] = activity, activity
	}
	return a, nil
})

// addDescription indexes the words of a subclass, except what it says it is not: everything after
// "exceto" or "sem", the word after "não", and the "doce" of água doce, which is no sweet.
func (a *Activities) addDescription(code string) {
	description := a.names[code]
	before := ""
	for _, token := range term.Tokens(description) {
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

// Find returns the activity that all words of a query together name, in any inflection: an everyday
// name (dentista), or words of official descriptions (padarias). "X e Y" may name two activities.
// It returns false for quoted words, which are names of companies, and for words that select more
// than 40 subclasses. The Codes are the caller's own.
func (a *Activities) Find(list []Word) (found Activity, ok bool) {
	if len(list) > maxQueryWords || slices.ContainsFunc(list, func(q Word) bool { return q.Phrase != 0 }) {
		return found, false
	}
	all, core := stems(list), stems(withoutGenericWords(list))
	for _, name := range [...]string{strings.Join(all, " "), joinedStem(list), strings.Join(core, " ")} {
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

// described returns the subclasses that have all stems, literally or in official wording; failing
// that, those that have all specific stems of core. A query without a specific stem has none.
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

// having intersects the subclasses of the stems, of which there must be at least one.
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

// either returns the union of the codes of both sides of the first "e", when each names an
// activity.
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

// isSpecific reports whether a stem alone says something about an activity. Unknown stems are
// specific: they rule every activity out.
func (a *Activities) isSpecific(s string) bool {
	return !slices.Contains(vague, s) && len(a.byStem[s]) <= maxActivities
}

// accented returns the words without stop words at the ends and with the accents of the
// descriptions, for display.
func (a *Activities) accented(list []Word) string {
	for len(list) > 1 && term.IsWeightless([]byte(list[0].Text)) {
		list = list[1:]
	}
	for len(list) > 1 && term.IsWeightless([]byte(list[len(list)-1].Text)) {
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

// nameOf returns the official description of a single code, or other.
func (a *Activities) nameOf(codes []string, other string) string {
	if len(codes) == 1 {
		return cmp.Or(a.names[codes[0]], other)
	}
	return other
}
