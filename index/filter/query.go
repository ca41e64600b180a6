package filter

import (
	"math"
	"slices"
	"strconv"

	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/term"
)

// Queries returns the filters as queries that all must match: terms, prefixes and ranges, disjunctions of those of several values, and
// boolean queries that only exclude.
func (s Set) Queries() []query.Query {
	groups := s.groups()
	place, situacao := combined(groups)
	out := make([]query.Query, 0, len(groups)+1)
	var ranges []*Range
	for i := range groups {
		g := &groups[i]
		switch {
		case g.Filter == nil:
		case g.Kind == Bound:
			ranges = g.bound.narrow(ranges, g.any[0])
		case g == place:
			kind := g.place
			out = g.queries(out, func(value string) query.Query { return has(kind + value + situacao.any[0]) })
		case g == situacao:
		default:
			out = g.queries(out, g.match)
		}
	}
	for _, r := range ranges {
		out = append(out, r)
	}
	return out
}

// combined returns a filter by place and one by one situação, which share terms; nil for both when there are none.
func combined(groups []group) (place, situacao *group) {
	for i := range groups {
		switch g := &groups[i]; {
		case g.Filter == nil:
		case g.Name == Situacao && len(g.any) == 1 && len(g.none) == 0:
			situacao = g
		case g.place != "" && len(g.any) > 0 && place == nil:
			place = g
		}
	}
	if place == nil || situacao == nil {
		return nil, nil
	}
	return place, situacao
}

// queries adds those of one filter.
func (g *group) queries(out []query.Query, match func(value string) query.Query) []query.Query {
	switch {
	case len(g.any) == 0:
	case g.Kind == Every, len(g.any) == 1:
		out = append(out, each(g.any, match)...)
	case g.Kind != Choice: // of which any document has one of the values
		out = append(out, oneOfThem(each(g.any, match)...))
	}
	switch {
	case g.Kind == Choice:
		for _, value := range g.none {
			out = append(out, match(g.other(value)))
		}
	case len(g.none) > 0:
		out = append(out, not(each(g.none, g.match)...))
	}
	return out
}

// other returns the other value of a Choice.
func (g *group) other(value string) string {
	values := yesOrNo
	if g.Name == HeadOffice {
		values = offices
	}
	return values[1-slices.Index(values, value)]
}

func each(values []string, match func(value string) query.Query) []query.Query {
	all := make([]query.Query, len(values))
	for i, value := range values {
		all[i] = match(value)
	}
	return all
}

func oneOfThem(queries ...query.Query) query.Query {
	q := query.NewDisjunctionQuery(flat(queries))
	q.SetMin(1)
	return q
}

func not(queries ...query.Query) query.Query { return query.NewBooleanQuery(nil, nil, flat(queries)) }

// flat puts what disjunctions are made of in their place.
func flat(queries []query.Query) []query.Query {
	out := make([]query.Query, 0, len(queries))
	for _, q := range queries {
		if either, ok := q.(*query.DisjunctionQuery); ok {
			out = append(out, either.Disjuncts...)
		} else {
			out = append(out, q)
		}
	}
	return out
}

func has(text string) query.Query {
	q := query.NewTermQuery(text)
	q.SetField(term.NameOfField(term.FieldFilter))
	return q
}

func begins(text string) query.Query {
	q := query.NewPrefixQuery(text)
	q.SetField(term.NameOfField(term.FieldFilter))
	return q
}

// coded matches documents with a term of a kind that has the value as its code.
func coded(kind string) func(string) query.Query {
	return func(value string) query.Query { return has(kind + value) }
}

// choice matches documents that have a term, for the first of two values, or have it not.
func choice(text string, values []string) func(string) query.Query {
	return func(value string) query.Query {
		if value == values[0] {
			return has(text)
		}
		return not(has(text))
	}
}

func inRegion(value string) query.Query { return oneOfThem(each(regions()[value], coded(term.UF))...) }

func inAnyActivity(value string) query.Query {
	return oneOfThem(has(term.MainCNAE+value), has(term.SecondaryCNAE+value))
}

func inBairro(value string) query.Query { return has(term.Bairro + words(value)) }

// inArea matches the CEPs that begin so.
func inArea(value string) query.Query {
	switch n := len(value); {
	case n == 4:
		return begins(term.CEPArea + value)
	case n == 3 || n == 5:
		return has(term.CEPArea + value)
	case n < 8:
		return query.NewConjunctionQuery([]query.Query{has(term.CEPArea + value[:5]), begins(term.CEPEnd + value[5:])})
	}
	return query.NewConjunctionQuery([]query.Query{has(term.CEPArea + value[:5]), has(term.CEPEnd + value[5:])})
}

func partnerOfKind(value string) query.Query {
	return has(term.PartnerKind + strconv.Itoa(slices.Index(partnerKinds, value)+1))
}

// partnerRoot matches the partners' CNPJs that begin with a root.
func partnerRoot(value string) query.Query { return begins(term.PartnerCNPJ + value) }

// inBand matches the capital of a band: each but the first begins at ten times the former, see term.CapitalBand.
func inBand(value string) query.Query {
	r := &Range{Measure: CapitalCents, From: 0, To: 99}
	for range slices.Index(CapitalBands(), value) {
		if r.From == 0 {
			r.From, r.To = 100, 10_000_00-1
		} else {
			r.From, r.To = r.To+1, r.To*10+9
		}
	}
	if value == CapitalBands()[len(CapitalBands())-1] {
		r.To = math.MaxInt64
	}
	return r
}

func recordsIn(value string) query.Query { return &RecordsIn{Source: value} }

// sanctioned matches what CEIS or CNEP have a sanction of that is in force today.
func sanctioned(value string) query.Query {
	any := []query.Query{&InForce{Source: "ceis"}, &InForce{Source: "cnep"}}
	if value == yesOrNo[0] {
		return oneOfThem(any...)
	}
	return not(any...)
}

func inYear(m Measure) func(string) query.Query {
	return func(value string) query.Query { return &Range{Measure: m, From: count(value), To: count(value)} }
}

// RecordsIn matches documents that a source has records of, which is not among the terms: sources change daily. To Bleve it is a
// query that matches nothing.
type RecordsIn struct {
	query.MatchNoneQuery
	Source string
}

// InForce matches documents of which a record of a source is in force today. To Bleve it is a query that matches nothing.
type InForce struct {
	query.MatchNoneQuery
	Source string
}

// Measure is a number that documents have, or that a source has of them.
type Measure int

// The measures. Days are numbers AAAAMMDD. Nothing matches a document that has none, but for Establishments and Partners.
const (
	OpeningDay     Measure = iota
	CapitalCents           // of the company
	SituacaoDay            // since when the situação holds; a day before 1900 counts as the first of that year
	SimplesDay             // since when a company that is in the Simples is in it; the same
	MEIDay                 // the same
	Establishments         // of the company; 65,535 and more are one
	Partners               // of the company; 65,535 and more are one
	DebtCents              // active debt, in pgfn
	ContractCents          // public contracts, in pncp
	ContractYears          // several
	LoanCents              // in bndes
	LoanYears              // several
)

// Range matches documents with a measure from a number to another, both included. To Bleve it is a query that matches nothing: the
// numbers are in columns, which take a tenth of the room that terms of them would.
type Range struct {
	query.MatchNoneQuery
	Measure  Measure
	From, To int64
}

// narrow applies an end of a range to those so far.
func (b *bound) narrow(ranges []*Range, value string) []*Range {
	i := slices.IndexFunc(ranges, func(r *Range) bool { return r.Measure == b.measure })
	if i < 0 {
		i = len(ranges)
		ranges = append(ranges, &Range{Measure: b.measure, From: math.MinInt64, To: math.MaxInt64})
	}
	if r, n := ranges[i], b.number(value); b.upper {
		r.To = min(r.To, n)
	} else {
		r.From = max(r.From, n)
	}
	return ranges
}
