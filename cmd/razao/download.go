package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"razao/ingest"
	"razao/ingest/download"
	"razao/ingest/fetch"
	"razao/ingest/pncp/portal"
	"razao/internal/registry"
)

// pncpID is the source that is not published as files but read from an API.
const pncpID = "pncp"

// unreachableError says that a publisher did not give out its files.
type unreachableError struct{ error }

// Unwrap returns the cause.
func (e *unreachableError) Unwrap() error { return e.error }

// loadSource loads a source from where the operator says, or downloads it from its publisher first. The folder of the
// download is locked until it is loaded.
func (a *app) loadSource(ctx context.Context, in *ingest.Ingester, id, from string, o ingest.SourceOptions) ([]registry.Load, error) {
	if from != "" {
		return in.Source(ctx, id, from, o)
	}
	dir := filepath.Join(a.settings.downloadDir(), id)
	release, err := fetch.Lock(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	if id == pncpID {
		err = a.fetchContracts(ctx, in, dir, o.Period)
		o.Period = "" // said what to fetch; the folder holds more
	} else {
		err = a.fetchFiles(ctx, in, dir, id, o.Period)
	}
	if err != nil {
		return nil, &unreachableError{err}
	}
	return in.Source(ctx, id, dir, o)
}

func (a *app) fetchFiles(ctx context.Context, in *ingest.Ingester, dir, id, period string) error {
	if download.PeriodForm(id) == "" {
		period = "" // what is published is the newest; the period then only names the load
	}
	_, err := download.Fetch(ctx, id, dir, download.Options{
		Base: a.settings.SourceURLs[id], Period: period, Log: a.log,
		Progress: (&downloads{show: in.Progress}).report,
	})
	return err
}

// fetchContracts downloads what was published in a month or a range of months; without a period, what was published and
// what was amended since the last time. All that the folder holds is loaded.
func (a *app) fetchContracts(ctx context.Context, in *ingest.Ingester, dir, period string) error {
	now := time.Now()
	o := portal.Options{
		Base: a.settings.SourceURLs[pncpID], Dir: dir, Log: a.log,
		Progress: func(p portal.Progress) { in.Progress("pncp: windows", int64(p.Window-1), int64(p.Windows)) },
	}
	var err error
	if period != "" {
		if o.From, o.To, err = monthsOf(period, now); err != nil {
			return err
		}
		return portal.Fetch(ctx, o)
	}
	if o.From, _, err = monthsOf(lastMonth(now), now); err != nil {
		return err
	}
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
		return first, last, usagef("--period %q is not of the form AAAA-MM or AAAA-MM..AAAA-MM, which a download of %s needs", period, pncpID)
	case last.Before(first):
		return first, last, usagef("--period %s ends before it begins", period)
	case first.After(yesterday):
		return first, last, usagef("--period %s has not begun", period)
	}
	if last = last.AddDate(0, 1, -1); last.After(yesterday) {
		last = yesterday
	}
	return first, last, nil
}

// downloads adds up the progress of files that come at the same time.
type downloads struct {
	show func(stage string, done, total int64)

	mu    sync.Mutex
	files map[string]struct{ done, total int64 }
}

func (d *downloads) report(file string, done, total int64) {
	d.mu.Lock()
	if d.files == nil {
		d.files = map[string]struct{ done, total int64 }{}
	}
	d.files[file] = struct{ done, total int64 }{done, total}
	done, total = 0, 0
	for _, f := range d.files {
		done, total = done+f.done, total+f.total
	}
	d.mu.Unlock()
	d.show("download", done, total)
}

// publishedBy says where a source is downloaded from, for the help of its command.
func publishedBy(id string) string {
	if id == pncpID {
		return "the portal's API, what is new there or the months of --period"
	}
	return fmt.Sprintf("the publisher's %s files", map[bool]string{true: "newest", false: "newest or --period's"}[download.PeriodForm(id) == ""])
}
