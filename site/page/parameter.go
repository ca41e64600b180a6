package page

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/index/filter"
)

// InvalidParameter is the error of a parameter with an invalid value. The server answers 422: a
// page for browsers, for programs a JSON body that lists this struct under "detail".
type InvalidParameter struct {
	Loc   []string         `json:"loc"`           // "query" or "path", then the name
	Msg   string           `json:"msg"`           // in Portuguese
	Type  string           `json:"type"`          // stable identifier of the rule
	Input string           `json:"input"`         // value received
	Ctx   map[string]int64 `json:"ctx,omitempty"` // limits by rule, such as "ge": 1
	What  string           `json:"-"`             // label for visitors: O filtro “Estado”; "": the name
}

// without returns the URL of r without the invalid value, or without the parameter if it has no
// other value. It returns "" if there is no such URL to offer: not a GET, or not a query parameter.
func (e *InvalidParameter) without(r *http.Request) string {
	v := r.URL.Query()
	if r.Method != http.MethodGet && r.Method != http.MethodHead || e.Loc[0] != "query" || !v.Has(e.Loc[1]) {
		return ""
	}
	name := e.Loc[1]
	if others := slices.DeleteFunc(slices.Clone(v[name]), func(value string) bool { return value == e.Input }); len(others) > 0 && len(others) < len(v[name]) {
		v[name] = others
	} else {
		v.Del(name)
	}
	return WithParameters(r.URL.EscapedPath(), v)
}

func (e *InvalidParameter) Error() string { return "parameter " + e.Loc[1] + ": " + e.Type }

// PageNumber reads a query parameter as a page number from 1 on; absent means 1. The error is an
// *[InvalidParameter].
func PageNumber(c *gin.Context, name string) (int, error) {
	text, given := c.GetQuery(name)
	if !given {
		return 1, nil
	}
	return ParsePageNumber("query", name, text)
}

// ParsePageNumber parses a page number from 1 to 2^31-1. in is "query" or "path", for the error,
// which is an *[InvalidParameter].
func ParsePageNumber(in, name, text string) (int, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	invalid := &InvalidParameter{Loc: []string{in, name}, Input: text, What: "O número da página"}
	switch {
	case errors.Is(err, strconv.ErrRange) && !strings.HasPrefix(text, "-"):
		invalid.Type, invalid.Msg = "less_than_equal", "Deve ser menor ou igual a 2147483647."
		invalid.Ctx = map[string]int64{"le": 1<<31 - 1}
		return 0, invalid
	case err != nil && !errors.Is(err, strconv.ErrRange):
		invalid.Type, invalid.Msg = "int_parsing", "Deve ser um número inteiro."
		return 0, invalid
	case n < 1:
		invalid.Type, invalid.Msg = "greater_than_equal", "Deve ser maior ou igual a 1."
		invalid.Ctx = map[string]int64{"ge": 1}
		return 0, invalid
	}
	return int(n), nil
}

// UnknownValue returns the error of a query parameter whose value is not one of an enum. must is
// the message, which lists the valid values.
func UnknownValue(name, given, must string) *InvalidParameter {
	return &InvalidParameter{Loc: []string{"query", name}, Msg: must, Type: "enum", Input: given}
}

// InvalidFilter turns a *filter.ReadError into the *[InvalidParameter] that the error page shows; other
// errors are returned as they are.
func InvalidFilter(err error) error {
	var wrong *filter.ReadError
	if !errors.As(err, &wrong) {
		return err
	}
	out := UnknownValue(wrong.Name, wrong.Given, wrong.Must)
	out.What = "O filtro “" + wrong.Label + "”"
	if wrong.Least != "" {
		out.Type, out.What = "greater_than_equal", "O fim de “"+wrong.Label+"”"
		if least, err := strconv.ParseInt(wrong.Least, 10, 64); err == nil {
			out.Ctx = map[string]int64{"ge": least}
		}
	}
	return out
}
