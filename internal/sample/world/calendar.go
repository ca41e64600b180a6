package world

import (
	"fmt"
	"time"

	"razao/internal/sample/draw"
)

// Day counts days since the first of January 1966, the year of the oldest companies.
type Day int32

// NoDay is a date that is not given.
const NoDay Day = -1

// Days on which the rules of the registry changed.
const (
	confirmed       Day = 14551 // 2005-11-03: the status of all older registrations was confirmed
	SimplesFrom     Day = 15156 // 2007-07-01
	MEIFrom         Day = 15887 // 2009-07-01
	soleLimitedFrom Day = 16808 // 2012-01-08: first companies of one partner with limited liability (EIRELI)
	soleLimitedTo   Day = 20326 // 2021-08-26: the last ones
	firstLetters    Day = 22126 // 2026-07-31: first roots with letters
)

var epoch = time.Date(1966, 1, 1, 0, 0, 0, 0, time.UTC)

// calendar holds every day from 1966 to some years after the release as AAAAMMDD, because dates are half of what a row
// is made of.
type calendar struct {
	days    []string
	Month   time.Time // first day of the month of the release
	Release Day       // second Saturday of the month
}

// newCalendar reads AAAA-MM, from 2000-01 to 2099-12.
func newCalendar(month string) (*calendar, error) {
	first, err := time.Parse("2006-01", month)
	if err != nil || first.Year() < 2000 || first.Year() > 2099 {
		return nil, fmt.Errorf("month %q is not of the form AAAA-MM, from 2000-01 to 2099-12", month)
	}
	release := publication(first)
	c := &calendar{Month: first, Release: DayOf(release.Date())}
	last := release.AddDate(2, 0, 0)
	for t := epoch; !t.After(last); t = t.AddDate(0, 0, 1) {
		c.days = append(c.days, t.Format("20060102"))
	}
	return c, nil
}

// publication returns the second Saturday of the month that begins on a day.
func publication(first time.Time) time.Time {
	return first.AddDate(0, 0, int(time.Saturday-first.Weekday())+7)
}

// DayOf returns the day of a date.
func DayOf(year int, month time.Month, dayOfMonth int) Day {
	return Day(time.Date(year, month, dayOfMonth, 0, 0, 0, 0, time.UTC).Sub(epoch) / (24 * time.Hour))
}

// Between returns a day from a first to a last one, or the last one when there is none between them.
func (c *calendar) Between(d *draw.Dice, first, last Day) Day {
	first, last = c.Within(first), c.Within(last)
	if first >= last {
		return last
	}
	return first + Day(d.N(int(last-first)+1))
}

// Since returns a day from a first one to a last one, which is no earlier.
func Since(d *draw.Dice, first, last Day) Day {
	return first + Day(d.N(int(last-first)+1))
}

// Within returns the day, or the nearest that the calendar has.
func (c *calendar) Within(d Day) Day { return max(0, min(d, Day(len(c.days)-1))) }

// Compact returns a day of the calendar as AAAAMMDD.
func (c *calendar) Compact(d Day) string { return c.days[d] }

// Year returns the four digits of a day's year.
func (c *calendar) Year(d Day) string { return c.days[d][:4] }

// BR returns DD/MM/AAAA, "" for NoDay.
func (c *calendar) BR(d Day) string {
	if d == NoDay {
		return ""
	}
	s := c.days[c.Within(d)]
	return s[6:] + "/" + s[4:6] + "/" + s[:4]
}

// ISO returns AAAA-MM-DD.
func (c *calendar) ISO(d Day) string {
	s := c.days[c.Within(d)]
	return s[:4] + "-" + s[4:6] + "-" + s[6:]
}
