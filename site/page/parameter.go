package page

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
)

// InvalidParameter is a parameter that a page cannot work with, in the form in which the site answers it.
type InvalidParameter struct {
	Loc   []string         `json:"loc"`
	Msg   string           `json:"msg"`
	Type  string           `json:"type"`
	Input string           `json:"input"`
	Ctx   map[string]int64 `json:"ctx,omitempty"`
	What  string           `json:"-"` // what visitors call the parameter, O filtro “Estado”; "" for its name
}

// without returns the address of a request without the parameter, with its other values if it has several, "" when it is no address that somebody can open.
func (e *InvalidParameter) without(r *http.Request) string {
	v := r.URL.Query()
	if r.Method != http.MethodGet && r.Method != http.MethodHead || e.Loc[0] != "query" || !v.Has(e.Loc[1]) {
		return ""
	}
	values := slices.DeleteFunc(slices.Clone(v[e.Loc[1]]), func(value string) bool { return value == e.Input })
	if v.Del(e.Loc[1]); len(values) < len(r.URL.Query()[e.Loc[1]]) && len(values) > 0 {
		v[e.Loc[1]] = values
	}
	return WithParameters(r.URL.EscapedPath(), v)
}

func (e *InvalidParameter) Error() string { return "parameter " + e.Loc[1] + ": " + e.Type }

// PageNumber reads a page number of at least 1; absent means 1.
func PageNumber(c *gin.Context, name string) (int, error) {
	text, given := c.GetQuery(name)
	if !given {
		return 1, nil
	}
	return ParsePageNumber("query", name, text)
}

// ParsePageNumber reads a page number of at least 1 that stands in a part of the address.
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

// UnknownValue is the error of a parameter whose value is none of those that it may have; must says which they are.
func UnknownValue(name, given, must string) *InvalidParameter {
	return &InvalidParameter{Loc: []string{"query", name}, Msg: must, Type: "enum", Input: given}
}
