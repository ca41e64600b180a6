package spreadsheet

import (
	"encoding/xml"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// formats says which cells of a workbook are dates, which it keeps as numbers that their format shows as dates.
type formats struct {
	from1904 bool     // days are counted from 1904-01-01
	styles   []moment // by the style of a cell
}

// moment is what a number of days shows.
type moment uint8

const (
	date moment = 1 << iota
	clock
)

// builtIn are the formats of dates that have no code in the file (ECMA-376 part 1, 18.8.30). Those of durations show hours
// beyond 24 and stay numbers.
var builtIn = map[string]moment{
	"14": date, "15": date, "16": date, "17": date, "18": clock, "19": clock, "20": clock, "21": clock, "22": date | clock, "45": clock, "47": clock,
}

const maxFormats = 10_000 // of numbers, of a workbook

// readStyles reads what the styles of cells show.
func (b *xlsx) readStyles() error {
	if b.stylesPart == "" {
		return nil
	}
	custom, inCells, n := map[string]moment{}, false, 0
	return b.read(b.stylesPart, func(_ *document, e *xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			if n++; n > maxFormats {
				return ErrTooLarge
			}
			if m := momentOf(attribute(e, "formatCode")); m != 0 {
				custom[attribute(e, "numFmtId")] = m
			}
		case "cellXfs":
			inCells = true
		case "xf":
			if inCells {
				id := attribute(e, "numFmtId")
				b.styles = append(b.styles, builtIn[id]|custom[id])
			}
		}
		return nil
	}, func(_ *document, name string) error {
		if name == "cellXfs" {
			return io.EOF
		}
		return nil
	})
}

// literal matches what a format code shows as it is, or not at all: quoted and escaped text, blanks as wide as a
// character, fillers, colours and conditions; and other sections than the first, which is that of positive numbers.
var literal = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|;.*`)

// momentOf returns what a format code shows, 0 if no date.
func momentOf(code string) (m moment) {
	code = strings.ToLower(code)
	if strings.Contains(code, "[h") || strings.Contains(code, "[m") || strings.Contains(code, "[s") { // a duration
		return 0
	}
	code = literal.ReplaceAllString(code, "")
	if strings.Contains(code, "general") {
		return 0
	}
	if strings.ContainsAny(code, "hs") {
		m |= clock
	}
	if strings.ContainsAny(code, "dy") || m == 0 && strings.Contains(code, "m") {
		m |= date
	}
	return m
}

// value returns the value of a cell of a kind: a truth, a date, a number without exponent, or a text.
func (f *formats) value(kind, style, text string) string {
	switch kind {
	case "b":
		if isTrue(text) {
			return "TRUE"
		}
		return "FALSE"
	case "d":
		for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05", time.RFC3339} {
			if at, err := time.Parse(layout, text); err == nil {
				return shown(at, date)
			}
		}
	case "", "n":
		number, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return text
		}
		if at, err := strconv.Atoi(style); err == nil && at >= 0 && at < len(f.styles) && f.styles[at] != 0 && number >= 0 && number < lastDay {
			return f.moment(number, f.styles[at])
		}
		return decimal(number, text)
	case "str", "inlineStr":
		return unescape(text)
	}
	return text
}

const lastDay = 2_958_466 // after 9999-12-31

// moment returns what a number of days shows. The calendar from 1900 has a 29 February that never was.
func (f *formats) moment(number float64, m moment) string {
	seconds := int(math.Round(number * 24 * 60 * 60))
	begin := time.Date(1899, time.December, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case f.from1904:
		begin = time.Date(1904, time.January, 1, 0, 0, 0, 0, time.UTC)
	case number < 61:
		begin = begin.AddDate(0, 0, 1)
	}
	const day = 24 * 60 * 60
	return shown(begin.AddDate(0, 0, seconds/day).Add(time.Duration(seconds%day)*time.Second), m)
}

// shown writes a moment as Brazilians do.
func shown(at time.Time, m moment) string {
	switch m {
	case date:
		return at.Format("02/01/2006")
	case clock:
		return at.Format("15:04:05")
	}
	return at.Format("02/01/2006 15:04:05")
}

// decimal writes a number without exponent and without the digits that binary fractions add, as long as that is readable.
func decimal(number float64, text string) string {
	if size := math.Abs(number); !strings.ContainsAny(text, ".eE") || size >= 1e21 || size > 0 && size < 1e-9 {
		return text
	}
	return strconv.FormatFloat(number, 'f', -1, 64)
}

// escaped matches a character that XML cannot have, or an underscore that would begin one (ECMA-376 part 1, 22.9.2.19).
var escaped = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

func unescape(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	return escaped.ReplaceAllStringFunc(text, func(code string) string {
		n, _ := strconv.ParseUint(code[2:6], 16, 16)
		return string(rune(n))
	})
}
