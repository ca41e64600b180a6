package ask

import (
	"fmt"
	"strings"
	"time"

	"razao/internal/bench/questions"
	"razao/internal/bench/report"
)

// indexGoals are the goals for the 99th percentile of all queries of a class.
var indexGoals = []struct {
	class string
	most  time.Duration
}{
	{questions.Completion, time.Millisecond},
	{questions.Search, 2 * time.Millisecond},
	{questions.Listing, time.Millisecond},
	{questions.Totals, 3 * time.Millisecond},
}

const goalRate = 5000 // queries of the mixture for each CPU second

// Goals adds the goals of each class, by wall time and by CPU time, and the rate of the mixture.
func (x *Index) Goals(t *report.Table) {
	for _, goal := range indexGoals {
		for _, class := range x.classes {
			if class.name == goal.class {
				p99, cpu := class.all().took.Percentile(99), class.all().thread.Percentile(99)
				t.Row(goal.class+" in the index, p99", report.Millis(goal.most),
					verdict(p99 <= goal.most, report.Millis(p99))+", CPU "+verdict(cpu <= goal.most, report.Millis(cpu)))
			}
		}
	}
	t.Row("mixture in the index, queries for each CPU second", "at least "+report.Count(goalRate),
		verdict(x.mixture.rate() >= goalRate, report.Count(x.mixture.rate())))
}

// verdict sets a figure that misses its goal in bold.
func verdict(reached bool, figure string) string {
	if reached {
		return figure
	}
	return "**" + figure + "**"
}

// Section writes a table for each class with a row for each kind, and one for the mixture.
func (x *Index) Section(p *report.Page) {
	p.Section("Inside the index")
	p.Line("%s documents in %s, %.0f B each; opened and read once in %s. One goroutine, files in memory, %d hits with the exact total up "+
		"to its limit; completions %d. CPU is that of the asking thread alone: unlike the clock it stands still while another program "+
		"has the processor, and it leaves out what the garbage collector does beside it, which the rates for a CPU second hold.",
		report.Count(x.docs), report.Megabytes(x.bytes), report.Ratio(x.bytes, x.docs), report.Seconds(x.opened),
		questions.Hits, questions.Completions)
	for _, class := range x.classes {
		p.Line("**%s**", class.name)
		queryTable(p, class.kinds)
	}
	p.Line("**mixture**: %s; the kinds of a class in equal parts.", x.shares())
	queryTable(p, []queryRun{x.mixture})
}

// shares describes the composition of the mixture.
func (x *Index) shares() string {
	var shares []string
	for _, class := range x.classes {
		if class.share > 0 {
			shares = append(shares, fmt.Sprintf("%d %% %s", class.share, class.name))
		}
	}
	return strings.Join(shares, ", ")
}

func queryTable(p *report.Page, runs []queryRun) {
	t := report.Table{Head: []string{"Query", "Asked", "With hits", "p50", "p95", "p99", "max", "CPU p50", "CPU p99", "A CPU second"}}
	for _, run := range runs {
		asked := len(run.took)
		t.Row(run.name, report.Count(asked), report.Percent(report.Ratio(run.found, asked)), report.Millis(run.took.Percentile(50)),
			report.Millis(run.took.Percentile(95)), report.Millis(run.took.Percentile(99)), report.Millis(run.took.Max()),
			report.Millis(run.thread.Percentile(50)), report.Millis(run.thread.Percentile(99)), report.Count(run.rate()))
	}
	p.Table(&t)
}

// rate is the number of queries for each second of the process's CPU time.
func (run *queryRun) rate() int64 {
	if run.cpu <= 0 {
		return 0
	}
	return int64(float64(len(run.took)) / run.cpu.Seconds())
}
