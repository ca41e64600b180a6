package index

import (
	"context"
	"fmt"

	"razao/internal/cnpj"
)

// MaxTotal is the highest total that is counted; beyond it results say "more than".
const MaxTotal = 10_000

// Query is what a person asked for. The zero Limit counts without returning hits.
type Query struct {
	Text          string
	Offset, Limit int
}

// Results of a query: one page of hits, and how many there are in all.
type Results struct {
	Hits         []Hit // never nil; in order of the reason, then of importance (numbers: of the CNPJ)
	Total        int
	TotalIsFloor bool // there are more than Total, which then is MaxTotal
}

// Hit is a found establishment and why it was found.
type Hit struct {
	CNPJ cnpj.Full
	Why  Why
}

// Why is the reason of a hit; a smaller one comes first in the results.
type Why int

// The reasons, best first. An establishment that has several is listed under the first.
const (
	WhyCNPJ      Why = iota // its number is, or begins with, what was typed
	WhyExactName            // the legal or the trade name is what was typed, legal suffixes and particles aside
	WhyName                 // legal and trade name have all the words
	WhyPrefix               // the same with the last word taken as the beginning of one
	WhyPartner              // the partners' names have all the words
)

// Search answers a query. Any text is allowed: one without a word or a number, or longer than a name can be, finds
// nothing. Pages of the same text are stable and never repeat a hit. The only errors are those of ctx and of reading
// the index.
func (ix *Index) Search(ctx context.Context, q Query) (Results, error) {
	p := &page{skip: max(q.Offset, 0), limit: max(q.Limit, 0), count: MaxTotal, hits: []Hit{}}
	err := ix.begin(q.Text, p).run(ctx,
		tier{WhyExactName, (*shardSearch).exactName},
		tier{WhyName, (*shardSearch).allWords},
		tier{WhyPrefix, (*shardSearch).lastAsPrefix},
		tier{WhyPartner, (*shardSearch).partner},
	)
	if err != nil {
		return Results{Hits: []Hit{}}, fmt.Errorf("search: %w", err)
	}
	return Results{Hits: p.hits, Total: min(p.total, MaxTotal), TotalIsFloor: p.total > MaxTotal}, nil
}

// Suggest completes what is being typed: at most n establishments, whole names first, then active ones that have all
// the words, the last one taken as a beginning, by importance; or, for a number, those that begin with it, in order.
func (ix *Index) Suggest(ctx context.Context, text string, n int) ([]Hit, error) {
	p := &page{limit: max(n, 0), hits: []Hit{}}
	err := ix.begin(text, p).run(ctx,
		tier{WhyExactName, (*shardSearch).exactName},
		tier{WhyPrefix, (*shardSearch).typing},
		tier{WhyName, (*shardSearch).typed},
	)
	if err != nil {
		return nil, fmt.Errorf("suggestion: %w", err)
	}
	return p.hits, nil
}

// page gathers hits: it skips, keeps up to limit, and goes on counting until there are more than count.
type page struct {
	skip, limit int
	count       int // 0: the total is of no interest
	hits        []Hit
	total       int
}

// done says that nothing more is wanted.
func (p *page) done() bool { return len(p.hits) >= p.limit && (p.count == 0 || p.total > p.count) }

// take counts n more matches and returns which of them, from first on, belong to the page.
func (p *page) take(n int) (first, last int) {
	first = min(max(p.skip-p.total, 0), n)
	last = min(first+p.limit-len(p.hits), n)
	p.total += n
	return first, last
}
