package filter

import (
	"slices"
	"strconv"
	"strings"

	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/term"
)

// Queries translates a valid set into the members of a conjunction. Besides terms there are RecordsIn, prefixes, disjunctions of
// all these, boolean queries that only exclude, and one range of terms: see Years.
func (s Set) Queries() []query.Query {
	groups := s.groups()
	place, situacao := combined(groups)
	out := make([]query.Query, 0, len(groups)+1)
	from, to := term.FirstYear, term.LastYear
	years := false
	for i := range groups {
		g := &groups[i]
		switch {
		case g.Filter == nil:
		case g.Kind == Bound:
			years = true
			if year, _ := strconv.Atoi(g.any[0]); g.Name == YearFrom {
				from = year
			} else {
				to = year
			}
		case g == place:
			kind := g.place
			out = g.queries(out, func(value string) query.Query { return has(kind + value + situacao.any[0]) })
		case g == situacao:
		default:
			out = g.queries(out, g.match)
		}
	}
	if years {
		out = append(out, opened(from, to))
	}
	return out
}

// combined returns the place and the situação for both of which there is one term, nil when there is none: listings are mostly
// made of these. Of two places the smaller comes first.
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

// queries adds what must hold for a filter; match is of the values that may be there.
func (g *group) queries(out []query.Query, match func(value string) query.Query) []query.Query {
	switch len(g.any) {
	case 0:
	case 1:
		out = append(out, match(g.any[0]))
	default:
		if g.Kind != Choice { // of which any other document has the other value
			out = append(out, oneOfThem(g.any, match))
		}
	}
	switch {
	case g.Kind == Choice:
		for _, value := range g.none {
			out = append(out, match(g.other(value)))
		}
	case len(g.none) > 0:
		out = append(out, not(g.none, g.match))
	}
	return out
}

// other returns the other value of a choice.
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

func oneOfThem(values []string, match func(value string) query.Query) query.Query {
	q := query.NewDisjunctionQuery(each(values, match))
	q.SetMin(1)
	return q
}

func not(values []string, match func(value string) query.Query) query.Query {
	return query.NewBooleanQuery(nil, nil, each(values, match))
}

// has matches the documents with a filter term.
func has(text string) query.Query {
	q := query.NewTermQuery(text)
	q.SetField(term.NameOfField(term.FieldFilter))
	return q
}

func coded(kind string) func(string) query.Query {
	return func(value string) query.Query { return has(kind + value) }
}

// choice matches the documents with a term for the first value, those without it for the second.
func choice(text string, values []string) func(string) query.Query {
	return func(value string) query.Query {
		if value == values[0] {
			return has(text)
		}
		return not([]string{text}, has)
	}
}

func inBand(value string) query.Query {
	return has(term.Capital + strconv.Itoa(slices.Index(CapitalBands(), value)))
}

func partnerRoot(value string) query.Query {
	q := query.NewPrefixQuery(term.PartnerCNPJ + value)
	q.SetField(term.NameOfField(term.FieldFilter))
	return q
}

// RecordsIn matches the documents that a source has records of. To Bleve it would match none: its segments do not know.
type RecordsIn struct {
	query.MatchNoneQuery
	Source string
}

// opened matches the documents with a year of opening in a range.
func opened(from, to int) query.Query {
	inclusive := true
	q := query.NewTermRangeInclusiveQuery(term.Year+strconv.Itoa(from), term.Year+strconv.Itoa(to), &inclusive, &inclusive)
	q.SetField(term.NameOfField(term.FieldFilter))
	return q
}

// Years returns the years of opening that a range of terms stands for, both included.
func Years(q *query.TermRangeQuery) (from, to int, err error) {
	from, err = strconv.Atoi(strings.TrimPrefix(q.Min, term.Year))
	if err == nil {
		to, err = strconv.Atoi(strings.TrimPrefix(q.Max, term.Year))
	}
	return from, to, err
}

// YearTerms covers a range of years with as few terms as possible: whole decades have one of their own.
func YearTerms(from, to int) []string {
	var out []string
	for y := from; y <= to; {
		if y%10 == 0 && y+9 <= to {
			out = append(out, term.Decade+strconv.Itoa(y/10))
			y += 10
			continue
		}
		out = append(out, term.Year+strconv.Itoa(y))
		y++
	}
	return out
}
