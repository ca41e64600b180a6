package filter

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"razao/index/intent"
	"razao/internal/data/ptbr"
)

// Given is a filter with one of its values.
type Given struct {
	*Filter
	Value string // as in a Set, with "-" when excluded
	Text  string // name for people, with "exceto" when excluded
}

// ReadError reports a filter that cannot have the value that was given.
type ReadError struct {
	*Filter
	// Given is the value as it was sent.
	Given string
	// Must is a sentence in Portuguese that says what a value has to be.
	Must string
	// Least is the lower end of the range when the given upper end is below it, "" for any other
	// error.
	Least string
}

// Error describes the field and the value in English, for logs.
func (e *ReadError) Error() string { return fmt.Sprintf("filter %s cannot be %q", e.Name, e.Given) }

// Read parses the filters among the parameters of a request; unknown parameters and empty values,
// which forms send, are ignored. Filters come in the order of All, values in the order given,
// duplicates once. The resulting Set is valid. The error is a *ReadError, for the first value that
// cannot be used.
func (r *Reader) Read(d Describer, values url.Values) ([]Given, Set, error) {
	var given []Given
	var set Set
	for _, c := range offered {
		several := slices.DeleteFunc(slices.Clone(values[c.Name]), func(value string) bool { return strings.TrimSpace(value) == "" })
		most := MaxValues
		if c.Kind == Bound {
			most = 1
		}
		if n := len(several); n > most {
			return nil, set, &ReadError{Filter: c, Given: several[n-1], Must: "Envie até " + ptbr.Counted(most, "valor", "valores") + "."}
		}
		q := &lookup{Reader: r, Describer: d, Filter: c, values: values, alone: len(several) == 1}
		for _, typed := range several {
			g, err := q.read(typed)
			switch {
			case err != nil:
				return nil, set, err
			case slices.Contains(set.Values(c.Name), g.Value):
				continue
			}
			given, set = append(given, g), set.Add(c.Name, g.Value)
		}
	}
	var wrong *Error
	// Each value is valid by itself: what is left is a range whose end is before its beginning.
	if errors.As(set.Validate(), &wrong) {
		c := Named(wrong.Field)
		lower, _, _ := Bounds(c.Name)
		return nil, set, &ReadError{Filter: c, Given: values.Get(c.Name), Must: "Deve ser maior ou igual a " + lower + ".", Least: set.Value(lower)}
	}
	return given, set, nil
}

// Value parses one value of the filter called name, which must exist; false when the value cannot
// be used.
func (r *Reader) Value(d Describer, name, value string) (Given, bool) {
	g, err := (&lookup{Reader: r, Describer: d, Filter: Named(name), alone: true}).read(value)
	return g, err == nil
}

// read parses one value, with "-" before it when it is excluded. The error is a *ReadError.
func (q *lookup) read(typed string) (Given, error) {
	plain, excluded := strings.CutPrefix(strings.TrimSpace(typed), "-")
	value, text, ok := q.find(plain)
	wrong := func(must string) (Given, error) {
		return Given{}, &ReadError{Filter: q.Filter, Given: typed, Must: must}
	}
	switch {
	case len(q.ambiguous) > 1:
		return wrong("Há mais de um: " + ptbr.Alternatives(q.ambiguous) + ".")
	case len(q.readings) > 1:
		return wrong("Pode ser lido como " + q.readings[0] + " ou como " + q.readings[1] + ": escreva os milhares sem ponto.")
	case len(q.suggestions) > 0:
		return wrong(q.Must() + " Com estas palavras: " + ptbr.Join("; ", valuesOf(q.suggestions)...) + ".")
	case !ok || !q.takes(value):
		return wrong(q.Must())
	// To exclude one of two values is to choose the other, but not beside further values: these are alternatives, exclusions are not.
	case excluded && q.Kind == Choice && q.alone:
		other := q.opposite(value)
		value, text = other.Value, other.Text
	case excluded && q.Kind != Codes && q.Kind != Choice:
		return wrong(q.Must())
	case excluded:
		value, text = "-"+value, "exceto "+text
	}
	return Given{q.Filter, value, text}, nil
}

// Phrase is what filters say in words: one value, or both ends of a range together.
type Phrase struct {
	Label string  // "Capital social"
	Text  string  // "de R$ 100 mil a R$ 1 milhão"
	Of    []Given // one, or the two ends
}

// Phrases puts filters into words. They must be in the order of Read, in which both ends of a range
// are adjacent. The phrases alias given.
func Phrases(given []Given) []Phrase {
	var phrases []Phrase
	for i := 0; i < len(given); i++ {
		g := given[i]
		lower, upper, ranged := Bounds(g.Name)
		switch {
		case !ranged:
			phrases = append(phrases, Phrase{g.Label, g.Text, given[i : i+1]})
		case g.Name == lower && i+1 < len(given) && given[i+1].Name == upper:
			phrases = append(phrases, Phrase{g.Label, span(g.Form, g.Text, given[i+1].Text), given[i : i+2]})
			i++
		case g.Name == lower:
			phrases = append(phrases, Phrase{g.Label, span(g.Form, g.Text, ""), given[i : i+1]})
		default:
			phrases = append(phrases, Phrase{g.Label, span(g.Form, "", g.Text), given[i : i+1]})
		}
	}
	return phrases
}

// TextPart is a part of a free text that expresses filters.
type TextPart struct {
	Words   string   // the part, as typed
	Without string   // the text without it
	Phrases []Phrase // the filters in words
}

// TextParts puts the conditions found in a text into words, those of each part together. Values that
// the load does not have are left out.
func (r *Reader) TextParts(d Describer, conditions []intent.Condition) []TextPart {
	var all []TextPart
	for len(conditions) > 0 {
		part := TextPart{Words: conditions[0].Words, Without: conditions[0].Without}
		n := 0
		var given []Given
		for ; n < len(conditions) && conditions[n].Without == part.Without; n++ {
			if g, ok := r.Value(d, conditions[n].Name, conditions[n].Value); ok {
				given = append(given, g)
			}
		}
		part.Phrases = Phrases(given)
		all, conditions = append(all, part), conditions[n:]
	}
	return all
}

// span returns a range in words: dates and years begin with "desde", amounts and numbers with "a
// partir de". An open end is "".
func span(form Form, from, to string) string {
	if (form == Amount || form == Number) && to == "" {
		return "a partir de " + from
	}
	return ptbr.Span(from, to)
}
