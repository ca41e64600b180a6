package networks

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/store/totals"
)

const figuresAtOnce = 8 // companies whose records are read at the same time

// Figure is what the records that a source has of a company come to, in all its establishments.
type Figure struct {
	Status  registry.Status
	Records int
	Whole   bool  // Cents and InForce are of all records; false: there are more than totals.MostAdded, or none was read
	Cents   int64 // sum of the amounts that may be added, 0 if the source has none
	InForce int   // records that hold today
	Err     error // why the source failed
}

// FigureOf returns what a source, which must exist, comes to for a company. A source that fails is a
// figure that says so.
func FigureOf(ctx context.Context, s *snapshot.Snapshot, id string, h *pack.Head) Figure {
	records, _ := s.Select(ctx, id, h, registry.Document{Root: h.Root}, registry.Selection{Range: registry.Range{Limit: totals.MostAdded}})
	f := Figure{Status: records.Status, Records: records.Total, Err: records.Err, Whole: records.Answered() && records.Total <= totals.MostAdded}
	if !f.Whole {
		return f
	}
	sum := totals.NewMeasures(&records.Source.Facts)
	today := int64(record.Today())
	for i := range records.Items {
		sum.Add(&records.Items[i])
		if slices.ContainsFunc(totals.Spans(&records.Source.Facts, &records.Items[i]), func(s totals.Span) bool { return s.From <= today && today <= s.To }) {
			f.InForce++
		}
	}
	f.Cents, _ = sum.Cents()
	return f
}

// GroupFigures is what a source comes to for several companies.
type GroupFigures struct {
	Source  source.Source
	Sum     Figure      // of those that it was read of
	Of      []OfCompany // that have records, in the order of the companies
	Unknown []cnpj.Root // that the source could not be read of, or not whole
}

// OfCompany is the figure of one company.
type OfCompany struct {
	Root cnpj.Root
	Figure
}

// Figures adds up the sources that have amounts or records in force, for the companies of a network:
// each source in the order of source.All, itemised.
func Figures(ctx context.Context, s *snapshot.Snapshot, n *Network) []GroupFigures {
	var all []GroupFigures
	for _, src := range source.All() {
		if m := src.Facts.Measures; m.Total || m.InForce {
			all = append(all, GroupFigures{Source: src, Sum: Figure{Status: registry.None, Whole: true}})
		}
	}
	of := make([][]Figure, len(n.Members))
	var g errgroup.Group
	g.SetLimit(figuresAtOnce)
	for i := range n.Members {
		if n.Members[i].Head == nil {
			continue
		}
		g.Go(func() error {
			var wait sync.WaitGroup
			of[i] = make([]Figure, len(all))
			for k := range all {
				wait.Go(func() { of[i][k] = FigureOf(ctx, s, all[k].Source.ID, n.Members[i].Head) })
			}
			wait.Wait()
			return nil
		})
	}
	_ = g.Wait() // nothing fails
	for k := range all {
		for i := range of {
			if of[i] != nil {
				all[k].add(n.Members[i].Root, of[i][k])
			}
		}
	}
	return all
}

func (g *GroupFigures) add(root cnpj.Root, f Figure) {
	switch {
	case f.Status == registry.Unavailable:
		g.Sum = Figure{Status: f.Status}
		return
	case !f.Whole:
		g.Unknown = append(g.Unknown, root)
		g.Sum.Whole = false
		if len(g.Of) == 0 {
			g.Sum.Status = f.Status
		}
	}
	if f.Records == 0 || f.Status != registry.Found {
		return
	}
	g.Of = append(g.Of, OfCompany{root, f})
	g.Sum.Status = registry.Found
	g.Sum.Records += f.Records
	g.Sum.Cents += f.Cents
	g.Sum.InForce += f.InForce
}
