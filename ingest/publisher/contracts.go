package publisher

import (
	"context"
	"strings"
	"time"

	"razao/ingest/pncp/portal"
)

// PNCP is the source that is not published as files but read from an API.
const PNCP = "pncp"

// fetchContracts downloads what was published in a month or a range of months; without a period, what was published and
// what was amended since the last time. All that the folder holds is loaded.
func (p *Publishers) fetchContracts(ctx context.Context, dir, period string) error {
	now := time.Now()
	o := portal.Options{
		Base: p.Sources[PNCP], Dir: dir, Log: p.Log,
		Progress: func(w portal.Progress) { p.Ingester.Progress("pncp: windows", int64(w.Window-1), int64(w.Windows)) },
	}
	var err error
	if period != "" {
		if o.From, o.To, err = monthsOf(period, now); err != nil {
			return err
		}
		return portal.Fetch(ctx, o)
	}
	o.From = time.Date(now.Year(), now.Month()-1, 1, 0, 0, 0, 0, time.UTC)
	return portal.Update(ctx, o)
}

// monthsOf returns the first and the last day of a month, or of a range of months such as 2026-01..2026-06, that are over.
func monthsOf(period string, now time.Time) (first, last time.Time, err error) {
	from, to, ranged := strings.Cut(period, "..")
	if !ranged {
		to = from
	}
	first, err = time.Parse("2006-01", from)
	if err == nil {
		last, err = time.Parse("2006-01", to)
	}
	yesterday := now.AddDate(0, 0, -1)
	switch {
	case err != nil:
		return first, last, &PeriodError{period, "is not of the form AAAA-MM or AAAA-MM..AAAA-MM, which a download of " + PNCP + " needs"}
	case last.Before(first):
		return first, last, &PeriodError{period, "ends before it begins"}
	case first.After(yesterday):
		return first, last, &PeriodError{period, "has not begun"}
	}
	if last = last.AddDate(0, 1, -1); last.After(yesterday) {
		last = yesterday
	}
	return first, last, nil
}
