package index

import (
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"
)

// clause is one condition on filter terms: a document has one of them, or with not, none of them.
type clause struct {
	terms  []string
	prefix string // also all terms that begin so, "" for none
	not    bool
}

// clauses translates filters into conditions that all must hold.
func (f *Filters) clauses() []clause {
	var out []clause
	one := func(kind, code string) {
		if code != "" {
			out = append(out, clause{terms: []string{kind + code}})
		}
	}
	choice := func(term string, c Choice) {
		if c != Any {
			out = append(out, clause{terms: []string{term}, not: c == No})
		}
	}
	switch {
	case f.Municipio != "" && f.Situacao != "":
		one("ms", f.Municipio+f.Situacao)
		one("u", f.UF)
	case f.UF != "" && f.Situacao != "":
		one("us", f.UF+f.Situacao)
	default:
		one("m", f.Municipio)
		one("u", f.UF)
		one("s", f.Situacao)
	}
	one("p", f.Porte)
	one("n", f.Natureza)
	one("c", f.CNAE)
	if len(f.CNAEAny) > 0 {
		out = append(out, anyActivity(f.CNAEAny))
	}
	choice("omei", f.MEI)
	choice("osimples", f.Simples)
	choice("t", f.HeadOffice)
	if f.YearFrom != 0 || f.YearTo != 0 {
		out = append(out, clause{terms: yearTerms(f.YearFrom, f.YearTo)})
	}
	for i, band := range CapitalBands() {
		if band == f.Capital {
			one("z", strconv.Itoa(i))
		}
	}
	one("r", f.Source)
	return out
}

// anyActivity is the condition on the main or a secondary activity. Sections and divisions have terms of their own.
func anyActivity(code string) clause {
	switch len(code) {
	case 1, 2:
		return clause{terms: []string{"a" + code}}
	case 7:
		return clause{terms: []string{"c" + code, "k" + code}}
	}
	return clause{terms: []string{"c" + code}, prefix: "k" + code}
}

// yearTerms covers a range of years with as few terms as possible: whole decades have one of their own.
func yearTerms(from, to int) []string {
	from, to = max(from, firstYear), min(max(to, 0), lastYear)
	if to == 0 {
		to = lastYear
	}
	var out []string
	for y := from; y <= to; {
		if y%10 == 0 && y+9 <= to {
			out = append(out, "Y"+strconv.Itoa(y/10))
			y += 10
			continue
		}
		out = append(out, "y"+strconv.Itoa(y))
		y++
	}
	return out
}

// condition is a clause in one shard.
type condition struct {
	lists []*roaring.Bitmap // documents have one of them
	not   bool
}

// conditions reads the postings of clauses.
func (v *view) conditions(clauses []clause) ([]condition, error) {
	out := make([]condition, 0, len(clauses))
	for _, c := range clauses {
		cond := condition{not: c.not}
		for _, term := range c.terms {
			bm, err := v.postings(fieldFilter, []byte(term))
			if err != nil {
				return nil, err
			}
			if !bm.IsEmpty() {
				cond.lists = append(cond.lists, bm)
			}
		}
		if c.prefix != "" {
			err := v.terms(fieldFilter, []byte(c.prefix), func(_ string, docs *roaring.Bitmap) bool {
				cond.lists = append(cond.lists, docs)
				return true
			})
			if err != nil {
				return nil, err
			}
		}
		out = append(out, cond)
	}
	return out, nil
}

// narrow returns the documents that are in all lists and meet all conditions; without lists, of all docs documents.
// The conditions on a single term are joined with the lists, rarest first; the others look at what is left.
func narrow(lists []*roaring.Bitmap, conditions []condition, docs uint64) *roaring.Bitmap {
	for _, c := range conditions {
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
	left := and(lists)
	if left == nil && len(lists) > 0 {
		return nil
	}
	for _, c := range conditions {
		switch {
		case c.not || len(c.lists) < 2:
		case left == nil:
			left = roaring.FastOr(c.lists...)
		default:
			left = andAny(left, c.lists)
		}
	}
	if left == nil {
		left = roaring.New()
		left.AddRange(0, docs)
	}
	for _, c := range conditions {
		if !c.not {
			continue
		}
		for _, list := range c.lists {
			left = roaring.AndNot(left, list)
		}
	}
	return left
}

// andAny returns the documents of left that are in any of lists, without making the union of all lists.
func andAny(left *roaring.Bitmap, lists []*roaring.Bitmap) *roaring.Bitmap {
	parts := make([]*roaring.Bitmap, len(lists))
	for i, list := range lists {
		parts[i] = roaring.And(left, list)
	}
	return roaring.FastOr(parts...)
}
