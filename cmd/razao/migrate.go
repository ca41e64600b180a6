package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"razao/migrations"
)

// migrateCommand is the only command, except up, that changes the schema. With --roles it prints
// SQL and connects to nothing.
func (a *app) migrateCommand() *cobra.Command {
	var roles bool
	cmd := &cobra.Command{
		Use: "migrate", Short: "Bring the database schema up to date", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if roles {
				_, dsn := a.settings.source(migrations.Ingest)
				text, err := migrations.RolesSQL(dsn)
				fmt.Fprint(cmd.OutOrStdout(), text)
				return err
			}
			db, err := a.open(cmd.Context(), migrations.Ingest, migrations.Up, nil)
			if err != nil {
				return err
			}
			db.Close()
			return nil
		},
	}
	cmd.Flags().BoolVar(&roles, "roles", false, "only print the SQL that an administrator runs where this role may not make roles")
	return cmd
}
