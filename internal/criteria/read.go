package criteria

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/internal/ptbr"
)

// Given is a filter with one of the values that were given.
type Given struct {
	*Criterion
	Value string // as the index writes it, "-" before an excluded one
	Text  string // what it is called, "exceto" before an excluded one
}

// Error says that a filter cannot have a value.
type Error struct {
	*Criterion
	Given string
	// Must says what a value has to be, a sentence.
	Must string
	// Least is the lower end of the range that the value is not above, "" when that is not what is wrong.
	Least string
}

func (e *Error) Error() string { return fmt.Sprintf("filter %s cannot be %q", e.Name, e.Given) }

// Read reads the filters among the parameters of a request; others are left alone, and so are empty values, which forms send. The filters
// come in the order of All, the values of each as they were given. The error is an *Error.
func (r *Reader) Read(d Describer, values url.Values) ([]Given, filter.Set, error) {
	var given []Given
	var set filter.Set
	for _, c := range all {
		several := slices.DeleteFunc(slices.Clone(values[c.Name]), func(value string) bool { return strings.TrimSpace(value) == "" })
		most := filter.MaxValues
		if filter.KindOf(c.Name) == filter.Bound {
			most = 1
		}
		if n := len(several); n > most {
			return nil, set, &Error{Criterion: c, Given: several[n-1], Must: "Envie até " + ptbr.Counted(most, "valor", "valores") + "."}
		}
		q := &question{Reader: r, Describer: d, Criterion: c, values: values}
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
	var wrong *filter.Error
	if errors.As(set.Validate(), &wrong) { // each value can be, but an end of a range is before its beginning
		c := Named(wrong.Field)
		lower, _, _ := filter.Bounds(c.Name)
		return nil, set, &Error{Criterion: c, Given: values.Get(c.Name), Must: "Deve ser maior ou igual a " + lower + ".", Least: set.Value(lower)}
	}
	return given, set, nil
}

// Value looks one value of a filter up; false when there is no such value.
func (r *Reader) Value(d Describer, name, value string) (Given, bool) {
	g, err := (&question{Reader: r, Describer: d, Criterion: Named(name)}).read(value)
	return g, err == nil
}

// read looks one value up, an excluded one too.
func (q *question) read(typed string) (Given, error) {
	plain, excluded := strings.CutPrefix(strings.TrimSpace(typed), "-")
	value, text, ok := q.find(q, plain)
	wrong := &Error{Criterion: q.Criterion, Given: typed, Must: q.Must()}
	switch {
	case len(q.among) > 1:
		wrong.Must = "Há mais de um: " + ptbr.Alternatives(q.among) + "."
		return Given{}, wrong
	case len(q.like) > 0:
		wrong.Must += " Com estas palavras: " + ptbr.Join("; ", valuesOf(q.like)...) + "."
		return Given{}, wrong
	case !ok || filter.Of(q.Name, value).Validate() != nil:
		return Given{}, wrong
	case excluded && filter.KindOf(q.Name) == filter.Choice: // is the other of two
		other := slices.IndexFunc(q.Options, func(o Option) bool { return o.Value != value })
		value, text = q.Options[other].Value, q.Options[other].Text
	case excluded && filter.KindOf(q.Name) != filter.Codes:
		return Given{}, wrong
	case excluded:
		value, text = "-"+value, "exceto "+text
	}
	return Given{q.Criterion, value, text}, nil
}

// Phrase is what one or several given filters say together: both ends of a range are one.
type Phrase struct {
	Label string // "Capital social"
	Text  string // "de R$ 100 mil a R$ 1 milhão"
	Of    []Given
}

// Phrases puts filters, in the order of Read, into words.
func Phrases(given []Given) []Phrase {
	var phrases []Phrase
	for i := 0; i < len(given); i++ {
		g := given[i]
		lower, upper, ranged := filter.Bounds(g.Name)
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

// Saying is a part of a text that says filters.
type Saying struct {
	Words   string // the part
	Without string // the text without it
	Phrases []Phrase
}

// Said puts the conditions that a text was found to say into words.
func (r *Reader) Said(d Describer, conditions []index.Condition) []Saying {
	var all []Saying
	for len(conditions) > 0 {
		saying := Saying{Words: conditions[0].Words, Without: conditions[0].Without}
		n := 0
		var given []Given
		for ; n < len(conditions) && conditions[n].Without == saying.Without; n++ {
			if g, ok := r.Value(d, conditions[n].Name, conditions[n].Value); ok {
				given = append(given, g)
			}
		}
		saying.Phrases = Phrases(given)
		all, conditions = append(all, saying), conditions[n:]
	}
	return all
}

// span says a range: of dates and years "desde", of amounts and numbers "a partir de".
func span(form Form, from, to string) string {
	if (form == Amount || form == Number) && to == "" {
		return "a partir de " + from
	}
	return ptbr.Span(from, to)
}
