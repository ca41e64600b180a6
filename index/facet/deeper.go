package facet

import (
	"slices"
	"strings"

	"razao/index/filter"
)

// Below is the facet that leads from a chosen activity down: it counts the activities one level below, or beside one that is a subclass.
const Below = "cnae_abaixo"

// Deeper counts the activities one level below one of the CNAE. Not safe for concurrent use.
type Deeper struct {
	Activity string // of which the others are parts
	digits   int    // of these
	counts   map[string]int64
}

// levels are how many digits a division, group, class and subclass have.
var levels = [...]int{2, 3, 5, 7}

// DeeperThan returns the counter for the activity that filters choose, nil when there is none or no common one. Of a subclass, and of several
// activities, it is what they belong to.
func DeeperThan(s filter.Set) *Deeper {
	chosen := slices.DeleteFunc(s.Values(filter.CNAE), func(v string) bool { return strings.HasPrefix(v, "-") })
	if len(chosen) == 0 {
		return nil
	}
	activity := chosen[0]
	if len(chosen) > 1 || below(activity) == 0 {
		activity = parent(activity)
		if slices.ContainsFunc(chosen, func(v string) bool { return parent(v) != activity }) {
			return nil
		}
	}
	if below(activity) == 0 {
		return nil
	}
	return &Deeper{Activity: activity, digits: below(activity), counts: map[string]int64{}}
}

// below returns how many digits the parts of an activity have, 0 when it has none that are told apart: a subclass, or a section.
func below(activity string) int {
	for i, digits := range levels[:len(levels)-1] {
		if len(activity) == digits {
			return levels[i+1]
		}
	}
	return 0
}

// parent returns what an activity is part of, "" for divisions.
func parent(activity string) string {
	for i, digits := range levels[1:] {
		if len(activity) == digits {
			return activity[:levels[i]]
		}
	}
	return ""
}

// Has says whether an activity that begins like Activity is counted.
func (d *Deeper) Has(code string) bool { return len(code) == d.digits }

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
