package api

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"razao/index/filter"
)

// filtersOf reads the filters of a query. The error is a parameterError.
func filtersOf(query url.Values) (filter.Set, error) {
	var pairs []string
	for _, name := range filter.Names() {
		values := query[name]
		switch {
		case len(values) > 1 && filter.KindOf(name) == filter.Bound:
			return filter.Set{}, parameterError{name: name, problem: repeatedParameter}
		case len(values) > filter.MaxValues:
			return filter.Set{}, wrong(name, values[filter.MaxValues], fmt.Sprintf("Envie até %d valores.", filter.MaxValues))
		}
		for _, value := range values {
			if value == "" || filter.Of(name, value).Validate() != nil {
				return filter.Set{}, wrong(name, value, filterTexts[name])
			}
			pairs = append(pairs, name, value)
		}
	}
	set := filter.Of(pairs...)
	var refused *filter.Error
	if errors.As(set.Validate(), &refused) {
		return set, wrong(refused.Field, refused.Value, "O fim não pode vir antes do começo.")
	}
	return set, nil
}

// wrong is the error of a value that a parameter cannot have.
func wrong(name, value, must string) error {
	return parameterError{name: name, problem: wrongValue, value: value, must: must}
}

// looksAt are the sources whose records decide what filters leave, but for those that name sources.
var looksAt = map[string][]string{
	filter.DebtFrom: {"pgfn"}, filter.DebtTo: {"pgfn"}, filter.Sanction: {"ceis", "cnep"}, filter.ContractsFrom: {"pncp"}, filter.ContractsTo: {"pncp"},
	filter.ContractsYear: {"pncp"}, filter.LoansFrom: {"bndes"}, filter.LoansTo: {"bndes"}, filter.LoansYear: {"bndes"},
}

// sourcesOf returns the sources by which a search is narrowed, in their order.
func sourcesOf(f filter.Set) []string {
	var ids []string
	for _, name := range []string{filter.Source, filter.SourceAll} {
		for _, value := range f.Values(name) {
			ids = append(ids, strings.TrimPrefix(value, "-"))
		}
	}
	for name, sources := range looksAt {
		if f.Has(name) {
			ids = append(ids, sources...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
