package main

import (
	"github.com/spf13/cobra"

	"razao/cmd/razao/console"
	"razao/ingest"
	"razao/internal/store/database"
	"razao/internal/store/registry"
	"razao/migrations"
)

// showLoadCommand prints a load from the database and the size of the indexes that contain it.
func (a *app) showLoadCommand() *cobra.Command {
	var rejects int
	var all, asJSON bool
	cmd := &cobra.Command{
		Use: "show ID", Short: "Print everything known of a load, and the rows that it could not read", Args: arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := loadID(args[0])
			if err != nil {
				return err
			}
			if rejects < 0 {
				return usagef("--rejects %d: at least 0", rejects)
			}
			return a.withDatabase(cmd.Context(), migrations.Ingest, func(db *database.DB) error {
				store := registry.NewStore(db.Pool)
				l, err := store.Load(cmd.Context(), id)
				if err != nil {
					return err
				}
				kept, err := store.Rejects(cmd.Context(), id)
				if err != nil {
					return err
				}
				if !all {
					kept = kept[:min(len(kept), rejects)]
				}
				found, err := (&ingest.Ingester{IndexDir: a.settings.indexDir()}).Findable(&l)
				if err != nil {
					return err
				}
				if asJSON {
					return console.WriteJSON(cmd.OutOrStdout(), console.LoadJSON(&l, found, kept))
				}
				return console.WriteLoad(cmd.OutOrStdout(), &l, found, kept)
			})
		},
	}
	f := cmd.Flags()
	f.IntVar(&rejects, "rejects", 20, "how many rejected rows to print")
	f.BoolVar(&all, "all-rejects", false, "print all rejected rows that are kept, up to 1,000")
	f.BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}
