package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"razao/index/folder"
	"razao/ingest"
)

func (a *app) indexCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "index", Short: "Work on the search index", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use: "build", Short: "Build the index of the load in service again, from the record store alone", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var m folder.Manifest
			err := a.withIngester(cmd.Context(), func(in *ingest.Ingester) (err error) {
				m, err = in.RebuildIndex(cmd.Context())
				return err
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "index of load %d: %d establishments\n", m.Load, m.Docs)
			return nil
		},
	})
	return cmd
}
