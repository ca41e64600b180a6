package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"razao/cmd/razao/console"
	"razao/ingest"
	"razao/ingest/publisher"
	"razao/internal/store/registry"
	"razao/internal/web/fetch"
)

const (
	// busyCode is EX_TEMPFAIL of sysexits.h: another run is at work, try again later. Monitoring must
	// not take it for a failure.
	busyCode = 75
	// longestRun is how long another run may be at work until it is one: it hangs, or somebody holds it up.
	longestRun = 12 * time.Hour
)

// elseBusy returns err with busyCode if it says that another run is at work, unless that has been for longer
// than any run takes: cron and systemd are silent about busyCode.
func elseBusy(err error, now time.Time) error {
	var folder *fetch.BusyError
	var loading *registry.BusyError
	var since time.Time
	switch {
	case errors.As(err, &folder):
		since = folder.Since
	case errors.As(err, &loading):
		since = loading.Since
	case !errors.Is(err, registry.ErrBusy):
		return err
	}
	if !since.IsZero() && now.Sub(since) > longestRun {
		return fmt.Errorf("%w; that is more than %d hours: look whether it hangs", err, longestRun/time.Hour)
	}
	return &exitError{err, busyCode}
}

// exitError ends the program with an exit code of its own.
type exitError struct {
	error
	code int
}

// Unwrap returns the cause.
func (e *exitError) Unwrap() error { return e.error }

// updateCommand is for a timer: it loads what is new, sends indexes to the index store, and ends
// with busyCode if another process is loading or downloading.
func (a *app) updateCommand() *cobra.Command {
	var only []string
	cmd := &cobra.Command{
		Use:   "update",
		Short: "Look at all publishers, load what is new and serve it; for a timer",
		Long: "Look at all publishers, load what is new and serve it. One publisher's failure does not stop the others.\n" +
			"Exit status: 0 everything is current or was loaded, 1 something failed, or another process is loading for more than 12 hours,\n" +
			"75 another process is loading.",
		Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ids, err := publishers(only)
			if err != nil {
				return err
			}
			err = a.withIngester(cmd.Context(), func(in *ingest.Ingester) error {
				err := a.update(cmd.Context(), cmd.OutOrStdout(), in, ids)
				if to := a.publisher(); to != nil {
					err = errors.Join(err, to.All(cmd.Context(), in.Store, io.Discard))
				}
				return err
			})
			return elseBusy(err, time.Now())
		},
	}
	cmd.Flags().StringSliceVar(&only, "only", nil, "publishers to look at, such as receita,ceis (default: all)")
	return cmd
}

// publishers returns the ids of the publishers to look at: those of --only, or all, in their usual
// order.
func publishers(only []string) ([]string, error) {
	all := publisher.IDs()
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

// update brings every publisher's data up to date and prints a table of the outcomes. It fails if
// any publisher failed, after all were tried.
func (a *app) update(ctx context.Context, out io.Writer, in *ingest.Ingester, ids []string) error {
	outcomes, err := a.publishers(in).Update(ctx, ids)
	if len(outcomes) > 0 {
		err = errors.Join(err, console.WriteOutcomes(out, outcomes))
	}
	if err != nil {
		return err
	}
	var failed []string
	for _, o := range outcomes {
		if o.Failed {
			failed = append(failed, o.Source)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d publishers failed: %s", len(failed), len(ids), strings.Join(failed, ", "))
	}
	return nil
}
