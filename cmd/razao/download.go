package main

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"razao/ingest"
	"razao/ingest/download"
	"razao/ingest/pncp/portal"
)

// pncpID is the source that is not published as files but read from an API.
const pncpID = "pncp"

// fetch downloads a source from its publisher and returns the folder that holds it.
func (a *app) fetch(ctx context.Context, in *ingest.Ingester, id, period string) (dir string, err error) {
	dir = filepath.Join(a.settings.downloadDir(), id)
	if id == pncpID {
		return dir, a.fetchContracts(ctx, in, dir, period)
	}
	if download.PeriodForm(id) == "" {
		period = "" // what is published is the newest; the period then only names the load
	}
	_, err = download.Fetch(ctx, id, dir, download.Options{
		Base: a.settings.SourceURLs[id], Period: period, Log: a.log,
		Progress: (&downloads{show: in.Progress}).report,
	})
	return dir, err
}

// fetchContracts downloads the contracts published in a month, the last whole one without a period. What the folder
// holds of other months stays, and is loaded with it.
func (a *app) fetchContracts(ctx context.Context, in *ingest.Ingester, dir, period string) error {
	first, last, err := monthOf(period, time.Now())
	if err != nil {
		return err
	}
	return portal.Fetch(ctx, portal.Options{
		Base: a.settings.SourceURLs[pncpID], Dir: dir, From: first, To: last, Log: a.log,
		Progress: func(p portal.Progress) { in.Progress("pncp: windows", int64(p.Window-1), int64(p.Windows)) },
	})
}

// monthOf returns the first and the last day of a month that are over; "" is the month before now.
func monthOf(period string, now time.Time) (first, last time.Time, err error) {
	if period == "" {
		period = lastMonth(now)
	}
	if first, err = time.Parse("2006-01", period); err != nil {
		return first, last, usagef("--period %q is not of the form AAAA-MM, which a download of %s needs", period, pncpID)
	}
	yesterday := now.AddDate(0, 0, -1)
	if first.After(yesterday) {
		return first, last, usagef("--period %s has not begun", period)
	}
	if last = first.AddDate(0, 1, -1); last.After(yesterday) {
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
		return "the portal's API, one month"
	}
	return fmt.Sprintf("the publisher's %s files", map[bool]string{true: "newest", false: "newest or --period's"}[download.PeriodForm(id) == ""])
}
