// Package gates refuses loads: those that lost what the one in service has, before they are committed, and those that would run
// out of disk or memory, before anything is written.
package gates

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"razao/ingest/receita"
	"razao/internal/registry"
	"razao/internal/source"
)

// ErrRefused is the error of a load that is not fit to be served, or not to be begun.
var ErrRefused = errors.New("load refused")

// Superseded is the rule that leaves out older versions of a record.
const Superseded = "versao_superada"

// Gate refuses a load that lost what the one in service has: files that were cut short, or a format that changed, so that
// rows are read and understood as nothing. It asks as soon as figures are known: when the rows are read, and when their
// records are merged, before they are committed.
type Gate struct {
	source string
	former *registry.Load   // in service; nil: there is none
	least  map[string]int64 // by figure, what every real file has; nil of data that is invented or partial
	shares bool             // in every real file hardly any row is dropped or repaired
	keep   float64          // of each former figure, this share must be there
	drift  float64          // the share of rows that a rule takes may rise by this
	force  bool
}

// Release is the gate of a release, which only ever grows. former is the load in service, nil when there is none.
func Release(rel *receita.Release, former *registry.Load, force bool) *Gate {
	g := &Gate{source: registry.Receita, former: former, keep: 0.97, drift: 0.01, force: force}
	if first := former == nil || former.Invented; first && !rel.Fictional && len(rel.Missing) == 0 {
		// Half of July 2026, for a first load: releases of any year have more.
		g.least = map[string]int64{companiesKept: 34_000_000, establishmentsKept: 36_000_000, partnersKept: 14_000_000, simplesKept: 24_000_000}
		g.shares = true
	}
	return g
}

// Source is the gate of a source, whose publisher may take records back. former is the load in service, nil when there is none.
func Source(src *source.Source, former *registry.Load, invented, force bool) *Gate {
	g := &Gate{source: src.ID, former: former, keep: 0.8, drift: 0.05, force: force}
	if !invented {
		g.least = map[string]int64{rowsRead: src.Floor, recordsKept: src.Records}
	}
	return g
}

// The figures of a load that must not collapse.
const (
	rowsRead           = "rows read"
	recordsKept        = "records"
	ownersKept         = "CNPJs with records"
	companiesKept      = "companies"
	establishmentsKept = "establishments"
	partnersKept       = "partners"
	simplesKept        = "rows of Simples"
)

// Read judges the rows of a load.
func (g *Gate) Read(l *registry.Load) error {
	if l.RowsRead > 0 && l.RowsRead-l.RowsRejected == l.Counts.AllDiscarded() && !g.force {
		return g.nothing()
	}
	return g.judge(l, func(l *registry.Load) map[string]int64 {
		figures := map[string]int64{rowsRead: l.RowsRead}
		for _, t := range []receita.Table{receita.Companies, receita.Establishments, receita.Partners, receita.SimplesOptions} {
			if n, ok := l.Counts.Marked[t.String()]; ok {
				figures["rows of "+t.String()+" read"] = n
			}
		}
		return figures
	})
}

func (g *Gate) nothing() error {
	return fmt.Errorf("%w: the files hold no record of %s; accept that with --force", ErrRefused, g.source)
}

// Merged judges the records that were made of the rows.
func (g *Gate) Merged(l *registry.Load) error {
	c := &l.Counts
	switch none := c.Companies+c.Establishments+c.Records == 0; {
	case none && g.source == registry.Receita:
		return fmt.Errorf("%w: the release holds no company", ErrRefused)
	case none && !g.force:
		return g.nothing()
	}
	return g.judge(l, func(l *registry.Load) map[string]int64 {
		return map[string]int64{
			recordsKept: l.Counts.Records, ownersKept: l.Counts.Owners, companiesKept: l.Counts.Companies,
			establishmentsKept: l.Counts.Establishments, partnersKept: l.Counts.Partners, simplesKept: l.Counts.Simples,
		}
	})
}

// judge compares the figures of a load with the least and the former ones, then what the rules took.
func (g *Gate) judge(l *registry.Load, of func(*registry.Load) map[string]int64) error {
	if g.force {
		return nil
	}
	now, before := of(l), map[string]int64{}
	if g.former != nil {
		before = of(g.former)
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if now[name] < g.least[name] {
			return fmt.Errorf("%w: %d %s, fewer than the %d that every real file of %s has: cut short, or in another format; accept that with --force",
				ErrRefused, now[name], name, g.least[name], g.source)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		n, known := now[name]
		if least := int64(math.Ceil(g.keep * float64(before[name]))); known && n < least {
			return fmt.Errorf("%w: %d %s, fewer than %.0f %% of the %d of load %d (%s) in service: cut short, or in another format; accept that with --force",
				ErrRefused, n, name, 100*g.keep, before[name], g.former.ID, g.former.Period)
		}
	}
	return g.rules(l)
}

// rules compares what each rule took, of the rows that were read, with what it took of the load in service.
func (g *Gate) rules(l *registry.Load) error {
	if g.former == nil && !g.shares || l.RowsRead == 0 {
		return nil
	}
	former := registry.Load{RowsRead: l.RowsRead} // of a first load: one of which no rule took anything
	if g.former != nil {
		former = *g.former
	}
	taken, before := taken(&l.Counts), taken(&former.Counts)
	for _, rule := range slices.Sorted(maps.Keys(taken)) {
		if !g.jumped(taken[rule], l.RowsRead, before[rule], former.RowsRead) {
			continue
		}
		return fmt.Errorf("%w: the rule %s: %d of %d (%.1f %%), in load %d (%s) %.1f %%: the format has changed; accept that with --force",
			ErrRefused, rule, taken[rule], l.RowsRead, share(taken[rule], l.RowsRead), former.ID, former.Period, share(before[rule], former.RowsRead))
	}
	return nil
}

// taken returns the rows dropped and the values lost, by rule. A row of an older version is none of them: its record is
// there, in the newer one.
func taken(c *registry.Counts) map[string]int64 {
	all := maps.Clone(c.Discarded)
	if all == nil {
		all = map[string]int64{}
	}
	maps.Copy(all, c.Repaired)
	delete(all, Superseded)
	return all
}

// jumped says whether a rule takes a larger share of rows than before by more than drift and chance: three standard errors
// of the difference between two proportions, which is wide for the files of some hundred rows and nothing for those of
// millions. A change of format moves whole columns, far beyond either; publishers' data move by a few points.
func (g *Gate) jumped(n, of, before, ofBefore int64) bool {
	if of == 0 || ofBefore == 0 {
		return false
	}
	pooled := min(float64(n+before)/float64(of+ofBefore), 1)
	chance := 3 * math.Sqrt(pooled*(1-pooled)*(1/float64(of)+1/float64(ofBefore)))
	return float64(n)/float64(of)-float64(before)/float64(ofBefore) > g.drift+chance
}

func share(n, of int64) float64 { return 100 * float64(n) / float64(max(of, 1)) }
