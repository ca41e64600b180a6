package index

import (
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/intent"
	"razao/index/match"
)

// tier is one way of matching the words of a reading: the reason of its hits and the query.
type tier struct {
	why   Why
	query func(*intent.Words) query.Query // nil when the words have nothing to ask in this way
}

// Tiers of searches and suggestions. They differ in what the last word may be, since a suggestion
// is asked for in the middle of a word.
var (
	exactTier = tier{WhyExactName, match.Exact}
	nameTier  = tier{WhyName, match.Names}
	// prefixTier takes the last word as a prefix, unless it has no weight.
	prefixTier = tier{WhyPrefix, func(w *intent.Words) query.Query {
		if !w.IsLast {
			return nil
		}
		return match.Typing(w)
	}}
	partnerTier = tier{WhyPartner, match.Partner}
	// typingTier also takes a last word without weight as a prefix: "do" may become "dois".
	typingTier = tier{WhyPrefix, match.Typing}
	// typedTier ignores a last word without weight: "padaria do" waits for the next word.
	typedTier = tier{WhyName, func(w *intent.Words) query.Query {
		if w.IsLast {
			return nil
		}
		return match.Names(w)
	}}
	rarePrefixTier = tier{WhyPrefix, match.RarePrefix}
	soundTier      = tier{WhySound, match.Sound}
	listedTier     = tier{WhyListed, func(*intent.Words) query.Query { return query.NewMatchAllQuery() }}
)
