package proof

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Exemption stands, within a value that is proved, where an answer may say what no proof covers.
type Exemption struct {
	Why   string         // none of it is covered
	Takes func(any) bool // whether an answer may have this value there
}

// Difference is a place where an answer says something else than what is proved.
type Difference struct {
	Path             string // dados.empresa.socios.itens[0].nome_socio
	Proved, Answered string // as JSON; "" : nothing
}

// Comparison is the result of Compare.
type Comparison struct {
	Different []Difference
	Unproved  map[string]string // the path of what is not covered, without indices, and why
}

// Compare compares a value of an answer, as ReadJSON reads it, with the value that is proved: every member
// and item of one must be in the other, at its place. Numbers are equal if their values are, however they
// are written. path is the place of the values in the answer, "" for all of it.
func Compare(path string, proved, answered any) Comparison {
	c := Comparison{Unproved: map[string]string{}}
	c.compare(path, proved, answered)
	return c
}

func (c *Comparison) compare(path string, proved, answered any) {
	switch p := proved.(type) {
	case Exemption:
		if !p.Takes(answered) {
			c.differ(path, "", text(answered))
			return
		}
		c.Unproved[indices.ReplaceAllString(path, "[]")] = p.Why
	case map[string]any:
		if a, ok := answered.(map[string]any); ok {
			c.objects(path, p, a)
			return
		}
		c.differ(path, text(proved), text(answered))
	case []any:
		if a, ok := answered.([]any); ok {
			c.arrays(path, p, a)
			return
		}
		c.differ(path, text(proved), text(answered))
	case json.Number:
		if a, ok := answered.(json.Number); !ok || !equal(p, a) {
			c.differ(path, text(proved), text(answered))
		}
	default: // string, bool or nil
		if proved != answered {
			c.differ(path, text(proved), text(answered))
		}
	}
}

func (c *Comparison) objects(path string, proved, answered map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(proved)) {
		if value, ok := answered[name]; ok {
			c.compare(member(path, name), proved[name], value)
		} else {
			c.differ(member(path, name), text(proved[name]), "")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(answered)) {
		if _, ok := proved[name]; !ok {
			c.differ(member(path, name), "", text(answered[name]))
		}
	}
}

func (c *Comparison) arrays(path string, proved, answered []any) {
	for i := range max(len(proved), len(answered)) {
		at := fmt.Sprintf("%s[%d]", path, i)
		switch {
		case i >= len(answered):
			c.differ(at, text(proved[i]), "")
		case i >= len(proved):
			c.differ(at, "", text(answered[i]))
		default:
			c.compare(at, proved[i], answered[i])
		}
	}
}

func (c *Comparison) differ(path, proved, answered string) {
	c.Different = append(c.Different, Difference{path, proved, answered})
}

var (
	indices = regexp.MustCompile(`\[[0-9]+\]`)
	simple  = regexp.MustCompile(`^[0-9a-z_]+$`)
)

// member returns the path of a member. The names in an answer are whatever somebody wrote there.
func member(path, name string) string {
	switch {
	case !simple.MatchString(name):
		return path + "[" + strconv.QuoteToASCII(name) + "]"
	case path == "":
		return name
	}
	return path + "." + name
}

// text returns a value as JSON.
func text(value any) string {
	if _, ok := value.(Exemption); ok {
		return "…"
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(value) != nil { // Unproved is within it
		return "…"
	}
	return strings.TrimSpace(b.String())
}

const (
	longestNumber = 64 // characters
	largestPower  = 64 // of ten
)

// equal compares numbers exactly, as decimal fractions. One of 10^999999999 would take all memory: what is
// beyond every amount equals nothing.
func equal(a, b json.Number) bool {
	x, known := exact(a)
	y, also := exact(b)
	return known && also && x.Cmp(y) == 0
}

func exact(n json.Number) (value *big.Rat, ok bool) {
	if len(n) > longestNumber {
		return nil, false
	}
	if at := strings.IndexAny(string(n), "eE"); at >= 0 {
		if power, err := strconv.Atoi(string(n[at+1:])); err != nil || power > largestPower || power < -largestPower {
			return nil, false
		}
	}
	return new(big.Rat).SetString(string(n))
}
