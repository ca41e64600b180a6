package site

import (
	"context"
	"fmt"
	"math/big"
	"sort"
	"strconv"
	"time"

	"razao/index"
	"razao/internal/registry"
	"razao/internal/snapshot"
)

const (
	activitiesShown = 10 // of a place
	yearsShown      = 20
)

// summary holds the figures of a place. It is never changed.
type summary struct {
	Companies      int64         // active
	Establishments int64         // active
	Opened         int64         // establishments, from Since on
	Since          registry.Date // twelve months before the end of the load's month; 0 when that is not known
	Closed         int64         // establishments
	Capital        *big.Int      // cents, of the active companies
	Sizes          []bar         // porte of the active companies
	Activities     []bar         // divisions of the main activity of the active companies
	Years          []bar         // openings, the oldest year first
	Columns        columnChart   // of Years

	First, Rest []placeRow // municipalities of a state
}

// LastYear returns the year with which the chart of openings ends.
func (sum *summary) LastYear() string { return sum.Years[len(sum.Years)-1].Text }

// bar is one figure of a chart and of its table.
type bar struct {
	Text  string
	URL   string // "" for most
	Count int64
	Width string // of the bar, a percentage
}

// bars sets the widths: the largest count has all of it.
func bars(all []bar) []bar {
	var most int64 = 1
	for _, b := range all {
		most = max(most, b.Count)
	}
	for i := range all {
		all[i].Width = strconv.FormatFloat(float64(all[i].Count)*100/float64(most), 'f', 1, 64)
	}
	return all
}

// columnChart draws bars upright, in a plane of Width by 100.
type columnChart struct {
	Width   int
	Columns []upright
}

// upright is one bar of it.
type upright struct {
	X, Y, Height string
	Title        string
}

// summary returns the figures of a place, added up at most once for each snapshot.
func (s *Site) summary(ctx context.Context, snap *snapshot.Snapshot, in place) (*summary, error) {
	if known := s.knownSummary(snap, in); known != nil {
		return known, nil
	}
	sum, err := s.newSummary(ctx, snap, in)
	if err != nil {
		return nil, fmt.Errorf("summary of %s %s: %w", in.UF, in.Municipio, err)
	}
	s.keepSummary(snap, in, sum)
	return sum, nil
}

func (s *Site) newSummary(ctx context.Context, snap *snapshot.Snapshot, in place) (*summary, error) {
	rankings := snap.Index.Rankings()
	figures, ok := rankings.Municipality(in.Municipio)
	if in.Municipio == "" {
		figures, ok = rankings.UF(in.UF)
	}
	sum := &summary{Companies: figures.ActiveCompanies, Capital: figures.Capital}
	if !ok {
		sum.Capital = new(big.Int)
	}
	if in.Municipio == "" {
		all, err := s.ranking(snap)
		if err != nil {
			return nil, err
		}
		sum.First, sum.Rest = placesOf(all, in.UF)
	}
	years := map[int]int64{}
	for _, o := range figures.Openings {
		years[o.Year] += o.Count
		switch o.Situacao {
		case situacaoAtiva:
			sum.Establishments += o.Count
		case situacaoBaixada:
			sum.Closed += o.Count
		}
	}
	if err := s.count(ctx, snap, in, sum); err != nil {
		return nil, err
	}
	month, err := time.Parse("2006-01", snap.Load.Period)
	if err != nil { // a load under a name of its own: no year is the last one
		return sum, nil
	}
	sum.setYears(years, month.Year())
	return sum, s.countOpened(ctx, snap, in, sum, years, month.AddDate(-1, 1, 0))
}

// count fills what the filters of a listing count, too.
func (s *Site) count(ctx context.Context, snap *snapshot.Snapshot, in place, sum *summary) error {
	active := index.Filters{UF: in.UF, Municipio: in.Municipio, Situacao: situacaoAtiva, HeadOffice: index.Yes}
	counts, err := snap.Index.Facets(ctx, index.Query{Filters: active})
	if err != nil {
		return err
	}
	sum.Sizes = s.barsOf(snap, in, "porte", counts["porte"])
	activities := counts["cnae_divisao"]
	sum.Activities = s.barsOf(snap, in, "cnae", activities[:min(activitiesShown, len(activities))])
	return nil
}

// barsOf names the values of a filter and links them to the listing of the active companies that have them.
func (s *Site) barsOf(snap *snapshot.Snapshot, in place, name string, values []index.FacetValue) []bar {
	var all []bar
	manner := s.listingManner(in)
	asked := &inquiry{manner: manner, order: &manner.orders[0]}
	for _, known := range []string{"uf", "municipio", kindOfOffice} {
		if value := manner.implied[known]; value != "" {
			asked.given = append(asked.given, givenFilter{filter: filterNamed(known), value: value})
		}
	}
	for _, v := range values {
		value, text, ok := filterNamed(name).lookUp(s, snap, v.Value)
		if !ok {
			value, text = "", "código "+v.Value
		}
		b := bar{Text: text, Count: v.Count}
		if ok {
			b.URL = asked.with(name, value, "situacao", situacaoAtiva)
		}
		all = append(all, b)
	}
	return bars(all)
}

// setYears makes the chart of openings, which ends with the year of the load.
func (sum *summary) setYears(years map[int]int64, last int) {
	for year := last - yearsShown + 1; year <= last; year++ {
		sum.Years = append(sum.Years, bar{Text: strconv.Itoa(year), Count: years[year]})
	}
	sum.Years = bars(sum.Years)
	sum.Columns = newColumnChart(sum.Years)
}

// newColumnChart draws bars whose widths are set, in their order.
func newColumnChart(all []bar) columnChart {
	const pitch, width = 10, 8
	chart := columnChart{Width: pitch * len(all)}
	for i, b := range all {
		height, _ := strconv.ParseFloat(b.Width, 64)
		chart.Columns = append(chart.Columns, upright{
			X: strconv.Itoa(i*pitch + (pitch-width)/2), Y: strconv.FormatFloat(100-height, 'f', 1, 64), Height: b.Width,
			Title: b.Text + ": " + formatCount(b.Count),
		})
	}
	return chart
}

// countOpened counts what was opened from the first day of a month on. Whole years are known; in the year of that day
// the establishments stand in the order of their opening, and the place of the day among them is searched for.
func (s *Site) countOpened(ctx context.Context, snap *snapshot.Snapshot, in place, sum *summary, years map[int]int64, from time.Time) error {
	year := from.Year()
	since := registry.MakeDate(year, int(from.Month()), 1)
	query := index.Query{
		Filters: index.Filters{UF: in.UF, Municipio: in.Municipio, YearFrom: year, YearTo: year}, Order: index.ByNewest, Limit: 1,
	}
	var failed error
	opened := sort.Search(int(years[year]), func(i int) bool { // the first that was opened before
		if failed != nil {
			return true
		}
		query.Offset = i
		var opening registry.Date
		opening, failed = openingOfFirst(ctx, snap, query)
		return opening < since
	})
	if failed != nil {
		return failed
	}
	sum.Since, sum.Opened = since, int64(opened)
	if from.Month() > time.January {
		sum.Opened += years[year+1]
	}
	return nil
}

// openingOfFirst returns when the first hit of a query was opened.
func openingOfFirst(ctx context.Context, snap *snapshot.Snapshot, q index.Query) (registry.Date, error) {
	found, err := snap.Index.Search(ctx, q)
	if err != nil || len(found.Hits) == 0 {
		return 0, err
	}
	number := found.Hits[0].CNPJ
	head, err := snap.Head(ctx, number.Root())
	if err != nil {
		return 0, err
	}
	e, err := snap.Establishment(ctx, &head, number.Order())
	return e.DataInicioAtividade, err
}
