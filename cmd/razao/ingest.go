package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"razao/ingest"
	"razao/ingest/fetch"
	"razao/ingest/receita"
	"razao/ingest/receita/share"
	"razao/internal/record"
	"razao/internal/registry"
)

func (a *app) ingestCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "ingest", Short: "Load published files", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.ingestReceitaCommand(), a.ingestAllCommand())
	cmd.AddCommand(a.sourceCommands()...)
	return cmd
}

func (a *app) ingestReceitaCommand() *cobra.Command {
	var want release
	cmd := &cobra.Command{
		Use:   "receita",
		Short: "Load a monthly release of the tax authority and serve it",
		Args:  arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var l registry.Load
			err := a.withIngester(cmd.Context(), func(in *ingest.Ingester) (err error) {
				l, err = a.loadReceita(cmd.Context(), in, want)
				return err
			})
			if err == nil {
				describeLoad(cmd.OutOrStdout(), &l)
			}
			return settled(cmd.OutOrStdout(), err)
		},
	}
	f := cmd.Flags()
	f.StringVar(&want.month, "month", "", "month to load, AAAA-MM (default: the newest complete one)")
	f.StringVar(&want.from, "from", "", "folder or share to read from (default: the official share)")
	f.BoolVar(&want.partial, "partial", false, "accept a release that lacks files")
	f.BoolVar(&want.Force, "force", false, "accept far fewer rows than the load in service, an older month, or the same files again")
	return cmd
}

// release is what an operator wants of the tax authority's data.
type release struct {
	from    string // folder or address; "": the official share
	month   string // "": the newest complete one
	partial bool   // a release that lacks files will do
	ingest.Options
}

// loadReceita loads a release from a folder, or downloads it from a share first.
func (a *app) loadReceita(ctx context.Context, in *ingest.Ingester, want release) (registry.Load, error) {
	if want.from != "" && !strings.Contains(want.from, "://") {
		rel, err := receita.Find(want.from, want.month, want.partial)
		if err != nil {
			return registry.Load{}, err
		}
		return in.Receita(ctx, &rel, want.Options)
	}
	base := cmp.Or(want.from, a.settings.ReceitaURL)
	client, err := share.New(base, share.Options{Log: a.log, Progress: (&downloads{show: in.Progress}).report})
	if err != nil {
		return registry.Load{}, err
	}
	if want.month != "" {
		return a.loadMonth(ctx, in, client, want)
	}
	return a.loadNewest(ctx, in, client, want)
}

// loadNewest loads the newest month that is complete at the share, unless a newer one is served.
func (a *app) loadNewest(ctx context.Context, in *ingest.Ingester, client *share.Client, want release) (registry.Load, error) {
	months, err := client.Months(ctx)
	if err != nil {
		return registry.Load{}, &unreachableError{err}
	}
	served, err := in.Served(ctx, registry.Receita)
	if err != nil {
		return registry.Load{}, err
	}
	var incomplete error
	for _, want.month = range slices.Backward(months) {
		if served != nil && !served.Invented && want.month < served.Period && !want.Force {
			return registry.Load{}, &ingest.CurrentError{Loads: []registry.Load{*served}}
		}
		l, err := a.loadMonth(ctx, in, client, want)
		if !errors.As(err, new(*share.IncompleteError)) {
			return l, err // a half-published month has a whole one before it; other trouble would only repeat itself
		}
		incomplete = errors.Join(incomplete, err)
	}
	return registry.Load{}, incomplete
}

// loadMonth downloads a month and loads it, unless its listing says that it is served.
func (a *app) loadMonth(ctx context.Context, in *ingest.Ingester, client *share.Client, want release) (registry.Load, error) {
	listed, err := client.List(ctx, want.month)
	if err != nil {
		return registry.Load{}, &unreachableError{err}
	}
	dir := filepath.Join(a.settings.downloadDir(), want.month)
	// One lock for all months: the file of a lock stays, and there would be one more every month.
	unlock, err := fetch.Lock(filepath.Join(a.settings.downloadDir(), registry.Receita))
	if err != nil {
		return registry.Load{}, err
	}
	defer unlock()
	are := func(loaded []record.SourceFile) (bool, error) { return share.Are(listed, loaded, dir, want.month) }
	if err := in.AdmitListing(ctx, want.month, are, want.Options); err != nil {
		return registry.Load{}, err
	}
	if err := client.Fetch(ctx, want.month, dir); err != nil {
		return registry.Load{}, &unreachableError{err}
	}
	rel, err := receita.Find(dir, want.month, want.partial)
	if err != nil {
		return registry.Load{}, err
	}
	return in.Receita(ctx, &rel, want.Options)
}

// describeLoad says what a load holds, for a person.
func describeLoad(w io.Writer, l *registry.Load) {
	fmt.Fprintf(w, "load %d: %s %s is being served\n", l.ID, l.Source, l.Period)
	fmt.Fprintf(w, "  %d companies, %d establishments (%d active), %d partners, %d Simples rows\n",
		l.Counts.Companies, l.Counts.Establishments, l.Counts.ActiveEstablishments, l.Counts.Partners, l.Counts.Simples)
	fmt.Fprintf(w, "  %d rows read, %d loaded, %d discarded, %d rejected\n", l.RowsRead, l.RowsLoaded, l.RowsDiscarded, l.RowsRejected)
	for _, rule := range slices.Sorted(maps.Keys(l.Counts.Discarded)) {
		fmt.Fprintf(w, "  discarded, %s: %d\n", rule, l.Counts.Discarded[rule])
	}
	for _, kind := range slices.Sorted(maps.Keys(l.Counts.Repaired)) {
		fmt.Fprintf(w, "  without value because unreadable, %s: %d\n", kind, l.Counts.Repaired[kind])
	}
	if missing := l.Provenance.Faltantes; len(missing) > 0 {
		fmt.Fprintf(w, "  partial: without %s\n", strings.Join(missing, ", "))
	}
}
