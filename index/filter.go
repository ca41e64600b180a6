package index

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"
)

// clause is one condition on filter terms: a document has one of them, or with not, none of them.
type clause struct {
	terms  []string
	prefix string // also all terms that begin so, "" for none
	not    bool
	years  [2]int // when terms are those of a range of years: the first and the last
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
		from, to := max(f.YearFrom, firstYear), cmp.Or(f.YearTo, lastYear)
		out = append(out, clause{terms: yearTerms(from, to), years: [2]int{from, to}})
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
	holds func(doc uint32) bool // tells for a single document, nil when only the lists do
}

// conditions reads the postings of clauses.
func (v *shardSearch) conditions(clauses []clause) ([]condition, error) {
	out := make([]condition, 0, len(clauses))
	for _, c := range clauses {
		cond := condition{not: c.not}
		if c.years[0] > 0 {
			cond.holds = func(doc uint32) bool {
				year := v.columns.facetsOf(v.base + doc).year()
				return year >= c.years[0] && year <= c.years[1]
			}
		}
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
			left = c.andAny(left)
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

// andAny returns the documents of left that meet the condition, without making the union of all its lists.
func (c *condition) andAny(left *roaring.Bitmap) *roaring.Bitmap {
	docs := uint64(0)
	for _, list := range c.lists {
		docs += list.GetCardinality()
	}
	if c.holds != nil && left.GetCardinality()*probeCost < docs {
		return probe(left, c.holds)
	}
	parts := make([]*roaring.Bitmap, len(c.lists))
	for i, list := range c.lists {
		parts[i] = roaring.And(left, list)
	}
	return roaring.FastOr(parts...)
}

// and intersects lists, rarest first. It may return one of them.
func and(lists []*roaring.Bitmap) *roaring.Bitmap {
	if len(lists) == 0 {
		return nil
	}
	slices.SortFunc(lists, func(a, b *roaring.Bitmap) int { return cmp.Compare(a.GetCardinality(), b.GetCardinality()) })
	result := lists[0]
	for _, list := range lists[1:] {
		if result.IsEmpty() {
			return nil
		}
		result = roaring.And(result, list)
	}
	return result
}

// probeCost is how many documents of two lists are compared in the time in which one document is asked.
const probeCost = 4

// probe returns the documents of few for which holds says so.
func probe(few *roaring.Bitmap, holds func(uint32) bool) *roaring.Bitmap {
	var buf [256]uint32
	out := roaring.New()
	it := few.ManyIterator()
	for n := it.NextMany(buf[:]); n > 0; n = it.NextMany(buf[:]) {
		kept := buf[:0]
		for _, doc := range buf[:n] {
			if holds(doc) {
				kept = append(kept, doc)
			}
		}
		out.AddMany(kept)
	}
	return out
}
