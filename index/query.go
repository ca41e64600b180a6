package index

import (
	"fmt"

	"razao/index/filter"
	"razao/index/intent"
	"razao/internal/cnpj"
)

// MaxTotal is the highest total that is counted; beyond it results say "more than". It is also how far an export goes.
const MaxTotal = 10_000

// Query is what a person asked for. The zero Limit counts without returning hits.
type Query struct {
	Text    string // empty: a listing of what Filters leave
	Filters filter.Set
	// Order of the hits. With a text, another order than ByRank applies to everything found, whatever the reason.
	Order         Order
	Offset, Limit int
	LiteralPlaces bool  // words that name a city or state, or say another filter, are not taken for one
	Scope         Scope // where the words are looked for
	// ByCompany has each company once: the first of its establishments by importance stands for it, ByRank by reason and importance.
	// Pages and Total are of companies.
	ByCompany bool
}

// Scope is where the words of a text are looked for. Numbers are found in any.
type Scope int

// The scopes.
const (
	InAll      Scope = iota
	InNames          // legal and trade names
	InPartners       // names of partners
)

// has says whether hits of a reason are in the scope.
func (s Scope) has(why Why) bool {
	switch s {
	case InNames:
		return why != WhyPartner && why != WhyActivity
	case InPartners:
		return why == WhyPartner
	}
	return true
}

// Order of a listing. Documents that are equal in it follow by importance.
type Order int

// The orders. What has no capital, name or date comes last.
const (
	ByRank    Order = iota // importance: active, head office, size, capital
	ByCapital              // largest first, implausible ones behind all others
	ByName                 // legal name, as words are folded
	ByNewest               // opening
	ByOldest               // opening; on the same day the less important first
)

func (q *Query) validate() error {
	if q.Order < ByRank || q.Order > ByOldest {
		return &filter.Error{Field: "ordem", Value: fmt.Sprint(int(q.Order))}
	}
	return q.Filters.Validate()
}

// Results of a query: one page of hits, and how many there are in all.
type Results struct {
	Hits         []Hit // never nil; ByRank: in order of the reason, then of importance (numbers: of the CNPJ)
	Total        int
	TotalIsFloor bool // there are more than Total: it is MaxTotal, or the query was cut short
	// Establishments is how many establishments are found, of which companies stand for several; it is a floor with Total.
	Establishments int
	Understood     Understood
}

// Understood says how a text was read where it was not taken as it stands. All its lists may be nil.
type Understood struct {
	Places      []PlaceFilter // what became a filter, whether or not it leaves anything; Query.LiteralPlaces undoes it
	Conditions  []Condition   // what became other filters; Query.LiteralPlaces undoes them, too
	Corrections []Correction  // only when nothing matched as typed
	Dropped     []string      // words left out as the last resort
	Activity    string        // what was also looked for as an activity, in Portuguese; "" when that found nothing
	Phrases     []string      // quoted words that must stand together
}

// Condition is a part of a text that says a filter.
type Condition = intent.Condition

// Filters returns the filters of the conditions.
func (u *Understood) Filters() filter.Set {
	var s filter.Set
	for _, c := range u.Conditions {
		s = s.Add(c.Name, c.Value)
	}
	return s
}

// PlaceFilter is a place that words of the query name.
type PlaceFilter struct {
	Words     string // as folded: "campinas sp"
	UF        string
	Municipio string // 4 digits, "" for a whole state
}

// Correction is a word that nothing matched and the one that was searched instead, both folded.
type Correction struct{ From, To string }

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
	WhyPartner              // a partner's name has all the words
	WhyActivity             // the main activity is what the words say: see Understood.Activity
	WhySound                // names have words that sound like these
	WhyCorrected            // names match once a typing error is corrected: see Understood.Corrections
	WhyPartial              // names have all words but one: see Understood.Dropped
	WhyListed               // no text was asked for: the filters leave it
)
