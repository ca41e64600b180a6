package ingest

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"razao/internal/data/change"
	"razao/internal/data/profile"
	"razao/internal/store/registry"
)

// judge compares what a load changed with what loads before it did, which has not been announced yet.
func (in *Ingester) judge(ctx context.Context, c *checks, w *historyWriter, former *registry.Load) error {
	if c == nil {
		return nil
	}
	ever, err := in.shareOfEvents(ctx, former)
	if err != nil {
		return err
	}
	return c.events(w, former, ever)
}

// shareOfEvents returns, by code, the largest share of the rows that an event of a source ever happened to, in loads
// that passed the checks.
func (in *Ingester) shareOfEvents(ctx context.Context, former *registry.Load) (map[string]float64, error) {
	chain, err := in.Store.History(ctx)
	if err != nil {
		return nil, err
	}
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return nil, err
	}
	byID := map[int64]*registry.Load{}
	for i := range loads {
		byID[loads[i].ID] = &loads[i]
	}
	ever := map[string]float64{}
	for i := range chain.Loads {
		h := &chain.Loads[i]
		l, before := byID[h.ID], byID[h.Former]
		if h.Source != former.Source || l == nil || before == nil || len(l.Overruled) > 0 || l.Period == before.Period {
			continue // the same period again, or linked anew, says nothing of what the next one changes
		}
		for _, info := range change.Kinds() {
			code := info.CodeOf(h.Source)
			if !h.Compared(info.Part) {
				continue
			}
			ever[code] = max(ever[code], float64(h.Events[code])/float64(concerned(before, l, info.Part)))
		}
	}
	return ever, nil
}

// concerned returns how many there are that an event of a part can happen to: its rows, of a source its companies.
func concerned(former, l *registry.Load, part change.Part) int64 {
	if part == change.Records {
		return max(former.Counts.Owners, l.Counts.Owners, 1)
	}
	return max(rowsOf(former, part), rowsOf(l, part), 1)
}

// events judges the share of rows that each event happened to, and that each of its fields changed in, so that nobody
// is told of a change that is none; and how many contradict themselves.
func (c *checks) events(w *historyWriter, former *registry.Load, ever map[string]float64) error {
	months := profile.Months(former.Period, w.of.Period)
	for _, info := range change.Kinds() {
		code := info.CodeOf(w.of.Source)
		rows := concerned(former, w.of, info.Part)
		judge := func(what string, n int64, swings bool, examples []string) (refused bool, err error) {
			bound := c.most(info.Kind, swings, months, ever)
			if !exceeds(n, rows, bound) {
				return false, nil
			}
			return true, c.refuse(w.of, registry.ByChanges,
				"%s: %d of %d (%.1f %%) since load %d (%s), the most ever was %.1f %%, more than %.0f %% cannot be%s: %s",
				what, n, rows, share(n, rows), former.ID, former.Period, 100*ever[code], 100*bound, inBrackets(examples), ruined(former))
		}
		refusedColumn := false
		for _, name := range slices.Sorted(maps.Keys(w.fields[info.Kind])) {
			t := w.fields[info.Kind][name]
			refused, err := judge(code+" ("+name+")", t.n, info.Part != change.Records && info.SwingsIn(name), t.examples)
			if err != nil {
				return err
			}
			refusedColumn = refusedColumn || refused
			if filled := c.filled(info.Part, name, former, rows); !refused && exceeds(t.alone, filled, contradictory*float64(min(months, 3))) {
				refusedColumn = true
				if err := c.refuse(w.of, registry.ByChanges, "%s: %d of the %d values of %s changed since load %d (%s) without what they belong to%s: %s",
					code, t.alone, filled, name, former.ID, former.Period, inBrackets(t.examples), ruined(former)); err != nil {
					return err
				}
			}
			if n := w.header.Events[code]; exceeds(t.contradicted, n, contradictory) {
				refusedColumn = true
				if err := c.refuse(w.of, registry.ByChanges, "%s: of %d events since load %d (%s) %d leave %s as it was, which changes with them: %s",
					code, n, former.ID, former.Period, t.contradicted, name, ruined(former)); err != nil {
					return err
				}
			}
		}
		if refusedColumn {
			continue
		}
		if _, err := judge(code, w.header.Events[code], info.Swings(), nil); err != nil {
			return err
		}
	}
	return nil
}

// contradictory is the share of events that may contradict themselves, and of values that may change in a month without what they belong
// to: publishers correct slips.
const contradictory = 0.1

// filled returns how many rows of a part have a value in a column, by what was measured of the former load.
func (c *checks) filled(part change.Part, column string, former *registry.Load, rows int64) int64 {
	for i := range c.shapes {
		for _, t := range c.shapes[i].Tables {
			if col := t.Column(column); c.shapes[i].ID == former.ID && strings.EqualFold(t.Name, string(part)) && col != nil {
				return int64(float64(rows) * float64(col.Filled) / float64(max(t.Rows, 1)))
			}
		}
	}
	return rows
}

// exceeds reports whether n of so many are more than a share of them by more than chance: three standard errors, and three rows.
func exceeds(n, of int64, bound float64) bool {
	most := bound * float64(of)
	return float64(n) > most+3*math.Sqrt(most*(1-bound))+3
}

func inBrackets(examples []string) string {
	if len(examples) == 0 {
		return ""
	}
	return " (" + strings.Join(examples, "; ") + ")"
}

// most returns the largest share of the rows that an event can happen to: twice the largest ever, and at least, in
// the company registry, the bound of its columns, which lies above everything that the authority is known to have done in a
// month; in a source a tenth. A source that was never compared has a quarter of its companies instead, since nobody knows
// its habits, and no bound for totals: interest may have been added to all of them. Nothing else is ever done to all
// records: what speaks of the edition is not compared.
func (c *checks) most(kind change.Kind, swings bool, months int, ever map[string]float64) float64 {
	code := kind.Info().CodeOf(c.source)
	largest, compared := ever[code]
	switch {
	case c.source == registry.Receita:
		return max(profile.Bound(swings, months), 2*largest)
	case compared:
		return max(0.1, 2*largest)
	case kind == change.SourceTotal:
		return 1
	}
	return 0.25
}
