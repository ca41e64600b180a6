package places

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
	summaries map[Place]*Summary
}

// at makes place for the figures of a snapshot. The caller holds mu.
func (f *figures) at(snap *snapshot.Snapshot) {
	if id := snap.View.Snapshot.ID; id != f.snapshot || f.summaries == nil {
		f.snapshot, f.ranking, f.summaries = id, nil, map[Place]*Summary{}
	}
}

// ranking returns the figures of all places, which are not to be changed.
func (rm *Room) ranking(snap *snapshot.Snapshot) (*ranking, error) {
	rm.figures.mu.Lock()
	defer rm.figures.mu.Unlock()
	rm.figures.at(snap)
	if rm.figures.ranking == nil {
		var err error
		if rm.figures.ranking, err = newRanking(rm.atlas, rm.outlines, snap); err != nil {
			return nil, err
		}
	}
	return rm.figures.ranking, nil
}

// knownSummary returns the summary of a place, nil when nobody has asked for it yet.
func (rm *Room) knownSummary(snap *snapshot.Snapshot, p Place) *Summary {
	rm.figures.mu.Lock()
	defer rm.figures.mu.Unlock()
	rm.figures.at(snap)
	return rm.figures.summaries[p]
}

func (rm *Room) keepSummary(snap *snapshot.Snapshot, p Place, sum *Summary) {
	rm.figures.mu.Lock()
	defer rm.figures.mu.Unlock()
	rm.figures.at(snap)
	if len(rm.figures.summaries) == maxSummaries {
		clear(rm.figures.summaries)
	}
	rm.figures.summaries[p] = sum
}
