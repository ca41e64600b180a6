package index

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/intent"
	"razao/index/term"
)

// queries translates filters into the members of a conjunction.
func (f *Filters) queries() []query.Query {
	var out []query.Query
	one := func(kind, code string) {
		if code != "" {
			out = append(out, has(term.FieldFilter, kind+code))
		}
	}
	choice := func(kind string, c Choice) {
		switch c {
		case Yes:
			out = append(out, has(term.FieldFilter, kind))
		case No:
			out = append(out, query.NewBooleanQuery(nil, nil, []query.Query{has(term.FieldFilter, kind)}))
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
		out = append(out, opened(max(f.YearFrom, term.FirstYear), cmp.Or(f.YearTo, term.LastYear)))
	}
	for i, band := range CapitalBands() {
		if band == f.Capital {
			one(term.Capital, strconv.Itoa(i))
		}
	}
	if f.Source != "" {
		out = append(out, &recordsIn{source: f.Source})
	}
	one(term.PartnerDigits, f.PartnerDigits)
	if f.PartnerRoot != "" {
		out = append(out, begins(term.FieldFilter, term.PartnerCNPJ+f.PartnerRoot))
	}
	return out
}

// inPlace matches the documents of a place.
func inPlace(p *intent.Place) query.Query {
	if p.Municipio != "" {
		return has(term.FieldFilter, term.Municipio+p.Municipio)
	}
	return has(term.FieldFilter, term.UF+p.UF)
}

// opened matches the documents with a year of opening in a range.
func opened(from, to int) query.Query {
	q := query.NewTermRangeInclusiveQuery(term.Year+strconv.Itoa(from), term.Year+strconv.Itoa(to), &inclusive, &inclusive)
	q.SetField(term.NameOfField(term.FieldFilter))
	return q
}

var inclusive = true

// yearsOf is the inverse of opened.
func yearsOf(q *query.TermRangeQuery) (from, to int, err error) {
	from, err = strconv.Atoi(strings.TrimPrefix(q.Min, term.Year))
	if err == nil {
		to, err = strconv.Atoi(strings.TrimPrefix(q.Max, term.Year))
	}
	return from, to, err
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
