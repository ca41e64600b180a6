package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"razao/ingest"
	"razao/internal/registry"
	"razao/migrations"
)

func (a *app) loadsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "loads", Short: "List loads; switch, go back, delete", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listLoads(cmd) },
	}
	cmd.AddCommand(
		a.showLoadCommand(),
		a.diffLoadsCommand(),
		&cobra.Command{
			Use: "activate ID", Short: "Serve a complete load", Args: arguments(cobra.ExactArgs(1)),
			RunE: func(cmd *cobra.Command, args []string) error {
				id, err := loadID(args[0])
				if err != nil {
					return err
				}
				return a.withIngester(cmd.Context(), func(in *ingest.Ingester) error { return in.Activate(cmd.Context(), id) })
			},
		},
		&cobra.Command{
			Use: "rollback SOURCE", Short: "Serve the load before the present one", Args: arguments(cobra.ExactArgs(1)),
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.withIngester(cmd.Context(), func(in *ingest.Ingester) error {
					l, err := in.Rollback(cmd.Context(), args[0])
					if err != nil {
						return err
					}
					fmt.Fprintf(cmd.OutOrStdout(), "load %d: %s %s is being served\n", l.ID, l.Source, l.Period)
					return nil
				})
			},
		},
		&cobra.Command{
			Use: "prune", Short: "Delete loads that are neither served nor the ones to go back to", Args: arguments(cobra.NoArgs),
			RunE: func(cmd *cobra.Command, _ []string) error {
				return a.withIngester(cmd.Context(), func(in *ingest.Ingester) error {
					gone, err := in.Prune(cmd.Context())
					for _, id := range gone {
						fmt.Fprintf(cmd.OutOrStdout(), "deleted load %d\n", id)
					}
					return err
				})
			},
		},
	)
	return cmd
}

func loadID(arg string) (int64, error) {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil {
		return 0, usagef("%q is not the id of a load", arg)
	}
	return id, nil
}

func (a *app) listLoads(cmd *cobra.Command) error {
	return a.withDatabase(cmd.Context(), migrations.Ingest, func(db *database) error {
		loads, err := registry.NewStore(db.pool).Loads(cmd.Context())
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tSOURCE\tPERIOD\tSTATE\tSTARTED\tREAD\tLOADED\tDISCARDED\tREJECTED\tMB\tREASON")
		for _, l := range loads {
			state := string(l.State)
			if l.Active {
				state = "active"
			}
			fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\n", l.ID, l.Source, l.Period, state,
				l.StartedAt.Format(time.DateTime), l.RowsRead, l.RowsLoaded, l.RowsDiscarded, l.RowsRejected, l.StoreBytes>>20, l.Reason)
		}
		if err := w.Flush(); err != nil {
			return err
		}
		return a.ingesting(db, func(in *ingest.Ingester) error { return listUnused(cmd.Context(), cmd.OutOrStdout(), in) })
	})
}

// listUnused says what takes up room for nothing.
func listUnused(ctx context.Context, out io.Writer, in *ingest.Ingester) error {
	unused, err := in.Unused(ctx)
	if errors.Is(err, registry.ErrBusy) {
		fmt.Fprintf(out, "\n%v; what nothing uses is not known meanwhile\n", err)
		return nil
	}
	if err != nil || len(unused) == 0 {
		return err
	}
	fmt.Fprintln(out, "\nused by nothing; the next load deletes it, or `razao loads prune`:")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, u := range unused {
		fmt.Fprintf(w, "  %s\t%s\t%d MB\n", u.Kind, u.Name, u.Bytes>>20)
	}
	return w.Flush()
}
