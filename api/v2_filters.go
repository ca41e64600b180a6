package api

import (
	"errors"
	"net/url"
	"slices"

	"razao/index/filter"
	"razao/internal/criteria"
)

// filtersOf reads the filters of a query, of which each value has to say something. The error is a parameterError.
func (a *API) filtersOf(d criteria.Describer, query url.Values) (filter.Set, error) {
	for _, c := range criteria.All() {
		switch values := query[c.Name]; {
		case len(values) > 1 && filter.KindOf(c.Name) == filter.Bound:
			return filter.Set{}, parameterError{name: c.Name, problem: repeatedParameter}
		case slices.Contains(values, ""):
			return filter.Set{}, wrong(c.Name, "", c.Must())
		}
	}
	reader, err := a.criteria()
	if err != nil {
		return filter.Set{}, err
	}
	_, set, err := reader.Read(d, query)
	var refused *criteria.Error
	if errors.As(err, &refused) {
		return set, wrong(refused.Name, refused.Given, refused.Must)
	}
	return set, err
}

// wrong is the error of a value that a parameter cannot have.
func wrong(name, value, must string) error {
	return parameterError{name: name, problem: wrongValue, value: value, must: must}
}
