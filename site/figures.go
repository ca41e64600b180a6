package site

import (
	"sync"

	"razao/internal/snapshot"
)

// maxSummaries bounds what is kept: a summary takes some 8 KB, and there are 5,600 places.
const maxSummaries = 1000

// figures keeps what takes long to add up for as long as one snapshot is served. The zero figures are ready.
type figures struct {
	mu        sync.Mutex
	snapshot  int64
	ranking   *ranking
	summaries map[place]*summary
}

// at makes place for the figures of a snapshot. The caller holds mu.
func (f *figures) at(snap *snapshot.Snapshot) {
	if id := snap.View.Snapshot.ID; id != f.snapshot || f.summaries == nil {
		f.snapshot, f.ranking, f.summaries = id, nil, map[place]*summary{}
	}
}

// ranking returns the figures of all places, which are not to be changed.
func (s *Site) ranking(snap *snapshot.Snapshot) (*ranking, error) {
	s.figures.mu.Lock()
	defer s.figures.mu.Unlock()
	s.figures.at(snap)
	if s.figures.ranking == nil {
		var err error
		if s.figures.ranking, err = newRanking(s.atlas, s.outlines, snap); err != nil {
			return nil, err
		}
	}
	return s.figures.ranking, nil
}

// knownSummary returns the summary of a place, nil when nobody has asked for it yet.
func (s *Site) knownSummary(snap *snapshot.Snapshot, p place) *summary {
	s.figures.mu.Lock()
	defer s.figures.mu.Unlock()
	s.figures.at(snap)
	return s.figures.summaries[p]
}

func (s *Site) keepSummary(snap *snapshot.Snapshot, p place, sum *summary) {
	s.figures.mu.Lock()
	defer s.figures.mu.Unlock()
	s.figures.at(snap)
	if len(s.figures.summaries) == maxSummaries {
		clear(s.figures.summaries)
	}
	s.figures.summaries[p] = sum
}
