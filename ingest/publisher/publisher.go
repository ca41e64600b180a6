// Package publisher knows where data come from: the WebDAV share of the Receita, the files of the
// public-record sources, and the API of PNCP. It downloads what a publisher has and hands it to the
// ingester, for one source at an operator's wish or for all of them unattended
// ([Publishers.Update], run by a timer).
//
// Whether an edition is in service already is asked before its download where a listing tells
// (Receita), else after it; an unchanged source costs a few conditional requests. Every download
// folder is locked (flock) from the first request until its files are loaded, so two processes
// never fill the same one. Errors are classified for the operator: [UnreachableError] is the
// publisher's fault, ingest.ErrRefused means that the data are bad, [PeriodError] is a typing error.
package publisher

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"razao/ingest"
	"razao/ingest/download"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/web/fetch"
)

// Publishers are the Receita and all sources. The fields are set before first use. A Publishers is
// used by one goroutine.
type Publishers struct {
	Ingester *ingest.Ingester
	Dir      string            // of downloads, one folder for each source and month
	Receita  string            // address of the Receita's share; "": the official one
	Sources  map[string]string // addresses by source id that replace the usual ones
	Log      *slog.Logger
}

// IDs returns the ids of all publishers in the order of updates: the companies first, because
// records are linked to them.
func IDs() []string { return append([]string{registry.Receita}, ingest.SourceIDs()...) }

// UnreachableError says that a publisher did not deliver its files. It is always a pointer.
type UnreachableError struct{ error }

// Unwrap returns the cause.
func (e *UnreachableError) Unwrap() error { return e.error }

// LoadSource loads a source from the folder, file or address from, or downloads it from its
// publisher first if from is "". It returns the loads in service. Errors are those of
// [ingest.Ingester.Source], [*UnreachableError], which wraps a [*PeriodError] for a period that
// cannot be fetched, and [*fetch.BusyError] if another process downloads into the folder.
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
		o.Period = "" // it said what to fetch; the folder holds more than that
	} else {
		err = p.fetchFiles(ctx, dir, id, o.Period)
	}
	if err != nil {
		return nil, &UnreachableError{err}
	}
	return p.Ingester.Source(ctx, id, dir, o)
}

// fetchFiles downloads the files of a source. For a source that publishes only its newest files,
// the period merely names the load.
func (p *Publishers) fetchFiles(ctx context.Context, dir, id, period string) error {
	if download.PeriodForm(id) == "" {
		period = "" // only the newest is published
	}
	_, err := download.Fetch(ctx, id, dir, download.Options{Base: p.Sources[id], Period: period, Settings: p.settings()})
	return err
}

// OriginHelp returns, for the help of a command, where a source is downloaded from.
func OriginHelp(id string) string {
	switch {
	case id == PNCP:
		return "the portal's API, what is new there or the months of --period"
	case download.PeriodForm(id) == "":
		return "the publisher's newest files"
	}
	return "the publisher's newest or --period's files"
}

// PeriodHelp returns, for the help of a command, what the period of a source may be.
func PeriodHelp(id string) string {
	src, _ := source.Find(id)
	help := "period of the data, over what names and contents say: " + src.PeriodForm()
	if id == PNCP {
		return help + "; without --from the months to fetch, AAAA-MM or AAAA-MM..AAAA-MM"
	}
	return help
}

// ParsePeriod checks the period of a load from the folder, file or address from, "" for a download, and
// returns it as loads name it. The error is a *PeriodError.
func ParsePeriod(id, from, period string, now time.Time) (string, error) {
	if id == PNCP && from == "" {
		_, _, err := monthsOf(period, now)
		return period, err
	}
	src, _ := source.Find(id)
	parsed, err := src.ParsePeriod(period, now)
	if err != nil {
		return "", &PeriodError{period, err.Error()}
	}
	return parsed, nil
}

// PeriodError says why a period cannot be fetched. It is always a pointer.
type PeriodError struct{ Period, Reason string }

// Error names the option, the period and the reason.
func (e *PeriodError) Error() string { return fmt.Sprintf("--period %q %s", e.Period, e.Reason) }

// settings returns those of a download, which reports the sums of its files: those that arrive as the stage
// "download", and zips that are being checked, once nothing arrives any more, as the stage "check read".
func (p *Publishers) settings() download.Settings {
	arriving, checking := sums{}, sums{}
	return download.Settings{
		Log: p.Log,
		Progress: func(file string, done, total int64) {
			arriving[file] = [2]int64{done, total}
			done, total = arriving.sum()
			p.Ingester.Progress("download", done, total)
		},
		Checking: func(file string, done, total int64) {
			checking[file] = [2]int64{done, total}
			if arrived, all := arriving.sum(); arrived < all {
				return // a stage ends when another one reports
			}
			done, total = checking.sum()
			p.Ingester.Progress("check read", done, total)
		},
	}
}

// sums are how much is done of files, and how much that is in all.
type sums map[string][2]int64

func (s sums) sum() (done, total int64) {
	for _, f := range s {
		done, total = done+f[0], total+f[1]
	}
	return done, total
}
