package places

import (
	"context"
	"fmt"
	"slices"

	"razao/index"
	"razao/index/filter"
	"razao/internal/record"
	"razao/internal/snapshot"
	"razao/site/page"
)

// Place is a state, a municipality or, with neither, the country.
type Place struct {
	UF        string // two letters
	Municipio string // the tax authority's code
}

// placesShown is how many municipalities of a state are in sight; the rest unfolds.
const placesShown = 24

// municipalitiesOf returns the municipalities of a state, those with most active companies first.
func municipalitiesOf(all *snapshot.Places, uf string) []snapshot.Place {
	elsewhere := func(p snapshot.Place) bool { return p.UF != uf }
	return snapshot.Ranked(slices.DeleteFunc(slices.Clone(all.Municipalities), elsewhere), byCompanies)
}

const activitiesShown = 10 // of a place

// Summary holds the figures of a place. It is never changed.
type Summary struct {
	snapshot.Place
	Since      record.Date // first day of the twelve months of Opened and Closed; 0 when they were not counted
	Sizes      []page.Bar  // porte of the active companies
	Divisions  []page.Bar  // of the main activity of the active companies
	Activities []page.Bar  // the same by subclass, as registered
	Chart      *yearChart  // nil: the load has no month

	Dots        *dotMap    // of a state
	First, Rest []placeRow // municipalities of a state
}

// Summary returns the figures of a place, added up at most once for each snapshot. name has to say the same of a
// place every time.
func (rm *Room) Summary(ctx context.Context, snap *snapshot.Snapshot, in Place, name Namer) (*Summary, error) {
	sum, err := snapshot.Once(snap, in, func() (*Summary, error) { return rm.newSummary(ctx, snap, in, name) })
	if err != nil {
		return nil, fmt.Errorf("summary of %s %s: %w", in.UF, in.Municipio, err)
	}
	return sum, nil
}

func (rm *Room) newSummary(ctx context.Context, snap *snapshot.Snapshot, in Place, name Namer) (*Summary, error) {
	all, err := snap.Places()
	if err != nil {
		return nil, err
	}
	place, err := snap.Place(in.UF, in.Municipio)
	if err != nil {
		return nil, err
	}
	sum := &Summary{Place: place, Since: all.Lately}
	sum.Chart = newYearChart(&sum.Sums, snap.Load.Period, all.Lately != 0)
	if in.Municipio == "" {
		places := municipalitiesOf(all, in.UF)
		sum.Dots = newStateDots(rm.outlines[in.UF], in.UF, places)
		rows := rowsOf(places)
		shown := min(placesShown, len(rows))
		sum.First, sum.Rest = rows[:shown], rows[shown:]
	}
	return sum, count(ctx, snap, in, name, sum)
}

// count fills what the filters of a listing count, too, and names the activities.
func count(ctx context.Context, snap *snapshot.Snapshot, in Place, name Namer, sum *Summary) error {
	active := filter.Of(filter.UF, in.UF, filter.Municipio, in.Municipio, filter.Situacao, record.SituacaoAtiva, filter.HeadOffice, "matriz")
	counts, err := snap.Facets(ctx, index.Query{Filters: active})
	if err != nil {
		return err
	}
	sum.Sizes = barsOf(name, "porte", counts["porte"])
	divisions := counts["cnae_divisao"]
	sum.Divisions = barsOf(name, "cnae", divisions[:min(activitiesShown, len(divisions))])
	var subclasses []index.FacetValue
	for _, a := range sum.Sums.Activities[:min(activitiesShown, len(sum.Sums.Activities))] {
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
