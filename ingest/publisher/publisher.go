// Package publisher knows where data come from: the tax authority's share, the files and the API of the public-record sources. It
// fetches what a publisher has and hands it to the ingester, one publisher at the operator's wish or all of them unattended.
//
// What is served already is asked first, so that nothing is downloaded in vain; each download folder is locked until its files are
// loaded, so that two processes do not fetch into the same one.
package publisher

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"

	"razao/ingest"
	"razao/ingest/download"
	"razao/ingest/fetch"
	"razao/internal/registry"
)

// Publishers are the tax authority and all sources. Their fields are set by who makes them.
type Publishers struct {
	Ingester *ingest.Ingester
	Dir      string            // of downloads
	Receita  string            // address of the tax authority's share; "": the official one
	Sources  map[string]string // addresses of sources, by their ids, other than the usual ones
	Log      *slog.Logger
}

// IDs returns the ids of all publishers, the companies first: some records are linked to them.
func IDs() []string { return append([]string{registry.Receita}, ingest.SourceIDs()...) }

// UnreachableError says that a publisher did not give out its files.
type UnreachableError struct{ error }

// Unwrap returns the cause.
func (e *UnreachableError) Unwrap() error { return e.error }

// LoadSource loads a source from where the operator says or, if from is "", downloads it from its publisher first. The errors of
// the publisher are *UnreachableError, those of a period that cannot be fetched *PeriodError.
func (p *Publishers) LoadSource(ctx context.Context, id, from string, o ingest.SourceOptions) ([]registry.Load, error) {
	if from != "" {
		return p.Ingester.Source(ctx, id, from, o)
	}
	dir := filepath.Join(p.Dir, id)
	release, err := fetch.Lock(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	if id == PNCP {
		err = p.fetchContracts(ctx, dir, o.Period)
		o.Period = "" // said what to fetch; the folder holds more
	} else {
		err = p.fetchFiles(ctx, dir, id, o.Period)
	}
	if err != nil {
		return nil, &UnreachableError{err}
	}
	return p.Ingester.Source(ctx, id, dir, o)
}

func (p *Publishers) fetchFiles(ctx context.Context, dir, id, period string) error {
	if download.PeriodForm(id) == "" {
		period = "" // what is published is the newest; the period then only names the load
	}
	_, err := download.Fetch(ctx, id, dir, download.Options{
		Base: p.Sources[id], Period: period, Log: p.Log,
		Progress: (&transfers{show: p.Ingester.Progress}).report,
	})
	return err
}

// Place says where a source is downloaded from, in words for the help of a command.
func Place(id string) string {
	switch {
	case id == PNCP:
		return "the portal's API, what is new there or the months of --period"
	case download.PeriodForm(id) == "":
		return "the publisher's newest files"
	}
	return "the publisher's newest or --period's files"
}

// PeriodHelp says what a period of a source may be, in words for the help of a command.
func PeriodHelp(id string) string {
	const help = "period of the data, over what names and contents say (AAAA-MM, AAAA-MM-DD or the source's label)"
	if id == PNCP {
		return help + "; without --from the months to fetch, AAAA-MM or AAAA-MM..AAAA-MM"
	}
	return help
}

// PeriodError says what is wrong with a period to fetch.
type PeriodError struct{ Period, Reason string }

// Error implements error.
func (e *PeriodError) Error() string { return fmt.Sprintf("--period %q %s", e.Period, e.Reason) }

// transfers adds up the progress of files that come at the same time.
type transfers struct {
	show func(stage string, done, total int64)

	mu    sync.Mutex
	files map[string]transfer
}

type transfer struct{ done, total int64 } // bytes

func (d *transfers) report(file string, done, total int64) {
	d.mu.Lock()
	if d.files == nil {
		d.files = map[string]transfer{}
	}
	d.files[file] = transfer{done, total}
	sum := transfer{}
	for _, f := range d.files {
		sum.done, sum.total = sum.done+f.done, sum.total+f.total
	}
	d.mu.Unlock()
	d.show("download", sum.done, sum.total)
}
