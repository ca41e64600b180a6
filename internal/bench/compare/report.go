package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const maxGroups = 40 // groups shown of each kind

// kindCount counts the outcomes of the questions of one kind.
type kindCount struct {
	kind                              string
	asked, equal, different, unsteady int // unsteady: different at first, then equal
	statuses                          map[int]int
	groups                            map[string]*group
}

// group counts differences that look alike, and shows one of them.
type group struct {
	difference
	count   int
	steady  int    // of them, those of questions that differed in every try
	example string // the question, the smallest in order
}

// count records the outcome of a question. found are the differences; if unsteady is set, those of
// an earlier try.
func (a *asker) count(q *question, status int, found []difference, unsteady bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	k := a.kinds[q.kind]
	if k == nil {
		k = &kindCount{kind: q.kind, statuses: map[int]int{}, groups: map[string]*group{}}
		a.kinds[q.kind] = k
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
		key, example := strings.Join([]string{d.where, d.opinion, d.shape}, "\x00"), strings.TrimSpace(q.method+" "+q.path+" "+q.body)
		g := k.groups[key]
		if g == nil {
			g = &group{}
			k.groups[key] = g
		}
		if g.count == 0 || example < g.example { // the smallest, whatever the order of answers
			g.difference, g.example = d, example
		}
		g.count++
		if !unsteady {
			g.steady++
		}
	}
}

// Report is the outcome of a comparison.
type Report struct {
	before, after string
	seed          uint64
	kinds         []*kindCount
}

func (r *run) result() *Report {
	kinds := slices.SortedFunc(maps.Values(r.kinds), func(x, y *kindCount) int { return cmp.Compare(x.kind, y.kind) })
	return &Report{before: r.Before, after: r.After, seed: r.Seed, kinds: kinds}
}

// Different returns how many questions had different answers in every try.
func (r *Report) Different() int {
	n := 0
	for _, k := range r.kinds {
		n += k.different
	}
	return n
}

// Markdown renders the report: a table of the kinds of question, and the groups of differences.
func (r *Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s beside %s, seed %d\n\n", r.before, r.after, r.seed)
	b.WriteString("Unsteady: different at first, equal when asked again.\n\n")
	b.WriteString("| Kind | Asked | Equal | Different | Unsteady | Answers |\n|---|--:|--:|--:|--:|---|\n")
	sum := kindCount{kind: "**all**", statuses: map[int]int{}}
	for _, k := range r.kinds {
		k.row(&b)
		sum.asked, sum.equal = sum.asked+k.asked, sum.equal+k.equal
		sum.different, sum.unsteady = sum.different+k.different, sum.unsteady+k.unsteady
		for status, n := range k.statuses {
			sum.statuses[status] += n
		}
	}
	sum.row(&b)
	for _, k := range r.kinds {
		k.details(&b)
	}
	return b.String()
}

func (k *kindCount) row(b *strings.Builder) {
	var statuses []string
	for _, status := range slices.Sorted(maps.Keys(k.statuses)) {
		statuses = append(statuses, fmt.Sprintf("%d × %d", k.statuses[status], status))
	}
	fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %s |\n", k.kind, k.asked, k.equal, k.different, k.unsteady, strings.Join(statuses, ", "))
}

// details writes the groups of differences, the most frequent first.
func (k *kindCount) details(b *strings.Builder) {
	if len(k.groups) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n", k.kind)
	groups := slices.SortedFunc(maps.Values(k.groups), func(x, y *group) int {
		return cmp.Or(cmp.Compare(y.steady, x.steady), cmp.Compare(y.count, x.count), cmp.Compare(x.example, y.example))
	})
	for i, g := range groups {
		if i == maxGroups {
			fmt.Fprintf(b, "\nand %d further groups\n", len(groups)-maxGroups)
			return
		}
		fmt.Fprintf(b, "\n%d × %s", g.count, g.where)
		if g.opinion != "" {
			fmt.Fprintf(b, ", %s", g.opinion)
		}
		if g.steady < g.count {
			fmt.Fprintf(b, ", %d of them unsteady", g.count-g.steady)
		}
		fmt.Fprintf(b, ": `%s`\n\n    before  %q\n    after   %q\n", g.example, g.before, g.after)
	}
}
