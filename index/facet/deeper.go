package facet

import (
	"slices"

	"razao/index/filter"
	"razao/index/term"
)

// Below is the facet that leads from a chosen activity down: the subclasses of filter.Set.Activity.
const Below = "cnae_abaixo"

// Deeper counts the subclasses of an activity. Not safe for concurrent use.
type Deeper struct {
	Activity string
	counts   map[string]int64
}

// DeeperThan returns the counter for what filters choose, nil when there is nothing to count.
func DeeperThan(s filter.Set) *Deeper {
	activity := s.Activity()
	if activity == "" {
		return nil
	}
	return &Deeper{activity, map[string]int64{}}
}

// Has says whether an activity that begins like Activity is counted.
func (d *Deeper) Has(code string) bool { return len(code) == term.SubclassDigits }

// Add counts establishments with a main activity.
func (d *Deeper) Add(code string, establishments int64) { d.counts[code] += establishments }

// Values returns what was counted, as Facet.Top does.
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
