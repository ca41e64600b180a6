package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"razao/cmd/razao/console"
	"razao/ingest"
	"razao/internal/store/database"
	"razao/internal/store/registry"
	"razao/migrations"
)

// historyCommand lists what loads changed; its subcommands compare loads again and forget old months.
func (a *app) historyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "history", Short: "List what each load changed; compare again, forget", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDatabase(cmd.Context(), migrations.Ingest, func(db *database.DB) error {
				chain, err := registry.NewStore(db.Pool).History(cmd.Context())
				if err != nil {
					return err
				}
				return console.WriteHistory(cmd.OutOrStdout(), chain)
			})
		},
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "build", Short: "Compare the loads in service with the ones before them, as far as these are kept", Args: arguments(cobra.NoArgs),
			RunE: func(cmd *cobra.Command, _ []string) error {
				return a.withIngester(cmd.Context(), func(in *ingest.Ingester) error {
					built, err := in.BuildHistory(cmd.Context())
					for i := range built {
						fmt.Fprintf(cmd.OutOrStdout(), "compared load %d: %s %s\n", built[i].ID, built[i].Source, built[i].Period)
					}
					return err
				})
			},
		},
		&cobra.Command{
			Use: "forget DAY", Short: "Delete what loads changed that were served before DAY (AAAA-MM-DD)", Args: arguments(cobra.ExactArgs(1)),
			RunE: func(cmd *cobra.Command, args []string) error {
				day, err := time.Parse(time.DateOnly, args[0])
				if err != nil {
					return usagef("%q is not a day such as 2024-01-31", args[0])
				}
				return a.withDatabase(cmd.Context(), migrations.Ingest, func(db *database.DB) error {
					n, err := registry.NewStore(db.Pool).ForgetHistoryBefore(cmd.Context(), day)
					if err != nil {
						return err
					}
					fmt.Fprintf(cmd.OutOrStdout(), "forgot what %d loads changed\n", n)
					return nil
				})
			},
		},
	)
	return cmd
}
