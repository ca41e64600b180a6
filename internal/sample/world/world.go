// Package world invents what a sample is about: places, people, companies and their names. Everything follows from the
// seed and an index, whoever asks for it and in whatever order.
package world

import (
	"embed"
	"fmt"
	"slices"

	"razao/internal/sample/draw"
)

//go:embed data
var data embed.FS

// World keeps nothing of what it has invented: every method derives its answer anew, and may be called from any
// goroutine.
type World struct {
	calendar
	Companies  int // how many; their indexes follow their age
	Activities []Activity
	Frequent   draw.Weighted // indexes of Activities
	Retired    []string      // subclasses that exist no more
	Cities     []City
	Population draw.Weighted // indexes of Cities
	Abroad     []ForeignCity
	Giants     []Giant

	Surnames, Streets, Districts Lexicon

	men, women, brands Lexicon
	seed               uint64
	roots              *numbering
	lastNumeric        Day // the youngest company with a numeric root
	kinds              draw.Weighted
	fixed              [len(kinds)]int // activity that a kind implies, -1 when any will do
	branchSizes        draw.Weighted
	trapShare          int // companies in a million that have a trap
}

// New returns the world of a release, AAAA-MM.
func New(seed uint64, companies int, month string) (*World, error) {
	if companies < 1 || companies > maxCompanies {
		return nil, fmt.Errorf("%d companies: between 1 and %d can be invented", companies, maxCompanies)
	}
	cal, err := newCalendar(month)
	if err != nil {
		return nil, err
	}
	w := &World{calendar: *cal, seed: seed, Companies: companies, lastNumeric: cal.Release}
	numeric := companies
	if cal.Release > firstLetters {
		numeric -= companies * 3 / 100
		w.lastNumeric = firstLetters
	}
	w.roots = newNumbering(seed, numeric, companies)
	w.branchSizes = draw.NewWeighted(branchWeights())
	for _, rate := range trapRates {
		w.trapShare += rate
	}
	for _, read := range [...]func() error{w.readLexicons, w.readActivities, w.readPlaces, w.readKinds, w.placeGiants} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Dice returns the sequence of a topic and an index.
func (w *World) Dice(t draw.Topic, index uint64) draw.Dice { return draw.New(w.seed, t, index) }

// Scattered returns an order of all companies whose neighbours are far apart, another one for every number which.
func (w *World) Scattered(which uint64) draw.Shuffle {
	return draw.Scattered(w.seed, w.Companies, which)
}

// Runs returns an order of all companies of ascending runs of a thousand.
func (w *World) Runs(which uint64) draw.Shuffle {
	return draw.NewShuffle(w.seed, w.Companies, w.Companies/1000, which)
}

func (w *World) readKinds() error {
	weights := make([]uint64, len(kinds))
	for i, k := range kinds {
		weights[i] = uint64(k.share)
		w.fixed[i] = -1
		if k.activity == "" {
			continue
		}
		a, err := w.activityOf(k.activity)
		if err != nil {
			return err
		}
		w.fixed[i] = a
	}
	w.kinds = draw.NewWeighted(weights)
	return nil
}

// activityOf returns the index of a subclass.
func (w *World) activityOf(code string) (int, error) {
	i := slices.IndexFunc(w.Activities, func(a Activity) bool { return a.Code == code })
	if i < 0 {
		return 0, fmt.Errorf("embedded tables: no activity %s", code)
	}
	return i, nil
}

// Giant is one of the two companies with very many branches.
type Giant struct{ Index, Branches, activity int }

// placeGiants gives two companies the branches of a national chain and of a bank.
func (w *World) placeGiants() error {
	pharmacy, err := w.activityOf("4771701")
	if err != nil {
		return err
	}
	bank, err := w.activityOf("6422100")
	if err != nil {
		return err
	}
	w.Giants = []Giant{
		{w.giantIndex(w.Companies / 3), min(w.Companies/20, 5000), pharmacy},
		{w.giantIndex(w.Companies / 7), min(w.Companies/40, 500), bank},
	}
	if w.Giants[0].Index == w.Giants[1].Index {
		w.Giants = w.Giants[:1]
	}
	return nil
}

// giantIndex avoids the companies of the forced traps.
func (w *World) giantIndex(i int) int {
	if _, forced := w.trapOf(i); forced {
		return i + 1
	}
	return i
}

// GiantOf returns the giant that a company is, or nil.
func (w *World) GiantOf(i int) *Giant {
	for k := range w.Giants {
		if w.Giants[k].Index == i {
			return &w.Giants[k]
		}
	}
	return nil
}
