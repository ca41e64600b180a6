package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"razao/cmd/razao/console"
	"razao/internal/store/database"
	"razao/internal/store/export"
)

// exportCommand writes the snapshot in service as Parquet, beside running servers.
func (a *app) exportCommand() *cobra.Command {
	return &cobra.Command{
		Use: "export FOLDER", Short: "Write everything in service as Parquet to a new folder, with a description (datapackage.json)",
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			return a.withRecords(ctx, func(db *database.DB) error {
				live, err := a.openSnapshots(ctx, db, nil)
				if err != nil {
					return err
				}
				defer live.Close()
				snap, err := live.Acquire()
				if err != nil {
					return err
				}
				defer snap.Release()
				p := console.NewProgress(a.log)
				defer p.Stop()
				written, err := export.Write(ctx, snap, args[0], p.Watch.Report)
				if err != nil {
					return err
				}
				p.Stop()
				for _, t := range written {
					fmt.Fprintf(cmd.OutOrStdout(), "%-28s %12d rows %6d MB in %d files\n", t.Name, t.Rows, t.Bytes>>20, t.Files)
				}
				return nil
			})
		},
	}
}
