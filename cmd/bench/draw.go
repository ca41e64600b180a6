package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"razao/internal/cnpj"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/internal/territory"
)

const (
	maxNumbers = 1_000_000 // establishments, and roots, to look up
	maxTexts   = 20_000    // of each kind
)

// drawn is what the load holds to ask for, evenly spread over it.
type drawn struct {
	numbers                 []cnpj.Full
	roots                   []cnpj.Root
	names, trades, partners []string
	sketches                []sketch

	largest        cnpj.Root // the company with the most establishments
	establishments int       // of it
}

// openSnapshot opens what the load published, and says how long that took: reading the domain tables, opening the
// index, and reading its files once.
func openSnapshot(ctx context.Context, f *folder, db *database) (*snapshot.Live, time.Duration, error) {
	atlas, err := territory.Open()
	if err != nil {
		return nil, 0, err
	}
	start := time.Now()
	live := snapshot.Open(ctx, registry.NewStore(db.pool), f.indexDir(), atlas, warnings())
	took := time.Since(start)
	s, err := live.Acquire()
	if err != nil {
		live.Close()
		return nil, 0, fmt.Errorf("open the snapshot: %w", err)
	}
	s.Release()
	return live, took, nil
}

// draw reads the whole load and keeps every k-th of what it meets.
func draw(ctx context.Context, live *snapshot.Live) (*drawn, error) {
	s, err := live.Acquire()
	if err != nil {
		return nil, err
	}
	defer s.Release()
	d := &drawn{}
	counts := &s.Load.Counts
	everyNumber, everyRoot := every(counts.Establishments, maxNumbers), every(counts.Companies, maxNumbers)
	everyText := every(counts.Companies, maxTexts)
	var numbers, roots int64
	err = s.Scan(ctx, func(h *registry.Head, partners []registry.Partner, c *registry.EstablishmentCursor) error {
		texts := roots%everyText == 0
		if h.Establishments > d.establishments {
			d.largest, d.establishments = h.Root, h.Establishments
		}
		if roots%everyRoot == 0 {
			d.roots = append(d.roots, h.Root)
		}
		if texts {
			d.company(h, partners)
		}
		roots++
		sketching := texts
		for c.Next() {
			if sketching {
				if drawn := sketchOf(h, &c.Establishment); drawn.whole() {
					d.sketches = append(d.sketches, drawn)
					sketching = false
				}
			}
			if numbers%everyNumber == 0 {
				d.numbers = append(d.numbers, c.Establishment.CNPJ)
			}
			if texts && c.Establishment.NomeFantasia != "" {
				d.trades = append(d.trades, strings.Clone(c.Establishment.NomeFantasia))
				texts = false
			}
			numbers++
		}
		return c.Err()
	})
	if err != nil {
		return nil, err
	}
	if len(d.names) == 0 || len(d.trades) == 0 || len(d.partners) == 0 || len(d.sketches) == 0 {
		return nil, fmt.Errorf("%d companies hold too little to ask for: take more -roots", roots)
	}
	return d, nil
}

// company keeps the texts of one company; they share memory with the row and have to be copied.
func (d *drawn) company(h *registry.Head, partners []registry.Partner) {
	if h.Company.RazaoSocial != "" {
		d.names = append(d.names, strings.Clone(h.Company.RazaoSocial))
	}
	if len(partners) > 0 && partners[0].NomeSocio != "" {
		d.partners = append(d.partners, strings.Clone(partners[0].NomeSocio))
	}
}

// every returns k such that every k-th of n are at most limit.
func every(n, limit int64) int64 { return max((n+limit-1)/limit, 1) }
