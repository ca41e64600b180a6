package main

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// What a page may take, and the companies of the country, for which the sitemap is estimated.
const (
	pageTimeGoal   = 50 * time.Millisecond
	pageWeightGoal = 60_000
	scriptGoal     = 12_000
	countryRoots   = 69_000_000
	addressesInOne = 45_000
)

func (r *pagesReport) markdown() string {
	p := &page{}
	p.line("%s. `bench -only pages -roots %d -workers %d -duration %s`", r.machine, r.options.roots, r.options.workers, r.options.duration)
	r.goals(p)
	r.times(p)
	r.weights(p)
	r.sitemap(p)
	return p.text.String()
}

// goals names the worst page of each goal.
func (r *pagesReport) goals(p *page) {
	pages := slices.DeleteFunc(slices.Clone(r.pages), func(run pageRun) bool { return !run.reading || run.name == referencePage })
	if len(pages) == 0 {
		return
	}
	companies := slices.DeleteFunc(slices.Clone(pages), func(run pageRun) bool { return !strings.HasPrefix(run.name, "/{cnpj}") })
	p.section("Goals")
	t := table{head: []string{"Goal", "At most", "Measured", "Page"}}
	slowest := worst(pages, func(run *pageRun) int { return int(run.took.percentile(95)) })
	t.row("time of a page, p95", millis(pageTimeGoal), millis(slowest.took.percentile(95)), slowest.name)
	heaviest := worst(companies, func(run *pageRun) int { return run.weight.total() })
	t.row("weight of a company's page with all that it needs, gzip", count(pageWeightGoal), bytesOf(heaviest.weight.total()), heaviest.name)
	heaviest = worst(pages, func(run *pageRun) int { return run.weight.total() })
	t.row("the same of any page", "", bytesOf(heaviest.weight.total()), heaviest.name)
	scripted := worst(pages, func(run *pageRun) int { return run.weight.scripts })
	t.row("scripts of a page, gzip", count(scriptGoal), bytesOf(scripted.weight.scripts), scripted.name)
	p.table(&t)
}

// worst returns the page of which there is most; there must be one.
func worst(pages []pageRun, much func(*pageRun) int) pageRun {
	return slices.MaxFunc(pages, func(a, b pageRun) int { return cmp.Compare(much(&a), much(&b)) })
}

func (r *pagesReport) times(p *page) {
	p.section("Time of the server")
	p.line("One connection on loopback, random existing parameters, compressed answers. `First` is the very first request of the kind, " +
		"which may fill what later ones share. CPU is for each request; the client is the load generator, on the same processors.")
	t := table{head: []string{"Page", "Asked", "First", "p50", "p95", "p99", "max", "CPU server", "CPU PostgreSQL"}}
	for i := range r.pages {
		run := &r.pages[i]
		t.row(run.name, count(int64(len(run.took))), millis(run.first), millis(run.took.percentile(50)), millis(run.took.percentile(95)),
			millis(run.took.percentile(99)), millis(run.took.max()), micros(run.each(run.server)), micros(run.each(run.postgres)))
	}
	p.table(&t)
}

func (r *pagesReport) weights(p *page) {
	p.section("Weight")
	p.line("Bytes. HTML in the middle of %d pages, plain and gzip, then the heaviest of them, and what its first visit takes with its style "+
		"sheets, scripts and font.", weighedPages)
	t := table{head: []string{"Page", "HTML", "gzip", "Heaviest", "CSS", "JS", "Font", "In all"}}
	for i := range r.pages {
		w := &r.pages[i].weight
		row := []string{r.pages[i].name, bytesOf(w.plain), bytesOf(w.packed), bytesOf(w.heaviest), "", "", "", ""}
		if r.pages[i].reading {
			row = append(row[:4], bytesOf(w.sheets), bytesOf(w.scripts), bytesOf(w.fonts), bytesOf(w.total()))
		}
		t.row(row...)
	}
	p.table(&t)
	t = table{head: []string{"Asset", "Plain", "As sent"}}
	for _, a := range r.assets {
		t.row(path.Base(a.path), bytesOf(a.plain), bytesOf(a.packed))
	}
	p.table(&t)
}

func bytesOf(n int) string { return count(int64(n)) }

func (r *pagesReport) sitemap(p *page) {
	c := r.crawl
	p.section("Sitemap")
	country := func(n int64) int64 { return int64(float64(n) * countryRoots / float64(r.options.roots)) }
	list := c.addresses - int64(len(c.others))
	t := table{head: []string{"", "Measured", fmt.Sprintf("Country, %s companies", count(countryRoots))}}
	t.row("addresses of establishments", count(list), count(country(list)))
	t.row("other addresses", bytesOf(len(c.others)), "")
	t.row("files", bytesOf(c.files), count((country(list)+addressesInOne-1)/addressesInOne+1))
	t.row("bytes of their files, plain", count(c.plain), count(country(c.plain)))
	t.row("bytes of their files, gzip", count(c.packed), count(country(c.packed)))
	t.row("making the list, CPU", millis(r.listed), millis(time.Duration(country(int64(r.listed)))))
	t.row("making and sending a file of establishments, p50", millis(c.served.percentile(50)), "")
	t.row("the same, max", millis(c.served.max()), "")
	p.table(&t)
	p.line("Of %s addresses drawn from all, %s answer 200, are canonical and may be indexed.", bytesOf(len(c.drawn)),
		bytesOf(len(c.drawn)-len(c.faults)))
	for _, fault := range c.faults[:min(len(c.faults), faultsShown)] {
		p.line("- %s", fault)
	}
}
