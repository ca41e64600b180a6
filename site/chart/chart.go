// Package chart draws numbers as SVG on the server: [Columns] along time, [Bars] by name. Every chart
// has a title with its unit, a scale or the numbers themselves, and a table with the same content. What
// leads somewhere is a link, so it is reached by keyboard. Lengths are percentages; colours, heights
// and widths are the style sheet's, so one drawing serves both themes, phones and print.
package chart

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"razao/internal/data/ptbr"
)

// Bar is a row of a bar chart and of its table.
type Bar struct {
	Text    string
	URL     string // "": no link
	Current bool   // what is shown is narrowed to it already
	Count   int64
	Said    string // instead of Count, for what is no count; "" for none
	Width   string // percentage of the largest count, with one decimal; set by Scaled
}

// Scaled sets the widths in place, in proportion to the largest count, and returns all.
func Scaled(all []Bar) []Bar {
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
func Share[N int64 | float64](part, whole N) string {
	return percent(float64(part) * 100 / float64(whole))
}

func percent(value float64) string { return strconv.FormatFloat(value, 'f', 1, 64) }

// text returns the number of a bar in words.
func (b *Bar) text() string {
	if b.Said != "" {
		return b.Said
	}
	return ptbr.Count(b.Count)
}

// Bars is a bar chart that is its own table.
type Bars struct {
	Label   string // accessible name of the region
	Caption string // what is counted
	What    string // heading of the texts
	Unit    string // heading of the counts
	Rows    []Bar
	Rest    []Bar // folded away
	Brief   bool  // one of many alike: the headings are for assistive technology only
}

// Columns is a column chart of one series, or of two: the first above a base line, the second below
// it, to one scale. A chart whose points have links is as wide as its links need, and scrolls.
type Columns struct {
	Title   string // what is drawn, and its unit
	Axis    string // what the points are, the heading of the first column of the table: Ano
	Caption string // of the table
	Note    string // sentences below the drawing; "" for none
	Series  []Series
	Points  []Point
	Extra   []Point  // rows that only the table has: what is outside the axis, and the total last
	Money   bool     // the values are cents
	Shares  bool     // the values are tenths of a percent
	Wide    int      // characters of a text on the axis; 0: the four of a year
	Small   bool     // a sparkline: without scale, axis, legend and table
	Most    [2]int64 // of each series, what the scale has room for at least: that of charts to compare
}

// Series is what a column stands for.
type Series struct {
	Name      string // heading in the table, and in the legend of two series
	One, Many string // unit in words, for the description of a column: abertura, aberturas; not for Money and Shares
}

// Point is the columns of one year, month or day.
type Point struct {
	Text    string   // on the axis
	Row     string   // in the table; "": Text
	URL     string   // "": no link
	Current bool     // the link leads to what is shown already
	Part    bool     // of an unfinished year, month or day: drawn lighter
	Values  [2]int64 // of each series
}

// drawing is the geometry of a chart, in percent of its plot.
type drawing struct {
	Line     string // the base line, from the top
	Scale    []mark
	Ticks    []mark // labels of the axis, from the left
	Space    string // width of a column with the space around it
	Width    string // of a column
	Uprights []upright
	Linked   bool
}

// mark is a text at a distance from the top, or from the left.
type mark struct{ Text, At, Anchor string }

// upright is the columns of a point.
type upright struct {
	*Point
	Left   string // of the space around the column
	X      string // of the column
	Up     string // height above the line
	UpFrom string
	Down   string // height below the line; "" in a chart of one series
	Title  string
}

// fill is how much of its space a column takes.
const fill = .8

// fewest is the number of columns that a linked chart has room for at least, as many as each have a
// label on a phone: the years of a list may be two, whose columns would be as wide as half of a page.
const fewest = 7

// draw computes the geometry.
func (c *Columns) draw() drawing {
	above, below := c.Most[0], c.Most[1]
	for i := range c.Points {
		above = max(above, c.Points[i].Values[0])
		if len(c.Series) > 1 {
			below = max(below, c.Points[i].Values[1])
		}
	}
	whole := max(above+below, 1)
	linked := slices.ContainsFunc(c.Points, func(p Point) bool { return p.URL != "" })
	room := max(len(c.Points), 1)
	if linked {
		room = max(room, fewest)
	}
	space := 100 / float64(room)
	d := drawing{Line: Share(above, whole), Space: percent(space), Width: percent(space * fill), Linked: linked}
	if above+below == 0 {
		d.Line = "100.0"
	}
	unit := int64(1)
	if c.Money {
		unit = 100
	}
	step := unit * scaleStep(whole/unit)
	for n := above / step * step; n >= -below && !c.Small; n -= step {
		d.Scale = append(d.Scale, mark{Text: Brief(max(n, -n) / unit), At: Share(above-n, whole)})
	}
	for i := range c.Points {
		p := &c.Points[i]
		left := float64(i) * space
		u := upright{
			Point: p, Left: percent(left), X: percent(left + space*(1-fill)/2), Title: c.say(p),
			Up: Share(p.Values[0], whole), UpFrom: Share(above-p.Values[0], whole),
		}
		if len(c.Series) > 1 {
			u.Down = Share(p.Values[1], whole)
		}
		d.Uprights = append(d.Uprights, u)
	}
	every, last := c.labelled(room, linked), len(c.Points)-1
	for i := range c.Points {
		if (last-i)%every != 0 || c.Small { // counted from the last, which always has a label
			continue
		}
		tick := mark{Text: c.Points[i].Text, At: percent((float64(i) + .5) * space)}
		if i == last && last > 0 && room == len(c.Points) { // it ends with the plot, which may be narrower than half of it
			tick.At, tick.Anchor = "100", "end"
		}
		d.Ticks = append(d.Ticks, tick)
	}
	return d
}

// labelled returns how many columns share a label of the axis, so that labels do not touch at the
// least width of a column: the 300 pixels of a phone divided among as many as there is room for, 24 at
// least for a link. The last label, which ends with its column, is nearer to the one before it.
func (c *Columns) labelled(room int, linked bool) int {
	const character, between = 8, 8 // pixels
	text := character * cmp.Or(c.Wide, 4)
	width := max(300/room, 1)
	if linked {
		width = max(width, 24)
	}
	label := text + between + (max(text-width, 0)+1)/2
	return (label + width - 1) / width
}

// say returns a point in words: 2019: 12 aberturas, 3 baixas.
func (c *Columns) say(p *Point) string {
	var parts []string
	for i := range c.Series {
		text := c.write(p.Values[i])
		if !c.Money && !c.Shares {
			text += " " + ptbr.Plural(p.Values[i], c.Series[i].One, c.Series[i].Many)
		}
		parts = append(parts, text)
	}
	return p.row() + ": " + strings.Join(parts, ", ")
}

func (p *Point) row() string {
	if p.Row != "" {
		return p.Row
	}
	return p.Text
}

// write returns a value in full.
func (c *Columns) write(n int64) string {
	switch {
	case c.Money:
		return ptbr.Money(n)
	case c.Shares:
		return ptbr.Percent(float64(n) / 1000)
	}
	return ptbr.Count(n)
}

const mostSteps = 6 // grid lines of a scale, at most

// scaleStep returns the least of 1, 2, 5, 10, 20, 50 … that divides the scale into at most
// mostSteps steps.
func scaleStep(whole int64) int64 {
	for ten := int64(1); ; ten *= 10 {
		for _, step := range []int64{ten, 2 * ten, 5 * ten} {
			if whole/step <= mostSteps {
				return step
			}
		}
	}
}

// Brief writes a round number briefly: 500, 20 mil, 1,5 mi, 3 bi.
func Brief(n int64) string {
	for _, unit := range []struct {
		least, of int64
		name      string
	}{{1e12, 1e12, " tri"}, {1e9, 1e9, " bi"}, {1e6, 1e6, " mi"}, {1e4, 1e3, " mil"}} {
		if n >= unit.least {
			return strings.TrimSuffix(ptbr.Number(strconv.FormatFloat(float64(n)/float64(unit.of), 'f', 1, 64)), ",0") + unit.name
		}
	}
	return ptbr.Count(n)
}
