package main

import "fmt"

// section reports the comparison.
func (v *rivals) section(p *page) {
	p.section("Side by side")
	p.line("The same %s documents of the load in every engine. All are given the same words, folded and parted by our rules, "+
		"in the order of importance. Each engine is asked by one client, files in memory, at most %s queries or %s of each kind.",
		count(int64(v.docs)), count(rivalQueries), seconds(rivalKindTime))
	p.line("What helps the others: they return no more than the page, where ours counts the exact total up to its limit as " +
		"well and says why it matched; their build is handed words already folded, which ours does itself; they are told " +
		"which words are a city and that a name is a partner's; filters and orders have an index each that was made for the " +
		"very question. What hurts them: PostgreSQL is reached through a socket (a few dozen µs) and plans every query anew, " +
		"as it must for words of such different frequencies. The time of SQLite is the CPU time that its `.timer` gives for " +
		"the statement, without the pipe. Counts by UF are one facet for the others, and every facet for ours.")
	for _, missing := range v.missing {
		p.line("Not there: %s.", missing)
	}
	v.builds(p)
	v.latencies(p)
	v.throughput(p)
}

func (v *rivals) builds(p *page) {
	t := table{head: []string{"Build", "Wall", "CPU", "Size", "A document", "CPU, times ours", "Size, times ours"}}
	for _, e := range v.engines {
		ours := v.engines[0]
		t.row(e.name, seconds(e.wall), seconds(e.used), megabytes(e.bytes), fmt.Sprintf("%.0f B", ratio(e.bytes, int64(v.docs))),
			times(e.used, ours.used), fmt.Sprintf("%.1f ×", ratio(e.bytes, ours.bytes)))
	}
	p.table(&t)
	for _, e := range v.engines {
		if e.detail != "" {
			p.line("%s: %s.", e.name, e.detail)
		}
	}
}

// latencies gives p50 / p99 in ms, and how many times ours the others take.
func (v *rivals) latencies(p *page) {
	t := table{head: []string{"p50 / p99, ms"}}
	for i, e := range v.engines {
		t.head = append(t.head, e.name)
		if i > 0 {
			t.head = append(t.head, "p50, times ours", "p99, times ours")
		}
	}
	for k := range v.kinds {
		cells := []string{v.kinds[k]}
		ours := v.runs[k][0].took
		for i, run := range v.runs[k] {
			switch {
			case run == nil:
				cells = append(cells, "cannot", "", "")
			case i == 0:
				cells = append(cells, bothMillis(run.took))
			default:
				cells = append(cells, bothMillis(run.took)+run.note(), times(run.took.percentile(50), ours.percentile(50)),
					times(run.took.percentile(99), ours.percentile(99)))
			}
		}
		t.row(cells...)
	}
	p.table(&t)
}

// note tells of queries that were given up.
func (run *rivalRun) note() string {
	if run.late == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d given up)", run.late)
}

// throughput gives the CPU time of a query, and, so that everybody can see that the engines found the same, how many
// queries found something.
func (v *rivals) throughput(p *page) {
	t := table{head: []string{"CPU each (asked, with hits)"}}
	for _, e := range v.engines {
		t.head = append(t.head, e.name)
	}
	for k := range v.kinds {
		cells := []string{v.kinds[k]}
		for _, run := range v.runs[k] {
			if run == nil {
				cells = append(cells, "")
				continue
			}
			hits := percent(ratio(int64(run.found), int64(len(run.took))))
			cells = append(cells, fmt.Sprintf("%s (%s, %s)", micros(run.each()), count(int64(len(run.took))), hits))
		}
		t.row(cells...)
	}
	p.table(&t)
}
