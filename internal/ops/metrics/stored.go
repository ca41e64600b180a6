package metrics

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"razao/internal/data/source"
	"razao/internal/people/mail"
	"razao/internal/store/registry"
)

// Scraping must not load PostgreSQL, nor wait long for it: however many Prometheus servers scrape,
// databaseCollector asks it at most once in askEvery, for at most askTimeout, and reads the row of a load
// once.
const (
	askEvery   = 5 * time.Second
	askTimeout = 2 * time.Second
)

// receitaStaleAfter is the number of days after the end of its month when a release of the tax
// authority counts as stale.
const receitaStaleAfter = 60

var (
	databaseUp   = describe("database_up", "1 when PostgreSQL answers in time.")
	outboxMails  = describe("outbox_mails", "Mails that wait to be sent.")
	outboxOldest = describe("outbox_oldest_seconds", "For how long the oldest of them has waited.")

	loadInfo     = describe("load_info", "Always 1: the load of a source in service.", "source", "load", "period")
	loadAge      = describe("load_age_seconds", "Time since the load in service was finished.", "source")
	loadStale    = describe("load_stale", "1 when the period of the load in service is old for the rhythm of its source.", "source")
	loadRows     = describe("load_rows", "Rows of the load in service: read, loaded, rejected, discarded.", "source", "what")
	loadBytes    = describe("load_store_bytes", "Bytes of its records in PostgreSQL.", "source")
	loadDuration = describe("load_duration_seconds", "How long it took.", "source")
	stageSeconds = describe("load_stage_seconds", "How long a stage of it took.", "source", "stage")
	stageCPU     = describe("load_stage_cpu_seconds", "CPU that the loading process took for it, without PostgreSQL.", "source", "stage")
)

// databaseCollector is the collector of what is in PostgreSQL: the mail backlog and the loads in service.
// While PostgreSQL is down it reports that, and the loads as they were known last.
type databaseCollector struct {
	uncheckedCollector
	Config

	mu      sync.Mutex // held during the query, so concurrent scrapes share it
	asked   time.Time  // time of the last query
	up      bool       // it succeeded
	backlog mail.Backlog
	loads   map[int64]registry.Load // in service, by id; cached, because the row of a finished load does not change
}

func newStored(c Config) *databaseCollector {
	return &databaseCollector{Config: c, loads: map[int64]registry.Load{}}
}

// Collect implements prometheus.Collector.
func (s *databaseCollector) Collect(to chan<- prometheus.Metric) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.asked) >= askEvery {
		ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
		defer cancel()
		s.up = s.ask(ctx) == nil
		s.asked = time.Now()
	}
	out := sink(to)
	out.flag(databaseUp, s.up)
	if s.up {
		out.gauge(outboxMails, float64(s.backlog.Mails))
		out.gauge(outboxOldest, s.backlog.Oldest.Seconds())
	}
	for _, l := range s.loads {
		out.load(&l, time.Now())
	}
}

// ask reads the backlog and the loads in service that are not cached. Loads that left service are
// dropped from the cache.
func (s *databaseCollector) ask(ctx context.Context) (err error) {
	if s.backlog, err = s.Outbox.Backlog(ctx); err != nil {
		return err
	}
	loads := map[int64]registry.Load{}
	for _, id := range s.Live.Stats().Loads {
		l, known := s.loads[id]
		if !known {
			if l, err = s.Store.Load(ctx, id); err != nil {
				return err
			}
		}
		loads[id] = l
	}
	s.loads = loads
	return nil
}

// load sends the metrics of a load in service.
func (s sink) load(l *registry.Load, now time.Time) {
	s.gauge(loadInfo, 1, l.Source, strconv.FormatInt(l.ID, 10), l.Period)
	if l.FinishedAt != nil {
		s.gauge(loadAge, now.Sub(*l.FinishedAt).Seconds(), l.Source)
		s.gauge(loadDuration, l.FinishedAt.Sub(l.StartedAt).Seconds(), l.Source)
	}
	src, ok := source.Find(l.Source)
	if !ok { // the tax authority's
		src.StaleAfter = receitaStaleAfter
	}
	if stale := src.Stale(l.Period, now); stale != nil {
		s.flag(loadStale, *stale, l.Source)
	}
	s.gauge(loadBytes, float64(l.StoreBytes), l.Source)
	for what, rows := range map[string]int64{
		"read": l.RowsRead, "loaded": l.RowsLoaded, "rejected": l.RowsRejected, "discarded": l.RowsDiscarded,
	} {
		s.gauge(loadRows, float64(rows), l.Source, what)
	}
	seconds, cpu := map[string]float64{}, map[string]float64{}
	for _, stage := range l.Stages { // a stage that was begun again is listed twice
		seconds[stage.Name] += stage.Seconds
		cpu[stage.Name] += stage.CPUSeconds
	}
	for name := range seconds {
		s.gauge(stageSeconds, seconds[name], l.Source, name)
		s.gauge(stageCPU, cpu[name], l.Source, name)
	}
}
