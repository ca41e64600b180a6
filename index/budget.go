package index

import (
	"math"
	"time"
)

// Limits of one query, for all its tiers and shards together. Honest queries stay far below;
// docs/search.md has the heaviest that could be made up. A query that reaches a limit is answered
// with what it has found, marked as incomplete.
const (
	maxVisited   = 12 << 20 // bytes of postings to intersect or unite; newBudget adds docs/4
	maxExpanded  = 6000     // dictionary terms that prefixes expand to, over all shards
	maxTried     = 240      // words of all the texts tried: the one typed and its corrections
	maxQueryTime = 2 * time.Second
)

// budget is what a query may still spend. Limits that were exceeded are negative. Not safe for
// concurrent use.
type budget struct {
	bytes, terms, words int       // left: see maxVisited, maxExpanded, maxTried
	end                 time.Time // checked by try only: between texts, not within one
	spent               bool      // a limit was exceeded: what is found may be incomplete
	work                int       // done so far, in steps; see Results.Work
}

// What a search takes, in steps of about a microsecond.
const (
	bytesPerStep = 1 << 10 // of postings
	termSteps    = 5       // a term that a prefix stands for
	wordSteps    = 50      // a word of a text that is tried, in all tiers and shards
	similarSteps = 1_000   // looking for words that are similar to one
)

// boundless returns the budget of queries whose answer must be complete, exports and counts, of
// which the limiter admits few at a time. Only the words tried stay limited.
func boundless() budget {
	return budget{bytes: math.MaxInt, terms: math.MaxInt, words: maxTried, end: time.Now().Add(time.Hour)}
}

// newBudget returns the budget of a search in an index of docs documents.
func newBudget(docs uint32) budget {
	return budget{bytes: maxVisited + int(docs)/4, terms: maxExpanded, words: maxTried, end: time.Now().Add(maxQueryTime)}
}

// take spends n of one limit and reports whether the budget still holds.
func (b *budget) take(limit *int, n int) bool {
	*limit -= n
	b.spent = b.spent || *limit < 0
	return !b.spent
}

// visit spends bytes of postings that are about to be read and reports whether to go on.
func (b *budget) visit(bytes int) bool {
	b.work += bytes / bytesPerStep
	return b.take(&b.bytes, bytes)
}

// expand spends one dictionary term of a prefix and reports whether to go on.
func (b *budget) expand() bool {
	b.work += termSteps
	return b.take(&b.terms, 1)
}

// try spends the words of a text that is about to be tried, also checks the clock, and reports
// whether to go on.
func (b *budget) try(words int) bool {
	b.work += words * wordSteps
	b.spent = b.spent || time.Now().After(b.end)
	return b.take(&b.words, words)
}
