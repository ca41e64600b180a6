package intent

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"razao/index/text"
)

// Condition is a part of a text that says a filter: "abertas depois de 2020".
type Condition struct {
	Words       string // as typed, without the words that only connect them with others
	Name, Value string // of package index/filter: "abertura_de", "2021-01-01"
	Without     string // the text without it
}

// pair is a filter and its value.
type pair struct{ name, value string }

// subject is the name of a filter, without the end of a range that it may be.
func (p pair) subject() string { return strings.TrimSuffix(strings.TrimSuffix(p.name, "_de"), "_ate") }

// said is what the tokens from one to another say.
type said struct {
	from, to int
	pairs    []pair
	weak     bool   // a word that names have, too: it counts only where what follows belongs to no name
	sign     string // "com" or "sem" when it says what there is: it counts for the next one, too
}

// token is a word, a number with its punctuation, or "R$".
type token struct {
	start, end int    // in the text, in bytes
	at         int    // in statement.folded
	word       string // folded; quotation marks for a quoted one
}

// statement is a text as the rules read it.
type statement struct {
	tokens []token
	folded string // the words, a blank behind each
}

var (
	tokenForm = regexp.MustCompile(`[Rr]\$|\d+(?:[.,/-]\d+)*[\pL\pM]*|\pL[\pL\pM\d]*`)
	// connecting words go with the condition behind them.
	connecting = regexp.MustCompile(`^(?:com|e|que|de|em|mas|sao|estao|esta|foram|foi|tem|tenham|possuem|possui|cujo|cuja|apenas|` +
		`somente|so|tambem|ainda|ja)$`)
	// parting words show that what stands before them is no part of a name that goes on.
	parting = regexp.MustCompile(`^(?:em|no|na|nos|nas|com|sem|que|e|ou|de|do|da|dos|das)$`)
	// furtherForm is what may follow a date or an amount and make another one of it.
	furtherForm = regexp.MustCompile(`^(?:e \d|(?:de |em )?(?:dolar|euro))`)
	anything    = regexp.MustCompile(`^(?:empresas|firmas|companhias|cnpjs)$`)
)

// Conditions finds the filters that the words of a text say, in order, and returns the text without them; without any, the text as it
// is. Words are taken together with those that connect them ("com", "que", "e"), and "empresas" before everything goes, too. Quoted
// phrases are never conditions, nor is anything that contradicts itself. What is found may be part of a name all the same: it is for
// texts that match none.
func Conditions(typed string) (found []Condition, rest string) {
	if len(typed) > maxQueryBytes {
		return nil, typed
	}
	s := read(typed)
	all := s.conditions()
	if len(all) == 0 {
		return nil, typed
	}
	for _, c := range all {
		words := typed[s.tokens[c.from].start:s.tokens[c.to-1].end]
		without := s.without(typed, []said{c})
		for _, p := range c.pairs {
			found = append(found, Condition{words, p.name, p.value, without})
		}
	}
	return found, s.without(typed, all)
}

// read finds the tokens of a text.
func read(typed string) *statement {
	s := new(statement)
	quotes := quoteMarks(typed)
	var folded strings.Builder
	for _, m := range tokenForm.FindAllStringIndex(typed, -1) {
		word := text.Fold(typed[m[0]:m[1]])
		if word == "" {
			continue
		}
		before, _ := slices.BinarySearch(quotes, m[0])
		if before%2 == 1 && before < len(quotes) || strings.Contains(word, " ") {
			word = `"`
		}
		s.tokens = append(s.tokens, token{m[0], m[1], folded.Len(), word})
		folded.WriteString(word + " ")
	}
	s.folded = folded.String()
	return s
}

// offset returns where token i begins in folded, or its length.
func (s *statement) offset(i int) int {
	if i < len(s.tokens) {
		return s.tokens[i].at
	}
	return len(s.folded)
}

// word returns a word, "" outside of the text.
func (s *statement) word(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return s.tokens[i].word
}

// conditions returns what the text says, without what contradicts itself.
func (s *statement) conditions() []said {
	var all []said
	for i := 0; i < len(s.tokens); {
		c, ok := s.at(i, all)
		if !ok {
			i++
			continue
		}
		all = append(all, c)
		i = c.to
	}
	for {
		before := len(all)
		all = s.firm(all)
		bad := s.contradiction(all)
		if len(bad) == 0 && len(all) == before { // what was left out may have stood beside an "ou"
			return s.inAllSources(all)
		}
		all = slices.DeleteFunc(all, func(c said) bool { return slices.Contains(bad, c.pairs[0].subject()) })
	}
}

// at tries the rules on the words from i on; before is what was said so far.
func (s *statement) at(i int, before []said) (said, bool) {
	behind := s.folded[s.tokens[i].at:]
	for _, rule := range rules {
		r := &reader{text: behind, before: s.word(i - 1)}
		if n := len(before); n > 0 && s.follows(i, before[n-1].to) {
			r.sign, r.behind = before[n-1].sign, before[n-1].to == i
		}
		if pairs, weak := rule(r); len(pairs) > 0 {
			used := behind[:len(behind)-len(r.text)]
			return said{i, i + strings.Count(used, " "), pairs, weak, r.sign}, true
		}
	}
	return said{}, false
}

// follows says whether nothing but a comma, "e", "nem" or "ou" stands between two places.
func (s *statement) follows(i, end int) bool {
	return i == end || i == end+1 && slices.Contains([]string{"e", "nem", "ou"}, s.word(end))
}

// firm leaves out the weak conditions that may be part of a name, and those that go on in a way that is not understood.
func (s *statement) firm(all []said) []said {
	for i := len(all) - 1; i >= 0; i-- {
		c := all[i]
		last := i+1 == len(all)
		next := s.word(c.to)
		part := slices.Contains([]string{"de", "do", "da", "dos", "das", "para", "em"}, s.word(c.from-1)) || c.to-c.from == len(s.tokens)
		ended := next == "" || parting.MatchString(next) || !last && all[i+1].from == c.to
		open := next == "ou" && (last || all[i+1].from != c.to+1) || s.word(c.from-1) == "ou" && (i == 0 || all[i-1].to != c.from-1) || s.goesOn(c.to)
		if c.weak && (part || !ended) || open || s.denied(c.from) {
			all = slices.Delete(all, i, i+1)
		}
	}
	return all
}

// goesOn says whether a date, an amount or another currency follows, which would change what stands before.
func (s *statement) goesOn(i int) bool {
	behind := s.folded[s.offset(i):]
	dated, counted := reader{text: behind}, reader{text: behind}
	return furtherForm.MatchString(behind) || dated.dates("") != nil || counted.amounts("", true) != nil
}

// denied says whether a "não" that no rule has read stands before a condition.
func (s *statement) denied(i int) bool {
	for i--; i >= 0 && connecting.MatchString(s.word(i)); i-- {
	}
	return slices.Contains([]string{"nao", "nunca", "exceto", "menos", "sem", "nem"}, s.word(i))
}

// contradiction returns subjects whose values cannot all hold, or of which only one has to.
func (s *statement) contradiction(all []said) (bad []string) {
	values := map[string][]string{}
	for i, c := range all {
		for _, p := range c.pairs {
			if !slices.Contains(values[p.name], p.value) {
				values[p.name] = append(values[p.name], p.value)
			}
		}
		if i > 0 && all[i-1].to == c.from-1 && s.word(c.from-1) == "ou" && (len(c.pairs) > 1 || all[i-1].pairs[0].name != c.pairs[0].name) {
			bad = append(bad, all[i-1].pairs[0].subject(), c.pairs[0].subject())
		}
	}
	for name, several := range values {
		subject := pair{name: name}.subject()
		from, to := values[subject+"_de"], values[subject+"_ate"]
		dated := name == "situacao" && len(from)+len(to) > 0
		switch {
		case len(several) > 1 && (dated || !slices.Contains([]string{"situacao", "porte", "regiao", "fonte"}, name)),
			len(from) == 1 && len(to) == 1 && isLess(to[0], from[0]),
			slices.ContainsFunc(several, func(v string) bool { return slices.Contains(several, "-"+v) }):
			bad = append(bad, subject)
		}
	}
	return bad
}

// isLess compares dates, or numbers without exponent.
func isLess(a, b string) bool {
	whole, _, _ := strings.Cut(a, ".")
	other, _, _ := strings.Cut(b, ".")
	return cmp.Or(cmp.Compare(len(whole), len(other)), strings.Compare(a, b)) < 0
}

// inAllSources makes several sources one condition each that must hold, unless "ou" stands between them.
func (s *statement) inAllSources(all []said) []said {
	var sources []int
	for i, c := range all {
		if p := c.pairs[0]; p.name == "fonte" && p.value[0] != '-' {
			sources = append(sources, i)
			if s.word(c.from-1) == "ou" {
				return all
			}
		}
	}
	if len(sources) > 1 {
		for _, i := range sources {
			all[i].pairs[0].name = "fonte_todas"
		}
	}
	return all
}

// without returns the text without conditions and what connects them.
func (s *statement) without(typed string, all []said) string {
	gone := make([]bool, len(s.tokens))
	for _, c := range all {
		for i := c.from; i < c.to; i++ {
			gone[i] = true
		}
		for i := c.from - 1; i >= 0 && !gone[i] && (connecting.MatchString(s.word(i)) || s.word(i) == "nem" || s.word(i) == "ou"); i-- {
			gone[i] = true
		}
	}
	if anything.MatchString(s.word(0)) {
		gone[0] = true
	}
	if gone[0] { // what connected the beginning with the rest
		for i := range gone {
			if !gone[i] && !slices.Contains([]string{"e", "que", "de", "do", "da", "dos", "das"}, s.word(i)) {
				break
			}
			gone[i] = true
		}
	}
	var parts []string
	from := 0
	for i := 0; i < len(gone); i++ {
		if !gone[i] {
			continue
		}
		start := s.tokens[i].start
		for i+1 < len(gone) && gone[i+1] {
			i++
		}
		parts = append(parts, typed[from:start])
		from = s.tokens[i].end
	}
	parts = append(parts, typed[from:])
	parts = slices.DeleteFunc(parts, func(part string) bool { return !strings.ContainsFunc(part, isWordRune) })
	for i := range parts {
		parts[i] = strings.TrimRight(strings.TrimLeft(parts[i], " ,;.-:?!)]"), " ,;-:?!([")
	}
	return strings.Join(parts, " ")
}
