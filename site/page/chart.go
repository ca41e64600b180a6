package page

import (
	"strconv"

	"razao/internal/data/ptbr"
)

// Bar is a row of a bar chart and of its table.
type Bar struct {
	Text  string
	URL   string // "": no link
	Count int64
	Width string // percentage of the largest count, with one decimal; set by Bars
}

// Bars sets the widths in place, in proportion to the largest count, and returns all.
func Bars(all []Bar) []Bar {
	var most int64 = 1
	for _, b := range all {
		most = max(most, b.Count)
	}
	for i := range all {
		all[i].Width = Share(all[i].Count, most)
	}
	return all
}

// Share returns part as a percentage of whole with one decimal and a point, for SVG. whole must not
// be 0.
func Share(part, whole int64) string {
	return strconv.FormatFloat(float64(part)*100/float64(whole), 'f', 1, 64)
}

// Horizontal measures of a column chart, in units of its SVG view box, which is 100 units high.
const (
	ColumnPitch = 10 // from column to column
	columnWidth = 8
)

// ColumnChart is a column chart with the view box 0 0 Width 100.
type ColumnChart struct {
	Width   int
	Columns []Upright
}

// Upright is a column of a [ColumnChart]; Y is its upper edge.
type Upright struct {
	X         int
	Y, Height string
	Title     string // tooltip: label and count
}

// NewColumnChart returns a chart with a column for each bar. The widths must be set (see [Bars]).
func NewColumnChart(all []Bar) ColumnChart {
	chart := ColumnChart{Width: ColumnPitch * len(all)}
	for i, b := range all {
		height, _ := strconv.ParseFloat(b.Width, 64)
		chart.Columns = append(chart.Columns, Upright{
			X: ColumnX(i), Y: strconv.FormatFloat(100-height, 'f', 1, 64), Height: b.Width, Title: b.Text + ": " + ptbr.Count(b.Count),
		})
	}
	return chart
}

// ColumnX returns the left edge of column i, counted from 0.
func ColumnX(i int) int { return i*ColumnPitch + (ColumnPitch-columnWidth)/2 }
