package sample

import (
	"fmt"
	"time"
)

// day counts days since the first of January 1966, the year of the oldest companies.
type day int32

const noDay day = -1

// Days on which the rules of the registry changed.
const (
	confirmed       day = 14551 // 2005-11-03: the status of all older registrations was confirmed
	simplesFrom     day = 15156 // 2007-07-01
	meiFrom         day = 15887 // 2009-07-01
	soleLimitedFrom day = 16808 // 2012-01-08: first companies of one partner with limited liability (EIRELI)
	soleLimitedTo   day = 20326 // 2021-08-26: the last ones
	firstLetters    day = 22126 // 2026-07-31: first roots with letters
)

// calendar holds the written form of every day from 1966 to some years after the release, because dates are half of
// what a row is made of.
type calendar struct {
	text    [][8]byte
	release day
	suffix  string // D60912: last digit of the year, month and day of the publication
}

// newCalendar reads AAAA-MM, from 2000-01 to 2099-12.
func newCalendar(month string) (*calendar, error) {
	first, err := time.Parse("2006-01", month)
	if err != nil || first.Year() < 2000 || first.Year() > 2099 {
		return nil, fmt.Errorf("month %q is not of the form AAAA-MM, from 2000-01 to 2099-12", month)
	}
	release := secondSaturday(first)
	c := &calendar{suffix: "D" + release.Format("20060102")[3:]}
	epoch := time.Date(1966, 1, 1, 0, 0, 0, 0, time.UTC)
	last := release.AddDate(2, 0, 0)
	for t := epoch; !t.After(last); t = t.AddDate(0, 0, 1) {
		if t.Equal(release) {
			c.release = day(len(c.text))
		}
		var text [8]byte
		copy(text[:], t.Format("20060102"))
		c.text = append(c.text, text)
	}
	return c, nil
}

// secondSaturday is the day on which the releases of a month are published.
func secondSaturday(first time.Time) time.Time {
	return first.AddDate(0, 0, int(time.Saturday-first.Weekday())+7)
}

// append writes AAAAMMDD.
func (c *calendar) append(dst []byte, d day) []byte { return append(dst, c.text[d][:]...) }
