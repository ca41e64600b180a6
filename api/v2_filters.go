package api

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"razao/index/filter"
)

// filtersOf parses the filters of a search. Unlike a form of the site it may not send blank values.
// The error is a parameterError for the first bad value.
func filtersOf(reader *filter.Reader, d filter.Describer, query url.Values) (filter.Set, error) {
	blank := func(value string) bool { return strings.TrimSpace(value) == "" }
	for _, c := range filter.All() {
		switch values := query[c.Name]; {
		case len(values) > 1 && filter.KindOf(c.Name) == filter.Bound:
			return filter.Set{}, parameterError{name: c.Name, problem: repeatedParameter}
		case slices.ContainsFunc(values, blank):
			return filter.Set{}, wrong(c.Name, "", c.Must())
		}
	}
	_, set, err := reader.Read(d, query)
	var refused *filter.ReadError
	if errors.As(err, &refused) {
		return set, wrong(refused.Name, refused.Given, refused.Must)
	}
	return set, err
}

// wrong is the error of a bad value; must is a sentence that says what is allowed.
func wrong(name, value, must string) error {
	return parameterError{name: name, problem: wrongValue, value: value, must: must}
}
