package filter

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"razao/index/term"
)

// Set is a conjunction of conditions. It is an immutable value in canonical form: Sets with the
// same conditions are equal under == in whatever order these were added, so a Set can be the key of
// a map. The zero Set narrows nothing. A Set may hold unknown names and impossible values until
// Validate has accepted it.
type Set struct {
	text string // escaped query string, sorted by position in declared and by value, without duplicates
}

// MaxValues is the number of values that one filter takes, excluded ones included.
const MaxValues = 100

// Of returns the conditions given as alternating names and values. Empty values and a name without
// a value are dropped; nothing is validated.
func Of(pairs ...string) Set {
	var all []condition
	for i := 0; i+1 < len(pairs); i += 2 {
		all = append(all, condition{pairs[i], pairs[i+1]})
	}
	return setOf(all)
}

// condition is the name of a filter and a value, with its "-" when it is excluded.
type condition struct{ name, value string }

// setOf brings conditions into canonical form; it reorders all in place.
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

// each iterates over the conditions in canonical order. It parses the text on the fly instead of
// keeping a slice, which would make Sets incomparable.
func (s Set) each(yield func(name, value string) bool) {
	for rest := s.text; rest != ""; {
		var part string
		part, rest, _ = strings.Cut(rest, "&")
		name, value, _ := strings.Cut(part, "=")
		if !yield(unescaped(name), unescaped(value)) {
			return
		}
	}
}

func (s Set) conditions() []condition {
	all := make([]condition, 0, s.size()+1)
	for name, value := range s.each {
		all = append(all, condition{name, value})
	}
	return all
}

// size returns the number of conditions, but 1 for the empty set: it is used as a capacity only.
func (s Set) size() int { return strings.Count(s.text, "&") + 1 }

// unescaped is the inverse of url.QueryEscape with a fast path, since hardly any value needs it.
func unescaped(s string) string {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s
	}
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// String returns the conditions as the canonical query string of an address.
func (s Set) String() string { return s.text }

// Empty reports whether the set has no condition.
func (s Set) Empty() bool { return s.text == "" }

// Add returns the set with one more condition; an empty value adds none.
func (s Set) Add(name, value string) Set {
	return setOf(append(s.conditions(), condition{name, value}))
}

// With returns the set with value as the filter's only value; an empty value removes the filter.
func (s Set) With(name, value string) Set { return s.Without(name).Add(name, value) }

// Drop returns the set without one condition. The value carries its "-" when it is excluded.
func (s Set) Drop(name, value string) Set {
	return setOf(slices.DeleteFunc(s.conditions(), func(c condition) bool { return c == condition{name, value} }))
}

// Without returns the set without all conditions of the named filters.
func (s Set) Without(names ...string) Set {
	if !slices.ContainsFunc(names, s.Has) {
		return s
	}
	return setOf(slices.DeleteFunc(s.conditions(), func(c condition) bool { return slices.Contains(names, c.name) }))
}

// Values returns the values of a filter in order, excluded ones with their "-"; nil when it has
// none.
func (s Set) Values(name string) []string {
	var values []string
	for other, value := range s.each {
		if other == name {
			values = append(values, value)
		}
	}
	return values
}

// Value returns the value of a filter that has exactly one, not excluded; "" otherwise.
func (s Set) Value(name string) string {
	if values := s.Values(name); len(values) == 1 && !strings.HasPrefix(values[0], "-") {
		return values[0]
	}
	return ""
}

// Has reports whether the set has a condition of the filter, included or excluded.
func (s Set) Has(name string) bool {
	for other := range s.each {
		if other == name {
			return true
		}
	}
	return false
}

// Parameters returns the conditions as url.Values, a map of the caller's own.
func (s Set) Parameters() url.Values {
	v := url.Values{}
	for name, value := range s.each {
		v.Add(name, value)
	}
	return v
}

// Activity returns the economic activity that the set as a whole is about: the division, group or
// class that CNAE chooses; for a subclass, or several values of one division, that division. It is
// "" when no main activity is chosen, only a section is, or the values span divisions. Excluded
// values do not count.
func (s Set) Activity() string {
	activity := ""
	for _, value := range s.Values(CNAE) {
		switch {
		case strings.HasPrefix(value, "-"):
		case len(value) < term.DivisionDigits, activity != "" && value[:term.DivisionDigits] != activity[:term.DivisionDigits]:
			return ""
		case activity != "" || len(value) == term.SubclassDigits:
			activity = value[:term.DivisionDigits]
		default:
			activity = value
		}
	}
	return activity
}

// AsksContact reports whether a filter reads contacts, so that establishments whose contact is
// hidden on request must be taken out of the result.
func (s Set) AsksContact() bool {
	for name := range s.each {
		if f := declaration(name); f != nil && f.contact {
			return true
		}
	}
	return false
}

// WithoutSought returns the set without the filters that look for contacts, and whether it had any. Those of natural persons are
// not searched, so whether these pass is not known: see Unsought.
func (s Set) WithoutSought() (rest Set, sought bool) {
	rest = s
	for name := range s.each {
		if f := declaration(name); f != nil && f.seeksContact() {
			rest = rest.Without(name)
		}
	}
	return rest, rest != s
}

// Sources returns the ids of the sources whose records decide the result, sorted and without
// duplicates.
func (s Set) Sources() []string {
	var ids []string
	for name, value := range s.each {
		if name == Source || name == SourceAll {
			ids = append(ids, strings.TrimPrefix(value, "-"))
		}
		if f := declaration(name); f != nil {
			ids = append(ids, f.sources...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Error reports a filter with an impossible value. API and pages show it to the caller.
type Error struct {
	Field string // the name of a filter, or "ordem"
	Value string
}

// Error describes the field and the value in English, for logs.
func (e *Error) Error() string { return fmt.Sprintf("filter %s cannot be %q", e.Field, e.Value) }

// Validate returns an *Error for the first condition that is impossible: an unknown filter, a value
// outside the domain, more than MaxValues, several values or an exclusion where the Kind has none,
// or a range whose end is before its beginning. A well-formed code that no establishment has is
// valid and finds nothing.
func (s Set) Validate() error { return validate(s.groups()) }

func validate(groups []group) error {
	var lower *group
	for i := range groups {
		g := &groups[i]
		if err := g.validate(); err != nil {
			return err
		}
		if g.Kind != Bound {
			continue
		}
		if !g.upper {
			lower = g
		} else if lower != nil && position(lower.Name)+1 == position(g.Name) && g.end(g.any[0]) < lower.end(lower.any[0]) {
			return &Error{g.Name, g.any[0]}
		}
	}
	return nil
}

// validate checks the values of one filter; ranges are for Validate, which sees both ends.
func (g *group) validate() error {
	switch n := len(g.any) + len(g.none); {
	case g.Filter == nil:
		return &Error{g.name, strings.Join(g.any, " ")}
	case n > MaxValues, g.Kind == Bound && n > 1:
		return &Error{g.Name, fmt.Sprintf("%d values", n)}
	case (g.Kind == Bound || g.Kind == Every) && len(g.none) > 0:
		return &Error{g.Name, "-" + g.none[0]}
	}
	for _, values := range [...][]string{g.any, g.none} {
		for _, value := range values {
			if !g.takes(value) {
				return &Error{g.Name, value}
			}
		}
	}
	return nil
}

// group is the conditions of one filter.
type group struct {
	*Filter // nil for an unknown name
	name    string
	any     []string // values of which one must match
	none    []string // values of which none may, without their "-"
}

// groups returns the conditions by filter, in canonical order. Each group's first slice is carved
// from one allocation, because nearly all filters have a single value.
func (s Set) groups() []group {
	if s.text == "" {
		return nil
	}
	all := make([]group, 0, s.size())
	room := make([]string, s.size()) // capacity 1 for each group
	for name, value := range s.each {
		if len(all) == 0 || all[len(all)-1].name != name {
			g := group{Filter: declaration(name), name: name}
			first := room[len(all) : len(all) : len(all)+1]
			if g.any = first; value[0] == '-' {
				g.any, g.none = nil, first
			}
			all = append(all, g)
		}
		g := &all[len(all)-1]
		if plain, excluded := strings.CutPrefix(value, "-"); excluded {
			g.none = append(g.none, plain)
		} else {
			g.any = append(g.any, value)
		}
	}
	return all
}
