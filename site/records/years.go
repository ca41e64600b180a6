package records

import (
	"maps"
	"slices"

	"razao/internal/data/ptbr"
	"razao/internal/data/source"
	"razao/internal/store/totals"
	"razao/site/chart"
)

// yearsDrawn bounds the axis of a chart of years. Publishers write days like 01/01/0212, which would
// make it as long as history.
const yearsDrawn = 60

// ofYear is the records of one year.
type ofYear struct {
	count int64
	sum   totals.Sum
}

// yearsOf draws the records of a list by year, under the state that the list is filtered to: their
// amounts, as far as these may be added, or their number. address returns the list narrowed to a
// year, "" for all. It returns nil for less than two years. facts must have been summed.
func yearsOf(l *list, src *source.Source, facts []fact, address func(year string) string) *chart.Columns {
	years, all, undated := map[int]*ofYear{}, ofYear{}, ofYear{}
	for i := range facts {
		f := &facts[i]
		if l.byState && f.state != l.state {
			continue
		}
		of := &undated
		if f.day != 0 {
			year := f.day.Year()
			if years[year] == nil {
				years[year] = &ofYear{}
			}
			of = years[year]
		}
		for _, of := range []*ofYear{of, &all} {
			of.count++
			if f.added {
				of.sum.Add(f.amount)
			}
		}
	}
	if len(years) < 2 {
		return nil
	}
	c := &chart.Columns{
		Title: "Registros, por ano", Axis: "Ano", Caption: src.Title + ", por ano", Note: "Cada coluna leva aos registros do ano.",
		Series: []chart.Series{{Name: "Registros", One: "registro", Many: "registros"}},
	}
	if summable(years) {
		c.Title, c.Money, c.Series[0].Name = src.Facts.Amount.Name+" por ano, em reais", true, src.Facts.Amount.Name
	}
	point := func(text string, of *ofYear) chart.Point {
		p := chart.Point{Text: text, Values: [2]int64{of.count}}
		if c.Money {
			p.Row, p.Values[0] = text+", "+ptbr.Counted(of.count, "registro", "registros"), of.sum.Cents()
		}
		return p
	}
	linked := func(year int) chart.Point {
		p := point(yearText(year), years[year])
		p.URL, p.Current = address(p.Text), year == l.year
		return p
	}
	known := slices.Sorted(maps.Keys(years))
	first, last := busiest(known, years)
	for _, year := range known {
		if year < first || year > last {
			c.Extra = append(c.Extra, linked(year))
		}
	}
	if len(c.Extra) > 0 {
		c.Note += " Os anos fora do gráfico estão nos números."
	}
	for year := first; year <= last; year++ {
		if years[year] != nil {
			c.Points = append(c.Points, linked(year))
			continue
		}
		c.Points = append(c.Points, point(yearText(year), &ofYear{}))
	}
	if undated.count > 0 {
		c.Extra = append(c.Extra, point("Sem data", &undated))
	}
	total := point("Todos os anos", &all)
	total.URL, total.Current = address(""), l.year == 0
	c.Extra = append(c.Extra, total)
	return c
}

// summable reports whether the sums of the years can be drawn as heights.
func summable(years map[int]*ofYear) bool {
	some := false
	for _, of := range years {
		cents := of.sum.Cents()
		if cents < 0 {
			return false
		}
		some = some || cents > 0
	}
	return some
}

// busiest returns the first and the last year of the span of at most yearsDrawn years that has most
// records, the latest such span. known are the years, ascending.
func busiest(known []int, years map[int]*ofYear) (first, last int) {
	var most int64
	for i, from := range known {
		var n int64
		to := from
		for _, year := range known[i:] {
			if year < from+yearsDrawn {
				n += years[year].count
				to = year
			}
		}
		if n >= most {
			most, first, last = n, from, to
		}
	}
	return first, last
}
