package ptbr

import (
	"regexp"
	"time"

	"razao/internal/data/record"
)

const dateLayout = "02/01/2006"

// Date formats a calendar day, in the location of day, as 31/12/2026. The zero time is "".
func Date(day time.Time) string {
	if day.IsZero() {
		return ""
	}
	return day.Format(dateLayout)
}

// Since formats a state with its first day: Ativa desde 31/12/2026. If day is zero it returns what
// alone.
func Since(what string, day time.Time) string { return Join(" desde ", what, Date(day)) }

// Day formats the day of an instant in the time zone of Brasília.
func Day(t time.Time) string { return t.In(record.Brasilia).Format(dateLayout) }

// Moment formats day and minute of an instant in the time zone of Brasília.
func Moment(t time.Time) string { return t.In(record.Brasilia).Format("02/01/2006 15:04") }

// Month formats AAAA-MM as MM/AAAA.
func Month(period string) string {
	t, err := time.Parse("2006-01", period)
	if err != nil {
		return period
	}
	return t.Format("01/2006")
}

var edition = regexp.MustCompile(`^([0-9]{4})_0*([1-9][0-9]{0,3})$`)

// Period formats the period of a load: AAAA-MM as 06/2026, AAAA-MM-DD as 30/09/2026, 2026_0010 as
// 2026, 10ª edição. Other labels stay as they are.
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

// Note formats the dates, AAAA-MM-DD or AAAA-MM, inside a sentence as [Period] does.
func Note(note string) string { return dateInNote.ReplaceAllStringFunc(note, Period) }

// publishedLayouts are the layouts in which sources publish a day, some with a time of day.
var publishedLayouts = [...]string{dateLayout, "20060102", "2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04:05"}

// ParseDay parses a day in any layout that a source uses: DD/MM/AAAA, AAAAMMDD, AAAA-MM-DD, the
// last also with a time, which the result keeps. The result is in UTC.
func ParseDay(published string) (day time.Time, ok bool) {
	if day, ok = dayOfDigits(published); ok { // fast path: a company may have thousands
		return day, true
	}
	for _, layout := range publishedLayouts {
		if len(layout) != len(published) { // a failing time.Parse costs as much as a successful one
			continue
		}
		if t, err := time.Parse(layout, published); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// dayOfDigits parses the first three layouts at a fraction of the cost of time.Parse.
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

// PublishedDay formats a day that [ParseDay] parses as 31/12/2026; other texts stay as published.
func PublishedDay(published string) string {
	day, ok := ParseDay(published)
	if !ok {
		return published
	}
	return day.Format(dateLayout)
}

// Months formats a published number of months: 1 mês, 24 meses. "" stays "".
func Months(n string) string {
	switch n {
	case "":
		return ""
	case "1":
		return "1" + NBSP + "mês"
	}
	return n + NBSP + "meses"
}
