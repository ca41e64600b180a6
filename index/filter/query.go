package filter

import (
	"math"
	"slices"

	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/term"
	"razao/internal/data/record"
)

// Queries returns the filters as queries that must all match: terms, prefixes, ranges, disjunctions
// for several values, and boolean queries that only exclude. Bounds of the same measure become one
// Range, even across filters (ano_de and abertura_ate). An invalid set fails closed: its one query
// matches nothing.
func (s Set) Queries() []query.Query {
	groups := s.groups()
	if validate(groups) != nil {
		return []query.Query{oneOfThem()}
	}
	place, situacao := combined(groups)
	out := make([]query.Query, 0, len(groups)+1)
	var ranges []*Range
	for i := range groups {
		g := &groups[i]
		switch {
		case g.Kind == Bound:
			ranges = g.narrow(ranges, g.any[0])
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

// combined returns a filter by place and a filter by a single situação that can share the
// precomputed terms of both (term.UFSituacao, term.MunicipioSituacao); nil for both when the set
// has no such pair. Only the included places are combined: excluded ones are terms of the place
// alone.
func combined(groups []group) (place, situacao *group) {
	for i := range groups {
		switch g := &groups[i]; {
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

// queries appends the queries of one filter; match translates its included values.
func (g *group) queries(out []query.Query, match func(value string) query.Query) []query.Query {
	switch {
	case len(g.any) == 0:
	case g.Kind == Every, len(g.any) == 1:
		out = append(out, each(g.any, match)...)
	case g.Kind != Choice: // both values of a Choice are no condition
		out = append(out, oneOfThem(each(g.any, match)...))
	}
	switch {
	case g.Kind == Choice:
		for _, value := range g.none {
			out = append(out, match(g.opposite(value).Value))
		}
	case len(g.none) > 0 && g.seeksContact(): // who is not searched is not known to be elsewhere
		out = append(out, not(append(each(g.none, g.match), unsought())...))
	case len(g.none) > 0:
		out = append(out, not(each(g.none, g.match)...))
	}
	return out
}

// unsought matches documents whose contact is not searched: those of natural persons (record.IsIndividual) and those hidden on request.
func unsought() query.Query {
	return oneOfThem(has(term.MEI), has(term.Natureza+record.NaturezaIndividual), begins(term.Natureza+record.NaturezasPessoas), &Hidden{})
}

// opposite returns the other option of a Choice.
func (f *Filter) opposite(value string) Option {
	if value == f.Options[0].Value {
		return f.Options[1]
	}
	return f.Options[0]
}

func each(values []string, match func(value string) query.Query) []query.Query {
	all := make([]query.Query, len(values))
	for i, value := range values {
		all[i] = match(value)
	}
	return all
}

func oneOfThem(queries ...query.Query) query.Query {
	q := query.NewDisjunctionQuery(flattened(queries))
	q.SetMin(1)
	return q
}

func not(queries ...query.Query) query.Query {
	return query.NewBooleanQuery(nil, nil, flattened(queries))
}

// flattened replaces disjunctions by their disjuncts, so that a value that is itself a disjunction
// (a region) does not nest.
func flattened(queries []query.Query) []query.Query {
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

// coded returns a match function for documents that have the term of a kind with the value as its
// code.
func coded(kind string) func(string) query.Query {
	return func(value string) query.Query { return has(kind + value) }
}

// choice returns a match function for a flag: the first of two options requires the term, the second
// excludes it.
func choice(text string, options []Option) func(string) query.Query {
	return func(value string) query.Query {
		if value == options[0].Value {
			return has(text)
		}
		return not(has(text))
	}
}

func inRegion(value string) query.Query {
	return oneOfThem(each(regionUFs()[value], coded(term.UF))...)
}

func inAnyActivity(value string) query.Query {
	return oneOfThem(has(term.MainCNAE+value), has(term.SecondaryCNAE+value))
}

func inBairro(value string) query.Query { return has(term.Bairro + words(value)) }

func inStreet(value string) query.Query { return has(term.Street + term.StreetCode(value)) }

func atNumber(value string) query.Query { return has(term.HouseNumber + term.HouseNumberCode(value)) }

// withPhone matches either telephone. A mobile one may have been published before it got its ninth digit.
func withPhone(value string) query.Query {
	if other := term.OtherPhoneCode(value); other != "" {
		return oneOfThem(has(term.PhoneNumber+value), has(term.PhoneNumber+other))
	}
	return has(term.PhoneNumber + value)
}

// inArea matches a prefix of a CEP, which is indexed as its first three, first five and last three
// digits: whole CEPs are the conjunction of the latter two.
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

// publishedKinds are the codes (identificador) of partnerKinds.
var publishedKinds = map[string]string{"empresa": "1", "pessoa": "2", "estrangeiro": "3"}

func partnerOfKind(value string) query.Query { return has(term.PartnerKind + publishedKinds[value]) }

// partnerRoot matches partners whose CNPJ has the root.
func partnerRoot(value string) query.Query { return begins(term.PartnerCNPJ + value) }

// inBand matches the capital of a band, computed as term.CapitalBand does: the first ends below one
// real, the second below 10,000 reais, the others at ten times their beginning.
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

// sanctioned matches documents with a sanction of CEIS or CNEP in force today, or without one.
func sanctioned(value string) query.Query {
	any := []query.Query{&InForce{Source: "ceis"}, &InForce{Source: "cnep"}}
	if value == yesOrNo[0].Value {
		return oneOfThem(any...)
	}
	return not(any...)
}

func inYear(m Measure) func(string) query.Query {
	return func(value string) query.Query { return &Range{Measure: m, From: count(value), To: count(value)} }
}

// RecordsIn matches documents that a source has records of. It is answered by the flags of the
// source's load instead of terms, because sources change daily and the index monthly. Bleve itself
// treats it as a query that matches nothing.
type RecordsIn struct {
	query.MatchNoneQuery
	Source string
}

// Hidden matches documents whose contact is hidden on request. Bleve itself treats it as a query that matches
// nothing.
type Hidden struct{ query.MatchNoneQuery }

// InForce matches documents of which a record of a source is in force today. Bleve itself treats it
// as a query that matches nothing.
type InForce struct {
	query.MatchNoneQuery
	Source string
}

// Measure is a number that documents have in a column of the index, or that the records of a source
// add up to.
type Measure int

// The measures. Days are numbers AAAAMMDD, amounts cents. A document without a value matches no
// Range; Establishments and Partners always have one.
const (
	OpeningDay     Measure = iota
	CapitalCents           // of the company
	SituacaoDay            // start of the current situação; a day before 1900 counts as the first of that year
	SimplesDay             // entry into the Simples of a company that is in it; clamped likewise
	MEIDay                 // entry into the MEI; clamped likewise
	Establishments         // of the company, saturating at 65,535
	Partners               // of the company, saturating at 65,535
	DebtCents              // total active debt, source pgfn
	ContractCents          // total of public contracts, source pncp
	ContractYears          // years of public contracts, several values
	LoanCents              // total of loans, source bndes
	LoanYears              // years of loans, several values
)

// Range matches documents whose measure lies in [From, To]. Open ends are math.MinInt64 and
// math.MaxInt64; From > To matches nothing. It is answered by columns. Bleve itself treats it as a query that matches nothing.
type Range struct {
	query.MatchNoneQuery
	Measure  Measure
	From, To int64
}

// narrow intersects the range of a bound's measure with the end that value sets, and appends that
// range when it is new.
func (f *Filter) narrow(ranges []*Range, value string) []*Range {
	i := slices.IndexFunc(ranges, func(r *Range) bool { return r.Measure == f.measure })
	if i < 0 {
		i = len(ranges)
		ranges = append(ranges, &Range{Measure: f.measure, From: math.MinInt64, To: math.MaxInt64})
	}
	if r, n := ranges[i], f.end(value); f.upper {
		r.To = min(r.To, n)
	} else {
		r.From = max(r.From, n)
	}
	return ranges
}
