// Package download fetches the files of the public-record sources from their publishers into a
// folder, from which they are then loaded. Most publishers' servers are slow and break off; some
// move files, list them only on pages for people, or answer with an error page and status 200.
//
// # Finding
//
// publishers.go is the table of sources: where each is published and how its current files are
// found. A few never move; others are named by period, linked from a page or listed in a CKAN
// catalogue. The result is a list of wanted files, each with its places in order of preference
// (known spellings, mirrors). The names under which files are stored come from the program or match
// its patterns: a server's answer never becomes a path (path traversal).
//
// # Transfer
//
// A file arrives in a hidden part beside its name. The manifest, .download.json, knows each part
// and file by address, size and ETag or Last-Modified. A broken transfer is resumed with Range and
// If-Range, so a file that changed meanwhile is sent anew instead of being mixed with its
// predecessor; an unchanged file costs one conditional request (304). Transfers that stall or fail
// are retried with backoff (package fetch). Free disk is compared with the size before writing, and
// a complete file is checked: zip checksums, no HTML.
//
// Parts get their names only when all files of the source are complete, so a loader never sees half
// an edition. A crash between two of these renames leaves the folder marked (fetch.MixedMark):
// loaders refuse it, and the next [Fetch] recovers.
package download

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"razao/internal/web/fetch"
)

// ErrNoAddress is wrapped by the error for a source without a known address: an operator downloads
// its files by hand.
var ErrNoAddress = errors.New("no address to download from is known")

// Options are the settings of [Fetch]; the zero value is ready for use.
type Options struct {
	// Base replaces the address below which the publisher keeps its files, and its mirror; "": the
	// known one.
	Base string
	// Period selects an edition: AAAA-MM, AAAA-MM-DD or the source's own label (see [PeriodForm]).
	// "": the newest, the only choice for sources without a period form.
	Period string
	// Client sends the requests; nil: a client of its own. Its Timeout and CheckRedirect are
	// replaced.
	Client *http.Client
	Stall  time.Duration // how long a server may send nothing; 0: 1 min
	Log    *slog.Logger  // nil: silent

	// Progress, if set, is told how many bytes of a file have arrived. total is 0 if the server
	// does not say; done falls when a file starts again.
	Progress func(file string, done, total int64)

	// Now and Sleep are the clock; nil: the real one. Sleep returns an error when its context ends
	// first.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

// PeriodForm returns the form of the periods of a source, in words for people; "" if only the
// newest files are published or the id is unknown.
func PeriodForm(id string) string {
	for _, p := range publishers() {
		if p.id == id {
			return p.period
		}
	}
	return ""
}

// Sources returns the ids that [Fetch] accepts.
func Sources() []string {
	var ids []string
	for _, p := range publishers() {
		if p.find != nil {
			ids = append(ids, p.id)
		}
	}
	return ids
}

// Fetch downloads the files of a source into dir, created if missing, and returns their paths. dir
// belongs to one source, and only one Fetch may run in it at a time. Files of an earlier Fetch that
// have not changed are not sent again; those of other periods are deleted at the end. Until all
// files are complete and checked, the visible files of dir stay as they were, and what has arrived
// waits in hidden parts, from which the next Fetch resumes.
//
// Errors: [ErrNoAddress] for a source without a known address, [*fetch.Trouble] if the publisher
// does not deliver or does not keep the period, and the error of ctx if it ended.
func Fetch(ctx context.Context, id, dir string, o Options) (files []string, err error) {
	r, err := newRun(id, o)
	if err == nil {
		files, err = r.fetch(ctx, dir)
	}
	switch {
	case err == nil:
		return files, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("download of %s into %s was stopped, start it again to go on from there: %w", id, dir, ctx.Err())
	case r != nil && r.hint != "" && errors.As(err, new(*fetch.Trouble)):
		return nil, fmt.Errorf("download of %s: %w; %s", id, err, r.hint)
	}
	return nil, fmt.Errorf("download of %s: %w", id, err)
}

// run is one Fetch: its options with their defaults, and the source.
type run struct {
	Options
	*publisher
	hosts []*url.URL // base, then mirror
	http  *http.Client
	retry fetch.Retry
	free  func(dir string) (bytes int64, known bool) // free disk; replaced by tests
}

// newRun checks id and period and applies the defaults.
func newRun(id string, o Options) (*run, error) {
	p, err := publisherOf(id)
	if err != nil {
		return nil, err
	}
	if o.Period != "" && p.period == "" {
		return nil, fmt.Errorf("only the newest files are published, those of %s cannot be chosen: pass them with --from", o.Period)
	}
	r := &run{Options: o, publisher: p, http: httpClient(o.Client), free: freeSpace}
	r.Stall = cmp.Or(o.Stall, time.Minute)
	if r.Log == nil {
		r.Log = slog.New(slog.DiscardHandler)
	}
	if r.Progress == nil {
		r.Progress = func(string, int64, int64) {}
	}
	if r.Now == nil {
		r.Now = time.Now
	}
	if r.Sleep == nil {
		r.Sleep = fetch.Sleep
	}
	r.retry = fetch.Retry{First: firstPause, Failures: maxFailures, Log: r.Log, Sleep: r.Sleep}
	return r, r.locate()
}

// locate parses the base addresses into r.hosts. An operator's base replaces the mirror too.
func (r *run) locate() error {
	bases := []string{r.Base}
	if r.Base == "" {
		bases = []string{r.base, r.mirror}
	}
	for _, base := range bases {
		if base == "" {
			continue
		}
		u, err := url.Parse(base)
		if err != nil {
			return fmt.Errorf("base address: %w", err)
		}
		if (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
			return fmt.Errorf("base address: %q is not of the form %s", u.Redacted(), r.base)
		}
		r.hosts = append(r.hosts, u)
	}
	return nil
}

// address returns the address of a path below the first host.
func (r *run) address(path ...string) string { return r.hosts[0].JoinPath(path...).String() }

// fetch finds the wanted files, downloads them one by one and publishes the folder. A missing
// optional file is only logged.
func (r *run) fetch(ctx context.Context, dir string) ([]string, error) {
	f, err := openFolder(dir, r.id)
	if err != nil {
		return nil, err
	}
	all, err := r.find(ctx, r)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, w := range all {
		name, err := r.bring(ctx, f, w)
		if w.optional && isMissing(err) {
			r.Log.Warn("a file that accompanies the others is not published", "source", r.id, "error", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	if err := f.publish(names); err != nil {
		return nil, err
	}
	var files []string
	for _, name := range names {
		files = append(files, filepath.Join(dir, name))
	}
	return files, nil
}

// bring downloads one file from the first place that delivers it and returns its name. Local
// errors, which no other place can cure, end it at once.
func (r *run) bring(ctx context.Context, f *folder, w wanted) (string, error) {
	var errs []error
	for _, p := range w.places {
		err := r.download(ctx, f, p)
		if err == nil {
			return p.name, nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", p.name, err))
		if !errors.As(err, new(*fetch.Trouble)) {
			return "", errs[len(errs)-1] // local: the next place would not help
		}
		if len(errs) < len(w.places) {
			r.Log.Warn("trying another address", "file", p.name, "address", p.address, "error", err)
		}
	}
	return "", errors.Join(errs...)
}

func noSource(id string) error {
	return fmt.Errorf("there is no download of source %q; there are %s", id, strings.Join(Sources(), ", "))
}
