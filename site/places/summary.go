package places

import (
	"context"
	"fmt"
	"io"
	"slices"

	"razao/index"
	"razao/index/figures"
	"razao/index/filter"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/chart"
	"razao/site/page"
)

// Place names a state, a municipality or, as the zero value, the country.
type Place struct {
	UF        string // two letters
	Municipio string // the tax authority's code
}

// placesShown is how many municipalities of a state are visible; the rest is folded away.
const placesShown = 24

const activitiesShown = 10 // activities listed for a place

// Summary holds the figures of a place. It is shared by all requests on a snapshot and must not be
// changed.
type Summary struct {
	figures.Place
	PeopleYear int    // year of the population estimate; 0: say nothing per inhabitant
	Code       string // IBGE code; "" abroad
	Region     page.Crumb
	Compare    string // comparison with this municipality; "" for a state
	Standings  []standing
	Since      record.Date    // first day of the twelve months of Opened and Closed; 0 when the index has no such counts
	Sizes      []chart.Bar    // active companies by porte
	Divisions  []chart.Bar    // active companies by CNAE division of the main activity
	Activities []chart.Bar    // active companies by CNAE subclass
	Chart      *chart.Columns // by year; nil when the load's period is not a month
	Months     *chart.Columns // nil when the index has no months
	Cohorts    *chart.Columns // nil when the load's period is not a month
	Path       string         // of the place

	Dots        *dotMap    // for a state; nil for a municipality
	First, Rest []placeRow // municipalities of a state, visible and folded

	rendered page.Fragment // all of this: with 300 municipalities it is much to render
}

// Render implements [templ.Component].
func (s *Summary) Render(ctx context.Context, w io.Writer) error { return s.rendered.Render(ctx, w) }

// Summary returns the figures of a place, cached for the snapshot. name must always return the same
// for a place, because the cached summary has the names of the first caller. Errors are not cached.
func (hs *Handlers) Summary(ctx context.Context, snap *snapshot.Snapshot, in Place, name Namer) (*Summary, error) {
	sum, err := snapshot.Once(snap, in, func() (*Summary, error) { return hs.newSummary(ctx, snap, in, name) })
	if err != nil {
		return nil, fmt.Errorf("summary of %s %s: %w", in.UF, in.Municipio, err)
	}
	return sum, nil
}

// newSummary computes a summary.
func (hs *Handlers) newSummary(ctx context.Context, snap *snapshot.Snapshot, in Place, name Namer) (*Summary, error) {
	all, err := snap.Places()
	if err != nil {
		return nil, err
	}
	place := all.Of(in.UF, in.Municipio)
	sum := &Summary{Place: place, Since: all.Lately, PeopleYear: all.PeopleYear}
	uf, _ := hs.atlas.UF(in.UF)
	if sum.Code = uf.IBGE; in.Municipio != "" {
		sum.Code = place.Municipality.IBGE
		sum.Compare = ComparisonPath(sum.Code)
	}
	if uf.Region != "" {
		sum.Region = page.Crumb{Text: uf.Region, URL: RegionPath(uf.Region)}
	}
	if sum.Standings, err = standings(snap, all, &place); err != nil {
		return nil, err
	}
	sum.Chart = newYearChart(&sum.Sums, snap.Load.Period, all.Lately != 0)
	sum.Months = newMonthChart(&sum.Sums, snap.Load.Period)
	sum.Cohorts = newCohortChart(cohortsOf(&sum.Sums), snap.Load.Period)
	if sum.Path = page.StatePath(in.UF); in.Municipio != "" {
		sum.Path = page.MunicipalityPath(place.Municipality)
	}
	if in.Municipio == "" {
		companies := measuresOf(all)[0]
		places, err := ordered(snap, companies)
		if err != nil {
			return nil, err
		}
		places = within(places, in.UF)
		sum.Dots = newStateDots(hs.outlines[in.UF], wording.OfState(uf), places, companies)
		rows := rowsOf(places)
		shown := min(placesShown, len(rows))
		sum.First, sum.Rest = rows[:shown], rows[shown:]
	}
	if err := count(ctx, snap, in, name, sum); err != nil {
		return nil, err
	}
	sum.rendered, err = page.Once(summaryTable(sum))
	return sum, err
}

// standing is the rank of a place among all others of the country or the state.
type standing struct {
	Label     string
	Positions []page.Crumb // rank by active companies, then per inhabitant; URL is the ranking
	First     string       // rank by active companies alone: 3º de 645
}

// Labels of standings.
const (
	inCountry = "Posição no país"
	inState   = "Posição no estado"
)

// People returns the population in words.
func (s *Summary) People() string { return ptbr.Count(s.Population) }

// peopled returns text, or that there is no estimate when the population is unknown.
func (s *Summary) peopled(text string) string {
	if s.Population == 0 {
		return "sem estimativa"
	}
	return text
}

// standings returns the ranks of a place in the country and, for a municipality, in its state,
// without those that do not exist. A place with a value of 0 has no rank.
func standings(snap *snapshot.Snapshot, all *figures.Places, place *figures.Place) ([]standing, error) {
	country, state := standing{Label: inCountry}, standing{Label: inState}
	for _, m := range measuresOf(all) {
		q := rankingQuery{by: m}
		switch {
		case m.Name != "" && m.Name != perThousand || m.value(place) == 0:
		case place.Municipality.RFB == "":
			country.add(figures.Ranked(all.States, m.compare), place, m, q.address("/estados"))
		default:
			places, err := ordered(snap, m)
			if err != nil {
				return nil, err
			}
			country.add(places, place, m, q.address("/municipios"))
			state.add(within(places, place.UF), place, m, q.address("/municipios", "uf", place.UF))
		}
	}
	return slices.DeleteFunc([]standing{country, state}, func(s standing) bool { return s.Positions == nil }), nil
}

// add appends the rank of a place in an order, unless the order has fewer than two places or not
// this one. Per inhabitant, places without a population do not count.
func (s *standing) add(ordered []*figures.Place, place *figures.Place, by measure, url string) {
	above := by.Above
	if by.Name == perThousand {
		above = "por mil habitantes"
		ordered = slices.DeleteFunc(slices.Clone(ordered), func(p *figures.Place) bool { return p.Population == 0 })
	}
	at := slices.IndexFunc(ordered, func(p *figures.Place) bool { return p.UF == place.UF && p.Municipality == place.Municipality })
	if at < 0 || len(ordered) < 2 {
		return
	}
	position := fmt.Sprintf("%sº de %s", ptbr.Count(at+1), ptbr.Count(len(ordered)))
	if by.Name == "" {
		s.First = position
	}
	s.Positions = append(s.Positions, page.Crumb{Text: position + " " + above, URL: url})
}

// count fills in the figures that come from facet counts, and names the activities.
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

// Namer returns the description of a filter's value, and the listing of a place's active companies
// that have it; url is "" for a value that cannot be listed.
type Namer func(filter, value string) (text, url string)

// barsOf returns bars for the values of a filter.
func barsOf(name Namer, filter string, values []index.FacetValue) []chart.Bar {
	var all []chart.Bar
	for _, v := range values {
		text, url := name(filter, v.Value)
		all = append(all, chart.Bar{Text: text, URL: url, Count: v.Count})
	}
	return chart.Scaled(all)
}
