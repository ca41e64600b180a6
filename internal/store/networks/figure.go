package networks

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/dossier"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
)

const figuresAtOnce = 8 // companies whose records are read at the same time

// GroupFigures is what a source comes to for several companies.
type GroupFigures struct {
	Source  source.Source
	Sum     dossier.Figure // of those that it was read of
	Of      []OfCompany    // that have records, in the order of the companies
	Unknown []cnpj.Root    // that the source could not be read of, or not whole
}

// OfCompany is the figure of one company.
type OfCompany struct {
	Root cnpj.Root
	dossier.Figure
}

// Figures adds up the sources that have amounts or records in force, for the companies of a network:
// each source in the order of source.All, itemised.
func Figures(ctx context.Context, s *snapshot.Snapshot, n *Network) []GroupFigures {
	var all []GroupFigures
	for _, src := range source.All() {
		if m := src.Facts.Measures; m.Total || m.InForce {
			all = append(all, GroupFigures{Source: src, Sum: dossier.Figure{Status: registry.None, Whole: true}})
		}
	}
	of := make([][]dossier.Figure, len(n.Members))
	var g errgroup.Group
	g.SetLimit(figuresAtOnce)
	for i := range n.Members {
		if n.Members[i].Head == nil {
			continue
		}
		g.Go(func() error {
			var wait sync.WaitGroup
			of[i] = make([]dossier.Figure, len(all))
			for k := range all {
				wait.Go(func() { of[i][k] = dossier.FigureOf(ctx, s, all[k].Source.ID, n.Members[i].Head) })
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

func (g *GroupFigures) add(root cnpj.Root, f dossier.Figure) {
	switch {
	case f.Status == registry.Unavailable:
		g.Sum = dossier.Figure{Status: f.Status}
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
