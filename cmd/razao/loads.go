package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"razao/cmd/razao/console"
	"razao/ingest"
	"razao/internal/store/database"
	"razao/internal/store/registry"
	"razao/migrations"
)

// loadsCommand lists loads; its subcommands show, compare, switch and delete them.
func (a *app) loadsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "loads", Short: "List loads; switch, go back, delete", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listLoads(cmd) },
	}
	cmd.AddCommand(
		a.showLoadCommand(),
		a.diffLoadsCommand(),
		a.historyCommand(),
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

// loadID parses an argument that is the id of a load.
func loadID(arg string) (int64, error) {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil {
		return 0, usagef("%q is not the id of a load", arg)
	}
	return id, nil
}

// listLoads prints all loads and what takes up space without being used.
func (a *app) listLoads(cmd *cobra.Command) error {
	return a.withDatabase(cmd.Context(), migrations.Ingest, func(db *database.DB) error {
		loads, err := registry.NewStore(db.Pool).Loads(cmd.Context())
		if err != nil {
			return err
		}
		if err := console.WriteLoads(cmd.OutOrStdout(), loads); err != nil {
			return err
		}
		return a.ingesting(db, func(in *ingest.Ingester) error { return listUnused(cmd.Context(), cmd.OutOrStdout(), in) })
	})
}

// listUnused prints what the next load would delete. While a load runs that is not known.
func listUnused(ctx context.Context, out io.Writer, in *ingest.Ingester) error {
	unused, err := in.Unused(ctx)
	if errors.Is(err, registry.ErrBusy) {
		fmt.Fprintf(out, "\n%v; what nothing uses is not known meanwhile\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	return console.WriteUnused(out, unused)
}
