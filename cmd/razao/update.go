package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"razao/ingest"
	"razao/ingest/download"
	"razao/ingest/fetch"
	"razao/ingest/gates"
	"razao/internal/registry"
)

// busyCode is EX_TEMPFAIL of sysexits.h: another run is at work, and nothing is wrong.
const busyCode = 75

// exitError ends the program with a code of its own.
type exitError struct {
	error
	code int
}

// Unwrap returns the cause.
func (e *exitError) Unwrap() error { return e.error }

func (a *app) updateCommand() *cobra.Command {
	var only []string
	cmd := &cobra.Command{
		Use:   "update",
		Short: "Look at all publishers, load what is new and serve it; for a timer",
		Long: "Look at all publishers, load what is new and serve it. One publisher's failure does not stop the others.\n" +
			"Exit status: 0 everything is current or was loaded, 1 something failed, 75 another process is loading.",
		Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ids, err := publishers(only)
			if err != nil {
				return err
			}
			err = a.withIngester(cmd.Context(), func(in *ingest.Ingester) error {
				return a.update(cmd.Context(), cmd.OutOrStdout(), in, ids)
			})
			if errors.Is(err, registry.ErrBusy) || errors.As(err, new(*fetch.BusyError)) {
				return &exitError{err, busyCode}
			}
			return err
		},
	}
	cmd.Flags().StringSliceVar(&only, "only", nil, "publishers to look at, such as receita,ceis (default: all)")
	return cmd
}

// publishers returns the ids of those to look at: the companies first, for some records are linked to them.
func publishers(only []string) ([]string, error) {
	all := append([]string{registry.Receita}, ingest.SourceIDs()...)
	for _, id := range only {
		if !slices.Contains(all, id) {
			return nil, usagef("--only %s: there are %s", id, strings.Join(all, ", "))
		}
	}
	if len(only) == 0 {
		return all, nil
	}
	return slices.DeleteFunc(all, func(id string) bool { return !slices.Contains(only, id) }), nil
}

// update brings every publisher's data up to date and says what came of it.
func (a *app) update(ctx context.Context, out io.Writer, in *ingest.Ingester, ids []string) error {
	unlock, err := fetch.Lock(a.settings.downloadDir())
	if err != nil {
		return err
	}
	defer unlock()
	// Whoever loads now would be met after an hour of downloads.
	lock, err := in.Store.Lock(ctx)
	if err != nil {
		return err
	}
	lock.Release()
	var lines []line
	var failed []string
	for _, id := range ids {
		came, err := a.updateOne(ctx, in, id)
		if err != nil {
			return errors.Join(err, writeLines(out, lines))
		}
		lines = append(lines, came...)
		if came[0].failed {
			failed = append(failed, id)
		}
	}
	if err := writeLines(out, lines); err != nil {
		return err
	}
	if err := a.tidy(ctx, in); err != nil {
		return err
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d publishers failed: %s", len(failed), len(ids), strings.Join(failed, ", "))
	}
	return nil
}

// line is what came of one source.
type line struct {
	source, found, state string
	served               *registry.Load
	took                 time.Duration
	failed               bool
}

// updateOne brings one publisher's data up to date. Its own failure is in the lines, one for each source; an error is one
// that every other publisher would meet too.
func (a *app) updateOne(ctx context.Context, in *ingest.Ingester, id string) ([]line, error) {
	began := time.Now()
	loads, err := a.loadUnattended(ctx, in, id)
	var current *ingest.CurrentError
	var busy *fetch.BusyError
	switch {
	case ctx.Err() != nil, errors.Is(err, registry.ErrBusy), errors.As(err, &busy):
		return nil, err
	case errors.As(err, &current):
		loads = current.Loads
	case err != nil:
		loads = []registry.Load{{Source: id}}
	}
	var lines []line
	for i := range loads {
		l := line{source: loads[i].Source, found: cmp.Or(loads[i].Period, "-"), took: time.Since(began)}
		l.state, l.failed = stateOf(err)
		served, broken := in.Served(ctx, l.source)
		if broken != nil {
			return nil, broken
		}
		l.served = served
		lines = append(lines, l)
	}
	if lines[0].failed {
		a.log.Error("update", "source", id, "error", err)
	}
	return lines, nil
}

// loadUnattended loads what a publisher has and we have not.
func (a *app) loadUnattended(ctx context.Context, in *ingest.Ingester, id string) ([]registry.Load, error) {
	if id == registry.Receita {
		l, err := a.loadReceita(ctx, in, release{Options: ingest.Options{Unattended: true}})
		return []registry.Load{l}, err
	}
	return a.loadSource(ctx, in, id, "", ingest.SourceOptions{Unattended: true})
}

// stateOf says in a few words what came of a publisher, and whether somebody has to look.
func stateOf(err error) (state string, failed bool) {
	var held *ingest.HeldError
	switch {
	case err == nil:
		return "loaded", false
	case errors.As(err, new(*ingest.CurrentError)):
		return "current", false
	case errors.As(err, &held):
		return fmt.Sprintf("held back: load %d was taken out of service", held.Load.ID), false
	case errors.Is(err, download.ErrNoAddress):
		return "no address", false
	case errors.Is(err, gates.ErrRefused):
		state = "refused: "
	case errors.As(err, new(*unreachableError)):
		state = "unreachable: "
	default:
		state = "failed: "
	}
	return state + strings.Join(strings.Fields(err.Error()), " "), true
}

// writeLines writes the table. What is long comes last.
func writeLines(out io.Writer, lines []line) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SOURCE\tSERVED\tFOUND\tROWS\tSECONDS\tSTATE")
	for _, l := range lines {
		period, rows := "-", int64(0)
		if l.served != nil {
			period, rows = l.served.Period, l.served.RowsLoaded
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%.1f\t%s\n", l.source, period, l.found, rows, l.took.Seconds(), l.state)
	}
	return w.Flush()
}

// monthFolder is the name of the folder that a release is downloaded to.
var monthFolder = regexp.MustCompile(`^20\d\d-(0[1-9]|1[0-2])$`)

// tidy infers links again that could not be, and deletes loads that nobody goes back to and the zips of months before the one
// that is served, 8 GB each.
func (a *app) tidy(ctx context.Context, in *ingest.Ingester) error {
	if err := in.Settle(ctx); err != nil {
		return err
	}
	served, err := in.Served(ctx, registry.Receita)
	if err != nil || served == nil || served.Invented {
		return err
	}
	entries, err := os.ReadDir(a.settings.downloadDir())
	if err != nil {
		return fmt.Errorf("download folder: %w", err)
	}
	for _, e := range entries {
		if monthFolder.MatchString(e.Name()) && e.Name() < served.Period {
			if err := os.RemoveAll(filepath.Join(a.settings.downloadDir(), e.Name())); err != nil {
				return fmt.Errorf("delete the zips of %s: %w", e.Name(), err)
			}
		}
	}
	return nil
}
