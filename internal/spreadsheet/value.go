package spreadsheet

import (
	"math"
	"strconv"
	"strings"
	"time"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
)

// Value is what a cell of a workbook holds that is no text: a number, a date, which is a number of days since 1899-12-30, or a truth, 0 or 1.
// The zero Value is that of a text.
type Value struct {
	Number float64
	Format *Format // how the workbook shows it; nil for a text
}

// Value returns the value of a cell, the zero Value if it is a text. A CNPJ that its format shows as 5.12E+13 has one that shows all its digits.
func (l *List) Value(r *Row, column int) Value {
	if column < 0 || column >= len(r.formats) || r.formats[column] == ofText {
		return Value{}
	}
	v := Value{r.numbers[column], l.formats[r.formats[column]]}
	if v.isRounded() && (column == l.Columns.Number || readNumber(r.Cell(column), noRoots).Wrong == "") {
		v.Format = whole
	}
	return v
}

var (
	truth = &Format{}                  // of truths
	whole = builtInFormat(wholeNumber) // all digits
)

// Truth returns a value that is true or false; ok reports whether it is one.
func (v Value) Truth() (is, ok bool) { return v.Number != 0, v.Format == truth }

// isRounded reports whether a format shows not all digits of a whole number.
func (v Value) isRounded() bool {
	return v.Format != truth && v.Number == math.Trunc(v.Number) && (v.Format.exponent || v.Format.isGeneral() && math.Abs(v.Number) >= 1e11)
}

func (f *Format) isGeneral() bool { return f.BuiltIn == 0 && f.Code == "" }

// Kind returns the kind of a field with such values: a day, a number, a truth, or else a text.
func (v Value) Kind() record.Kind {
	switch _, m := v.moment(); {
	case v.Format == nil:
		return record.Text
	case v.Format == truth:
		return record.YesOrNo
	case m == date:
		return record.Day
	case m != 0 || !isReadable(v.Number) || v.Format.digits > 0:
		return record.Text
	}
	return record.Rate
}

const (
	lastDay    = 2_958_466 // after 9999-12-31
	february29 = 60        // of 1900, which the calendar of workbooks has
	later1904  = 1_462     // days by which calendars from 1904 begin later
	perDay     = 24 * 60 * 60 * 1000
)

// moment returns the moment that a value is, to the millisecond as in spreadsheets, and what of it there is: a time of the day, if the format
// shows one or the number has one, and a day. 0: it is none, or one that no calendar has.
func (v Value) moment() (at time.Time, has moment) {
	if v.Format == nil || v.Format.moment&(date|clock) == 0 || v.Number < 0 || v.Number >= lastDay {
		return at, 0
	}
	has = v.Format.moment
	thousandths := int64(math.Round(v.Number * perDay))
	days := thousandths / perDay
	if thousandths%perDay != 0 {
		has |= clock
	}
	if days > 0 {
		has |= date
	}
	switch {
	case days == february29, days == 0 && has&clock == 0, days >= lastDay:
		return at, 0
	case days == 0:
		has = clock
	case days < february29:
		days++
	}
	return time.Date(1899, time.December, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(days)).Add(time.Duration(thousandths%perDay) * time.Millisecond), has
}

// days returns the number of a moment.
func days(at time.Time) float64 {
	begin := time.Date(1899, time.December, 30, 0, 0, 0, 0, time.UTC)
	at = time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC)
	number := float64(at.UnixMilli()-begin.UnixMilli()) / perDay
	if number < february29+1 {
		number--
	}
	return number
}

// String returns a value as the API writes it, with all its digits: 2026-10-05, 2026-10-05T12:00:00, 12:00:00, 1234.56, true. A duration is a
// number of days. It is "" for a text.
func (v Value) String() string {
	at, has := v.moment()
	switch {
	case v.Format == nil:
		return ""
	case v.Format == truth:
		return strconv.FormatBool(v.Number != 0)
	case has == date:
		return at.Format(time.DateOnly)
	case has == clock:
		return at.Format("15:04:05.999")
	case has != 0:
		return at.Format("2006-01-02T15:04:05.999")
	}
	return v.Format.filled(decimal(v.Number))
}

// filled writes a whole number with the zeros of a code.
func (s *shows) filled(number string) string {
	if strings.Trim(number, "0123456789") != "" {
		return number
	}
	return strings.Repeat("0", max(0, s.digits-len(number))) + number
}

// Local returns a value as Brazilians write it, with all its digits: 05/10/2026, 05/10/2026 12:00:00, 12:00:00, R$ 1.234,56, 12,5%, VERDADEIRO.
// It has no text of the workbook. It is "" for a text.
func (v Value) Local() string {
	at, has := v.moment()
	switch {
	case v.Format == nil:
		return ""
	case v.Format == truth:
		return map[bool]string{true: "VERDADEIRO", false: "FALSO"}[v.Number != 0]
	case has == date:
		return ptbr.Date(at)
	case has == clock:
		return at.Format("15:04:05,999")
	case has != 0:
		return at.Format("02/01/2006 15:04:05,999")
	case v.Format.moment&duration != 0 && v.Number >= 0 && v.Number < lastDay:
		return hours(v.Number)
	}
	return v.Format.local(decimal(v.Number))
}

// hours writes a number of days as hours, which go beyond 24.
func hours(days float64) string {
	thousandths := int64(math.Round(days * perDay))
	const hour = perDay / 24
	rest := time.Time{}.Add(time.Duration(thousandths%hour) * time.Millisecond)
	text := strconv.FormatInt(thousandths/hour, 10)
	if len(text) < 2 {
		text = "0" + text
	}
	return text + rest.Format(":04:05,999")
}

// local writes a decimal number with the signs that the format gives it.
func (s *shows) local(number string) string {
	if strings.Contains(number, "E") {
		return strings.Replace(number, ".", ",", 1)
	}
	number, negative := strings.CutPrefix(number, "-")
	if s.percent {
		number = hundredfold(number)
	}
	whole, digits, _ := strings.Cut(number, ".")
	digits += strings.Repeat("0", max(0, min(s.decimals, mostZeros)-len(digits)))
	text := s.filled(whole)
	if s.grouped {
		text = ptbr.Number(whole)
	}
	if digits != "" {
		text += "," + digits
	}
	if s.percent {
		text += "%"
	}
	text = ptbr.Join(" ", s.currency, text)
	if negative {
		text = "-" + text
	}
	return text
}

const mostZeros = 30 // that a format adds: spreadsheets add as many decimals

// hundredfold moves the point of a decimal number.
func hundredfold(number string) string {
	whole, digits, _ := strings.Cut(number, ".")
	digits += strings.Repeat("0", max(0, 2-len(digits)))
	whole, digits = strings.TrimLeft(whole+digits[:2], "0"), digits[2:]
	if whole == "" {
		whole = "0"
	}
	if digits == "" {
		return whole
	}
	return whole + "." + digits
}

// decimal writes a number without the digits that binary fractions add, and without exponent as long as that is readable.
func decimal(number float64) string {
	if !isReadable(number) {
		return strconv.FormatFloat(number, 'E', -1, 64)
	}
	return strconv.FormatFloat(number, 'f', -1, 64)
}

// isReadable reports whether a number is written without exponent.
func isReadable(number float64) bool {
	size := math.Abs(number)
	return size < 1e21 && (size == 0 || size >= 1e-9)
}
