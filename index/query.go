package index

import (
	"fmt"

	"razao/index/filter"
	"razao/index/intent"
	"razao/internal/data/cnpj"
)

// MaxTotal is up to where totals are exact; beyond it Results.TotalIsFloor is set and pages show
// "more than". Counting on would visit every match. Callers end exports there, too.
const MaxTotal = 10_000

// LongestText is how many characters programs may search for; no name is longer.
const LongestText = 200

// Query is a search by text, filters or both. The zero Query lists everything by importance; a zero
// Limit counts without returning hits. Queries are compared by value, for singleflight and caching.
type Query struct {
	Text    string // as typed; empty for a listing of what Filters leave
	Filters filter.Set
	// Order of the hits. With a text, any order but ByRank sorts everything that was found,
	// whatever the reason.
	Order Order
	// Offset and Limit select the page; negative values count as 0.
	Offset, Limit int
	LiteralPlaces bool  // do not turn words into filters: places and other conditions
	AllWords      bool  // leave no word out, even if nothing has them all
	Scope         Scope // where to look for the words
	// ByCompany collapses the results to one hit per company. Its first establishment represents
	// it: ByRank the first by tier and importance, in other orders by importance. Limit, Offset
	// and Total then count companies.
	ByCompany bool
	// CompanyRecords makes filters on the records of sources (debts, contracts, loans, sanctions) look
	// at those of the whole company instead of each establishment's own. ByCompany implies it.
	CompanyRecords bool
}

// Scope is where the words of a text are looked for. Numbers are found in any scope.
type Scope int

// The scopes.
const (
	InAll      Scope = iota // names, partners and activities
	InNames                 // legal and trade names
	InPartners              // names of partners
)

// has reports whether hits of a reason belong to the scope.
func (s Scope) has(why Why) bool {
	switch s {
	case InNames:
		return why != WhyPartner && why != WhyActivity
	case InPartners:
		return why == WhyPartner
	}
	return true
}

// Order is the sort order of the hits. Ties follow by importance.
type Order int

// The orders. Establishments without a capital, name or date come last in either direction.
const (
	ByRank    Order = iota // importance: active, head office, size, capital
	ByCapital              // largest first, implausible amounts behind all others
	ByName                 // legal name in folded words, ascending
	ByNewest               // day of opening, newest first
	ByOldest               // day of opening, oldest first; on one day the less important first
)

// AsksContact reports whether the query reads contacts, by its filters or because its text may be one,
// so that those that are hidden on request must be known: see Index.Hide.
func (q *Query) AsksContact() bool {
	return q.Filters.AsksContact() || q.takesContacts() && len(intent.Contacts(q.Text)) > 0
}

// asksOfCompanies reports whether filters look at the records of whole companies.
func (q *Query) asksOfCompanies() bool { return q.ByCompany || q.CompanyRecords }

// takesContacts reports whether the text may be a contact: not where words are taken literally, nor
// where they are looked for in names alone.
func (q *Query) takesContacts() bool { return !q.LiteralPlaces && q.Scope == InAll }

// validate checks what callers pass on from outside. The error is *filter.Error.
func (q *Query) validate() error {
	if q.Order < ByRank || q.Order > ByOldest {
		return &filter.Error{Field: "ordem", Value: fmt.Sprint(int(q.Order))}
	}
	return q.Filters.Validate()
}

// Results are one page of hits and the size of the whole result set. They may be shared with
// identical queries, so callers must not change them.
type Results struct {
	Hits         []Hit // never nil; ByRank: by tier, then by importance (numbers: by CNPJ)
	Total        int   // hits on all pages, at most MaxTotal
	TotalIsFloor bool  // there are more: Total is MaxTotal, or the budget was spent
	// Establishments is Total before collapsing by company. It is a floor when Total is one.
	Establishments int
	Understood     Understood
	// Work is what the search took, in steps of about a microsecond of a processor. It is counted, so that it is the same every time.
	Work int
}

// Understood says how a text was interpreted where it was not taken literally, so that pages can
// show and undo it. All lists may be nil.
type Understood struct {
	Places      []PlaceFilter // words taken as a place, with or without hits; LiteralPlaces undoes it
	Towns       []string      // municipalities that the text names and nothing else, likeliest first; codes of the tax authority
	Conditions  []Condition   // words taken as other filters; LiteralPlaces undoes these, too
	Corrections []Correction  // typing errors, corrected because nothing matched as typed
	Dropped     []string      // words left out as the last resort
	Activity    string        // activity that the words describe, in Portuguese; "" without hits of it
	Phrases     []string      // quoted phrases, folded
}

// Condition is a part of a text that was taken as a filter.
type Condition = intent.Condition

// Filters returns the conditions as a filter set; places are not in it.
func (u *Understood) Filters() filter.Set {
	var s filter.Set
	for _, c := range u.Conditions {
		s = s.Add(c.Name, c.Value)
	}
	return s
}

// PlaceFilter is a place that words of the query name.
type PlaceFilter struct {
	Words     string // folded: "campinas sp"
	UF        string // 2 letters
	Municipio string // the tax authority's code, 4 digits; "" for a whole state
}

// Correction is a word that was replaced by a similar one, both folded.
type Correction struct{ From, To string }

// Hit is an establishment, or with Query.ByCompany the one that represents its company, and why it
// was found.
type Hit struct {
	CNPJ cnpj.Full
	Why  Why
}

// Why is the reason of a hit: the way of matching that found it. Smaller is better.
type Why int

// The reasons, best first. A hit that several tiers would find has the reason of the first.
const (
	WhyCNPJ      Why = iota // its number is, or begins with, what was typed
	WhyExactName            // the legal or the trade name is what was typed, legal suffixes and particles aside
	WhyName                 // legal and trade name have all the words
	WhyPrefix               // the same with the last word taken as the beginning of one
	WhyPartner              // a partner's name has all the words, or words that sound like these
	WhyActivity             // the main activity is what the words say: see Understood.Activity
	WhySound                // names have words that sound like these
	WhyCorrected            // names match once a typing error is corrected: see Understood.Corrections
	WhyPartial              // names have all words but one: see Understood.Dropped
	WhyListed               // no text was asked for: the filters leave it
)
