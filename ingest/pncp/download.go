package pncp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"razao/internal/web/fetch"
)

// defaultBase is the address of the public read API.
const defaultBase = "https://pncp.gov.br/api/consulta"

// Prefixes of file names; they tell which day of a contract a window is of.
const (
	publicationPrefix = "pncp_contratos_"
	updatePrefix      = "pncp_atualizacoes_"
)

// Options are the settings of [Fetch] and [Update]. Dir and From are required, and To by Fetch; the
// zero value of all others means the default that is named.
type Options struct {
	Base     string       // address of the API, http or https; "" means the public one
	Dir      string       // folder of the files; created if missing. One Fetch at a time may use it
	From, To time.Time    // first and last day (dates count); To must be over in Brasília
	Log      *slog.Logger // nil means no log
	// Progress is called after every page with the number of its window, from 1, among those missing
	// at the start; nil means nobody.
	Progress func(window, windows int)

	// Replaced by tests. sleep returns its context's error when that ends early.
	days     int           // of a window; the API times out on more than 10
	pageSize int           // contracts of a page; the API takes 10 to 500
	timeout  time.Duration // how long the portal may send nothing
	now      func() time.Time
	sleep    func(ctx context.Context, d time.Duration) error
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
		f.report = func() { f.Progress(i+1, len(missing)) }
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
	called   bool   // the first call of the run has been made
	report   func() // called after every page
}

// newFetcher fills in the defaults and checks the options.
func newFetcher(o Options, prefix string) (*fetcher, error) {
	f := &fetcher{Options: o, prefix: prefix}
	base, err := url.Parse(cmp.Or(o.Base, defaultBase))
	if err != nil {
		return nil, fmt.Errorf("address of the portal: %w", err)
	}
	if (base.Scheme != "https" && base.Scheme != "http") || base.Host == "" || base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("address of the portal: %q is not of the form %s", base.Redacted(), defaultBase)
	}
	f.endpoint = base.JoinPath("v1", "contratos")
	if prefix == updatePrefix {
		f.endpoint = f.endpoint.JoinPath("atualizacao")
	}
	f.days, f.pageSize = cmp.Or(o.days, 5), cmp.Or(o.pageSize, 500)
	f.timeout = cmp.Or(o.timeout, 3*time.Minute) // slow answers do take minutes
	f.From, f.To = dayOf(o.From), dayOf(o.To)
	if f.Log == nil {
		f.Log = slog.New(slog.DiscardHandler)
	}
	if f.Progress == nil {
		f.Progress = func(int, int) {}
	}
	if f.now == nil {
		f.now = time.Now
	}
	if f.sleep == nil {
		f.sleep = fetch.Sleep
	}
	return f, f.check()
}

// check refuses options with which the API would answer wrongly or not at all. In particular the
// last day must be over, or its file would stay incomplete for ever.
func (f *fetcher) check() error {
	today := inBrasilia(f.now())
	switch {
	case f.Dir == "":
		return errors.New("download of contracts: no folder is named")
	case f.From.After(f.To):
		return fmt.Errorf("download of contracts: the first day, %s, is after the last one, %s", date(f.From), date(f.To))
	case !f.To.Before(today):
		return fmt.Errorf("download of contracts: %s is not over: the last day can be %s", date(f.To), date(today.AddDate(0, 0, -1)))
	}
	return nil
}

// dayOf returns the date of t as midnight UTC, so that days can be compared and counted.
func dayOf(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func date(t time.Time) string { return t.Format(time.DateOnly) }
