package sample

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
)

// generator invents a registry. It keeps nothing of what it has invented: every method derives its answer from the seed
// and an index, and may be called from any goroutine.
type generator struct {
	*world
	*calendar
	folder      string // of the release, below the directory of the sample
	seed        uint64
	n           int
	numbers     *numbering
	lastNumeric day // the youngest company with a numeric root
	kinds       weighted
	fixed       [len(kinds)]int // activity that a kind implies, -1 when any will do
	branchSizes weighted
	capitals    weighted
	trapShare   int // companies in a million that have a trap
	giants      []giant
}

func newGenerator(o Options) (*generator, error) {
	if o.Roots < 1 || o.Roots > maxCompanies {
		return nil, fmt.Errorf("%d companies: between 1 and %d can be invented", o.Roots, maxCompanies)
	}
	cal, err := newCalendar(o.Month)
	if err != nil {
		return nil, err
	}
	w, err := newWorld()
	if err != nil {
		return nil, err
	}
	g := &generator{
		world: w, calendar: cal, folder: filepath.Join("receita", o.Month),
		seed: o.Seed, n: o.Roots, lastNumeric: cal.release,
	}
	numeric := o.Roots
	if cal.release > firstLetters {
		numeric -= o.Roots * 3 / 100
		g.lastNumeric = firstLetters
	}
	g.numbers = newNumbering(o.Seed, numeric, o.Roots)
	g.branchSizes = newWeighted(branchWeights())
	g.capitals = newWeighted([]uint64{30, 60, 160, 110, 90, 180, 60, 120, 40, 60, 40, 25, 12, 8, 3, 1, 1})
	for _, rate := range trapRates {
		g.trapShare += rate
	}
	if err := g.readKinds(); err != nil {
		return nil, err
	}
	return g, g.placeGiants()
}

func (g *generator) readKinds() error {
	weights := make([]uint64, len(kinds))
	for i, k := range kinds {
		weights[i] = uint64(k.share)
		g.fixed[i] = -1
		if k.activity == "" {
			continue
		}
		a, err := g.activityOf(k.activity)
		if err != nil {
			return err
		}
		g.fixed[i] = a
	}
	g.kinds = newWeighted(weights)
	return nil
}

// activityOf returns the index of a subclass.
func (g *generator) activityOf(code string) (int, error) {
	i := slices.IndexFunc(g.activities, func(a activity) bool { return a.code == code })
	if i < 0 {
		return 0, fmt.Errorf("embedded tables: no activity %s", code)
	}
	return i, nil
}

// placeGiants gives two companies the branches of a national chain and of a bank.
func (g *generator) placeGiants() error {
	pharmacy, err := g.activityOf("4771701")
	if err != nil {
		return err
	}
	bank, err := g.activityOf("6422100")
	if err != nil {
		return err
	}
	g.giants = []giant{
		{index: g.giantIndex(g.n / 3), branches: min(g.n/20, 5000), activity: pharmacy},
		{index: g.giantIndex(g.n / 7), branches: min(g.n/40, 500), activity: bank},
	}
	if g.giants[0].index == g.giants[1].index {
		g.giants = g.giants[:1]
	}
	return nil
}

// giantIndex avoids the companies of the forced traps.
func (g *generator) giantIndex(i int) int {
	if _, forced := g.trapOf(i); forced {
		return i + 1
	}
	return i
}

// skewed returns 0 to n-1, small numbers more often.
func skewed(d *dice, n int) int {
	u := float64(d.pcg.Uint64()>>11) / (1 << 53)
	return int(u * math.Sqrt(u) * float64(n))
}
