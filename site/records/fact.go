package records

import (
	"cmp"
	"slices"
	"strings"

	"razao/internal/record"
	"razao/internal/registry/pack"
	"razao/internal/source"
	"razao/internal/source/tally"
)

// fact is a record as totals, orders and the time line need it.
type fact struct {
	at     int // position in the list of what the page is about
	item   *pack.Item
	day    record.Date // 0: none was published
	state  string
	amount tally.Amount
	valued bool // there is an amount
}

// factsOf reads the facts of records, of which the first is at a position.
func factsOf(src *source.Source, items []pack.Item, from int) []fact {
	declared := &src.Facts
	facts := make([]fact, len(items))
	states := map[string]string{} // of many records few are different
	for i := range items {
		f := &facts[i]
		f.at, f.item = from+i, &items[i]
		f.day = tally.Day(f.item, declared.Day)
		f.state = stateOf(declared, f.item, states)
		if declared.Amount != nil {
			f.amount, f.valued = tally.ParseAmount(tally.Value(f.item, declared.Amount.Field))
		}
	}
	return facts
}

// stateOf is what a record is grouped by. known are the groups by what is published.
func stateOf(declared *source.Facts, it *pack.Item, known map[string]string) string {
	switch {
	case declared.State == "":
		return ""
	case isCancelled(declared, it):
		return "Cancelado"
	}
	published := detailOf(it, declared.State)
	state, ok := known[published]
	if !ok {
		state = cmp.Or(strings.Join(strings.Fields(published), " "), "Não informada")
		known[published] = state
	}
	return state
}

func isCancelled(declared *source.Facts, it *pack.Item) bool {
	return declared.Cancelled != "" && tally.Value(it, declared.Cancelled) == "S"
}

// detailOf returns a field, or a member of one that is an object.
func detailOf(it *pack.Item, name string) string {
	if field, member := source.Member(name); member != "" {
		return tally.Members(it, field)[member]
	}
	return tally.Value(it, name)
}

// newerFirst orders facts by day, those without one at the end, and else as the API has them.
func newerFirst(a, b fact) int { return cmp.Or(cmp.Compare(b.day, a.day), cmp.Compare(a.at, b.at)) }

// largerFirst orders facts by amount, those without one at the end, and else as the API has them.
func largerFirst(a, b fact) int {
	if a.valued != b.valued {
		if a.valued {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.amount, a.amount), cmp.Compare(a.at, b.at))
}

// choose returns the facts that a list asks for, in its order.
func (l *list) choose(facts []fact) []fact {
	chosen := make([]fact, 0, len(facts))
	for _, f := range facts {
		if (l.year == 0 || f.day.Year() == l.year) && (!l.by || f.state == l.state) {
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
