package filter

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Set is conditions that must all hold. It can be compared and be the key of a map: two Sets of the same conditions are equal,
// in whatever order they were given. The zero Set narrows nothing.
type Set struct {
	text string // parameters of an address, by the order of declared and then by value, none twice
}

// MaxValues is how many values one filter takes.
const MaxValues = 100

// Of returns the conditions that are given as names and values in turn; "" is no condition. They may be wrong: see Validate.
func Of(pairs ...string) Set {
	var all []condition
	for i := 0; i+1 < len(pairs); i += 2 {
		all = append(all, condition{pairs[i], pairs[i+1]})
	}
	return setOf(all)
}

// condition is a filter's name and a value, behind "-" when it is excluded.
type condition struct{ name, value string }

func setOf(all []condition) Set {
	all = slices.DeleteFunc(all, func(c condition) bool { return c.value == "" })
	slices.SortFunc(all, func(a, b condition) int {
		return cmp.Or(cmp.Compare(position(a.name), position(b.name)), strings.Compare(a.name, b.name), strings.Compare(a.value, b.value))
	})
	var b strings.Builder
	for i, c := range slices.Compact(all) {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(c.name) + "=" + url.QueryEscape(c.value))
	}
	return Set{b.String()}
}

// conditions reads what setOf has written.
func (s Set) conditions() []condition {
	if s.text == "" {
		return nil
	}
	all := make([]condition, 0, strings.Count(s.text, "&")+1)
	for part := range strings.SplitSeq(s.text, "&") {
		name, value, _ := strings.Cut(part, "=")
		all = append(all, condition{unescaped(name), unescaped(value)})
	}
	return all
}

// unescaped is the inverse of url.QueryEscape, which hardly any value needs.
func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// String returns the conditions as parameters of an address.
func (s Set) String() string { return s.text }

// Empty says that nothing is narrowed.
func (s Set) Empty() bool { return s.text == "" }

// Add returns the set with one more condition.
func (s Set) Add(name, value string) Set {
	return setOf(append(s.conditions(), condition{name, value}))
}

// With returns the set with a filter's only value, whatever it had before; "" is none.
func (s Set) With(name, value string) Set { return s.Without(name).Add(name, value) }

// Drop returns the set without one condition.
func (s Set) Drop(name, value string) Set {
	return setOf(slices.DeleteFunc(s.conditions(), func(c condition) bool { return c == condition{name, value} }))
}

// Without returns the set without the conditions of some filters.
func (s Set) Without(names ...string) Set {
	all := s.conditions()
	left := slices.DeleteFunc(all, func(c condition) bool { return slices.Contains(names, c.name) })
	if len(left) == len(all) {
		return s
	}
	return setOf(left)
}

// Values returns the values of a filter, excluded ones with their "-".
func (s Set) Values(name string) []string {
	var values []string
	for _, c := range s.conditions() {
		if c.name == name {
			values = append(values, c.value)
		}
	}
	return values
}

// Value returns the value of a filter that has one and excludes none, "" for others.
func (s Set) Value(name string) string {
	if values := s.Values(name); len(values) == 1 && !strings.HasPrefix(values[0], "-") {
		return values[0]
	}
	return ""
}

// Has says whether the set narrows by a filter.
func (s Set) Has(name string) bool { return len(s.Values(name)) > 0 }

// Parameters returns the conditions as parameters of an address.
func (s Set) Parameters() url.Values {
	v := url.Values{}
	for _, c := range s.conditions() {
		v.Add(c.name, c.value)
	}
	return v
}

// Error says that a filter has a value that cannot exist.
type Error struct {
	Field string // the name of a filter, or "ordem"
	Value string
}

func (e *Error) Error() string { return fmt.Sprintf("filter %s cannot be %q", e.Field, e.Value) }

// Validate returns an *Error for the first value that cannot exist, nil when all can. Codes that may exist but that no
// establishment has are valid: they find nothing.
func (s Set) Validate() error {
	for _, g := range s.groups() {
		all := append(g.any, g.none...)
		first := cmp.Or(append(slices.Clone(g.any), "-")[0], "-")
		switch {
		case g.Filter == nil:
			return &Error{g.name, first}
		case len(all) > MaxValues, g.Kind == Bound && len(all) > 1:
			return &Error{g.Name, fmt.Sprintf("%d values", len(all))}
		case g.Kind == Bound && len(g.none) > 0:
			return &Error{g.Name, "-" + g.none[0]}
		}
		for _, value := range all {
			if !g.valid(value) {
				return &Error{g.Name, value}
			}
		}
	}
	if from, to := s.Value(YearFrom), s.Value(YearTo); to != "" && to < from {
		return &Error{YearTo, to}
	}
	return nil
}

// group is what is asked of one filter.
type group struct {
	*Filter // nil for an unknown name
	name    string
	any     []string // values of which one has to be there
	none    []string // values of which none may
}

// groups returns the conditions by their filters, in the order in which these are declared.
func (s Set) groups() []group {
	var all []group
	for _, c := range s.conditions() {
		if len(all) == 0 || all[len(all)-1].name != c.name {
			g := group{name: c.name}
			if at := position(c.name); at < len(declared) {
				g.Filter = &declared[at]
			}
			all = append(all, g)
		}
		g := &all[len(all)-1]
		if value, excluded := strings.CutPrefix(c.value, "-"); excluded {
			g.none = append(g.none, value)
		} else {
			g.any = append(g.any, value)
		}
	}
	return all
}
