package ask

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"razao/internal/bench/callers"
	"razao/internal/bench/report"
)

const pageVisits = 2_000 // paths of each kind, drawn before measuring

// Pages is the measurement of the website: time and weight of each kind of page.
type Pages struct {
	runs []pageRun
}

// pageRun is the measurement of one kind of page at one number of connections.
type pageRun struct {
	*Run
	first   time.Duration // the very first request of the kind, with cold caches
	weight  weight
	reading bool // an HTML page, for which the goals are
}

// Pages weighs every kind of page and then measures it at every number of connections. One is like a
// browser that opens one page after the other.
func (b *Bench) Pages(ctx context.Context) (*Pages, error) {
	session, err := callers.Session(ctx, b.DB.Pool)
	if err != nil {
		return nil, err
	}
	w, err := newWeigher(ctx, b.servers[0].address)
	if err != nil {
		return nil, err
	}
	out := &Pages{}
	for _, kind := range pageKinds(b.Log, "Cookie: __Host-razao="+session+"\r\n") {
		if !b.Kinds.MatchString(kind.name) {
			continue
		}
		runs, err := b.visit(ctx, w, &kind)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind.name, err)
		}
		out.runs = append(out.runs, runs...)
	}
	return out, w.close()
}

// visit times the first request of a kind, weighs some of its pages and measures the requests.
func (b *Bench) visit(ctx context.Context, w *weigher, kind *pageKind) (runs []pageRun, err error) {
	paths := drawPaths(kind.next, pageVisits)
	start := time.Now()
	if _, _, err := w.get(paths[0], kind.header); err != nil {
		return nil, err
	}
	page := pageRun{reading: !kind.file, first: time.Since(start)}
	if page.weight, err = w.weigh(kind.header, paths); err != nil {
		return nil, err
	}
	visits := &request{
		name: kind.name, header: kind.header + "Accept-Encoding: gzip\r\n",
		path: func(dst []byte, r *rand.Rand) []byte { return append(dst, paths[r.IntN(len(paths))]...) },
	}
	for _, conns := range b.Conns {
		run, err := b.measure(ctx, visits, conns)
		if err != nil {
			return nil, fmt.Errorf("%d connections: %w", conns, err)
		}
		page.Run = run
		runs = append(runs, page)
	}
	return runs, nil
}

// The goals: 95th percentile of the time of any page, and compressed bytes of a company's page with
// the assets of a first visit.
const (
	pageTimeGoal   = 50 * time.Millisecond
	pageWeightGoal = 60_000
)

// Goals names the page that is worst for each goal, at the first number of connections.
func (x *Pages) Goals(t *report.Table) {
	pages := slices.DeleteFunc(slices.Clone(x.runs), func(run pageRun) bool {
		return !run.reading || run.name == referencePage || run.conns != x.runs[0].conns
	})
	companies := slices.DeleteFunc(slices.Clone(pages), func(run pageRun) bool { return !strings.HasPrefix(run.name, "/{cnpj}") })
	goal := func(what string, among []pageRun, atMost string, much func(*pageRun) int, written func(int) string) {
		if len(among) == 0 {
			return // -kinds left none of them
		}
		worst := slices.MaxFunc(among, func(a, b pageRun) int { return cmp.Compare(much(&a), much(&b)) })
		t.Row(what+", "+worst.name, atMost, written(much(&worst)))
	}
	slowness := func(run *pageRun) int { return int(run.took.Percentile(95)) }
	weight := func(run *pageRun) int { return run.weight.total() }
	goal("time of a page, p95", pages, report.Millis(pageTimeGoal), slowness, func(ns int) string { return report.Millis(time.Duration(ns)) })
	goal("bytes of a company's page with all that it needs, gzip", companies, report.Count(pageWeightGoal), weight, report.Count[int])
	goal("the same of any page", pages, "", weight, report.Count[int])
}

// Section writes time and weight of each kind of page.
func (x *Pages) Section(p *report.Page) {
	p.Section("Pages")
	p.Line("Random existing parameters, compressed answers. `First` is the very first request of the kind, which may fill "+
		"what later ones share. Bytes: HTML in the middle of %d pages, plain and gzip, then the heaviest of them, and what its first "+
		"visit takes with its style sheets, scripts and font. %s", weighedPages, loadNote)
	t := report.Table{Head: []string{
		"Page", "Connections", "Asked", "First", "p50", "p95", "p99", "max", "CPU server", "CPU PostgreSQL", "HTML", "gzip", "Heaviest", "In all",
	}}
	var runs []*Run
	for i := range x.runs {
		run, w := &x.runs[i], &x.runs[i].weight
		runs = append(runs, run.Run)
		cells := []string{
			run.name, report.Count(run.conns), report.Count(len(run.took)), report.Millis(run.first), report.Millis(run.took.Percentile(50)),
			report.Millis(run.took.Percentile(95)), report.Millis(run.took.Percentile(99)), report.Millis(run.took.Max()),
			report.Micros(run.each(run.server)), report.Micros(run.each(run.postgres)),
			report.Count(w.plain), report.Count(w.packed), report.Count(w.heaviest), "",
		}
		if run.reading {
			cells[len(cells)-1] = report.Count(w.total())
		}
		t.Row(cells...)
	}
	p.Table(&t)
	pairs(p, theBuildBefore, runs)
	budgets(p, runs)
}
