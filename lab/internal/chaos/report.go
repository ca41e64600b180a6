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

func (c Count) plus(o Count) Count {
	return Count{c.Asked + o.Asked, c.Wrong + o.Wrong, c.Refused + o.Refused, c.Expected + o.Expected, c.Settling + o.Settling}
}

// Report collects faults by kind. The zero value is ready to use.
type Report struct {
	kinds map[string]*kind
}

type kind struct {
	breaks     Part
	times      int
	count      Count
	recoveries []time.Duration
}

// Add records a fault with the outcomes from its beginning to its recovery, and the time from
// undoing it until everything worked again.
func (r *Report) Add(name string, breaks Part, count Count, recovery time.Duration) {
	if r.kinds == nil {
		r.kinds = map[string]*kind{}
	}
	k := r.kinds[name]
	if k == nil {
		k = &kind{}
		r.kinds[name] = k
	}
	k.breaks |= breaks
	k.times++
	k.count = k.count.plus(count)
	k.recoveries = append(k.recoveries, recovery)
}

// Markdown returns the table of docs/reliability.md, with a row for each kind of fault, sorted by
// name.
func (r *Report) Markdown() string {
	var b strings.Builder
	b.WriteString("| Fault | Times | Breaks | Asked | Wrong | Refused without need | Refused, expected | Refused, settling | Recovery, median | Recovery, max |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|\n")
	row := func(name, breaks string, times int, c Count, recoveries []time.Duration) {
		slices.Sort(recoveries)
		fmt.Fprintf(&b, "| %s | %d | %s | %d | %d | %d | %d | %d | %s | %s |\n",
			name, times, breaks, c.Asked, c.Wrong, c.Refused, c.Expected, c.Settling,
			seconds(recoveries[len(recoveries)/2]), seconds(recoveries[len(recoveries)-1]))
	}
	var all kind
	for _, name := range slices.Sorted(maps.Keys(r.kinds)) {
		k := r.kinds[name]
		row(name, k.breaks.String(), k.times, k.count, k.recoveries)
		all.times, all.count, all.recoveries = all.times+k.times, all.count.plus(k.count), append(all.recoveries, k.recoveries...)
	}
	if all.times > 0 {
		row("All", "", all.times, all.count, all.recoveries)
	}
	return b.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
