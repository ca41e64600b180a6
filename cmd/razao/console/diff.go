package console

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"razao/internal/data/record"
	"razao/internal/store/registry"
)

// WriteDiff writes two loads of one source side by side for people: rows, records, what rules took,
// stages and files, with the differences.
func WriteDiff(out io.Writer, was, now *registry.Load) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\tload %d\tload %d\tdifference\n", now.Source, was.ID, now.ID)
	fmt.Fprintf(w, "period\t%s\t%s\n", cmp.Or(was.Period, "-"), cmp.Or(now.Period, "-"))
	number := func(name string, a, b int64) { fmt.Fprintf(w, "%s\t%d\t%d\t%s\n", name, a, b, delta(a, b)) }
	number("rows read", was.RowsRead, now.RowsRead)
	number("rows loaded", was.RowsLoaded, now.RowsLoaded)
	number("rows discarded", was.RowsDiscarded, now.RowsDiscarded)
	number("rows rejected", was.RowsRejected, now.RowsRejected)
	number("bytes in the store", was.StoreBytes, now.StoreBytes)
	fmt.Fprintln(w, "records")
	before := tables(&was.Counts)
	for i, kept := range tables(&now.Counts) {
		if kept.n > 0 || before[i].n > 0 {
			number("  "+kept.name, before[i].n, kept.n)
		}
	}
	diffRules(w, was, now)
	diffStages(w, was.Stages, now.Stages)
	fmt.Fprintln(w, "files")
	for _, f := range diffFiles(was.Provenance.Arquivos, now.Provenance.Arquivos) {
		fmt.Fprintf(w, "  %s\t%d\t%d\t%s\n", f.name, f.was, f.now, f.state)
	}
	return w.Flush()
}

// delta formats a difference, with its share of the former number if that is not 0.
func delta(was, now int64) string {
	switch {
	case was == now:
		return "="
	case was == 0:
		return fmt.Sprintf("%+d", now)
	}
	return fmt.Sprintf("%+d (%+.1f %%)", now-was, 100*float64(now-was)/float64(was))
}

// diffRules writes how many rows each rule took, with their share of all rows read: a share that
// jumps is the sign of a changed format.
func diffRules(w io.Writer, was, now *registry.Load) {
	before := rules(&was.Counts)
	for i, group := range rules(&now.Counts) {
		names := slices.Collect(maps.Keys(group.counts))
		names = slices.AppendSeq(names, maps.Keys(before[i].counts))
		slices.Sort(names)
		if len(names) > 0 {
			fmt.Fprintln(w, group.title)
		}
		for _, name := range slices.Compact(names) {
			a, b := before[i].counts[name], group.counts[name]
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", name, withShare(a, was.RowsRead), withShare(b, now.RowsRead), delta(a, b))
		}
	}
}

func withShare(n, of int64) string {
	return fmt.Sprintf("%d (%.2f %%)", n, 100*float64(n)/float64(max(of, 1)))
}

// diffStages writes the seconds of each stage in both loads, "-" where a load lacks the stage or
// did not record it.
func diffStages(w io.Writer, was, now []registry.Stage) {
	was, now = byName(was), byName(now)
	var names []string
	for _, s := range slices.Concat(now, was) {
		if !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	if len(names) > 0 {
		fmt.Fprintln(w, "seconds")
	}
	for _, name := range names {
		a, b := stageNamed(was, name), stageNamed(now, name)
		fmt.Fprintf(w, "  %s\t%s\t%s", name, took(a), took(b))
		if a != nil && b != nil {
			fmt.Fprintf(w, "\t%+.1f", b.Seconds-a.Seconds)
		}
		fmt.Fprintln(w)
	}
}

// stageNamed returns the stage with a name, or nil.
func stageNamed(stages []registry.Stage, name string) *registry.Stage {
	i := slices.IndexFunc(stages, func(s registry.Stage) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &stages[i]
}

func took(s *registry.Stage) string {
	if s == nil {
		return "-"
	}
	return seconds(s.Seconds) + ", CPU " + seconds(s.CPUSeconds)
}

// fileDiff is a published file that is in one load or in both.
type fileDiff struct {
	name     string
	state    string
	was, now int64 // bytes
}

// diffFiles compares files by name and SHA-256. It returns the files of now in their order, then
// those that are gone.
func diffFiles(was, now []record.SourceFile) []fileDiff {
	before := map[string]record.SourceFile{}
	for _, f := range was {
		before[f.Nome] = f
	}
	var all []fileDiff
	for _, f := range now {
		former, met := before[f.Nome]
		delete(before, f.Nome)
		d := fileDiff{f.Nome, "changed", former.Bytes, f.Bytes}
		if !met {
			d.state = "added"
		} else if former.SHA256 == f.SHA256 {
			d.state = "same SHA-256"
		}
		all = append(all, d)
	}
	for _, f := range was {
		if _, gone := before[f.Nome]; gone {
			all = append(all, fileDiff{f.Nome, "gone", f.Bytes, 0})
		}
	}
	return all
}
