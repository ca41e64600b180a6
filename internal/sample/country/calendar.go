package country

import (
	"fmt"
	"time"
)

// Day counts days since 1 January 1966, the age of the oldest companies.
type Day int32

// NoDay is the absence of a date.
const NoDay Day = -1

// Days on which the rules of the registry changed.
const (
	confirmed       Day = 14551 // 2005-11-03: the status of all older registrations was confirmed
	SimplesFrom     Day = 15156 // 2007-07-01: first options for the Simples Nacional
	MEIFrom         Day = 15887 // 2009-07-01: first individual micro-entrepreneurs (MEI)
	soleLimitedFrom Day = 16808 // 2012-01-08: first companies of one partner with limited liability (EIRELI)
	soleLimitedTo   Day = 20326 // 2021-08-26: the last ones
	firstLetters    Day = 22126 // 2026-07-31: first alphanumeric roots
)

var epoch = time.Date(1966, 1, 1, 0, 0, 0, 0, time.UTC)

// calendar holds every day from 1966 to two years after the release as AAAAMMDD, because formatting
// dates would take half the time of a row.
type calendar struct {
	days    []string
	Month   time.Time // first day of the month of the release, UTC
	Release Day       // publication: the second Saturday of Month
}

// newCalendar returns the calendar of a release, AAAA-MM from 2000-01 to 2099-12.
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

// publication returns the second Saturday of the month that begins on first, the usual day of the
// tax authority.
func publication(first time.Time) time.Time {
	return first.AddDate(0, 0, int(time.Saturday-first.Weekday())+7)
}

// DayOf returns the day of a date.
func DayOf(year int, month time.Month, dayOfMonth int) Day {
	return Day(time.Date(year, month, dayOfMonth, 0, 0, 0, 0, time.UTC).Sub(epoch) / (24 * time.Hour))
}

// Between draws a day from first to last, both included, after moving them into the calendar. If
// first is not before last it returns last without drawing.
func (c *calendar) Between(d *Dice, first, last Day) Day {
	first, last = c.Within(first), c.Within(last)
	if first >= last {
		return last
	}
	return first + Day(d.N(int(last-first)+1))
}

// Since draws a day from first to last, both included; last must not be before first.
func Since(d *Dice, first, last Day) Day {
	return first + Day(d.N(int(last-first)+1))
}

// Within returns the nearest day that the calendar holds.
func (c *calendar) Within(d Day) Day { return max(0, min(d, Day(len(c.days)-1))) }

// Compact returns AAAAMMDD. The day must be in the calendar, so NoDay panics.
func (c *calendar) Compact(d Day) string { return c.days[d] }

// Year returns the year of a day in the calendar, four digits.
func (c *calendar) Year(d Day) string { return c.days[d][:4] }

// BR returns DD/MM/AAAA of the nearest day in the calendar, "" for NoDay.
func (c *calendar) BR(d Day) string {
	if d == NoDay {
		return ""
	}
	s := c.days[c.Within(d)]
	return s[6:] + "/" + s[4:6] + "/" + s[:4]
}

// ISO returns AAAA-MM-DD of the nearest day in the calendar.
func (c *calendar) ISO(d Day) string {
	s := c.days[c.Within(d)]
	return s[:4] + "-" + s[4:6] + "-" + s[6:]
}
