package sample

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/totals"
)

// TestChangesOfRecordsAreThosePlanted compares the records of four months, as the loaders of their sources read
// them, and checks that MUDANCAS.csv lists exactly whose differ.
func TestChangesOfRecordsAreThosePlanted(t *testing.T) {
	t.Parallel()
	o := Options{Roots: 6000, Seed: 6, First: "2026-06", Month: "2026-06"}
	before := load(t, o)
	events := map[string]int{}
	for _, month := range []string{"2026-07", "2026-08", "2026-09"} {
		o.Since, o.Month = o.Month, month
		after := load(t, o)
		planted := slices.DeleteFunc(readChanges(t, after.sum.Dir), func(row string) bool { return !strings.Contains(row, ";;fonte.") })
		var found []string
		for _, id := range []string{"pgfn", "ceis", "cnep"} {
			was, is := before.holdings(t, id), after.holdings(t, id)
			for root := range maps.Keys(was) {
				if is[root] == nil {
					is[root] = &held{}
				}
			}
			for root, now := range is {
				if event, former := now.since(was[root]); event != "" {
					found = append(found, fmt.Sprintf("%s;;fonte.%s.%s;;%s;%s", root, id, event, former, now.text()))
					events[id+"."+event]++
				}
			}
		}
		slices.Sort(found)
		if diff := cmp.Diff(planted, found); diff != "" {
			t.Errorf("%s: planted - found +: %s", month, diff)
		}
		before = after
	}
	for _, event := range []string{
		"pgfn.entrou", "pgfn.saiu", "pgfn.valor", "pgfn.alterado", "ceis.entrou", "ceis.saiu", "ceis.alterado", "cnep.entrou",
	} {
		if events[event] == 0 {
			t.Errorf("no %s: %v", event, events)
		}
	}
}

// held is what a source has about one company.
type held struct {
	records []string
	amounts bool
	total   totals.Amount
}

// holdings returns what was loaded of a source, by company.
func (l *loaded) holdings(t *testing.T, id string) map[cnpj.Root]*held {
	t.Helper()
	src, _ := source.Find(id)
	field := func(name string) int {
		return slices.IndexFunc(src.Fields, func(f source.Field) bool { return f.Name == name })
	}
	all := map[cnpj.Root]*held{}
	for i := range l.records[id] {
		r := &l.records[id][i]
		if r.Values == nil {
			continue // of a person
		}
		h := all[r.Owner.Root]
		if h == nil {
			h = &held{amounts: src.Facts.Amount != nil}
			all[r.Owner.Root] = h
		}
		h.records = append(h.records, fmt.Sprint(r.Owner, r.Values))
		slices.Sort(h.records)
		if h.amounts && (id != "pgfn" || strings.EqualFold(r.Values[field("tipo_devedor")], "principal")) {
			amount, ok := totals.ParseAmount(r.Values[field(src.Facts.Amount.Field)])
			if !ok {
				t.Errorf("%s: %v has no amount", id, r.Values)
			}
			h.total += amount
		}
	}
	return all
}

func (h *held) text() string {
	switch {
	case len(h.records) == 0:
		return ""
	case h.amounts:
		return fmt.Sprintf("%d|%d.%02d", len(h.records), h.total/10_000, h.total/100%100)
	}
	return fmt.Sprint(len(h.records))
}

// since returns the event that has made this of a former state, which may be nil, and that as text.
func (h *held) since(former *held) (event, text string) {
	if former == nil {
		former = &held{}
	}
	switch {
	case slices.Equal(former.records, h.records):
		return "", ""
	case len(former.records) == 0:
		event = "entrou"
	case len(h.records) == 0:
		event = "saiu"
	case former.total != h.total:
		event = "valor"
	default:
		event = "alterado"
	}
	return event, former.text()
}
