package snapshot

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"razao/index"
	"razao/index/filter"
	"razao/index/gate"
	"razao/internal/registry"
	"razao/internal/source"
)

// Stats is what there is to say of a Live at a moment. Questions, Searches, Cut and Sources count since Open; Gate since the index in
// service was opened.
type Stats struct {
	Snapshot    int64 // in service; 0: none, and what follows is empty up to Trouble
	PublishedAt time.Time
	Loads       map[string]int64 // load by source
	Searchable  bool             // it has its index
	Unflagged   []string         // sources that nothing can be filtered by
	Gate        gate.Stats

	Trouble   error // as Live.Trouble
	Questions map[Question]map[Ending]int64
	Searches  map[index.Why]int64 // with hits, by the reason of the first: the tier that answered
	Cut       int64               // searches that ended early because their budget was spent, with what they had found
	Sources   []SourceStats       // in the order of source.All
}

// Question is a kind of question to the index.
type Question int

// The kinds.
const (
	Searches Question = iota
	Suggestions
	FacetCounts
	Exports
	questions
)

// Ending is how a question ended.
type Ending int

// The endings.
const (
	Answered Ending = iota
	Refused         // it cannot be asked so
	Left            // its context ended
	Broken          // the index failed
	endings
)

// SourceStats is how a source answered.
type SourceStats struct {
	ID      string
	Answers map[registry.Status]int64
	Failing bool // the last answer was registry.Failed
}

// statuses are those that answers are counted by.
var statuses = []registry.Status{registry.Found, registry.None, registry.Unavailable, registry.Failed}

// asked are the counts of a Live.
type asked struct {
	ended   [questions][endings]atomic.Int64
	reasons [index.WhyListed + 1]atomic.Int64
	cut     atomic.Int64
	answers map[string]*answers // by source; not written to
}

type answers struct {
	by      [4]atomic.Int64 // in the order of statuses
	failing atomic.Bool
}

func newAsked() *asked {
	a := &asked{answers: map[string]*answers{}}
	for _, id := range source.IDs() {
		a.answers[id] = &answers{}
	}
	return a
}

func (a *asked) question(kind Question, err error) {
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
	a.ended[kind][ending].Add(1)
}

func (a *asked) search(r index.Results, err error) {
	a.question(Searches, err)
	if err != nil {
		return
	}
	if len(r.Hits) > 0 {
		a.reasons[r.Hits[0].Why].Add(1)
	}
	if r.TotalIsFloor && r.Total < index.MaxTotal {
		a.cut.Add(1)
	}
}

// sources counts pages; those that failed because nobody waits for them any more say nothing of their sources.
func (a *asked) sources(ctx context.Context, pages []registry.SourcePage) {
	if ctx.Err() != nil {
		return
	}
	for i := range pages {
		p := &pages[i]
		of := a.answers[p.Source.ID]
		if of == nil {
			continue // there is no such source
		}
		of.by[slices.Index(statuses, p.Status)].Add(1)
		if failing := p.Status == registry.Failed; failing != of.failing.Load() {
			of.failing.Store(failing)
		}
	}
}

// Stats returns the counts and the state of this moment.
func (l *Live) Stats() Stats {
	a := l.asked
	stats := Stats{Trouble: l.Trouble(), Questions: map[Question]map[Ending]int64{}, Searches: map[index.Why]int64{}, Cut: a.cut.Load()}
	for q := range questions {
		stats.Questions[q] = map[Ending]int64{}
		for e := range endings {
			stats.Questions[q][e] = a.ended[q][e].Load()
		}
	}
	for why := range a.reasons {
		stats.Searches[index.Why(why)] = a.reasons[why].Load()
	}
	for _, id := range source.IDs() {
		s := SourceStats{ID: id, Answers: map[registry.Status]int64{}, Failing: a.answers[id].failing.Load()}
		for j, status := range statuses {
			s.Answers[status] = a.answers[id].by[j].Load()
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
		stats.Searchable, stats.Unflagged, stats.Gate = true, s.Unflagged(), s.opened.Gate.Stats()
	}
	return stats
}
