package main

import "github.com/spf13/cobra"

func (a *app) migrateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "migrate", Short: "Bring the database schema up to date", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			db, err := a.open(cmd.Context(), migrateSchema)
			if err != nil {
				return err
			}
			db.close(a.log)
			return nil
		},
	}
}
