// Package download is the downloader of files: those of the public-record sources, whose table it
// has, and those of the Receita, which package share lists. Most publishers' servers are slow and
// break off; some move files, list them only on pages for people, or answer with an error page and
// status 200.
//
// # Finding
//
// publishers.go is the table of sources: where each is published and how its current files are
// found. A few never move; others are named by period, linked from a page or listed in a CKAN
// catalogue. The result is a list of files, each with its origins in order of preference (known
// spellings, mirrors). The names under which files are stored come from the program or match its
// patterns: a server's answer never becomes a path (path traversal).
//
// # Transfer
//
// A file arrives in a hidden part beside its name. The manifest, .download.json, knows each part
// and file by address, size, ETag or Last-Modified, and SHA-256. A broken transfer is resumed with
// Range and If-Range, so a file that changed meanwhile is sent anew instead of being mixed with its
// predecessor; an unchanged file costs one conditional request (304), or none if it is listed with
// an ETag. Transfers that stall or fail are retried with backoff, as package fetch does: an HTTP
// client that retries requests does not resume bodies. Free disk is compared with the size before
// writing, and a complete file is checked: zip checksums, no HTML.
//
// Parts get their names only when all files are complete, so a loader never sees half an edition. A
// crash between two of these renames leaves the folder marked (MixedMark): loaders refuse it,
// and the next [Fetch] recovers.
package download

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"razao/internal/web/fetch"
)

// ErrNoAddress is wrapped by the error for a source without a known address: an operator downloads
// its files by hand.
var ErrNoAddress = errors.New("no address to download from is known")

// Options are what [Fetch] may be given; the zero value is ready for use.
type Options struct {
	Settings
	// Base replaces the address below which the publisher keeps its files, and its mirror; "": the
	// known one.
	Base string
	// Period selects an edition: AAAA-MM, AAAA-MM-DD or the source's own label (see [PeriodForm]).
	// "": the newest, the only choice for sources without a period form.
	Period string
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

// maxFailures is the number of failures in a row after which a file is given up.
const maxFailures = 8

// run is one Fetch of a source.
type run struct {
	*Downloader
	*publisher
	Period string
	hosts  []*url.URL // base, then mirror
}

// newRun checks id and period.
func newRun(id string, o Options) (*run, error) {
	p, err := publisherOf(id)
	if err != nil {
		return nil, err
	}
	if o.Period != "" && p.period == "" {
		return nil, fmt.Errorf("only the newest files are published, those of %s cannot be chosen: pass them with --from", o.Period)
	}
	r := &run{Downloader: New(o.Settings, maxFailures, FollowRedirect), publisher: p, Period: o.Period}
	return r, r.locate(o.Base)
}

// locate parses the base addresses into r.hosts. An operator's own replaces the mirror too.
func (r *run) locate(own string) error {
	bases := []string{own}
	if own == "" {
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

// fetch finds the files and downloads them. A folder of another source is refused before anybody is
// asked.
func (r *run) fetch(ctx context.Context, dir string) ([]string, error) {
	f, err := r.Open(dir, r.id)
	if err != nil {
		return nil, err
	}
	files, err := r.find(ctx, r)
	if err != nil {
		return nil, err
	}
	names, err := f.Fetch(ctx, files)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		names[i] = filepath.Join(dir, name)
	}
	return names, nil
}

func noSource(id string) error {
	return fmt.Errorf("there is no download of source %q; there are %s", id, strings.Join(Sources(), ", "))
}
