// Package world invents what a sample is about: places, people, companies and their names. Everything follows from the
// seed and an index, whoever asks for it and in whatever order.
package world

import (
	"fmt"
	"slices"

	"razao/internal/sample/draw"
)

// World keeps nothing of what it has invented: every method derives its answer anew, and may be called from any
// goroutine.
type World struct {
	calendar
	Companies  int // how many; their indexes follow their age
	Founders   int // those of the first release; the others follow in the order in which they were opened
	Months     int // that have gone by since the first release
	Activities []Activity
	Frequent   draw.Weighted // indexes of Activities
	Retired    []string      // subclasses that exist no more
	Cities     []City
	Population draw.Weighted // indexes of Cities, by where people live
	Abroad     []ForeignCity
	Giants     []Giant

	Surnames, Streets, Districts Lexicon

	men, women, brands Lexicon
	seed               uint64
	roots              *numbering
	kinds              draw.Weighted
	fixed              [len(kinds)]int // activity that a kind implies, -1 when any will do
	seats              draw.Weighted   // indexes of Cities, by where companies are
	branchSizes        draw.Weighted
	publications       []Day // of every release from the first to that of this world
	counts             []int // companies of each of them
}

// New returns the world of a release, AAAA-MM, in a row of monthly releases that began with the one of the month first,
// which had so many companies.
func New(seed uint64, companies int, first, month string) (*World, error) {
	if companies < 1 || companies > maxCompanies {
		return nil, fmt.Errorf("%d companies: between 1 and %d can be invented", companies, maxCompanies)
	}
	cal, err := newCalendar(month)
	if err != nil {
		return nil, err
	}
	w := &World{
		calendar: *cal, seed: seed, Founders: companies, branchSizes: draw.NewWeighted(branchWeights()),
		men: readLexicon("homens.txt", " "), women: readLexicon("mulheres.txt", " "), Surnames: readLexicon("sobrenomes.txt", " "),
		Streets: readLexicon("logradouros.txt", "|"), Districts: readLexicon("bairros.txt", "|"), brands: newLexicon(brandWords()),
	}
	if err := w.count(first); err != nil {
		return nil, err
	}
	w.readActivities()
	w.readPlaces()
	w.readKinds()
	w.placeGiants()
	return w, nil
}

// Dice returns the sequence of a topic and an index.
func (w *World) Dice(t draw.Topic, index uint64) draw.Dice { return draw.New(w.seed, t, index) }

// Scattered returns an order of the first n companies whose neighbours are far apart, another one for every number which:
// steps of the golden ratio spread best.
func (w *World) Scattered(n int, which uint64) draw.Shuffle {
	return draw.NewShuffle(w.seed, n, int(float64(n)*0.6180339887), which)
}

// Runs returns an order of all companies of ascending runs of a thousand.
func (w *World) Runs(which uint64) draw.Shuffle {
	return draw.NewShuffle(w.seed, w.Companies, w.Companies/1000, which)
}

func (w *World) readKinds() {
	weights := make([]uint64, len(kinds))
	for i, k := range kinds {
		weights[i] = uint64(k.share)
		w.fixed[i] = w.activityOf(k.activity)
	}
	w.kinds = draw.NewWeighted(weights)
}

// activityOf returns the index of a subclass, -1 for none.
func (w *World) activityOf(code string) int {
	return slices.IndexFunc(w.Activities, func(a Activity) bool { return a.Code == code })
}

// Giant is one of the two companies with very many branches.
type Giant struct{ Index, Branches, activity int }

// placeGiants gives two companies the branches of a national chain of pharmacies and of a bank. They are not those of
// the forced traps.
func (w *World) placeGiants() {
	for _, giant := range [...]Giant{
		{w.Founders / 3, min(w.Founders/20, 5000), w.activityOf("4771701")},
		{w.Founders / 7, min(w.Founders/40, 500), w.activityOf("6422100")},
	} {
		if _, forced := w.trapOf(giant.Index); forced {
			giant.Index++
		}
		if w.GiantOf(giant.Index) == nil {
			w.Giants = append(w.Giants, giant)
		}
	}
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
