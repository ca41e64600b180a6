// Package criteria is the human side of search filters: names, labels, help texts and the ways to
// write a value, shared by the website, the API and the assistants, and the words for their
// answers. Package index/filter has the same filters by what they match; a test holds the two
// tables together.
//
// Criteria are declared once, as data (declared.go). Reader.Read parses the parameters of a request
// into a filter.Set: "Campinas/SP", "4721-1/02 Padaria", "março de 2020" and "R$ 100 mil" are
// accepted for codes, dates and amounts, and a "-" before a value excludes it. The other direction
// is Given (a value with its name), Phrases (ranges as one phrase) and Said (conditions found in
// free text). Complete suggests values while they are typed.
//
// Codes have names that belong to a load of the registry, so whoever asks passes a Describer, or
// record.Domains. The territory and the CNAE are built in. An unusable value is an *Error with a
// sentence in Portuguese that says what would do; it is safe to show.
package criteria

import (
	"strings"

	"razao/index/filter"
	"razao/internal/data/record"
)

// Criterion is a filter as people and programs meet it. The declared ones are shared and must not
// be changed.
type Criterion struct {
	Name  string // parameter name, the same as in package filter
	Group string // heading under which forms list it
	Label string // what people call it; both ends of a range share one
	About string // completes "Deve ser …": "a sigla de um estado, ou EX para o exterior"
	Form  Form
	// Options are the values of a OneOf in order, with their names; nil when Domain has them.
	Options []Option
	Domain  record.Domain // table of the load that has the values, "" for none
	find    lookUp
}

// Form says how a value is entered.
type Form int

// The forms.
const (
	Text   Form = iota // free text
	OneOf              // one of few values, a choice
	Coded              // one of many codes that have names
	Date               // AAAA-MM-DD
	Year               // four digits
	Amount             // reais, with a point before the cents
	Number             // a count
)

// Option is a value and its name in Portuguese.
type Option struct{ Value, Text string }

// Must returns the sentence that says what a value has to be.
func (c *Criterion) Must() string { return "Deve ser " + c.About + "." }

// Upper reports whether the filter is the upper end of a range.
func (c *Criterion) Upper() bool {
	_, upper, ok := filter.Bounds(c.Name)
	return ok && upper == c.Name
}

// All returns the criteria in the order of forms and documentation. The slice is shared and must
// not be changed.
func All() []*Criterion { return all }

var all = func() []*Criterion {
	var list []*Criterion
	for i := range declared {
		list = append(list, &declared[i])
	}
	return list
}()

// Named returns the criterion with a name, nil for an unknown one.
func Named(name string) *Criterion {
	for _, c := range all {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Groups returns the headings in the order of All, each once.
func Groups() []string {
	var groups []string
	for _, c := range all {
		if n := len(groups); n == 0 || groups[n-1] != c.Group {
			groups = append(groups, c.Group)
		}
	}
	return groups
}

// listOf returns the values of options, separated by commas, for About.
func listOf(options []Option) string { return strings.Join(valuesOf(options), ", ") }

// valuesOf returns the values of options.
func valuesOf(options []Option) []string {
	values := make([]string, len(options))
	for i, o := range options {
		values[i] = o.Value
	}
	return values
}
