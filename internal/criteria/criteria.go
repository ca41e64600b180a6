// Package criteria is how people and programs meet a search: the filters by the names, labels and values that pages, the API and assistants
// share, and the words of its answers. Package index/filter knows the same filters by what they find.
package criteria

import (
	"strings"

	"razao/index/filter"
	"razao/internal/record"
)

// Criterion is a filter as people and programs meet it.
type Criterion struct {
	Name  string // of the parameter, and in package filter
	Group string // what it is about, a heading
	Label string // what people call it; both ends of a range share one
	About string // what a value is: "a sigla de um estado, ou EX para o exterior"
	Form  Form
	// Options are the values of OneOf in their order, with what they are called; nil where a table of the load has them.
	Options []Option
	Domain  record.Domain // the table that has the values, "" for none
	find    lookUp
}

// Form says how somebody gives a value.
type Form int

// The forms.
const (
	Text   Form = iota
	OneOf       // of few
	Coded       // one of many, that have names
	Date        // AAAA-MM-DD
	Year        // four digits
	Amount      // reais, with a point before cents
	Number
)

// Option is a value and what it is called.
type Option struct{ Value, Text string }

// Must says what a value has to be, a sentence.
func (c *Criterion) Must() string { return "Deve ser " + c.About + "." }

// Upper says whether the filter is the upper end of a range.
func (c *Criterion) Upper() bool {
	_, upper, ok := filter.Bounds(c.Name)
	return ok && upper == c.Name
}

// All returns the filters in the order in which forms and documents have them.
func All() []*Criterion { return all }

var all = func() []*Criterion {
	var list []*Criterion
	for i := range declared {
		list = append(list, &declared[i])
	}
	return list
}()

// Named returns a filter, nil when none has the name.
func Named(name string) *Criterion {
	for _, c := range all {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Groups returns the headings, in the order of All.
func Groups() []string {
	var groups []string
	for _, c := range all {
		if n := len(groups); n == 0 || groups[n-1] != c.Group {
			groups = append(groups, c.Group)
		}
	}
	return groups
}

// listOf joins the values of options, for About.
func listOf(options []Option) string { return strings.Join(valuesOf(options), ", ") }

func valuesOf(options []Option) []string {
	values := make([]string, len(options))
	for i, o := range options {
		values[i] = o.Value
	}
	return values
}
