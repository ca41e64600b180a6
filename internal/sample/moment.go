package sample

import "time"

// dayOf returns the day of a date.
func dayOf(year int, month time.Month, dayOfMonth int) day {
	epoch := time.Date(1966, 1, 1, 0, 0, 0, 0, time.UTC)
	return day(time.Date(year, month, dayOfMonth, 0, 0, 0, 0, time.UTC).Sub(epoch) / (24 * time.Hour))
}

// between returns a day from a first to a last one, or the last one when there is none between them.
func (c *calendar) between(d *dice, first, last day) day {
	first, last = c.within(first), c.within(last)
	if first >= last {
		return last
	}
	return first + day(d.n(int(last-first)+1))
}

// within returns the day, or the nearest that the calendar has.
func (c *calendar) within(d day) day { return max(0, min(d, day(len(c.text)-1))) }

// appendBR writes DD/MM/AAAA.
func (c *calendar) appendBR(b []byte, d day) []byte {
	t := &c.text[c.within(d)]
	b = append(b, t[6], t[7], '/', t[4], t[5], '/')
	return append(b, t[:4]...)
}

// appendISO writes AAAA-MM-DD.
func (c *calendar) appendISO(b []byte, d day) []byte {
	t := &c.text[c.within(d)]
	b = append(b, t[:4]...)
	return append(b, '-', t[4], t[5], '-', t[6], t[7])
}

// appendTime writes a time of day in working hours.
func appendTime(b []byte, d *dice) []byte {
	b = append(appendInt(b, 7+d.n(12), 2), ':')
	b = append(appendInt(b, d.n(60), 2), ':')
	return appendInt(b, d.n(60), 2)
}

// brDate appends a field of the form DD/MM/AAAA; noDay is empty.
func (l *line) brDate(c *calendar, d day) {
	l.next()
	if d != noDay {
		l.b = c.appendBR(l.b, d)
	}
}

// isoDate appends a field of the form AAAA-MM-DD.
func (l *line) isoDate(c *calendar, d day) {
	l.next()
	l.b = c.appendISO(l.b, d)
}

// amount returns a sum in cents: low reais at least, evenly spread over so many powers of ten.
func (d *dice) amount(low, powers int) int {
	for range d.n(powers) {
		low *= 10
	}
	return low*100 + d.n(low*900)
}

// appendCents writes a sum with two decimals.
func appendCents(b []byte, cents int, point byte) []byte {
	b = append(appendInt(b, cents/100, 1), point)
	return appendInt(b, cents%100, 2)
}
