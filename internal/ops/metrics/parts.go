package metrics

import (
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"razao/index"
	"razao/internal/people/account"
	"razao/internal/recovery"
	"razao/internal/store/indexstore"
	"razao/internal/store/snapshot"
)

// describe returns the description of a metric whose value is read during a scrape.
func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("razao_"+name, help, labels, nil)
}

var (
	admissions = describe("admissions_total", "Calls with a key or token, by outcome: admitted, limited, missing, invalid, left, failed.", "outcome")
	panics     = describe("panics_total", "Panics that were recovered, in requests, in the background and in readers of the index.")
	freeDisk   = describe("data_free_bytes", "Bytes that may still be written to the data folder.")

	poolMax      = describe("pool_max_connections", "Connections to PostgreSQL that a pool may have.", "pool")
	poolTaken    = describe("pool_acquired_connections", "Connections that are in use.", "pool")
	poolIdle     = describe("pool_idle_connections", "Connections that wait to be used.", "pool")
	poolAcquires = describe("pool_acquires_total", "Connections that were taken from a pool.", "pool")
	poolWaits    = describe("pool_waits_total", "Connections that had to be waited for, because all were in use or one had to be opened.", "pool")
	poolWaiting  = describe("pool_wait_seconds_total", "Time that was waited for them.", "pool")
	poolLeft     = describe("pool_canceled_acquires_total", "Connection waits that timed out.", "pool")

	snapshotID  = describe("snapshot_id", "Snapshot in service; 0: none.")
	snapshotAge = describe("snapshot_published_timestamp_seconds", "When the snapshot in service was published, in Unix time.")
	behind      = describe("snapshot_trouble", "1 when the snapshot in service is not the current one, or not whole, or that cannot be found out.")
	unflagged   = describe("index_unflagged_sources", "Sources that nothing can be filtered by.")
	indexUp     = describe("index_whole", "1 when the index of the current snapshot is in service and whole.")
	recordsUp   = describe("records_served", "1 when records are served.")

	fetching      = describe("index_fetching", "1 while an index, or flags of sources, are being fetched from the index store.")
	fetchedFiles  = describe("index_fetched_files_total", "Files that were fetched from the index store.")
	fetchedBytes  = describe("index_fetched_bytes_total", "Bytes that came from the index store, of files that were cut off or damaged too.")
	fetchFailures = describe("index_fetch_failures_total", "Attempts to fetch an index or flags that failed.")

	queries        = describe("index_queries_total", "Queries to the index, by kind and by how they ended: answered, refused, left, broken.", "kind", "ending")
	searches       = describe("index_searches_total", "Searches with hits, by the tier that answered.", "tier")
	cut            = describe("index_budget_cuts_total", "Searches that ended early because their budget was spent.")
	limiterEntered = describe("index_limiter_entered_total", "Queries that were let in to the index in service.")
	limiterWaits   = describe("index_limiter_waits_total", "Queries that had to wait to be let in.")
	limiterWaiting = describe("index_limiter_wait_seconds_total", "Time that they waited.")
	limiterShared  = describe("index_shared_answers_total", "Queries answered with the result of an identical one in progress.")
	limiterCounted = describe("index_facets_computed_total", "Counts by filters that were computed; the other answered queries of the kind facets were remembered or shared.")

	sourceAnswers = describe("source_answers_total", "Answers of a source about a document, by status.", "source", "status")
	sourceFailing = describe("source_failing", "1 when the last answer of a source was a failure.", "source")
)

// parts is the collector of counts and states that other packages keep in memory, without knowing
// Prometheus.
type parts struct {
	uncheckedCollector
	Config
}

// uncheckedCollector makes a collector one that does not list its metrics beforehand: Prometheus compares them
// during the scrape. The descriptions are declared once, beside what sends them.
type uncheckedCollector struct{}

// Describe implements prometheus.Collector.
func (uncheckedCollector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (p *parts) Collect(to chan<- prometheus.Metric) {
	out := sink(to)
	out.count(panics, recovery.Count())
	if free, err := p.Free(); err == nil {
		out.gauge(freeDisk, float64(free))
	}
	out.admissions(p.Meter.Outcomes())
	for name, pool := range p.Pools {
		out.pool(name, pool.Stat())
	}
	stats := p.Live.Stats()
	out.snapshot(&stats)
	out.queries(&stats)
	out.fetches(p.Fetcher.Stats())
	for _, s := range stats.Sources {
		for status, n := range s.Answers {
			out.count(sourceAnswers, n, s.ID, string(status))
		}
		out.flag(sourceFailing, s.Failing, s.ID)
	}
}

// sink is the channel of a scrape, with helpers for the kinds of metrics.
type sink chan<- prometheus.Metric

func (s sink) gauge(d *prometheus.Desc, v float64, labels ...string) {
	s <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
}

// flag sends a gauge that is 0 or 1.
func (s sink) flag(d *prometheus.Desc, on bool, labels ...string) {
	v := 0.0
	if on {
		v = 1
	}
	s.gauge(d, v, labels...)
}

// total sends a counter.
func (s sink) total(d *prometheus.Desc, v float64, labels ...string) {
	s <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
}

func (s sink) count(d *prometheus.Desc, n int64, labels ...string) { s.total(d, float64(n), labels...) }

func (s sink) admissions(o account.Outcomes) {
	s.count(admissions, o.Admitted, "admitted")
	s.count(admissions, o.Limited, "limited")
	s.count(admissions, o.Missing, "missing")
	s.count(admissions, o.Invalid, "invalid")
	s.count(admissions, o.Left, "left")
	s.count(admissions, o.Failed, "failed")
}

func (s sink) pool(name string, stat *pgxpool.Stat) {
	s.gauge(poolMax, float64(stat.MaxConns()), name)
	s.gauge(poolTaken, float64(stat.AcquiredConns()), name)
	s.gauge(poolIdle, float64(stat.IdleConns()), name)
	s.count(poolAcquires, stat.AcquireCount(), name)
	s.count(poolWaits, stat.EmptyAcquireCount(), name)
	s.total(poolWaiting, stat.EmptyAcquireWaitTime().Seconds(), name)
	s.count(poolLeft, stat.CanceledAcquireCount(), name)
}

func (s sink) snapshot(stats *snapshot.Stats) {
	served := stats.Snapshot != 0
	s.gauge(snapshotID, float64(stats.Snapshot))
	s.flag(recordsUp, served)
	s.flag(behind, stats.Trouble != nil)
	if served {
		s.gauge(snapshotAge, float64(stats.PublishedAt.Unix()))
	}
	s.gauge(unflagged, float64(len(stats.Unflagged)))
	// Trouble of another kind, such as PostgreSQL being down, says nothing about the index.
	broken := errors.As(stats.Trouble, new(*snapshot.IndexError))
	s.flag(indexUp, stats.Searchable && len(stats.Unflagged) == 0 && !broken)
}

func (s sink) fetches(stats indexstore.Stats) {
	s.flag(fetching, stats.Running)
	s.count(fetchedFiles, stats.Files)
	s.count(fetchedBytes, stats.Bytes)
	s.count(fetchFailures, stats.Failures)
}

// Label values of enumerations.
var (
	kinds   = map[snapshot.QueryKind]string{snapshot.Searches: "search", snapshot.Suggestions: "suggest", snapshot.FacetCounts: "facets", snapshot.Exports: "export"}
	endings = map[snapshot.Ending]string{snapshot.Answered: "answered", snapshot.Refused: "refused", snapshot.Left: "left", snapshot.Broken: "broken"}
	tiers   = map[index.Why]string{
		index.WhyCNPJ: "cnpj", index.WhyExactName: "exact_name", index.WhyName: "name", index.WhyPrefix: "prefix",
		index.WhyPartner: "partner", index.WhyActivity: "activity", index.WhySound: "sound", index.WhyCorrected: "corrected", index.WhyPartial: "partial", index.WhyListed: "listed",
	}
)

func (s sink) queries(stats *snapshot.Stats) {
	for kind, ended := range stats.Queries {
		for ending, n := range ended {
			s.count(queries, n, kinds[kind], endings[ending])
		}
	}
	for why, n := range stats.Searches {
		s.count(searches, n, tiers[why])
	}
	s.count(cut, stats.Cut)
	s.total(limiterEntered, float64(stats.Limiter.Entered))
	s.total(limiterWaits, float64(stats.Limiter.Waited))
	s.total(limiterWaiting, stats.Limiter.Waiting.Seconds())
	s.total(limiterShared, float64(stats.Limiter.Shared))
	s.total(limiterCounted, float64(stats.Limiter.Counted))
}
