package api

import (
	"errors"
	"fmt"
	"net/url"

	"razao/index/filter"
)

// searchFilters are the filters that calls may have.
var searchFilters = []string{
	filter.UF, filter.Municipio, filter.CNAE, filter.CNAEAny, filter.Situacao, filter.HeadOffice, filter.Natureza, filter.Porte, filter.Capital,
	filter.YearFrom, filter.YearTo, filter.Simples, filter.MEI, filter.Source,
}

// filtersOf reads the filters of a query. The error is a parameterError.
func filtersOf(query url.Values) (filter.Set, error) {
	var pairs []string
	for _, name := range searchFilters {
		values := query[name]
		switch {
		case len(values) > 1 && filter.KindOf(name) == filter.Bound:
			return filter.Set{}, parameterError{name: name, problem: repeatedParameter}
		case len(values) > filter.MaxValues:
			return filter.Set{}, wrongFilter(name, values[filter.MaxValues], fmt.Sprintf("Envie até %d valores.", filter.MaxValues))
		}
		for _, value := range values {
			if value == "" || filter.Of(name, value).Validate() != nil {
				return filter.Set{}, wrongFilter(name, value, "Veja os valores em /v2/openapi.json.")
			}
			pairs = append(pairs, name, value)
		}
	}
	set := filter.Of(pairs...)
	var wrong *filter.Error
	if errors.As(set.Validate(), &wrong) {
		return set, wrongFilter(wrong.Field, wrong.Value, "O fim vem antes do começo.")
	}
	return set, nil
}

func wrongFilter(name, value, must string) error {
	return parameterError{name: name, problem: wrongValue, value: value, must: must}
}
