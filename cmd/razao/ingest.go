package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"razao/cmd/razao/console"
	"razao/ingest"
	"razao/ingest/publisher"
	"razao/ingest/receita"
	"razao/internal/data/source"
	"razao/internal/store/registry"
)

// ingestCommand has a subcommand for each source, for the companies (receita), and all.
func (a *app) ingestCommand() *cobra.Command {
	cmd := group("ingest", "Load published files", a.ingestReceitaCommand(), a.ingestAllCommand())
	for _, id := range ingest.SourceIDs() {
		src, _ := source.Find(id)
		cmd.AddCommand(a.ingestSourceCommand(id, src.Title))
	}
	return cmd
}

// publishers returns what downloads and loads published data.
func (a *app) publishers(in *ingest.Ingester) *publisher.Publishers {
	return &publisher.Publishers{
		Ingester: in, Dir: a.settings.downloadDir(), Receita: a.settings.ReceitaURL, Sources: a.settings.SourceURLs, Log: a.log,
	}
}

func (a *app) ingestReceitaCommand() *cobra.Command {
	var want publisher.Release
	cmd := &cobra.Command{
		Use:   "receita",
		Short: "Load a monthly release of the tax authority and serve it",
		Args:  arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkMonth(want.Month, time.Now()); err != nil {
				return err
			}
			return a.loadCommanded(cmd, func(p *publisher.Publishers) ([]registry.Load, error) {
				l, err := p.LoadReceita(cmd.Context(), want)
				return []registry.Load{l}, err
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&want.Month, "month", "", "month to load, AAAA-MM (default: the newest complete one)")
	f.StringVar(&want.From, "from", "", "folder or share to read from (default: the official share)")
	f.BoolVar(&want.Partial, "partial", false, "accept a release that lacks files: they are named wherever they are missed")
	f.BoolVar(&want.Whole, "whole", false, "accept a release of fewer files than the load in service as a whole one: the publisher has divided it anew")
	f.BoolVar(&want.Force, "force", false, "accept far fewer rows than the load in service, an older month, or the same files again")
	return cmd
}

func (a *app) ingestSourceCommand(id, title string) *cobra.Command {
	var from string
	var o ingest.SourceOptions
	cmd := &cobra.Command{
		Use:   id,
		Short: "Load " + title + " and serve it",
		Args:  arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Period != "" {
				if o.Period, err = publisher.ParsePeriod(id, from, o.Period, time.Now()); err != nil {
					return &usageError{err}
				}
			}
			return a.loadCommanded(cmd, func(p *publisher.Publishers) ([]registry.Load, error) {
				return p.LoadSource(cmd.Context(), id, from, o)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&from, "from", "", "folder, file, zip or address to read (default: "+publisher.OriginHelp(id)+")")
	f.StringVar(&o.Period, "period", "", publisher.PeriodHelp(id))
	f.BoolVar(&o.Force, "force", false, "accept fewer rows than the floors allow, an older period, or the same files again")
	return cmd
}

// checkMonth returns an error of usage for a --month that is given and is none, or has not begun at
// now.
func checkMonth(month string, now time.Time) error {
	if month == "" {
		return nil
	}
	companies := source.CompanyRegistry()
	if _, err := companies.ParsePeriod(month, now); err != nil {
		return usagef("--month %q %w", month, err)
	}
	return nil
}

// loadCommanded runs load with an ingester and prints what was loaded.
func (a *app) loadCommanded(cmd *cobra.Command, load func(*publisher.Publishers) ([]registry.Load, error)) error {
	var loads []registry.Load
	err := a.withIngester(cmd.Context(), func(in *ingest.Ingester) (err error) {
		loads, err = load(a.publishers(in))
		return err
	})
	return settled(cmd.OutOrStdout(), loads, err)
}

func (a *app) ingestAllCommand() *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "all",
		Short: "Load everything in a folder: receita/AAAA-MM and one folder for each source",
		Args:  arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if from == "" {
				return usagef("--from is required: a folder such as `razao sample` writes")
			}
			return a.withIngester(cmd.Context(), func(in *ingest.Ingester) error {
				return loadAll(cmd.Context(), cmd.OutOrStdout(), in, from)
			})
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "folder to read from")
	return cmd
}

// loadAll loads everything in dir that is not in service yet. Companies come first, because records
// of BNDES are linked to them. A source that fails does not stop the others; its error is among
// those returned.
func loadAll(ctx context.Context, out io.Writer, in *ingest.Ingester, dir string) error {
	found := 0
	var failed []error
	companies := filepath.Join(dir, registry.Receita)
	if isThere(companies) {
		found++
		accept, err := in.Accept(ctx)
		if err != nil {
			return err
		}
		rel, err := receita.Find(companies, "", accept)
		if err != nil {
			return err
		}
		l, err := in.Receita(ctx, &rel, ingest.Options{})
		if err := settled(out, []registry.Load{l}, err); err != nil {
			return err
		}
	}
	for _, id := range ingest.SourceIDs() {
		from := filepath.Join(dir, id)
		if !isThere(from) {
			continue
		}
		found++
		loads, err := in.Source(ctx, id, from, ingest.SourceOptions{})
		if ctx.Err() != nil {
			return err
		}
		if err := settled(out, loads, err); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", id, err))
		}
	}
	if found == 0 {
		return fmt.Errorf("%s holds neither a folder receita nor one named after a source", dir)
	}
	return errors.Join(failed...)
}

// settled prints what was loaded, or that it is already current, and returns any other error.
func settled(out io.Writer, loads []registry.Load, err error) error {
	var current *ingest.CurrentError
	switch {
	case errors.As(err, &current):
		for _, l := range current.Loads {
			fmt.Fprintf(out, "load %d: %s %s is already current\n", l.ID, l.Source, l.Period)
		}
		return nil
	case err != nil:
		return err
	}
	for i := range loads {
		console.WriteLoaded(out, &loads[i])
	}
	return nil
}

// isThere reports whether path exists. Unreadable paths count as present; the loader reports the
// error.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
