package ptbr

import (
	"regexp"
	"time"

	"razao/internal/record"
)

const dateLayout = "02/01/2006"

// Date writes a calendar day, 31/12/2026; the zero time is "".
func Date(day time.Time) string {
	if day.IsZero() {
		return ""
	}
	return day.Format(dateLayout)
}

// Since writes what has been so since a day, Ativa desde 31/12/2026; without the day it is what alone.
func Since(what string, day time.Time) string { return Join(" desde ", what, Date(day)) }

// Day writes the day of an instant in Brasília.
func Day(t time.Time) string { return t.In(record.Brasilia).Format(dateLayout) }

// Moment writes the day and the minute of an instant in Brasília.
func Moment(t time.Time) string { return t.In(record.Brasilia).Format("02/01/2006 15:04") }

// Month writes MM/AAAA for AAAA-MM.
func Month(period string) string {
	t, err := time.Parse("2006-01", period)
	if err != nil {
		return period
	}
	return t.Format("01/2006")
}

var edition = regexp.MustCompile(`^([0-9]{4})_0*([1-9][0-9]{0,3})$`)

// Period writes the period of a source: 06/2026, 30/09/2026, or 2026, 10ª edição for 2026_0010; other labels of publishers stay as they
// are.
func Period(period string) string {
	if day, err := time.Parse(time.DateOnly, period); err == nil {
		return day.Format(dateLayout)
	}
	if parts := edition.FindStringSubmatch(period); parts != nil {
		return parts[1] + ", " + parts[2] + "ª edição"
	}
	return Month(period)
}

var dateInNote = regexp.MustCompile(`\b[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?\b`)

// Note writes the dates in a sentence about a load, AAAA-MM-DD or AAAA-MM, as Period does.
func Note(note string) string { return dateInNote.ReplaceAllStringFunc(note, Period) }

// publishedLayouts are the forms in which the sources publish a day. Some are followed by the time.
var publishedLayouts = [...]string{dateLayout, "20060102", "2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04:05"}

// ParseDay reads a day in any of the forms in which the sources publish it.
func ParseDay(published string) (day time.Time, ok bool) {
	if day, ok = dayOfDigits(published); ok { // most are such, and a company may have thousands
		return day, true
	}
	for _, layout := range publishedLayouts {
		if len(layout) != len(published) { // a form that fails costs as much as the one that fits
			continue
		}
		if t, err := time.Parse(layout, published); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// dayOfDigits reads a day of the first three layouts at a fraction of what time.Parse takes; ok is false for everything else.
func dayOfDigits(s string) (day time.Time, ok bool) {
	var digits string
	switch {
	case len(s) == 8:
		digits = s
	case len(s) == 10 && s[2] == '/' && s[5] == '/':
		digits = s[6:] + s[3:5] + s[:2]
	case len(s) == 10 && s[4] == '-' && s[7] == '-':
		digits = s[:4] + s[5:7] + s[8:]
	default:
		return time.Time{}, false
	}
	n := 0
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return time.Time{}, false
		}
		n = n*10 + int(digits[i]-'0')
	}
	month, date := time.Month(n/100%100), n%100
	day = time.Date(n/10_000, month, date, 0, 0, 0, 0, time.UTC)
	return day, day.Month() == month && day.Day() == date
}

// PublishedDay writes 31/12/2026 for a day in any of the forms that ParseDay reads.
func PublishedDay(published string) string {
	day, ok := ParseDay(published)
	if !ok {
		return published
	}
	return day.Format(dateLayout)
}

// Months writes 1 mês or 24 meses for a published number of months.
func Months(n string) string {
	switch n {
	case "":
		return ""
	case "1":
		return "1" + NBSP + "mês"
	}
	return n + NBSP + "meses"
}
