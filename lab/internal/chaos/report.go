package chaos

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Count counts the outcomes of questions.
type Count struct {
	Asked    int // questions
	Wrong    int // answers that were right at no moment between question and answer
	Refused  int // refused without an excuse
	Expected int // refused with the excuse Broken
	Settling int // refused with the excuse Settling
}

// Minus returns the outcomes since an earlier count.
func (c Count) Minus(earlier Count) Count {
	return Count{
		c.Asked - earlier.Asked, c.Wrong - earlier.Wrong, c.Refused - earlier.Refused,
		c.Expected - earlier.Expected, c.Settling - earlier.Settling,
	}
}

// Report collects faults by kind. The zero value is ready to use.
type Report map[string][]fault

type fault struct {
	Count
	breaks   Part
	recovery time.Duration
}

// Add records a fault with the outcomes from its beginning to its recovery, and the time from
// undoing it until everything worked again.
func (r *Report) Add(name string, breaks Part, count Count, recovery time.Duration) {
	if *r == nil {
		*r = Report{}
	}
	f := fault{count, breaks, recovery}
	(*r)[name], (*r)["All"] = append((*r)[name], f), append((*r)["All"], f)
}

// Markdown returns the table of docs/reliability.md, with a row for each kind of fault, sorted by
// name.
func (r *Report) Markdown() string {
	var b strings.Builder
	b.WriteString("| Fault | Times | Breaks | Asked | Wrong | Refused without need | Refused, expected | Refused, settling | Recovery, median | Recovery, max |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(*r)) {
		var breaks Part
		var sum Count
		var recoveries []time.Duration
		for _, f := range (*r)[name] {
			breaks |= f.breaks
			sum = sum.Minus(Count{}.Minus(f.Count))
			recoveries = append(recoveries, f.recovery)
		}
		slices.Sort(recoveries)
		fmt.Fprintf(&b, "| %s | %d | %s | %d | %d | %d | %d | %d | %.1f s | %.1f s |\n",
			name, len(recoveries), breaks, sum.Asked, sum.Wrong, sum.Refused, sum.Expected, sum.Settling,
			recoveries[len(recoveries)/2].Seconds(), recoveries[len(recoveries)-1].Seconds())
	}
	return b.String()
}
