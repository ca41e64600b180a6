package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// kindCount counts the outcomes of one kind of question.
type kindCount struct {
	kind                              string
	asked, equal, different, unsteady int // unsteady: different at first, then equal
	statuses                          map[int]int
}

// group is a set of differences that look alike.
type group struct {
	difference
	steady    int // of them, those that every try had
	questions []string
}

// record counts the outcome of a question. found are the differences, of an earlier try if it was
// unsteady.
func (r *run) record(q *question, status int, found []difference, unsteady bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked++
	k := r.kinds[q.kind]
	if k == nil {
		k = &kindCount{kind: q.kind, statuses: map[int]int{}}
		r.kinds[q.kind] = k
	}
	k.asked++
	k.statuses[status]++
	switch {
	case unsteady:
		k.unsteady++
	case len(found) > 0:
		k.different++
	default:
		k.equal++
	}
	for _, d := range found {
		key := d.where + "\x00" + cmp.Or(d.shape, digits.ReplaceAllString(d.before+"\x00"+d.after, "0"))
		g := r.groups[key]
		if g == nil {
			g = &group{difference: d}
			r.groups[key] = g
		}
		if !unsteady {
			g.steady++
		}
		g.questions = append(g.questions, strings.TrimSpace(q.kind+": "+q.method+" "+q.path[0]+" "+q.body[0]))
	}
}

// report returns the table of kinds and the groups of differences, each with all its questions, and
// how many questions had different answers in every try.
func (r *run) report() (text string, different int) {
	var out strings.Builder
	fmt.Fprintf(&out, "%s and %s, seed %d\n\n", r.builds[0], r.builds[1], r.seed)
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "kind\tasked\tequal\tdifferent\tunsteady\tanswers")
	all := &kindCount{kind: "all", statuses: map[int]int{}}
	row := func(k *kindCount) {
		var statuses []string
		for _, status := range slices.Sorted(maps.Keys(k.statuses)) {
			statuses = append(statuses, fmt.Sprintf("%d × %d", k.statuses[status], status))
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%s\n", k.kind, k.asked, k.equal, k.different, k.unsteady, strings.Join(statuses, ", "))
	}
	for _, kind := range slices.Sorted(maps.Keys(r.kinds)) {
		k := r.kinds[kind]
		row(k)
		all.asked, all.equal, all.different, all.unsteady = all.asked+k.asked, all.equal+k.equal, all.different+k.different, all.unsteady+k.unsteady
		for status, n := range k.statuses {
			all.statuses[status] += n
		}
	}
	row(all)
	_ = table.Flush() // into memory
	for _, g := range slices.SortedFunc(maps.Values(r.groups), func(x, y *group) int {
		return cmp.Or(cmp.Compare(y.steady, x.steady), cmp.Compare(len(y.questions), len(x.questions)), cmp.Compare(x.questions[0], y.questions[0]))
	}) {
		fmt.Fprintf(&out, "\n%d × %s, %d of them unsteady\n    before  %q\n    after   %q\n", len(g.questions), g.where, len(g.questions)-g.steady,
			g.before, g.after)
		slices.Sort(g.questions)
		for _, q := range g.questions {
			fmt.Fprintf(&out, "  %s\n", q)
		}
	}
	return out.String(), all.different
}
