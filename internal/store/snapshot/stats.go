package snapshot

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/source"
	"razao/internal/store/registry"
)

// Stats is the state of a Live at a moment, for metrics. Queries, Searches, Cut and Sources count
// since Open, Limiter since the index in service was opened.
type Stats struct {
	Snapshot    int64 // the id of the one in service; 0: none, and the fields up to Trouble are empty
	PublishedAt time.Time
	Loads       map[string]int64 // load by source id; not to be changed
	Searchable  bool             // it has its index
	Unflagged   []string         // sources that cannot be filtered by
	Limiter     index.Stats

	Trouble  error                          // of Live.Trouble
	Queries  map[QueryKind]map[Ending]int64 // has all kinds and endings
	Searches map[index.Why]int64            // searches by the reason of their first hit: the tier
	Cut      int64                          // searches that spent their budget and returned partial results
	Sources  []SourceStats                  // in the order of source.All
}

// QueryKind is a kind of query to the index.
type QueryKind int

// The kinds of queries.
const (
	Searches    QueryKind = iota // Find
	Suggestions                  // Suggest
	FacetCounts                  // Facets
	Exports                      // Numbers
	queries                      // how many kinds there are
)

// Ending is how a query ended.
type Ending int

// The endings.
const (
	Answered Ending = iota
	Refused         // an invalid filter, or one by a source without flags
	Left            // its context ended
	Broken          // the index failed
	endings         // how many endings there are
)

// SourceStats counts the answers of a source.
type SourceStats struct {
	ID      string
	Answers map[registry.Status]int64
	Failing bool // the last answer was registry.Failed
}

// statuses are all statuses, in the order in which answers counts them.
var statuses = []registry.Status{registry.Found, registry.None, registry.Unavailable, registry.Failed}

// counters are the counts of a Live. They are safe for concurrent use.
type counters struct {
	ended   [queries][endings]atomic.Int64
	reasons [index.WhyListed + 1]atomic.Int64
	cut     atomic.Int64
	answers map[string]*answers // by source id; the map itself never changes
}

type answers struct {
	by      [4]atomic.Int64 // in the order of statuses
	failing atomic.Bool     // the last answer was a failure
}

func newCounters() *counters {
	c := &counters{answers: map[string]*answers{}}
	for _, id := range source.IDs() {
		c.answers[id] = &answers{}
	}
	return c
}

// query counts the ending of a query to the index.
func (c *counters) query(kind QueryKind, err error) {
	ending := Broken
	var wrong *filter.Error
	var unflagged *SourceError
	switch {
	case err == nil:
		ending = Answered
	case errors.As(err, &wrong), errors.As(err, &unflagged):
		ending = Refused
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		ending = Left
	}
	c.ended[kind][ending].Add(1)
}

// search counts a search and its first hit.
func (c *counters) search(r index.Results, err error) {
	c.query(Searches, err)
	if err != nil {
		return
	}
	if len(r.Hits) > 0 {
		c.reasons[r.Hits[0].Why].Add(1)
	}
	if r.TotalIsFloor && r.Total < index.MaxTotal {
		c.cut.Add(1)
	}
}

// sources counts the pages of an answer. If ctx has ended it counts none: pages that failed because
// the caller left say nothing about their sources.
func (c *counters) sources(ctx context.Context, pages []registry.SourcePage) {
	if ctx.Err() != nil {
		return
	}
	for i := range pages {
		p := &pages[i]
		of := c.answers[p.Source.ID]
		if of == nil {
			continue // the zero page of an unknown source
		}
		of.by[slices.Index(statuses, p.Status)].Add(1)
		if failing := p.Status == registry.Failed; failing != of.failing.Load() {
			of.failing.Store(failing)
		}
	}
}

// Stats returns the present state and counts. The counts are not one atomic reading.
func (l *Live) Stats() Stats {
	c := l.counters
	stats := Stats{Trouble: l.Trouble(), Queries: map[QueryKind]map[Ending]int64{}, Searches: map[index.Why]int64{}, Cut: c.cut.Load()}
	for q := range queries {
		stats.Queries[q] = map[Ending]int64{}
		for e := range endings {
			stats.Queries[q][e] = c.ended[q][e].Load()
		}
	}
	for why := range c.reasons {
		stats.Searches[index.Why(why)] = c.reasons[why].Load()
	}
	for _, id := range source.IDs() {
		s := SourceStats{ID: id, Answers: map[registry.Status]int64{}, Failing: c.answers[id].failing.Load()}
		for j, status := range statuses {
			s.Answers[status] = c.answers[id].by[j].Load()
		}
		stats.Sources = append(stats.Sources, s)
	}
	s, err := l.Acquire()
	if err != nil {
		return stats
	}
	defer s.Release()
	stats.Snapshot, stats.PublishedAt, stats.Loads = s.view.Snapshot.ID, s.PublishedAt(), s.view.Snapshot.Loads
	if s.opened != nil {
		stats.Searchable, stats.Unflagged, stats.Limiter = true, s.Unflagged(), s.opened.Stats()
	}
	return stats
}
