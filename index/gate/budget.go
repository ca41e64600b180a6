package gate

import (
	"math"
	"time"
)

// Limits of one query, for all its tiers and shards together. Honest queries stay far below;
// docs/search.md has the heaviest that could be made up. A query that reaches a limit is answered
// with what it has found, marked as incomplete.
const (
	maxVisited   = 12 << 20 // bytes of postings to intersect or unite; NewBudget adds docs/4
	maxExpanded  = 6000     // dictionary terms that prefixes expand to, over all shards
	maxTried     = 240      // words of all the texts tried: the one typed and its corrections
	maxQueryTime = 2 * time.Second
)

// Budget is what a query may still spend. Limits that were exceeded are negative. Not safe for
// concurrent use.
type Budget struct {
	Visits, Terms, Words int       // left: see maxVisited, maxExpanded, maxTried
	End                  time.Time // checked by Try only: between texts, not within one
	Spent                bool      // a limit was exceeded: what is found may be incomplete
}

// Boundless returns the budget of questions whose answer must be complete, exports and counts, of
// which the gate admits few at a time. Only the words tried stay limited.
func Boundless() Budget {
	return Budget{Visits: math.MaxInt, Terms: math.MaxInt, Words: maxTried, End: time.Now().Add(time.Hour)}
}

// NewBudget returns the budget of a search in an index of docs documents.
func NewBudget(docs uint32) Budget {
	return Budget{Visits: maxVisited + int(docs)/4, Terms: maxExpanded, Words: maxTried, End: time.Now().Add(maxQueryTime)}
}

// take spends n of one limit and reports whether the budget still holds.
func (b *Budget) take(limit *int, n int) bool {
	*limit -= n
	b.Spent = b.Spent || *limit < 0
	return !b.Spent
}

// Visit spends bytes of postings that are about to be read and reports whether to go on.
func (b *Budget) Visit(bytes int) bool { return b.take(&b.Visits, bytes) }

// Expand spends one dictionary term of a prefix and reports whether to go on.
func (b *Budget) Expand() bool { return b.take(&b.Terms, 1) }

// Try spends the words of a text that is about to be tried, also checks the clock, and reports
// whether to go on.
func (b *Budget) Try(words int) bool {
	b.Spent = b.Spent || time.Now().After(b.End)
	return b.take(&b.Words, words)
}
