package records

import (
	"cmp"
	"slices"
	"strings"

	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry/pack"
	"razao/internal/store/totals"
)

// fact is a record reduced to what totals, orders and the time line need.
type fact struct {
	at     int // position in the list of the page's document, from 0
	item   *pack.Item
	day    record.Date // 0 when none was published
	state  string      // what Summary.Rows group by
	amount totals.Amount
	valued bool // amount was published
	added  bool // amount is in the sum of all records; set by summaryOf
}

// factsOf returns the facts of items, the first of which is at position from. The facts keep
// pointers into items.
func factsOf(src *source.Source, items []pack.Item, from int) []fact {
	declared := &src.Facts
	facts := make([]fact, len(items))
	states := map[string]string{} // published text to state; few distinct ones among many records
	for i := range items {
		f := &facts[i]
		f.at, f.item = from+i, &items[i]
		f.day = totals.Day(f.item, declared.Day)
		f.state = stateOf(declared, f.item, states)
		if declared.Amount != nil {
			f.amount, f.valued = totals.ParseAmount(totals.Value(f.item, declared.Amount.Field))
		}
	}
	return facts
}

// stateOf returns the state that a record is grouped by: its published text with spaces normalized,
// or "Cancelado". known memoizes it by the field as stored, since decoding JSON costs more than the rest.
func stateOf(declared *source.Facts, it *pack.Item, known map[string]string) string {
	switch {
	case declared.State == "":
		return ""
	case isCancelled(declared, it):
		return "Cancelado"
	}
	field, _ := source.Member(declared.State)
	published := it.Value(field)
	state, ok := known[published]
	if !ok {
		state = cmp.Or(strings.Join(strings.Fields(detailOf(it, declared.State)), " "), "Não informada")
		known[published] = state
	}
	return state
}

// isCancelled reports whether the record's publisher flags it as cancelled.
func isCancelled(declared *source.Facts, it *pack.Item) bool {
	return declared.Cancelled != "" && totals.Value(it, declared.Cancelled) == "S"
}

// detailOf returns a field or, for a name with a point, a member of a field that holds an object.
func detailOf(it *pack.Item, name string) string {
	if field, member := source.Member(name); member != "" {
		return totals.Members(it, field)[member]
	}
	return totals.Value(it, name)
}

// newerFirst orders by descending day, undated last; ties keep the API's order.
func newerFirst(a, b fact) int { return cmp.Or(cmp.Compare(b.day, a.day), cmp.Compare(a.at, b.at)) }

// largerFirst orders by descending amount, those without one last; ties keep the API's order.
func largerFirst(a, b fact) int {
	if a.valued != b.valued {
		if a.valued {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.amount, a.amount), cmp.Compare(a.at, b.at))
}

// choose returns the facts that pass the list's filter, in its order. It does not change facts.
func (l *list) choose(facts []fact) []fact {
	chosen := make([]fact, 0, len(facts))
	for _, f := range facts {
		if (l.year == 0 || f.day.Year() == l.year) && (!l.byState || f.state == l.state) {
			chosen = append(chosen, f)
		}
	}
	switch l.order {
	case byAmount:
		slices.SortFunc(chosen, largerFirst)
	case byDay:
		slices.SortFunc(chosen, newerFirst)
	}
	return chosen
}
