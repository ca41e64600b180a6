package places

import (
	"fmt"
	"net/url"
	"time"

	"razao/index/figures"
	"razao/index/filter"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
	"razao/site/chart"
	"razao/site/page"
)

// untilFile says of the last month, whose file the tax authority makes before the month is over.
const untilFile = ", até o dia do arquivo"

// anyOffice asks listings for head offices and branches; without it they have head offices.
const anyOffice = "todos"

// monthPoints returns a point for each of months, which end with period (AAAA-MM).
func monthPoints(months []figures.MonthCount, period string) []chart.Point {
	last, err := time.Parse("2006-01", period)
	if err != nil {
		return nil
	}
	var points []chart.Point
	for i, m := range months {
		text := last.AddDate(0, i+1-len(months), 0).Format("01/2006")
		points = append(points, chart.Point{Text: text, Values: [2]int64{m.Opened, m.Closed}})
	}
	if n := len(points); n > 0 {
		points[n-1].Row, points[n-1].Part = points[n-1].Text+untilFile, true
	}
	return points
}

var openings, closings = chart.Series{Name: "Aberturas", One: "abertura", Many: "aberturas"}, chart.Series{Name: "Baixas", One: "baixa", Many: "baixas"}

// newMonthChart charts openings and closings by month, nil for a place without establishments.
func newMonthChart(f *figures.Sums, period string) *chart.Columns {
	points := monthPoints(f.Months, period)
	if points == nil {
		return nil
	}
	return &chart.Columns{
		Title: "Estabelecimentos abertos e baixados, por mês", Axis: "Mês", Series: []chart.Series{openings, closings}, Points: points, Wide: len(points[0].Text),
		Caption: "Estabelecimentos pelo mês de abertura, em qualquer situação hoje, e pelo mês da baixa, os que hoje estão baixados",
		Note:    points[len(points)-1].Row + " da Receita.",
	}
}

// Moves is what happened in the whole country in the month of the load.
type Moves struct {
	Month          string // 10/2026; "" when the load has none
	Opened, Closed Move
}

// Move is the establishments opened, or closed, in the month.
type Move struct {
	Count int64
	URL   string        // listing of them all
	Spark chart.Columns // of thirteen months
}

// Moves returns what happened in the month of the load.
func (hs *Handlers) Moves(snap *snapshot.Snapshot) (Moves, error) {
	all, err := snap.Places()
	if err != nil {
		return Moves{}, fmt.Errorf("months: %w", err)
	}
	points := monthPoints(all.Country.Months, snap.Load.Period)
	if points == nil {
		return Moves{}, nil
	}
	first, _ := time.Parse("2006-01", snap.Load.Period) // monthPoints has parsed it
	days := [2]string{first.Format(time.DateOnly), first.AddDate(0, 1, -1).Format(time.DateOnly)}
	return Moves{
		Month: ptbr.Month(snap.Load.Period),
		Opened: newMove("Estabelecimentos abertos", openings, points, 0,
			url.Values{filter.OpenedFrom: {days[0]}, filter.OpenedTo: {days[1]}}),
		Closed: newMove("Estabelecimentos baixados", closings, points, 1,
			url.Values{filter.Situacao: {record.SituacaoBaixada}, filter.SinceFrom: {days[0]}, filter.SinceTo: {days[1]}}),
	}, nil
}

// newMove takes one of the two values of points. parameters select the establishments of the last.
func newMove(title string, of chart.Series, points []chart.Point, value int, parameters url.Values) Move {
	last := len(points) - 1
	m := Move{Count: points[last].Values[value]}
	parameters.Set(filter.HeadOffice, anyOffice)
	m.URL = page.WithParameters("/empresas", parameters)
	m.Spark = chart.Columns{Title: title + " por mês, de " + points[0].Text + " a " + points[last].Text, Series: []chart.Series{of}, Small: true}
	for _, p := range points {
		p.Values = [2]int64{p.Values[value]}
		m.Spark.Points = append(m.Spark.Points, p)
	}
	return m
}
