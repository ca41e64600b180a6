package places

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"razao/index/figures"
	"razao/internal/data/ptbr"
	"razao/site/page"
)

const (
	yearsShown = 20
	yearsATick = 5 // columns between labelled years
)

// yearChart is a mirrored column chart: openings above a base line, closings below it, to one
// scale, by year.
type yearChart struct {
	Years       []yearCount // ascending; the last is the year of the load
	Others      yearCount   // all other years, and unknown dates
	Total       yearCount
	HasClosings bool   // false when the index has no closings
	Until       string // last month of an incomplete last year, MM/AAAA; "" when the year is complete
	Width       int
	Line        string // y of the base line, in percent
	Up, Down    []page.Upright
	Ticks       []string    // labelled years
	Scale       []scaleMark // top to bottom
}

// scaleMark is a grid line and the number it stands for, above or below the base line.
type scaleMark struct {
	Text string
	Y    string // in percent from the top
}

// yearCount counts the establishments opened and closed in a year.
type yearCount struct {
	Year           int
	Opened, Closed int64
}

// newYearChart charts the yearsShown years up to month (AAAA-MM), nil when month is not one.
// knowsClosings says whether the index has closings.
func newYearChart(f *figures.Sums, month string, knowsClosings bool) *yearChart {
	end, err := time.Parse("2006-01", month)
	if err != nil { // a load may have any name; without a month there is no last year
		return nil
	}
	c := &yearChart{HasClosings: knowsClosings}
	if end.Month() < time.December {
		c.Until = ptbr.Month(month)
	}
	first := end.Year() - yearsShown + 1
	for i := range yearsShown {
		c.Years = append(c.Years, yearCount{Year: first + i})
	}
	of := func(year int) *yearCount {
		if i := year - first; i >= 0 && i < yearsShown {
			return &c.Years[i]
		}
		return &c.Others
	}
	for _, o := range f.Openings {
		of(o.Year).Opened += o.Count
		c.Total.Opened += o.Count
	}
	for _, o := range f.Closings {
		of(o.Year).Closed += o.Count
		c.Total.Closed += o.Count
	}
	c.draw()
	return c
}

// draw computes the geometry: widths in units of page.ColumnPitch, heights in percent.
func (c *yearChart) draw() {
	mostOpened, mostClosed := c.most()
	opened, closed := mostOpened.Opened, mostClosed.Closed
	whole := max(opened+closed, 1)
	step := scaleStep(whole)
	for n := opened / step * step; n >= -closed; n -= step {
		c.Scale = append(c.Scale, scaleMark{scaleText(max(n, -n)), page.Share(opened-n, whole)})
	}
	c.Width, c.Line = page.ColumnPitch*len(c.Years), page.Share(opened, whole)
	for i, y := range c.Years {
		year := strconv.Itoa(y.Year) + ": "
		c.Up = append(c.Up, page.Upright{X: page.ColumnX(i), Y: page.Share(opened-y.Opened, whole), Height: page.Share(y.Opened, whole), Title: year + ptbr.Counted(y.Opened, "abertura", "aberturas")})
		if c.HasClosings {
			c.Down = append(c.Down, page.Upright{X: page.ColumnX(i), Y: c.Line, Height: page.Share(y.Closed, whole), Title: year + ptbr.Counted(y.Closed, "baixa", "baixas")})
		}
		if i%yearsATick == 0 {
			c.Ticks = append(c.Ticks, strconv.Itoa(y.Year))
		}
	}
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

// scaleText writes a round number briefly: 500, 20 mil, 1,5 mi.
func scaleText(n int64) string {
	switch {
	case n >= 1_000_000:
		return strings.TrimSuffix(ptbr.Number(strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64)), ",0") + " mi"
	case n >= 10_000:
		return ptbr.Count(n/1000) + " mil"
	}
	return ptbr.Count(n)
}

// LastYear returns the year of the load.
func (c *yearChart) LastYear() int { return c.Years[len(c.Years)-1].Year }

// Peaks names, in sentences, the years with most openings and closings; of equal years, the later
// one.
func (c *yearChart) Peaks() string {
	opened, closed := c.most()
	var texts []string
	if opened.Opened > 0 {
		texts = append(texts, fmt.Sprintf("Mais aberturas em %d: %s.", opened.Year, ptbr.Count(opened.Opened)))
	}
	if closed.Closed > 0 {
		texts = append(texts, fmt.Sprintf("Mais baixas em %d: %s.", closed.Year, ptbr.Count(closed.Closed)))
	}
	if c.Until != "" {
		texts = append(texts, fmt.Sprintf("%d vai até %s.", c.LastYear(), c.Until))
	}
	return strings.Join(texts, " ")
}

// most returns the year with most openings and the year with most closings.
func (c *yearChart) most() (opened, closed yearCount) {
	for _, y := range c.Years {
		if y.Opened >= opened.Opened {
			opened = y
		}
		if y.Closed >= closed.Closed {
			closed = y
		}
	}
	return opened, closed
}
