package main

import (
	"fmt"
	"strings"
	"time"
)

// report collects what a run measured; parts that were not measured are nil.
type report struct {
	options *options
	machine string
	sample  *sampled
	ingest  *ingested
	opened  time.Duration // the snapshot; 0: nothing was asked of it
	lookup  *lookedUp
	search  *searched
}

const topFunctions = 15

// markdown is the whole report.
func (r *report) markdown() string {
	p := &page{}
	p.line("%s. `%s`", r.machine, r.options.command())
	r.goals(p)
	r.sampleSection(p)
	r.ingestSection(p)
	r.lookupSection(p)
	r.searchSection(p)
	return p.text.String()
}

// command is the command line that gives the same report.
func (o *options) command() string {
	return fmt.Sprintf("bench -roots %d -workers %d -duration %s -queries %d -only %s",
		o.roots, o.workers, o.duration, o.queries, strings.Join(o.only, ","))
}

// goals compares the figures that the design promises with what was measured.
func (r *report) goals(p *page) {
	t := table{head: []string{"Goal", "At most", "Measured"}}
	if in := r.ingest; in != nil {
		use := in.use()
		t.row("record store, CPU of client and PostgreSQL for a million roots", "8 s", seconds(in.perRoots(use.store())))
		t.row("record store, memory of client and PostgreSQL at once", "450 MB", megabytes(use.storePeak))
		t.row("index, CPU for a million establishments", "45 s", seconds(in.perDocs(use.index())))
	}
	if r.lookup != nil {
		for _, run := range r.lookup.runs {
			limit, conns := "100 µs", r.options.conns[len(r.options.conns)/2]
			if run.keyed {
				limit, conns = "120 µs", r.options.conns[len(r.options.conns)-1]
			}
			if run.single && run.conns == conns {
				t.row(fmt.Sprintf("look-up over HTTP, %s, %d connections, CPU of server and PostgreSQL", run.name, run.conns),
					limit, micros(run.each(run.server+run.postgres)))
			}
		}
	}
	if r.search != nil {
		t.row("suggestion inside the index, p99, all mixed", "1 ms", millis(last(r.search.suggestions).took.percentile(99)))
		t.row("search inside the index, p99, all mixed", "3 ms", millis(last(r.search.searches).took.percentile(99)))
	}
	p.section("Goals")
	p.table(&t)
}

func last(runs []queryRun) *queryRun { return &runs[len(runs)-1] }

func (r *report) sampleSection(p *page) {
	s := r.sample
	if s == nil {
		return
	}
	p.section("Making the release")
	p.line("%s wall, %s CPU, %s memory at most. %s of CSV, %s of zips.",
		seconds(s.wall), seconds(s.cpu), megabytes(s.rss), megabytes(s.CSVBytes), megabytes(s.ZipBytes))
	t := table{head: []string{"Table", "Rows"}}
	t.row("Empresas", count(s.Companies))
	t.row("Estabelecimentos", count(s.Establishments))
	t.row("Socios", count(s.Partners))
	t.row("Simples", count(s.Simples))
	p.table(&t)
}

func (r *report) ingestSection(p *page) {
	in := r.ingest
	if in == nil {
		return
	}
	p.section("Ingest")
	t := table{head: []string{
		"Stage", "Wall", "CPU client", "CPU PostgreSQL", "Rows/s", "Memory client", "Memory PostgreSQL", "Both at once",
	}}
	for i := range in.stages {
		in.stageRow(&t, &in.stages[i], in.rowsOf(in.stages[i].name))
	}
	total := in.total()
	in.stageRow(&t, &total, in.load.RowsRead)
	p.table(&t)
	use := in.use()
	p.line("%s rows read, %s loaded, %s discarded, %s rejected; %s documents.", count(in.load.RowsRead),
		count(in.load.RowsLoaded), count(in.load.RowsDiscarded), count(in.load.RowsRejected), count(in.docs))
	t = table{head: []string{"", "Record store", "Index"}}
	t.row("CPU client", seconds(use.storeClient), seconds(use.index()))
	t.row("CPU PostgreSQL", seconds(use.postgres), "")
	t.row("CPU, a million roots / establishments", seconds(in.perRoots(use.store())), seconds(in.perDocs(use.index())))
	t.row("Disk", megabytes(in.load.StoreBytes), megabytes(in.indexBytes))
	t.row("Disk, each root / document", fmt.Sprintf("%.0f B", ratio(in.load.StoreBytes, in.load.Counts.Companies)),
		fmt.Sprintf("%.0f B", ratio(in.indexBytes, in.docs)))
	p.table(&t)
	p.line("The merge feeds both. By its CPU profile, %s of its client CPU tokenises and sorts documents, and %s "+
		"unpacks records for them: both are counted to the index. %s sends rows to PostgreSQL (COPY); the rest orders, merges "+
		"and packs. Collector and scheduler are spread over the parts as the rest is. All CPU of PostgreSQL, its background "+
		"work included, is counted to the record store. Profiling was on, and is part of the figures; reading the memory of "+
		"the processes, every %d and %d ms, is not.",
		percent(in.split.words), percent(in.split.decode), percent(in.split.copy),
		sampleEvery.Milliseconds(), samplesPerServer*sampleEvery.Milliseconds())
	p.profile("CPU of the client while loading", in.profile)
}

// rowsOf is how many rows or documents a stage works on, 0 when that says nothing.
func (in *ingested) rowsOf(name string) int64 {
	switch name {
	case stageRead, stageMerge:
		return in.load.RowsRead
	case stageIndexOrder, stageIndexMerge:
		return in.docs
	}
	return 0
}

func (in *ingested) stageRow(t *table, s *stage, rows int64) {
	rate := ""
	if rows > 0 && s.wall > 0 {
		rate = count(int64(float64(rows) / s.wall.Seconds()))
	}
	t.row(label(s.name), seconds(s.wall), seconds(s.client), seconds(s.server), rate,
		known(s.clientPeak), known(s.serverPeak), known(s.bothPeak))
}

// label says what happens in a stage.
func label(name string) string {
	switch name {
	case stageRead:
		return "read, part by root"
	case stageMerge:
		return "order, merge, COPY"
	case stageKey:
		return "primary key, commit"
	case stageIndexOrder:
		return "index: order, invert"
	case stageIndexMerge:
		return "index: merge, write"
	}
	return name
}

// known is an amount of memory, nothing when the stage was too short for a sample.
func known(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return megabytes(bytes)
}

func (in *ingested) total() stage {
	total := stage{name: "**total**"}
	for _, s := range in.stages {
		total.wall += s.wall
		total.client += s.client
		total.server += s.server
		total.clientPeak = max(total.clientPeak, s.clientPeak)
		total.serverPeak = max(total.serverPeak, s.serverPeak)
		total.bothPeak = max(total.bothPeak, s.bothPeak)
	}
	return total
}

// use is what record store and index each cost.
type use struct {
	storeClient, postgres, indexClient time.Duration
	storePeak                          int64 // of client and PostgreSQL together
}

func (u use) store() time.Duration { return u.storeClient + u.postgres }
func (u use) index() time.Duration { return u.indexClient }

func (in *ingested) use() use {
	var u use
	for _, s := range in.stages {
		u.postgres += s.server
		switch s.name {
		case stageRead, stageMerge, stageKey:
			forIndex := time.Duration(0)
			if s.name == stageMerge {
				forIndex = time.Duration(float64(s.client) * in.split.index())
			}
			u.storeClient += s.client - forIndex
			u.indexClient += forIndex
			u.storePeak = max(u.storePeak, s.bothPeak)
		default:
			u.indexClient += s.client
		}
	}
	return u
}

func (in *ingested) perRoots(d time.Duration) time.Duration {
	return perMillion(d, in.load.Counts.Companies)
}
func (in *ingested) perDocs(d time.Duration) time.Duration { return perMillion(d, in.docs) }

func perMillion(d time.Duration, n int64) time.Duration {
	if n == 0 {
		return 0
	}
	return time.Duration(float64(d) * 1e6 / float64(n))
}

func (r *report) lookupSection(p *page) {
	if r.lookup == nil {
		return
	}
	p.section("Look-ups over HTTP")
	p.line("Keep-alive connections on loopback, random existing numbers, everybody admitted, request log written to " +
		"/dev/null. CPU is µs for each request; the client is the load generator, on the same processors.")
	t := requestTable()
	for _, run := range r.lookup.runs {
		run.row(&t)
	}
	p.table(&t)
	p.profile("CPU of the server, 14 positions", r.lookup.profile)
}

func requestTable() table {
	return table{head: []string{
		"Request", "Connections", "Requests/s", "p50", "p95", "p99", "max", "CPU server", "CPU PostgreSQL", "CPU client",
	}}
}

func (run *lookupRun) row(t *table) {
	t.row(run.name, count(int64(run.conns)), count(int64(float64(len(run.took))/run.wall.Seconds())),
		millis(run.took.percentile(50)), millis(run.took.percentile(95)), millis(run.took.percentile(99)), millis(run.took.max()),
		micros(run.each(run.server)), micros(run.each(run.postgres)), micros(run.each(run.client)))
}

// each is the share of one request.
func (run *lookupRun) each(d time.Duration) time.Duration {
	return d / time.Duration(max(len(run.took), 1))
}

func (r *report) searchSection(p *page) {
	if r.opened > 0 {
		p.section("Snapshot")
		p.line("Opened and its index read once in %s, files in the page cache.", seconds(r.opened))
	}
	if r.search == nil {
		return
	}
	p.section("Search inside the index")
	p.line("One goroutine, %d hits wanted, with the exact total up to its limit. %s", searchLimit, cpuNote)
	p.queries(r.search.searches)
	p.section("Suggestion inside the index")
	p.line("One goroutine, %d hits wanted.", suggestLimit)
	p.queries(r.search.suggestions)
}

func (p *page) queries(runs []queryRun) {
	t := table{head: append([]string{"Query"}, queryHead()...)}
	for _, run := range runs {
		t.row(append([]string{run.name}, run.cells()...)...)
	}
	p.table(&t)
}

// queryHead names what cells returns.
func queryHead() []string {
	return []string{"Asked", "With hits", "p50", "p95", "p99", "max", "CPU p50", "CPU p99", "A CPU second"}
}

func (run *queryRun) cells() []string {
	asked := int64(len(run.took))
	return []string{
		count(asked), percent(ratio(int64(run.found), asked)), millis(run.took.percentile(50)), millis(run.took.percentile(95)),
		millis(run.took.percentile(99)), millis(run.took.max()), millis(run.thread.percentile(50)), millis(run.thread.percentile(99)),
		count(run.rate()),
	}
}

// profile lists the functions that used the most CPU.
func (p *page) profile(title string, from *profile) {
	if from == nil || from.total == 0 {
		return
	}
	share := func(d time.Duration) string { return percent(float64(d) / float64(from.total)) }
	list := func(functions []*spent) {
		t := table{head: []string{"Function", "Own", "With callees"}}
		for _, s := range functions {
			t.row("`"+s.function+"`", share(s.flat), share(s.cum))
		}
		p.table(&t)
	}
	p.line("%s (%s sampled): the functions with the most of their own, then ours with all that they call.", title, seconds(from.total))
	list(from.top(topFunctions))
	list(from.topOfOurs(topFunctions))
}

func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
