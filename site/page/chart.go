package page

import (
	"strconv"

	"razao/internal/ptbr"
)

// Bar is one figure of a chart and of its table.
type Bar struct {
	Text  string
	URL   string // "" for most
	Count int64
	Width string // of the bar, a percentage
}

// Bars sets the widths: the largest count has all of it.
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

// Share returns how many hundredths of a whole a part is, as coordinates are written.
func Share(part, whole int64) string {
	return strconv.FormatFloat(float64(part)*100/float64(whole), 'f', 1, 64)
}

// Of a plane that is 100 high: columns stand one pitch apart.
const (
	ColumnPitch = 10
	columnWidth = 8
)

// ColumnChart draws columns, in a plane of Width by 100.
type ColumnChart struct {
	Width   int
	Columns []Upright
}

// Upright is one column.
type Upright struct {
	X         int
	Y, Height string
	Title     string
}

// NewColumnChart draws bars whose widths are set, upright and in their order.
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

// ColumnX is where column i of a chart begins, from 0.
func ColumnX(i int) int { return i*ColumnPitch + (ColumnPitch-columnWidth)/2 }
