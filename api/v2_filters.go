package api

import (
	"errors"
	"net/url"
	"strings"

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
		for _, value := range query[name] {
			if strings.TrimPrefix(value, "-") == "" {
				return filter.Set{}, wrongFilter(&filter.Error{Field: name, Value: value})
			}
			pairs = append(pairs, name, value)
		}
	}
	set := filter.Of(pairs...)
	var wrong *filter.Error
	if err := set.Validate(); errors.As(err, &wrong) {
		return set, wrongFilter(wrong)
	}
	return set, nil
}

func wrongFilter(e *filter.Error) error {
	return parameterError{name: e.Field, problem: wrongValue, value: e.Value, must: "Veja os valores em /v2/openapi.json."}
}
