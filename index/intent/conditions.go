package intent

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"razao/index/term"
)

// Condition is a filter that a part of a text expresses: "abertas depois de 2020". A part that sets
// both ends of a range gives two.
type Condition struct {
	Words       string // as typed, without connecting words
	Name, Value string // as in package filter: "abertura_de", "2021-01-01"
	Without     string // the text without this part
}

// pair is the name of a filter and a value.
type pair struct{ name, value string }

// subject returns the name of a filter without the suffix of a bound, so both ends of a range have
// one subject.
func (p pair) subject() string { return strings.TrimSuffix(strings.TrimSuffix(p.name, "_de"), "_ate") }

// statementPart is what the tokens [from, to) express.
type statementPart struct {
	from, to int
	pairs    []pair
	weak     bool   // also a common word of names: counts only where it cannot be part of one: see dropDoubtful
	sign     string // "com" or "sem" when it says what a company has; inherited by the next part of an enumeration
}

// token is a word, a number with its punctuation, or "R$".
type token struct {
	start, end int    // in the text, in bytes
	at         int    // offset in statement.folded
	word       string // folded; `"` for a quoted one, which no rule matches
}

// statement is a text prepared for the rules.
type statement struct {
	tokens []token
	folded string // words of the tokens, each followed by a blank
}

var (
	tokenForm = regexp.MustCompile(`[Rr]\$|\d+(?:[.,/-]\d+)*[\pL\pM]*|\pL[\pL\pM\d]*`)
	// connecting words belong to the condition after them and vanish with it.
	connecting = regexp.MustCompile(`^(?:com|e|que|de|em|mas|sao|estao|esta|foram|foi|tem|tenham|possuem|possui|cujo|cuja|apenas|` +
		`somente|so|tambem|ainda|ja)$`)
	// parting words end a name: what stands before them is not the beginning of a longer one.
	parting = regexp.MustCompile(`^(?:em|no|na|nos|nas|com|sem|que|e|ou|de|do|da|dos|das)$`)
	// furtherForm is what may follow a date or an amount and change its meaning.
	furtherForm = regexp.MustCompile(`^(?:e \d|(?:de |em )?(?:dolar|euro))`)
	// anything matches words that mean "every company"; at the beginning they vanish, too.
	anything = regexp.MustCompile(`^(?:empresas|firmas|companhias|cnpjs)$`)
)

// Conditions returns the filters that a text expresses, in order, and the text without them and the
// words that connect them ("com", "que", "e", a leading "empresas"). Without any it returns nil and
// the text unchanged. Quoted phrases are never conditions, and filters that contradict each other
// are dropped together. The same words may still be part of a company name, so callers try this
// reading only on texts that match nothing as they stand.
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
		without := s.without(typed, []statementPart{c})
		for _, p := range c.pairs {
			found = append(found, Condition{words, p.name, p.value, without})
		}
	}
	return found, s.without(typed, all)
}

// read splits a text into tokens.
func read(typed string) *statement {
	s := new(statement)
	quotes := quoteMarks(typed)
	var folded strings.Builder
	for _, m := range tokenForm.FindAllStringIndex(typed, -1) {
		word := term.Fold(typed[m[0]:m[1]])
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

// offset returns the offset of token i in folded, or len(folded) past the end.
func (s *statement) offset(i int) int {
	if i < len(s.tokens) {
		return s.tokens[i].at
	}
	return len(s.folded)
}

// word returns the word of token i, "" out of range.
func (s *statement) word(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return s.tokens[i].word
}

// conditions applies the rules from left to right, first match first, then drops what is doubtful
// or contradictory until nothing changes. Each round removes at least one condition, so it ends.
func (s *statement) conditions() []statementPart {
	var all []statementPart
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
		all = s.dropDoubtful(all)
		bad := s.contradiction(all)
		// A dropped condition may have been a side of an "ou", so the other side is judged again.
		if len(bad) == 0 && len(all) == before {
			return s.inAllSources(all)
		}
		all = slices.DeleteFunc(all, func(c statementPart) bool { return slices.Contains(bad, c.pairs[0].subject()) })
	}
}

// at tries the rules in order on the words from token i; before is what was found to the left.
func (s *statement) at(i int, before []statementPart) (statementPart, bool) {
	behind := s.folded[s.tokens[i].at:]
	for _, rule := range rules {
		r := &reader{text: behind, before: s.word(i - 1)}
		if n := len(before); n > 0 && s.follows(i, before[n-1].to) {
			r.sign, r.behind = before[n-1].sign, before[n-1].to == i
		}
		if pairs, weak := rule(r); len(pairs) > 0 {
			used := behind[:len(behind)-len(r.text)]
			return statementPart{i, i + strings.Count(used, " "), pairs, weak, r.sign}, true
		}
	}
	return statementPart{}, false
}

// follows reports whether token i comes directly after end, or only "e", "nem" or "ou" lies
// between. Commas are not tokens.
func (s *statement) follows(i, end int) bool {
	return i == end || i == end+1 && slices.Contains([]string{"e", "nem", "ou"}, s.word(end))
}

// dropDoubtful drops conditions that are probably not meant: weak ones that may be part of a name,
// sides of an "ou" whose other side is no condition, those that go on in a way no rule understands,
// and negated ones.
func (s *statement) dropDoubtful(all []statementPart) []statementPart {
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

// goesOn reports whether a date, an amount or a currency follows token i and would change the
// meaning of what precedes it.
func (s *statement) goesOn(i int) bool {
	behind := s.folded[s.offset(i):]
	dated, counted := reader{text: behind}, reader{text: behind}
	return furtherForm.MatchString(behind) || dated.dates("") != nil || counted.amounts("", true) != nil
}

// denied reports whether a negation that no rule has consumed precedes token i. Dropping the
// condition is the only safe reading then.
func (s *statement) denied(i int) bool {
	for i--; i >= 0 && connecting.MatchString(s.word(i)); i-- {
	}
	return slices.Contains([]string{"nao", "nunca", "exceto", "menos", "sem", "nem"}, s.word(i))
}

// contradiction returns the subjects whose values cannot hold together, or that an "ou" joins
// although filters are always a conjunction.
func (s *statement) contradiction(all []statementPart) (bad []string) {
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

// isLess compares dates, or decimal numbers without leading zeros, as texts: integer parts by
// length, then byte by byte.
func isLess(a, b string) bool {
	whole, _, _ := strings.Cut(a, ".")
	other, _, _ := strings.Cut(b, ".")
	return cmp.Or(cmp.Compare(len(whole), len(other)), strings.Compare(a, b)) < 0
}

// inAllSources turns several sources into filters that must all hold (fonte_todas), unless the text
// joins them by "ou".
func (s *statement) inAllSources(all []statementPart) []statementPart {
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

// without returns the text without some conditions, their connecting words, and punctuation that is
// left hanging. Everything else keeps its form and order.
func (s *statement) without(typed string, all []statementPart) string {
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
	// What connected the removed beginning to the rest goes, too.
	if gone[0] {
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
