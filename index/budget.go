package index

import (
	"math"
	"time"
)

// A query may do so much, in all its tiers and shards together. Honest queries stay far below; docs/search.md has the
// worst that could be made up. What a query has found when its budget is spent is its answer, marked as a part.
const (
	maxVisited   = 12 << 20 // bytes of postings that are intersected or united, and a byte for every four documents
	maxExpanded  = 6000     // terms for prefixes, over all shards
	maxTried     = 240      // words of all texts that are tried, the typed one and those instead of it
	maxQueryTime = 2 * time.Second
)

// budget is what a query may still do.
type budget struct {
	visits, terms, words int
	end                  time.Time
	spent                bool
}

// boundless is the budget of what has to be whole: exports and counts, of which a few run at a time.
func boundless() budget {
	return budget{visits: math.MaxInt, terms: math.MaxInt, words: maxTried, end: time.Now().Add(time.Hour)}
}

func newBudget(docs uint32) budget {
	return budget{visits: maxVisited + int(docs)/4, terms: maxExpanded, words: maxTried, end: time.Now().Add(maxQueryTime)}
}

// take reduces one of the limits and says whether it held.
func (b *budget) take(limit *int, n int) bool {
	*limit -= n
	b.spent = b.spent || *limit < 0
	return !b.spent
}

func (b *budget) visit(bytes int) bool { return b.take(&b.visits, bytes) }

func (b *budget) expand() bool { return b.take(&b.terms, 1) }

func (b *budget) try(words int) bool {
	b.spent = b.spent || time.Now().After(b.end)
	return b.take(&b.words, words)
}
