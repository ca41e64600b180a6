// Package download brings the files of the public-record sources from their publishers into a folder that is then loaded.
// The publishers' servers are slow, break off, move files and answer with pages for people, so every transfer is
// resumed, repeated and checked, and a folder changes only when all new files are whole.
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

	"razao/ingest/fetch"
)

// ErrNoAddress says that a source has no known address: its files are downloaded by hand.
var ErrNoAddress = errors.New("no address to download from is known")

// Options are the settings of Fetch; the zero value is ready for use.
type Options struct {
	Base   string        // replaces the address below which the publisher keeps its files; "" means the known one
	Period string        // AAAA-MM, AAAA-MM-DD or the source's own label; "" means the newest, the only choice of some
	Client *http.Client  // nil: one of its own. Its Timeout and CheckRedirect are replaced
	Stall  time.Duration // how long a server may send nothing; 0 means 1 min
	Log    *slog.Logger  // nil: silent

	// Progress, if set, is told how many bytes of a file have arrived. total is 0 when the server does not say; done
	// falls when a file has to start again.
	Progress func(file string, done, total int64)

	// Now and Sleep are the clock; nil means the real one. Sleep returns early with an error when its context ends.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
}

// PeriodForm returns the form of the periods that can be asked of a source, "" when only the newest files are published.
func PeriodForm(id string) string {
	for _, p := range publishers() {
		if p.id == id {
			return p.period
		}
	}
	return ""
}

// Sources returns the ids of the sources that Fetch brings.
func Sources() []string {
	var ids []string
	for _, p := range publishers() {
		if p.find != nil {
			ids = append(ids, p.id)
		}
	}
	return ids
}

// Fetch downloads the files of a source into dir, made when missing, and returns their paths. Files that dir holds from
// an earlier Fetch are not sent again when they have not changed; when the download is whole, those of other periods are
// deleted. dir belongs to one source and to one Fetch at a time. Until all files are whole and checked, what lies in
// dir under its name stays as it was: what has arrived waits in hidden files, from which the next Fetch goes on.
//
// A source without a known address is ErrNoAddress. A Period that the publisher no longer keeps is an error.
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

// run is one Fetch.
type run struct {
	Options
	*publisher
	hosts []*url.URL // below which the publisher's paths lie: the base, then its mirror
	http  *http.Client
	retry fetch.Retry
	free  func(dir string) (bytes int64, known bool)
}

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

// locate sets the hosts. An operator's base replaces the mirror too.
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

// address returns the address of a path below the base.
func (r *run) address(path ...string) string { return r.hosts[0].JoinPath(path...).String() }

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

// bring downloads one file from the first of its places that has it, and returns its name.
func (r *run) bring(ctx context.Context, f *folder, w wanted) (string, error) {
	var errs []error
	for _, p := range w.places {
		err := r.download(ctx, f, p)
		if err == nil {
			return p.name, nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", p.name, err))
		if !errors.As(err, new(*fetch.Trouble)) {
			return "", errs[len(errs)-1] // ours, the next place would not help
		}
		if len(errs) < len(w.places) {
			r.Log.Warn("trying another address", "file", p.name, "address", p.address, "error", err)
		}
	}
	return "", errors.Join(errs...)
}

// noSource is the error of an id that is not in the table.
func noSource(id string) error {
	return fmt.Errorf("there is no download of source %q; there are %s", id, strings.Join(Sources(), ", "))
}
