package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// suiteReport collects what the search suite measured.
type suiteReport struct {
	options *options
	machine string
	skipped []string // sizes, and why
	sizes   []*sizeRun
	rivals  *rivals // nil: not compared
}

func (r *suiteReport) skip(format string, args ...any) {
	r.skipped = append(r.skipped, fmt.Sprintf(format, args...))
	say("skipped: "+format, args...)
}

// nothing is the error of a run that measured no size, nil when another error says why.
func (r *suiteReport) nothing() error {
	if len(r.skipped) == 0 {
		return nil
	}
	return errors.New("nothing was measured: " + strings.Join(r.skipped, "; "))
}

func (r *suiteReport) markdown() string {
	p := &page{}
	p.line("%s. `%s`", r.machine, r.options.suiteCommand())
	for _, skipped := range r.skipped {
		p.line("Skipped: %s.", skipped)
	}
	r.loadSection(p)
	r.goalSection(p)
	r.mixtureSection(p)
	r.growthSection(p)
	for _, size := range r.sizes {
		size.section(p)
	}
	if r.rivals != nil {
		r.rivals.section(p)
	}
	return p.text.String()
}

func (o *options) suiteCommand() string {
	var sizes []string
	for _, n := range o.sizes {
		sizes = append(sizes, strconv.Itoa(n))
	}
	return fmt.Sprintf("bench -only %s -sizes %s -compare %d -http=%t -workers %d -duration %s -queries %d",
		partSuite, strings.Join(sizes, ","), o.compare, o.http, o.workers, o.duration, o.queries)
}

func (r *suiteReport) loadSection(p *page) {
	p.section("What was searched")
	t := table{head: []string{"Companies", "Documents", "Index", "A document", "CPU for the index", "CPU, a million documents"}}
	for _, s := range r.sizes {
		cpu, each := "", ""
		if s.loaded != nil {
			used := s.loaded.use().index()
			cpu, each = seconds(used), seconds(s.loaded.perDocs(used))
		}
		t.row(count(int64(s.roots)), count(s.docs), megabytes(s.indexBytes),
			fmt.Sprintf("%.0f B", ratio(s.indexBytes, s.docs)), cpu, each)
	}
	p.table(&t)
}

// suiteGoal is a promise about a class of queries: 99 of 100 take at most so long.
type suiteGoal struct {
	class string
	most  time.Duration
}

func suiteGoals() []suiteGoal {
	return []suiteGoal{
		{"completion", time.Millisecond},
		{"search", 2 * time.Millisecond},
		{"listing", time.Millisecond},
		{"exact totals", 3 * time.Millisecond},
	}
}

const (
	goalHTTP = 10 * time.Millisecond
	goalRate = 5000 // queries of the mixture for each CPU second
)

func (r *suiteReport) goalSection(p *page) {
	t := table{head: []string{"Goal", "Wanted"}}
	for _, s := range r.sizes {
		t.head = append(t.head, count(int64(s.roots)))
	}
	for _, goal := range suiteGoals() {
		r.goalRow(&t, goal.class+" in the index, p99", "≤ "+millis(goal.most), func(s *sizeRun) string {
			class := s.class(goal.class)
			if class == nil {
				return ""
			}
			p99, cpu := class.all().took.percentile(99), class.all().thread.percentile(99)
			return verdict(p99 <= goal.most, millis(p99)) + ", CPU " + verdict(cpu <= goal.most, millis(cpu))
		})
	}
	r.goalRow(&t, "mixture in the index, queries for each CPU second", "≥ "+count(goalRate), func(s *sizeRun) string {
		return verdict(s.mixture.rate() >= goalRate, count(s.mixture.rate()))
	})
	if r.options.http {
		r.goalOverHTTP(&t)
	}
	p.section("Goals")
	p.line("%s", cpuNote)
	p.table(&t)
}

// cpuNote says what the figures of CPU are.
const cpuNote = "CPU is that of the asking thread alone: unlike the clock it stands still while another program has the processor, " +
	"and it leaves out what the garbage collector does beside it, which the rates for a CPU second hold."

func (r *suiteReport) goalOverHTTP(t *table) {
	conns := r.options.conns[len(r.options.conns)/2]
	overHTTP := fmt.Sprintf("through HTTP with records, %d connections, slowest p99", conns)
	r.goalRow(t, overHTTP, "≤ "+millis(goalHTTP), func(s *sizeRun) string {
		if s.trouble != nil {
			return "failed"
		}
		p99 := s.slowest(conns)
		return verdict(p99 <= goalHTTP, millis(p99))
	})
}

func (r *suiteReport) goalRow(t *table, name, wanted string, measured func(*sizeRun) string) {
	cells := []string{name, wanted}
	for _, s := range r.sizes {
		cells = append(cells, measured(s))
	}
	t.row(cells...)
}

// verdict marks a figure that misses its goal.
func verdict(reached bool, figure string) string {
	if reached {
		return figure
	}
	return "**" + figure + "**"
}

// slowest is the largest p99 of the kinds of request.
func (s *sizeRun) slowest(conns int) time.Duration {
	var p99 time.Duration
	for _, run := range s.http {
		if run.conns == conns {
			p99 = max(p99, run.took.percentile(99))
		}
	}
	return p99
}

func (s *sizeRun) class(name string) *classRun {
	for i := range s.classes {
		if s.classes[i].name == name {
			return &s.classes[i]
		}
	}
	return nil
}

// rate is how many queries a CPU second answers.
func (run *queryRun) rate() int64 {
	if run.cpu <= 0 {
		return 0
	}
	return int64(float64(len(run.took)) / run.cpu.Seconds())
}

func (r *suiteReport) mixtureSection(p *page) {
	p.section("The mixture")
	p.line("%s; the kinds of a class in equal parts. One goroutine, no pauses.", r.shares())
	t := table{head: append([]string{"Companies"}, queryHead()...)}
	for _, s := range r.sizes {
		t.row(append([]string{count(int64(s.roots))}, s.mixture.cells()...)...)
	}
	p.table(&t)
	p.line("Cold: the files of the index are sent out of the page cache, the index is opened without reading ahead, and "+
		"the first %d queries of the mixture follow.", coldQueries)
	t = table{head: []string{"Companies", "Opened in", "p50", "p95", "p99", "max", "All of them", "From the disk"}}
	for _, s := range r.sizes {
		t.row(count(int64(s.roots)), millis(s.cold.opened), millis(s.cold.took.percentile(50)), millis(s.cold.took.percentile(95)),
			millis(s.cold.took.percentile(99)), millis(s.cold.took.max()), millis(s.cold.took.sum()), megabytes(s.cold.read))
	}
	p.table(&t)
}

// shares says of what the mixture consists.
func (r *suiteReport) shares() string {
	var shares []string
	for _, class := range r.sizes[0].classes {
		if class.share > 0 {
			shares = append(shares, fmt.Sprintf("%d %% %s", class.share, class.name))
		}
	}
	return strings.Join(shares, ", ")
}

// growthSection compares the sizes kind by kind.
func (r *suiteReport) growthSection(p *page) {
	if len(r.sizes) < 2 {
		return
	}
	small, large := r.sizes[0], r.sizes[len(r.sizes)-1]
	p.section("Growth")
	p.line("p50 / p99 in ms at each size, and how many times the last is the first: the documents grew %.1f times.",
		ratio(large.docs, small.docs))
	t := table{head: []string{"Query"}}
	for _, s := range r.sizes {
		t.head = append(t.head, count(int64(s.roots)))
	}
	t.head = append(t.head, "p50 grew", "p99 grew")
	for c := range small.classes {
		for k := range small.classes[c].kinds {
			r.growthRow(&t, c, k)
		}
	}
	p.table(&t)
}

func (r *suiteReport) growthRow(t *table, class, kind int) {
	of := func(s *sizeRun) latencies { return s.classes[class].kinds[kind].took }
	first := &r.sizes[0].classes[class]
	cells := []string{first.name + ": " + first.kinds[kind].name}
	for _, s := range r.sizes {
		cells = append(cells, bothMillis(of(s)))
	}
	small, large := of(r.sizes[0]), of(r.sizes[len(r.sizes)-1])
	t.row(append(cells, times(large.percentile(50), small.percentile(50)), times(large.percentile(99), small.percentile(99)))...)
}

// bothMillis is p50 / p99.
func bothMillis(l latencies) string {
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	return fmt.Sprintf("%.3f / %.3f", ms(l.percentile(50)), ms(l.percentile(99)))
}

// decimals shows enough of a ratio that is far below one.
func decimals(a, b time.Duration) int {
	if 10*a < b {
		return 3
	}
	return 1
}

// times says how many times b fits into a.
func times(a, b time.Duration) string {
	if b <= 0 {
		return ""
	}
	return fmt.Sprintf("%.*f ×", decimals(a, b), float64(a)/float64(b))
}

func (s *sizeRun) section(p *page) {
	p.section(count(int64(s.roots)) + " companies: inside the index")
	p.line("One goroutine, files in memory, %d hits with the exact total up to its limit; completions %d.", searchLimit, suggestLimit)
	for _, class := range s.classes {
		p.line("**%s**", class.name)
		p.queries(class.kinds)
	}
	if len(s.http) == 0 && s.trouble == nil {
		return
	}
	p.section(count(int64(s.roots)) + " companies: through HTTP, with records")
	p.line("The whole website in a process of its own, keep-alive connections on loopback. CPU is µs for each request; the " +
		"client is the load generator, on the same processors.")
	if s.trouble != nil {
		p.line("It ended early: %v", s.trouble)
	}
	t := requestTable()
	for _, run := range s.http {
		run.row(&t)
	}
	p.table(&t)
}
