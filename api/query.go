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

// parameterError is an unacceptable query parameter, a 400. Error, which goes to the log, is a
// constant, because a client may type anything, even a CPF, as name or value; message repeats them
// to the client.
type parameterError struct {
	name    string // "": the query string is malformed
	problem problem
	value   string // as typed, for wrongValue
	must    string // sentence that says what is allowed, for wrongValue
}

// problem is why a parameter is refused.
type problem int

const (
	unknownParameter problem = iota
	repeatedParameter
	outOfBounds  // limite is no number from 1 to 100
	wrongValue   // see value and must
	nothingAsked // a search has neither words nor filters
)

func (parameterError) Error() string { return "query parameter refused" }

// message is the text for the client, in Portuguese.
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

// repeated truncates client input that is echoed in a message to 60 characters.
func repeated(typed string) string {
	const longest = 60 // characters
	all := []rune(typed)
	return string(all[:min(len(all), longest)])
}

// parameters parses the query of u; nil if it is empty. Unknown parameters are refused, so that a
// typo never widens an answer unnoticed, and so are duplicates, of which proxies and servers may
// pick different ones (HTTP parameter pollution). The error is a parameterError.
func parameters(u *url.URL, known ...string) (url.Values, error) {
	return parametersWith(u, nil, known...)
}

// parametersWith is parameters with further ones that may be repeated.
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
		return nil, parameterError{name: slices.Min(unknown)} // map order is random, the message is not
	}
	for _, name := range known {
		if len(query[name]) > 1 {
			return nil, parameterError{name: name, problem: repeatedParameter}
		}
	}
	return query, nil
}

// limitOf returns the parameter limite, 20 by default. The error is a parameterError.
func limitOf(query url.Values) (int, error) {
	limit, ok := limitWithin(query, defaultLimit, maxLimit)
	if !ok {
		return 0, parameterError{name: "limite", problem: outOfBounds}
	}
	return limit, nil
}

// limitWithin returns the parameter limite, usual if it is missing. Only the shortest form of 1 to
// most is accepted: cursors sign the number, so each has one spelling.
func limitWithin(query url.Values, usual, most int) (limit int, ok bool) {
	if !query.Has("limite") {
		return usual, true
	}
	return within(query.Get("limite"), most)
}

// within reads a number from 1 to most in its shortest form.
func within(text string, most int) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 1 && n <= most && strconv.Itoa(n) == text
}
