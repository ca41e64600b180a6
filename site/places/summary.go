package places

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"razao/index"
	"razao/internal/record"
	"razao/internal/snapshot"
	"razao/site/page"
	"razao/site/wording"
)

// Place is a state, a municipality or, with neither, the country.
type Place struct {
	UF        string // two letters
	Municipio string // the tax authority's code
}

// placesShown is how many municipalities of a state are in sight; the rest unfolds.
const placesShown = 24

// placesOf returns the municipalities of a state, those with most active companies first.
func placesOf(all *ranking, uf string) (first, rest []placeRow) {
	var rows []placeRow
	for _, row := range all.Municipalities {
		if row.UF == uf {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b placeRow) int {
		return cmp.Or(cmp.Compare(b.Companies, a.Companies), cmp.Compare(a.slug, b.slug))
	})
	shown := min(placesShown, len(rows))
	return rows[:shown], rows[shown:]
}

const activitiesShown = 10 // of a place

// Summary holds the figures of a place. It is never changed.
type Summary struct {
	Companies      int64       // active
	Establishments int64       // active
	Opened, Closed int64       // establishments, from Since to the end of the load's month
	Since          record.Date // twelve months before that; 0 when they were not counted
	Capital        *big.Int    // cents, of the active companies
	Sizes          []page.Bar  // porte of the active companies
	Divisions      []page.Bar  // of the main activity of the active companies
	Activities     []page.Bar  // the same by subclass, as registered
	Chart          *yearChart  // nil: the load has no month

	Dots        *dotMap    // of a state
	First, Rest []placeRow // municipalities of a state
}

// Summary returns the figures of a place, added up at most once for each snapshot. name has to say the same of a
// place every time.
func (rm *Room) Summary(ctx context.Context, snap *snapshot.Snapshot, in Place, name Namer) (*Summary, error) {
	if known := rm.knownSummary(snap, in); known != nil {
		return known, nil
	}
	sum, err := rm.newSummary(ctx, snap, in, name)
	if err != nil {
		return nil, fmt.Errorf("summary of %s %s: %w", in.UF, in.Municipio, err)
	}
	rm.keepSummary(snap, in, sum)
	return sum, nil
}

func (rm *Room) newSummary(ctx context.Context, snap *snapshot.Snapshot, in Place, name Namer) (*Summary, error) {
	rankings := snap.Index.Rankings()
	figures, ok := rankings.Municipality(in.Municipio)
	if in.Municipio == "" {
		figures, ok = rankings.UF(in.UF)
	}
	since, _ := rankings.Lately()
	sum := &Summary{
		Companies: figures.ActiveCompanies, Opened: figures.Opened, Closed: figures.Closed, Capital: figures.Capital,
		Since: record.MakeDate(since/10_000, since/100%100, since%100), Chart: newYearChart(&figures, snap.Load.Period, since > 0),
	}
	if !ok {
		sum.Capital = new(big.Int)
	}
	for _, o := range figures.Openings {
		if o.Situacao == wording.SituacaoAtiva {
			sum.Establishments += o.Count
		}
	}
	if in.Municipio == "" {
		all, err := rm.ranking(snap)
		if err != nil {
			return nil, err
		}
		sum.First, sum.Rest = placesOf(all, in.UF)
		sum.Dots = newStateDots(rm.outlines[in.UF], in.UF, slices.Concat(sum.First, sum.Rest))
	}
	return sum, count(ctx, snap, in, name, sum, figures.Activities)
}

// count fills what the filters of a listing count, too, and names the activities.
func count(ctx context.Context, snap *snapshot.Snapshot, in Place, name Namer, sum *Summary, activities []index.ActivityCount) error {
	active := index.Filters{UF: in.UF, Municipio: in.Municipio, Situacao: wording.SituacaoAtiva, HeadOffice: index.Yes}
	counts, err := snap.Index.Facets(ctx, index.Query{Filters: active})
	if err != nil {
		return err
	}
	sum.Sizes = barsOf(name, "porte", counts["porte"])
	divisions := counts["cnae_divisao"]
	sum.Divisions = barsOf(name, "cnae", divisions[:min(activitiesShown, len(divisions))])
	var subclasses []index.FacetValue
	for _, a := range activities[:min(activitiesShown, len(activities))] {
		subclasses = append(subclasses, index.FacetValue{Value: a.CNAE, Count: a.Count})
	}
	sum.Activities = barsOf(name, "cnae", subclasses)
	return nil
}

// Namer says what the value of a filter is called, and where the active companies of a place that have it are listed: "" for a
// value that cannot be listed.
type Namer func(filter, value string) (text, url string)

// barsOf names the values of a filter.
func barsOf(name Namer, filter string, values []index.FacetValue) []page.Bar {
	var all []page.Bar
	for _, v := range values {
		text, url := name(filter, v.Value)
		all = append(all, page.Bar{Text: text, URL: url, Count: v.Count})
	}
	return page.Bars(all)
}
