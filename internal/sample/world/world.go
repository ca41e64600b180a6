// Package world derives what a sample is about: places, people, companies with their
// establishments, names and history. It is the single source that the rows of all tables agree on.
//
// Nothing is stored per company or person. Each is a pure function of the seed and an index,
// computed from sequences of package draw whenever it is asked for, so a registry of 70 million
// companies needs no more memory than one of ten. Only word lists, places, activities and alias
// tables (draw.Weighted) are built once, in New.
//
// Indexes of companies follow their age. Founders are the companies of the first release; later
// companies are appended month by month in the order in which they were opened. Root numbers are a
// one-to-one function of the index that can be enumerated in ascending order without sorting; see
// numbering.
//
// Time runs in months after the first release. From the month in which a company becomes known, one
// draw per month decides whether an event (closure, move, new partner, …) happens; a company is
// derived by replaying its months. A later world replays more months over the same companies, so
// releases of one series are consistent.
//
// Defects of the real files are Traps, at most one for each company, drawn at measured rates.
package world

import (
	"fmt"
	"slices"

	"razao/internal/sample/draw"
)

// World is one month of a series of releases. It is immutable after New, and all methods are safe
// for concurrent use.
type World struct {
	calendar
	Companies  int           // of this release; indexes 0 to Companies-1, oldest first
	Founders   int           // companies of the first release: the first indexes
	Months     int           // since the first release
	Activities []Activity    // CNAE subclasses in force, the most frequent first
	Frequent   draw.Weighted // indexes of Activities
	Retired    []string      // codes of withdrawn CNAE subclasses
	Cities     []City        // municipalities of Brazil
	Population draw.Weighted // indexes of Cities, weighted by inhabitants
	Abroad     []ForeignCity
	Giants     []Giant // up to two; fewer in tiny worlds

	Surnames, Streets, Districts Lexicon

	men, women, brands Lexicon
	seed               uint64
	roots              *numbering
	kinds              draw.Weighted
	fixed              [len(kinds)]int // index of the activity that a kind implies, -1 for any
	seats              draw.Weighted   // indexes of Cities, weighted by companies
	branchSizes        draw.Weighted
	publications       []Day // of each release, from the first to this one
	counts             []int // companies of each release
}

// New returns the world of the release of month, in a series that began in month first with the
// given number of companies. Months are AAAA-MM. It is an error if there are too many companies, a
// month is malformed, or month precedes first.
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

// Dice returns the sequence of a topic and an index under the world's seed.
func (w *World) Dice(t draw.Topic, index uint64) draw.Dice { return draw.New(w.seed, t, index) }

// Scattered returns a permutation of 0 to n-1 whose neighbours are far apart; steps of the golden
// ratio spread most evenly. which selects one of many.
func (w *World) Scattered(n int, which uint64) draw.Shuffle {
	return draw.NewShuffle(w.seed, n, int(float64(n)*0.6180339887), which)
}

// Runs returns a permutation of all companies that ascends in runs of about a thousand.
func (w *World) Runs(which uint64) draw.Shuffle {
	return draw.NewShuffle(w.seed, w.Companies, w.Companies/1000, which)
}

// readKinds builds the alias table of kinds and resolves the activities that they imply.
func (w *World) readKinds() {
	weights := make([]uint64, len(kinds))
	for i, k := range kinds {
		weights[i] = uint64(k.share)
		w.fixed[i] = w.activityOf(k.activity)
	}
	w.kinds = draw.NewWeighted(weights)
}

// activityOf returns the index of a CNAE subclass in Activities, -1 for none.
func (w *World) activityOf(code string) int {
	return slices.IndexFunc(w.Activities, func(a Activity) bool { return a.Code == code })
}

// Giant is a company with very many branches, as national chains and banks have.
type Giant struct{ Index, Branches, activity int }

// placeGiants appoints the giants, a chain of pharmacies and a bank, and avoids the companies of
// forced traps.
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

// GiantOf returns the giant that company i is, or nil. Callers must not change it.
func (w *World) GiantOf(i int) *Giant {
	for k := range w.Giants {
		if w.Giants[k].Index == i {
			return &w.Giants[k]
		}
	}
	return nil
}
