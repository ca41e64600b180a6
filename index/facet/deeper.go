package facet

import (
	"slices"

	"razao/index/filter"
	"razao/index/term"
)

// Below is the name of the facet for drilling down from a chosen activity of the CNAE: the
// subclasses of filter.Set.Activity. It comes beside those of [List].
const Below = "cnae_abaixo"

// Deeper counts the subclasses of an activity, main activities only. Not safe for concurrent use.
type Deeper struct {
	Activity string // digits of a division, group or class
	counts   map[string]int64
}

// DeeperThan returns the counter for the activity that filters choose, or nil if they choose none
// (see filter.Set.Activity).
func DeeperThan(s filter.Set) *Deeper {
	activity := s.Activity()
	if activity == "" {
		return nil
	}
	return &Deeper{activity, map[string]int64{}}
}

// Has reports whether a code that begins like Activity is one to count. The index also has terms
// for the groups and classes in between.
func (d *Deeper) Has(code string) bool { return len(code) == term.SubclassDigits }

// Add counts establishments whose main activity is code.
func (d *Deeper) Add(code string, establishments int64) { d.counts[code] += establishments }

// Values returns the subclasses with counts, in the order and up to the number of [Facet.Top];
// never nil.
func (d *Deeper) Values() []Value {
	values := []Value{}
	for code, count := range d.counts {
		if count > 0 {
			values = append(values, Value{code, count})
		}
	}
	slices.SortFunc(values, compareValues)
	return values[:min(len(values), maxValues)]
}
