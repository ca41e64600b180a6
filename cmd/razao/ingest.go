package main

import (
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
	"razao/ingest/receita"
	"razao/ingest/receita/share"
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
	var month, from string
	var partial, force bool
	cmd := &cobra.Command{
		Use:   "receita",
		Short: "Load a monthly release of the tax authority and serve it",
		Args:  arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			var l registry.Load
			err := a.withIngester(ctx, func(in *ingest.Ingester) error {
				rel, err := a.release(ctx, in, from, month, partial)
				if err != nil {
					return err
				}
				l, err = in.Receita(ctx, &rel, ingest.Options{Force: force})
				return err
			})
			if err != nil {
				return err
			}
			describeLoad(cmd.OutOrStdout(), &l)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&month, "month", "", "month to load, AAAA-MM (default: the newest complete one)")
	f.StringVar(&from, "from", "", "folder or share to read from (default: the official share)")
	f.BoolVar(&partial, "partial", false, "accept a release that lacks files")
	f.BoolVar(&force, "force", false, "accept far fewer rows than the load in service, or the same month again")
	return cmd
}

// release finds the release in a folder, or downloads it from a share first.
func (a *app) release(ctx context.Context, in *ingest.Ingester, from, month string, partial bool) (receita.Release, error) {
	if from != "" && !strings.Contains(from, "://") {
		return receita.Find(from, month, partial)
	}
	base := from
	if base == "" {
		base = a.settings.ReceitaURL
	}
	client, err := share.New(base, share.Options{
		Log:      a.log,
		Progress: (&downloads{show: in.Progress}).report,
	})
	if err != nil {
		return receita.Release{}, err
	}
	months := []string{month}
	if month == "" {
		if months, err = client.Months(ctx); err != nil {
			return receita.Release{}, err
		}
	}
	var first error
	for _, m := range slices.Backward(months) {
		dir := filepath.Join(a.settings.downloadDir(), m)
		err := client.Fetch(ctx, m, dir)
		if err == nil {
			return receita.Find(dir, m, partial)
		}
		first = errors.Join(first, err)
		if !errors.As(err, new(*share.IncompleteError)) {
			break // a half-published month has a whole one before it; other trouble would only repeat itself
		}
	}
	if first == nil {
		first = fmt.Errorf("%s lists no month", base)
	}
	return receita.Release{}, first
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
