package index

import (
	"cmp"
	"strconv"

	"razao/index/column"
	"razao/index/docset"
	"razao/index/intent"
	"razao/index/term"
)

// clause is one condition on filter terms: a disjunction, or with not, its negation.
type clause struct {
	terms []string
	not   bool
	begin bool                        // terms are the beginnings of terms
	years [2]int                      // when terms are those of a range of years: the first and the last
	known *[column.Stages]column.When // of the years, nil until asked for
}

// clauses translates filters into a conjunction of clauses.
func (f *Filters) clauses() []clause {
	var out []clause
	one := func(kind, code string) {
		if code != "" {
			out = append(out, clause{terms: []string{kind + code}})
		}
	}
	choice := func(kind string, c Choice) {
		if c != Any {
			out = append(out, clause{terms: []string{kind}, not: c == No})
		}
	}
	switch {
	case f.Municipio != "" && f.Situacao != "":
		one(term.MunicipioSituacao, f.Municipio+f.Situacao)
		one(term.UF, f.UF)
	case f.UF != "" && f.Situacao != "":
		one(term.UFSituacao, f.UF+f.Situacao)
	default:
		one(term.Municipio, f.Municipio)
		one(term.UF, f.UF)
		one(term.Situacao, f.Situacao)
	}
	one(term.Porte, f.Porte)
	one(term.Natureza, f.Natureza)
	one(term.MainCNAE, f.CNAE)
	one(term.AnyCNAE, f.CNAEAny)
	choice(term.MEI, f.MEI)
	choice(term.Simples, f.Simples)
	choice(term.HeadOffice, f.HeadOffice)
	if f.YearFrom != 0 || f.YearTo != 0 {
		from, to := max(f.YearFrom, term.FirstYear), cmp.Or(f.YearTo, term.LastYear)
		out = append(out, clause{terms: yearTerms(from, to), years: [2]int{from, to}})
	}
	for i, band := range CapitalBands() {
		if band == f.Capital {
			one(term.Capital, strconv.Itoa(i))
		}
	}
	one(term.Source, f.Source)
	one(term.PartnerDigits, f.PartnerDigits)
	if f.PartnerRoot != "" {
		out = append(out, clause{terms: []string{term.PartnerCNPJ + f.PartnerRoot}, begin: true})
	}
	return out
}

// placeClause returns the condition that a document is in a place.
func placeClause(p *intent.Place) clause {
	if p.Municipio != "" {
		return clause{terms: []string{term.Municipio + p.Municipio}}
	}
	return clause{terms: []string{term.UF + p.UF}}
}

// yearTerms covers a range of years with as few terms as possible: whole decades have one of their own.
func yearTerms(from, to int) []string {
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

// condition is a clause with its postings in one shard.
type condition struct {
	*clause
	lists []docset.Set // documents have one of them
}

// conditions looks up the postings of clauses.
func (v *shardSearch) conditions(clauses []clause) ([]condition, error) {
	out := make([]condition, len(clauses))
	for i := range clauses {
		out[i].clause = &clauses[i]
		for _, key := range clauses[i].terms {
			docs, err := v.filterTerm(key, clauses[i].begin)
			if err != nil {
				return nil, err
			}
			if len(docs) > 0 {
				out[i].lists = append(out[i].lists, docs)
			}
		}
	}
	return out, nil
}

// filterTerm returns the documents that have a filter term or, with begin, one that begins so. It remembers them: other
// readings and facets ask again. No beginning that is asked for is a whole term.
func (v *shardSearch) filterTerm(key string, begin bool) (docset.Set, error) {
	for i := range v.filters {
		if v.filters[i].term == key {
			return v.filters[i].docs, nil
		}
	}
	read := v.Postings
	if begin {
		read = v.WithPrefix
	}
	docs, err := read(term.FieldFilter, []byte(key))
	v.filters = append(v.filters, filterPostings{key, docs})
	return docs, err
}

// filterPostings are the documents of a filter term.
type filterPostings struct {
	term string
	docs docset.Set
}

// narrow intersects lists and conditions; without lists it starts from all documents. Conditions of a single term join the
// lists, which are intersected rarest first; negations and disjunctions then look only at what is left.
func (v *shardSearch) narrow(lists []docset.Set, conditions []condition) docset.Set {
	for i := range conditions {
		c := &conditions[i]
		if c.not {
			continue
		}
		switch len(c.lists) {
		case 0:
			return nil
		case 1:
			lists = append(lists, c.lists[0])
		}
	}
	if len(lists) == 0 {
		lists = append(lists, v.work.FirstN(int(v.Docs())))
	}
	left := v.work.All(lists)
	for i := range conditions {
		c := &conditions[i]
		switch {
		case len(left) == 0:
			return nil
		case c.not:
			for _, list := range c.lists {
				left = v.work.Without(left, list)
			}
		case len(c.lists) > 1:
			left = v.andAny(left, c)
		}
	}
	return left
}

// probeCost is how many documents two lists intersect in the time in which one document is looked up in a column.
const probeCost = 4

// andAny intersects with a disjunction. A long range of years is cheaper to read from columns, document by document, when few
// are left.
func (v *shardSearch) andAny(left docset.Set, c *condition) docset.Set {
	docs := 0
	for _, list := range c.lists {
		docs += list.Count()
	}
	if c.years[0] > 0 && left.Count()*probeCost < docs {
		return v.openedIn(left, c.clause)
	}
	parts := make([]docset.Set, len(c.lists))
	for i, list := range c.lists {
		parts[i] = v.work.And(left, list)
	}
	return v.work.Union(parts)
}
