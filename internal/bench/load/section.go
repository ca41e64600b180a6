package load

import (
	"cmp"
	"fmt"
	"time"

	"razao/internal/bench/report"
)

// Goals adds the goals of the design for loading: CPU of the record store for a million companies,
// its peak memory, and CPU of the index for a million establishments.
func (l *Loaded) Goals(t *report.Table) {
	in := l.ingest
	t.Row("record store, CPU of client and PostgreSQL for a million roots", "8 s", report.Seconds(in.perRoots(in.use().store())))
	t.Row("record store, memory of client and PostgreSQL at once", "450 MB", report.Megabytes(in.use().storePeak))
	t.Row("index, CPU for a million establishments", "45 s", report.Seconds(in.perDocs(in.use().indexClient)))
}

// Section writes the sections about loading companies and, if they were loaded, sources.
func (l *Loaded) Section(p *report.Page) {
	r := &l.release
	p.Section("Ingest")
	p.Line("%s companies, %s establishments, %s partners, %s of Simples: %s of CSV in %s of zips.", report.Count(r.Companies),
		report.Count(r.Establishments), report.Count(r.Partners), report.Count(r.Simples), report.Megabytes(r.CSVBytes), report.Megabytes(r.ZipBytes))
	l.ingest.section(p)
	if len(l.sources) == 0 {
		return
	}
	p.Section("Loading the sources")
	t := report.Table{Head: []string{
		"Source", "Rows", "Records", "CNPJs", "Wall", "Rows/s", "CPU client", "CPU PostgreSQL", "Both in memory", "Disk",
	}}
	for i := range l.sources {
		l.sources[i].row(&t)
	}
	p.Table(&t)
	p.Line("Index built again from the record store, with the flags of the sources: %s wall, %s CPU.",
		report.Seconds(l.rebuild.wall), report.Seconds(l.rebuild.client+l.rebuild.server))
}

func (s *sourceRun) row(t *report.Table) {
	var records, owners, disk int64
	for _, load := range s.loads {
		records, owners, disk = records+load.Counts.Records, owners+load.Counts.Owners, disk+load.StoreBytes
	}
	read := s.loads[0].RowsRead
	t.Row(s.id, report.Count(read), report.Count(records), report.Count(owners), report.Seconds(s.use.wall), perSecond(read, s.use.wall),
		report.Seconds(s.use.client), report.Seconds(s.use.server), known(s.use.peak), report.Megabytes(disk))
}

func (in *ingested) section(p *report.Page) {
	t := report.Table{Head: []string{"Stage", "Wall", "CPU client", "CPU PostgreSQL", "Rows/s", "Both in memory", "Temporary files"}}
	for i := range in.stages {
		in.stages[i].row(&t, in.rowsOf(in.stages[i].name))
	}
	total := in.total()
	total.row(&t, in.load.RowsRead)
	p.Table(&t)
	use := in.use()
	p.Line("%s rows read, %s loaded, %s discarded, %s rejected; %s documents.", report.Count(in.load.RowsRead),
		report.Count(in.load.RowsLoaded), report.Count(in.load.RowsDiscarded), report.Count(in.load.RowsRejected), report.Count(in.docs))
	t = report.Table{Head: []string{"", "Record store", "Index"}}
	t.Row("CPU client", report.Seconds(use.storeClient), report.Seconds(use.indexClient))
	t.Row("CPU PostgreSQL", report.Seconds(use.postgres), "")
	t.Row("CPU, a million roots / establishments", report.Seconds(in.perRoots(use.store())), report.Seconds(in.perDocs(use.indexClient)))
	t.Row("Disk", report.Megabytes(in.load.StoreBytes), report.Megabytes(in.indexBytes))
	t.Row("Disk, each root / document", fmt.Sprintf("%.0f B", report.Ratio(in.load.StoreBytes, in.load.Counts.Companies)),
		fmt.Sprintf("%.0f B", report.Ratio(in.indexBytes, in.docs)))
	p.Table(&t)
	p.Line("All in: %s of CPU a million roots. Temporary files, the index that is being built among them: %s at most, %.0f B a root.", report.Seconds(in.perRoots(total.client+total.server)),
		report.Megabytes(total.disk), report.Ratio(total.disk, in.load.Counts.Companies))
	p.Line("The merge feeds both. By its CPU profile, %s of its client CPU tokenises and sorts documents, and %s unpacks records for "+
		"them: both are counted to the index. The rest orders, merges, packs and sends rows. Collector and "+
		"scheduler are spread over the parts as the rest is. All CPU of PostgreSQL, its background work included, is counted to the "+
		"record store. The profile is part of the figures; reading memory and temporary files, every %d ms, is not.",
		report.Percent(in.split.words), report.Percent(in.split.decode), sampleEvery.Milliseconds())
}

// labels are the titles of stages in the report.
var labels = map[string]string{
	stageRead: "read, part by root", stageMerge: "order, merge, COPY", stageKey: "primary key, commit",
	stageIndexOrder: "index: order, invert", stageIndexMerge: "index: merge, write",
}

// rowsOf returns how many rows or documents a stage processes, or 0 if a rate would be meaningless.
func (in *ingested) rowsOf(name string) int64 {
	switch name {
	case stageRead, stageMerge:
		return in.load.RowsRead
	case stageIndexOrder, stageIndexMerge:
		return in.docs
	}
	return 0
}

func (s *stage) row(t *report.Table, rows int64) {
	t.Row(cmp.Or(labels[s.name], s.name), report.Seconds(s.wall), report.Seconds(s.client), report.Seconds(s.server), perSecond(rows, s.wall),
		known(s.peak), known(s.disk))
}

// known formats an amount of memory or disk; "" when the stage was too short to be sampled.
func known(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return report.Megabytes(bytes)
}

// perSecond formats a rate; "" for a stage without a count of rows.
func perSecond(n int64, d time.Duration) string {
	if n == 0 {
		return ""
	}
	return report.Count(int64(float64(n) / max(d.Seconds(), 1e-3)))
}

// total adds up the stages; of peaks it takes the largest.
func (in *ingested) total() stage {
	total := stage{name: "**total**"}
	for _, s := range in.stages {
		total.wall += s.wall
		total.client += s.client
		total.server += s.server
		total.peak, total.disk = max(total.peak, s.peak), max(total.disk, s.disk)
	}
	return total
}

// use divides the cost of a load between record store and index.
type use struct {
	storeClient, postgres, indexClient time.Duration
	storePeak                          int64 // bytes of client and PostgreSQL together, before the index stages
}

func (u use) store() time.Duration { return u.storeClient + u.postgres }

// use attributes the stages read, merge and key to the record store, less the index's part of
// merge, and all later stages to the index. All CPU of PostgreSQL counts for the record store.
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
			u.storePeak = max(u.storePeak, s.peak)
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
	return time.Duration(1e6 * report.Ratio(d, n))
}
