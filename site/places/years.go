package places

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"razao/index/figures"
	"razao/internal/data/ptbr"
	"razao/site/chart"
	"razao/site/page"
)

const yearsShown = 20

// yearCount counts the establishments opened and closed in a year.
type yearCount struct {
	Year           int
	Opened, Closed int64
}

// newYearChart charts openings and, if the index knows them, closings in the yearsShown years up to
// month (AAAA-MM), nil when month is not one.
func newYearChart(f *figures.Sums, month string, knowsClosings bool) *chart.Columns {
	end, err := time.Parse("2006-01", month)
	if err != nil { // a load may have any name; without a month there is no last year
		return nil
	}
	first := end.Year() - yearsShown + 1
	years := make([]yearCount, yearsShown)
	for i := range years {
		years[i].Year = first + i
	}
	var others, total yearCount
	of := func(year int) *yearCount {
		if i := year - first; i >= 0 && i < yearsShown {
			return &years[i]
		}
		return &others
	}
	for _, o := range f.Openings {
		of(o.Year).Opened += o.Count
		total.Opened += o.Count
	}
	for _, o := range f.Closings {
		of(o.Year).Closed += o.Count
		total.Closed += o.Count
	}
	until := ""
	if end.Month() < time.December {
		until = ptbr.Month(month)
	}
	c := &chart.Columns{
		Title: page.Either(knowsClosings, "Estabelecimentos abertos e baixados, por ano", "Estabelecimentos abertos, por ano"), Axis: "Ano",
		Caption: "Estabelecimentos pelo ano de abertura, em qualquer situação hoje" + page.When(knowsClosings, ", e pelo ano da baixa, os que hoje estão baixados"),
		Note:    peaks(years, until),
		Series:  []chart.Series{openings},
		Extra: []chart.Point{
			{Row: "Outros anos ou sem data", Values: [2]int64{others.Opened, others.Closed}}, {Row: "Total", Values: [2]int64{total.Opened, total.Closed}},
		},
	}
	if knowsClosings {
		c.Series = append(c.Series, closings)
	}
	for _, y := range years {
		c.Points = append(c.Points, chart.Point{Text: strconv.Itoa(y.Year), Values: [2]int64{y.Opened, y.Closed}})
	}
	if last := &c.Points[yearsShown-1]; until != "" {
		last.Row, last.Part = last.Text+", até "+until, true
	}
	return c
}

// peaks names, in sentences, the years with most openings and closings, of equal years the later one,
// and says that the last year ends with a month; until is "" for a complete one.
func peaks(years []yearCount, until string) string {
	var opened, closed yearCount
	for _, y := range years {
		if y.Opened >= opened.Opened {
			opened = y
		}
		if y.Closed >= closed.Closed {
			closed = y
		}
	}
	var texts []string
	if opened.Opened > 0 {
		texts = append(texts, fmt.Sprintf("Mais aberturas em %d: %s.", opened.Year, ptbr.Count(opened.Opened)))
	}
	if closed.Closed > 0 {
		texts = append(texts, fmt.Sprintf("Mais baixas em %d: %s.", closed.Year, ptbr.Count(closed.Closed)))
	}
	if until != "" {
		texts = append(texts, fmt.Sprintf("%d vai até %s.", years[len(years)-1].Year, until))
	}
	return strings.Join(texts, " ")
}
