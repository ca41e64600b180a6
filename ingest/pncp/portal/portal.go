// Package portal downloads contracts from the read API of the Portal Nacional de Contratações
// Públicas into JSON Lines files that package pncp loads.
//
// The API (GET /v1/contratos by day of publication, /v1/contratos/atualizacao by day of update) has
// no filter by supplier, so everything is downloaded: windows of a few days, each in pages of up to
// 500 contracts, each window in a file of its own.
//
// The API is weak. It times out on long windows, answers parallel calls with 429, and shows its
// limit as an HTML page, at times with status 200; 422 comes without a reason, 500 and broken
// connections now and then. So calls are strictly sequential with a pause between them, and
// failures are retried by kind (package fetch): see limited. Retry-After is honoured up to half an
// hour.
//
// Pages have no snapshot: contracts published or changed meanwhile move between pages. The
// totals of every page are compared with those of the first, and the number of contracts with the
// total announced. A window that changed is fetched again, up to maxAttempts times.
//
// A file is written as name.jsonl.incomplete and renamed when its window is whole, so every *.jsonl
// is complete and a download is resumed by calling Fetch again. Memory is bounded by one page.
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

	"razao/internal/web/fetch"
)

// DefaultBase is the address of the public read API.
const DefaultBase = "https://pncp.gov.br/api/consulta"

// Prefixes of file names; they tell which day of a contract a window is of.
const (
	publicationPrefix = "pncp_contratos_"
	updatePrefix      = "pncp_atualizacoes_"
)

const (
	maxDays     = 10  // of a window; longer ones time out
	maxPageSize = 500 // the API's bounds
	minPageSize = 10
	minPause    = 600 * time.Millisecond // faster callers get 429
)

// Options are the settings of [Fetch] and [Update]. Dir and From are required, and To by Fetch; the
// zero value of all others means the default that is named.
type Options struct {
	Base     string    // address of the API, http or https; "" means DefaultBase
	Dir      string    // folder of the files; created if missing. One Fetch at a time may use it
	From, To time.Time // first and last day (dates count); To must be over in Brasília

	Days     int            // days of a window, 1 to 10; 0 means 5
	PageSize int            // contracts of a page, 10 to 500; 0 means 500
	Pause    time.Duration  // between two calls; less than 600 ms means 600 ms
	Timeout  time.Duration  // how long the portal may send nothing; 0 means 3 min, which slow answers do take
	HTTP     *http.Client   // nil means a new one
	Log      *slog.Logger   // nil means no log
	Progress func(Progress) // called after every page; nil means nobody

	// Now and Sleep are the clock, nil for the real one. Sleep returns its context's error when
	// that ends early.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

// Progress is the state of a download after a page.
type Progress struct {
	Window, Windows int       // number of the current window, from 1, among those missing at the start
	First, Last     time.Time // days of the window, both included
	Page, Pages     int       // last page written, and how many the window has
	Contracts       int64     // of the window, written so far
}

// Fetch downloads the windows of o.From to o.To, by day of publication, that o.Dir lacks, oldest
// first. Files are named after their days, pncp_contratos_AAAA-MM-DD_AAAA-MM-DD.jsonl, and hold one
// contract per line. Days that a complete file (also .jsonl.gz) covers are not fetched again;
// unfinished files are deleted and their windows begun anew. After an error or cancellation, call
// Fetch again to go on.
//
// Errors name the window. If ctx ends, the error wraps ctx.Err().
func Fetch(ctx context.Context, o Options) error { return download(ctx, o, publicationPrefix) }

// download is Fetch for windows by day of publication or, with updatePrefix, of last update.
func download(ctx context.Context, o Options, prefix string) error {
	f, err := newFetcher(o, prefix)
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

// fetcher is one run of download.
type fetcher struct {
	Options
	endpoint *url.URL
	prefix   string // of the names of files
	asked    bool   // the first call of the run has been made
	progress Progress
}

// newFetcher fills in the defaults and checks the options.
func newFetcher(o Options, prefix string) (*fetcher, error) {
	f := &fetcher{Options: o, prefix: prefix}
	base, err := url.Parse(cmp.Or(o.Base, DefaultBase))
	if err != nil {
		return nil, fmt.Errorf("address of the portal: %w", err)
	}
	if (base.Scheme != "https" && base.Scheme != "http") || base.Host == "" || base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("address of the portal: %q is not of the form %s", base.Redacted(), DefaultBase)
	}
	f.endpoint = base.JoinPath("v1", "contratos")
	if prefix == updatePrefix {
		f.endpoint = f.endpoint.JoinPath("atualizacao")
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

// check refuses options with which the API would answer wrongly or not at all. In particular the
// last day must be over, or its file would stay incomplete for ever.
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

// dayOf returns the date of t as midnight UTC, so that days can be compared and counted.
func dayOf(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func date(t time.Time) string { return t.Format(time.DateOnly) }
