package sample

import (
	"strconv"
	"strings"
)

// sheet is a table of so many columns that rows are filled by name.
type sheet struct {
	columns string
	at      map[string]int
}

func newSheet(columns string) sheet {
	s := sheet{columns: columns, at: map[string]int{}}
	for i, name := range strings.Split(columns, ";") {
		s.at[name] = i
	}
	return s
}

// cells are those of one row of a sheet.
type cells struct {
	sheet  *sheet
	values []string
}

func (s *sheet) row() cells { return cells{s, make([]string, len(s.at))} }

// set fills columns: names and values by turns.
func (c *cells) set(pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		c.values[c.sheet.at[pairs[i]]] = pairs[i+1]
	}
}

func (c *cells) appendTo(l *line) {
	for _, v := range c.values {
		l.field(v)
	}
}

// polygon returns an area around a place in WKT.
func polygon(city *city, corners int, d *dice) string {
	longitude, latitude := city.longitude, city.latitude
	first := longitude + "1 " + latitude + "1"
	var b strings.Builder
	b.WriteString("POLYGON((" + first)
	for range corners {
		b.WriteString("," + longitude + strconv.Itoa(d.n(1_000_000)) + " " + latitude + strconv.Itoa(d.n(1_000_000)))
	}
	b.WriteString("," + first + "))")
	return b.String()
}
