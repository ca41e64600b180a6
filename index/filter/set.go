package filter

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"razao/index/term"
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

// each hands on what setOf has written.
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

// size returns how many conditions there are, or one for none.
func (s Set) size() int { return strings.Count(s.text, "&") + 1 }

// unescaped is the inverse of url.QueryEscape, which hardly any value needs.
func unescaped(s string) string {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s
	}
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
	if !slices.ContainsFunc(names, s.Has) {
		return s
	}
	return setOf(slices.DeleteFunc(s.conditions(), func(c condition) bool { return slices.Contains(names, c.name) }))
}

// Values returns the values of a filter, excluded ones with their "-".
func (s Set) Values(name string) []string {
	var values []string
	for other, value := range s.each {
		if other == name {
			values = append(values, value)
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
func (s Set) Has(name string) bool {
	for other := range s.each {
		if other == name {
			return true
		}
	}
	return false
}

// Parameters returns the conditions as parameters of an address.
func (s Set) Parameters() url.Values {
	v := url.Values{}
	for name, value := range s.each {
		v.Add(name, value)
	}
	return v
}

// Activity returns the activity that the set chooses: a division, group or class; of a subclass, and of several values, the division that
// they belong to. "" when there is none: it is not chosen, or by section alone.
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

// AsksContact says whether what the filters leave depends on which contacts are hidden.
func (s Set) AsksContact() bool {
	return slices.ContainsFunc([]string{Bairro, CEP, DDD, Telephone, Email, Domain}, s.Has)
}

// looksAt are the sources whose records decide what filters leave, but for those that name sources.
var looksAt = map[string][]string{
	DebtFrom: {"pgfn"}, DebtTo: {"pgfn"}, Sanction: {"ceis", "cnep"}, ContractsFrom: {"pncp"}, ContractsTo: {"pncp"}, ContractsYear: {"pncp"},
	LoansFrom: {"bndes"}, LoansTo: {"bndes"}, LoansYear: {"bndes"},
}

// Sources returns the ids of the sources whose records decide what the filters leave, in order.
func (s Set) Sources() []string {
	var ids []string
	for name, value := range s.each {
		if name == Source || name == SourceAll {
			ids = append(ids, strings.TrimPrefix(value, "-"))
		}
		ids = append(ids, looksAt[name]...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
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
	var lower *group
	groups := s.groups()
	for i := range groups {
		g := &groups[i]
		if err := g.validate(); err != nil {
			return err
		}
		if g.Kind != Bound {
			continue
		}
		if !g.bound.upper {
			lower = g
		} else if lower != nil && position(lower.Name)+1 == position(g.Name) && g.bound.number(g.any[0]) < lower.bound.number(lower.any[0]) {
			return &Error{g.Name, g.any[0]}
		}
	}
	return nil
}

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
			if !g.valid(value) {
				return &Error{g.Name, value}
			}
		}
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
	if s.text == "" {
		return nil
	}
	all := make([]group, 0, s.size())
	room := make([]string, s.size()) // for the first value of each, mostly the only one
	for name, value := range s.each {
		if len(all) == 0 || all[len(all)-1].name != name {
			g := group{name: name}
			if at := position(name); at < len(declared) {
				g.Filter = &declared[at]
			}
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
