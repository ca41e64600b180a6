package source

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// periodForms are the forms of the kinds of periods, for people.
var periodForms = map[string]string{
	"mes":       "AAAA-MM, such as 2026-09",
	"trimestre": "AAAA-MM with the last month of a quarter, such as 2026-06, or AAAA_trimestre_TT, such as 2026_trimestre_02",
	"dia":       "AAAA-MM-DD, such as 2026-09-30",
	"edicao":    "AAAA-MM-DD, such as 2026-04-06",
	"versao":    "AAAA_NNNN, such as 2026_0012",
}

// ErrNotBegun is the error of [Source.ParsePeriod] for a period that has not begun.
var ErrNotBegun = errors.New("has not begun")

var (
	quarterLabel = regexp.MustCompile(`^(\d{4})_trimestre_0([1-4])$`)
	versionLabel = regexp.MustCompile(`^(\d{4})_\d{4}$`)
)

// PeriodForm returns the form of the source's periods with an example, for people.
func (s *Source) PeriodForm() string { return periodForms[s.PeriodKind] }

// ParsePeriod checks a period that somebody typed and returns it as loads name it, for a quarter its
// last month. It refuses other forms than the source's, days that no calendar has and periods that
// have not begun at now, since nothing is published of them. The error goes on from the period in a
// sentence.
func (s *Source) ParsePeriod(text string, now time.Time) (period string, err error) {
	begins, period, ok := s.readPeriod(text)
	switch {
	case !ok || begins.Year() < 2000:
		return "", fmt.Errorf("is no period of the form %s", s.PeriodForm())
	case begins.After(now.AddDate(0, 0, 1)): // it may be tomorrow already in another time zone
		return "", ErrNotBegun
	}
	return period, nil
}

// readPeriod returns the day from which a period can be published, and its name.
func (s *Source) readPeriod(text string) (begins time.Time, period string, ok bool) {
	var err error
	switch s.PeriodKind {
	case "mes":
		begins, err = time.Parse("2006-01", text)
	case "dia", "edicao":
		begins, err = time.Parse(time.DateOnly, text)
	case "trimestre":
		if m := quarterLabel.FindStringSubmatch(text); m != nil {
			quarter, _ := strconv.Atoi(m[2])
			text = fmt.Sprintf("%s-%02d", m[1], 3*quarter)
		}
		begins, err = time.Parse("2006-01", text)
		return begins, text, err == nil && begins.Month()%3 == 0
	case "versao":
		m := versionLabel.FindStringSubmatch(text)
		if m == nil {
			return begins, text, false
		}
		begins, err = time.Parse("2006", m[1])
	default:
		return begins, text, false
	}
	return begins, text, err == nil
}
