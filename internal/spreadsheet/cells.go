package spreadsheet

import (
	"cmp"
	"encoding/xml"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// formats are those of the cells of a workbook.
type formats struct {
	from1904 bool       // days are counted from 1904-01-01
	all      []*Format  // by formatID
	styles   []formatID // by the style of a cell
}

// formatID is the place of a format among those of a workbook.
type formatID uint16

// The formats that every workbook has.
const (
	ofText formatID = iota
	ofTruth
	ofAny // without a style
	ofDay // without a format that shows one
)

func newFormats() formats {
	return formats{all: []*Format{nil, truth, unformatted, builtInFormat(dates)}}
}

// of returns the format of a style.
func (f *formats) of(style string) formatID {
	if at, err := strconv.Atoi(style); err == nil && at >= 0 && at < len(f.styles) {
		return f.styles[at]
	}
	return ofAny
}

// keep adds a format.
func (f *formats) keep(format *Format) formatID {
	f.all = append(f.all, format)
	return formatID(len(f.all) - 1)
}

const maxFormats = 10_000 // of numbers, of a workbook

// readStyles reads the formats of the styles of cells.
func (b *xlsx) readStyles() error {
	if b.stylesPart == "" {
		return nil
	}
	known, inCells := map[string]formatID{}, false
	return b.read(b.stylesPart, func(_ *document, e *xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			if len(b.all) > maxFormats {
				return ErrTooLarge
			}
			known[attribute(e, "numFmtId")] = b.keep(customFormat(attribute(e, "formatCode")))
		case "cellXfs":
			inCells = true
		case "xf":
			if inCells {
				b.styles = append(b.styles, b.withID(attribute(e, "numFmtId"), known))
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

// withID returns the format with an id of the file: one that it has a code for, or one that every program knows.
func (f *formats) withID(id string, known map[string]formatID) formatID {
	if _, ok := known[id]; !ok {
		number, _ := strconv.Atoi(id)
		if builtIn[number] == "" {
			return ofAny
		}
		known[id] = f.keep(builtInFormat(number))
	}
	return known[id]
}

// value returns what a cell of a kind shows, and what it holds if that is no text: a truth, a date, or a number without exponent.
func (f *formats) value(kind, style, text string) (string, held) {
	switch kind {
	case "b":
		if isTrue(text) {
			return "TRUE", held{1, ofTruth}
		}
		return "FALSE", held{0, ofTruth}
	case "d":
		for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05", time.RFC3339} {
			if at, err := time.Parse(layout, text); err == nil {
				return f.day(at, style)
			}
		}
	case "", "n":
		return f.number(style, strings.TrimSpace(text))
	case "str", "inlineStr":
		return unescape(text), held{}
	}
	return text, held{}
}

// day returns what a cell with a date shows, and what it holds.
func (f *formats) day(at time.Time, style string) (string, held) {
	h := held{days(at), f.of(style)}
	if f.all[h.format].moment&date == 0 {
		h.format = ofDay
	}
	if _, has := f.moment(h); has == 0 { // before the calendar of workbooks
		h = held{}
	}
	return shown(at, date), h
}

// number returns what a cell with a number shows, and what it holds. A number with more digits than one can hold is a text.
func (f *formats) number(style, text string) (string, held) {
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "0123456789.eE+-") != "" || !strings.ContainsAny(text, ".eE") && strconv.FormatFloat(number, 'f', -1, 64) != text {
		return text, held{}
	}
	h := held{number, f.of(style)}
	format := f.all[h.format]
	if f.from1904 && format.moment&date != 0 && number >= 0 {
		h.number += later1904
	}
	if at, has := f.moment(h); has != 0 {
		return shown(at.Round(time.Second), cmp.Or(has&format.moment, has)), h
	}
	if strings.ContainsAny(text, ".eE") {
		text = decimal(number)
	}
	return text, h
}

func (f *formats) moment(h held) (time.Time, moment) {
	return Value{h.number, f.all[h.format]}.moment()
}

// shown writes a moment as Brazilians do, as far as a format shows it.
func shown(at time.Time, m moment) string {
	switch m {
	case date:
		return at.Format("02/01/2006")
	case clock:
		return at.Format("15:04:05")
	}
	return at.Format("02/01/2006 15:04:05")
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
