package gate

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

// Budget is what a query may still do. Not safe for concurrent use.
type Budget struct {
	Visits, Terms, Words int // see maxVisited, maxExpanded, maxTried
	End                  time.Time
	Spent                bool // what is found from now on is a part
}

// Boundless is the budget of what has to be whole: exports and counts, of which a few run at a time.
func Boundless() Budget {
	return Budget{Visits: math.MaxInt, Terms: math.MaxInt, Words: maxTried, End: time.Now().Add(time.Hour)}
}

// NewBudget is that of a question to an index of so many documents.
func NewBudget(docs uint32) Budget {
	return Budget{Visits: maxVisited + int(docs)/4, Terms: maxExpanded, Words: maxTried, End: time.Now().Add(maxQueryTime)}
}

// take reduces one of the limits and says whether it held.
func (b *Budget) take(limit *int, n int) bool {
	*limit -= n
	b.Spent = b.Spent || *limit < 0
	return !b.Spent
}

// Visit takes bytes of postings that are about to be read, and says whether that is allowed.
func (b *Budget) Visit(bytes int) bool { return b.take(&b.Visits, bytes) }

// Expand takes a term that stands for a prefix.
func (b *Budget) Expand() bool { return b.take(&b.Terms, 1) }

// Try takes the words of a text that is about to be tried.
func (b *Budget) Try(words int) bool {
	b.Spent = b.Spent || time.Now().After(b.End)
	return b.take(&b.Words, words)
}
