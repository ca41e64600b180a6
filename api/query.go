package api

import (
	"net/url"
	"slices"
	"strconv"
)

const (
	defaultLimit = 20
	maxLimit     = 100 // items of one page of a collection
)

// parameterError is a query parameter that cannot be accepted. Its text goes to the log and leaves out the name, which is
// whatever the client typed.
type parameterError struct {
	name    string // "": the query cannot be read
	problem problem
	value   string // of a wrongValue
	must    string // what a wrongValue has to be: a sentence
}

type problem int

const (
	unknownParameter problem = iota
	repeatedParameter
	outOfBounds
	wrongValue
	nothingAsked // by none of the parameters of which one is needed
)

func (parameterError) Error() string { return "query parameter refused" }

func (e parameterError) message() string {
	if e.name == "" {
		return "Não foi possível ler os parâmetros da consulta."
	}
	shown := repeated(e.name)
	switch e.problem {
	case wrongValue:
		return "Parâmetro inválido: " + shown + "=" + repeated(e.value) + ". " + e.must
	case nothingAsked:
		return "Informe " + shown + " ou ao menos um filtro."
	case repeatedParameter:
		return "Parâmetro repetido: " + shown + "."
	case outOfBounds:
		return "Parâmetro inválido: " + shown + ". Envie um número inteiro de 1 a 100."
	}
	return "Parâmetro desconhecido: " + shown + "."
}

// repeated returns as much of what a client typed as is repeated to it.
func repeated(typed string) string {
	const longest = 60 // characters
	all := []rune(typed)
	return string(all[:min(len(all), longest)])
}

// parameters returns the query of u. The error is a parameterError when it has other parameters than the known ones, or
// one of these more than once.
func parameters(u *url.URL, known ...string) (url.Values, error) {
	return parametersWith(u, nil, known...)
}

// parametersWith is parameters with others that may come any number of times.
func parametersWith(u *url.URL, repeatable []string, known ...string) (url.Values, error) {
	if u.RawQuery == "" {
		return nil, nil
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, parameterError{}
	}
	var unknown []string
	for name := range query {
		if !slices.Contains(known, name) && !slices.Contains(repeatable, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		return nil, parameterError{name: slices.Min(unknown)}
	}
	for _, name := range known {
		if len(query[name]) > 1 {
			return nil, parameterError{name: name, problem: repeatedParameter}
		}
	}
	return query, nil
}

// limitOf returns the limit of a query, a number from 1 to 100 in its shortest form, since it is part of what cursors sign.
// Anything else is a parameterError.
func limitOf(query url.Values) (int, error) {
	if !query.Has("limite") {
		return defaultLimit, nil
	}
	text := query.Get("limite")
	limit, err := strconv.Atoi(text)
	if err != nil || limit < 1 || limit > maxLimit || strconv.Itoa(limit) != text {
		return 0, parameterError{name: "limite", problem: outOfBounds}
	}
	return limit, nil
}
