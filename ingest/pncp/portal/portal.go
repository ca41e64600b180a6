// Package portal downloads contracts from the read API of the national portal of public procurement into files of JSON
// Lines. The API is slow, limits its callers and fails now and then, so calls follow each other with pauses, are repeated,
// and bring short windows of days, each a file of its own.
package portal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"razao/ingest/fetch"
)

// DefaultBase is the address of the read API.
const DefaultBase = "https://pncp.gov.br/api/consulta"

// Names of files begin with what their days are of.
const (
	publicationPrefix = "pncp_contratos_"
	updatePrefix      = "pncp_atualizacoes_"
)

const (
	maxDays     = 10  // with more the API times out
	maxPageSize = 500 // what the API allows
	minPageSize = 10
	minPause    = 600 * time.Millisecond // with less the API refuses calls
)

// Options are the settings of Fetch; Dir, From and To are required.
type Options struct {
	Base     string    // "" means DefaultBase
	Dir      string    // where the files go; made when missing. Only one Fetch at a time may fill it
	From, To time.Time // first and last day; of the times only the date counts. To is a day that is over in Brasília
	ByUpdate bool      // by the day of a contract's last update, else by that of its publication

	Days     int           // of a window, 1 to 10; 0 means 5
	PageSize int           // contracts of a call, 10 to 500; 0 means 500
	Pause    time.Duration // between two calls; less than 600 ms means 600 ms
	Timeout  time.Duration // of one call; 0 means 3 min: the API may take that long
	HTTP     *http.Client  // nil: one of its own
	Log      *slog.Logger  // nil: silent
	Progress func(Progress)

	// Now and Sleep are the clock; nil means the real one. Sleep returns early with an error when its context ends.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

// Progress says how far a download is.
type Progress struct {
	Window, Windows int // the one that is being fetched, from 1 on, and how many were missing at the start
	First, Last     time.Time
	Page, Pages     int   // of the window
	Contracts       int64 // of the window, on disk
}

// Fetch downloads the contracts of all windows that dir lacks, pncp_contratos_AAAA-MM-DD_AAAA-MM-DD.jsonl or, by update,
// pncp_atualizacoes_…, one contract a line. A file gets its name when its window is whole; before that it ends in
// .incomplete. Days that dir holds are not fetched again, so a Fetch that failed or was cancelled is simply called again.
// An error says which window it is about.
func Fetch(ctx context.Context, o Options) error {
	f, err := newFetcher(o)
	if err != nil {
		return err
	}
	if err := f.openFolder(); err != nil {
		return err
	}
	missing, err := f.missing()
	if err != nil {
		return err
	}
	for i, w := range missing {
		f.progress = Progress{Window: i + 1, Windows: len(missing), First: w.first, Last: w.last}
		err := f.fetch(ctx, w)
		if ctx.Err() != nil {
			return fmt.Errorf("download of contracts into %s was stopped, start it again to go on from there: %w", o.Dir, ctx.Err())
		}
		if err != nil {
			return fmt.Errorf("contracts of %s: %w", w, err)
		}
	}
	return nil
}

// fetcher is one run of Fetch.
type fetcher struct {
	Options
	endpoint *url.URL
	prefix   string // of the names of files
	wait     time.Duration
	progress Progress
}

func newFetcher(o Options) (*fetcher, error) {
	f := &fetcher{Options: o, prefix: publicationPrefix}
	base, err := url.Parse(cmp.Or(o.Base, DefaultBase))
	if err != nil {
		return nil, fmt.Errorf("address of the portal: %w", err)
	}
	if (base.Scheme != "https" && base.Scheme != "http") || base.Host == "" || base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("address of the portal: %q is not of the form %s", base.Redacted(), DefaultBase)
	}
	f.endpoint = base.JoinPath("v1", "contratos")
	if o.ByUpdate {
		f.endpoint, f.prefix = f.endpoint.JoinPath("atualizacao"), updatePrefix
	}
	f.Days, f.PageSize = cmp.Or(o.Days, 5), cmp.Or(o.PageSize, maxPageSize)
	f.Pause, f.Timeout = max(o.Pause, minPause), cmp.Or(o.Timeout, 3*time.Minute)
	f.From, f.To = dayOf(o.From), dayOf(o.To)
	if f.HTTP == nil {
		f.HTTP = &http.Client{}
	}
	if f.Log == nil {
		f.Log = slog.New(slog.DiscardHandler)
	}
	if f.Progress == nil {
		f.Progress = func(Progress) {}
	}
	if f.Now == nil {
		f.Now = time.Now
	}
	if f.Sleep == nil {
		f.Sleep = fetch.Sleep
	}
	return f, f.check()
}

// check refuses settings with which the API answers wrongly or not at all.
func (f *fetcher) check() error {
	today := inBrasilia(f.Now())
	switch {
	case f.Dir == "":
		return errors.New("download of contracts: no folder is named")
	case f.From.After(f.To):
		return fmt.Errorf("download of contracts: the first day, %s, is after the last one, %s", date(f.From), date(f.To))
	case !f.To.Before(today):
		return fmt.Errorf("download of contracts: %s is not over: the last day can be %s", date(f.To), date(today.AddDate(0, 0, -1)))
	case f.Days < 1 || f.Days > maxDays:
		return fmt.Errorf("download of contracts: a window has 1 to %d days, not %d", maxDays, f.Days)
	case f.PageSize < minPageSize || f.PageSize > maxPageSize:
		return fmt.Errorf("download of contracts: a page has %d to %d contracts, not %d", minPageSize, maxPageSize, f.PageSize)
	}
	return nil
}

// dayOf returns the date of t as a time that can be counted with.
func dayOf(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func date(t time.Time) string { return t.Format(time.DateOnly) }
