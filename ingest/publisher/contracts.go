package publisher

import (
	"context"
	"strings"
	"time"

	"razao/ingest/pncp"
)

// PNCP is the source that is read from an API instead of files.
const PNCP = "pncp"

// fetchContracts downloads contracts of PNCP into dir: those published in a month or range of
// months, or, without a period, what was published or amended since the last update (since last
// month in a new folder). Everything in the folder is loaded afterwards.
func (p *Publishers) fetchContracts(ctx context.Context, dir, period string) error {
	now := time.Now()
	o := pncp.Options{
		Base: p.Sources[PNCP], Dir: dir, Log: p.Log,
		Progress: func(window, windows int) { p.Ingester.Progress("pncp: windows", int64(window-1), int64(windows)) },
	}
	var err error
	if period != "" {
		if o.From, o.To, err = monthsOf(period, now); err != nil {
			return err
		}
		return pncp.Fetch(ctx, o)
	}
	o.From = time.Date(now.Year(), now.Month()-1, 1, 0, 0, 0, 0, time.UTC)
	return pncp.Update(ctx, o)
}

// monthsOf returns the first and last day of a month (2026-01) or a range of months
// (2026-01..2026-06). The last day is at most yesterday, because today is not complete. A period
// that is malformed, reversed or in the future is a *PeriodError.
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
