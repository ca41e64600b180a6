package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"razao/migrations"
)

// migrateCommand is the only command, except up, that changes the schema. With --roles it prints
// SQL and connects to nothing.
func (a *app) migrateCommand() *cobra.Command {
	var roles bool
	var passfiles []string
	cmd := &cobra.Command{
		Use: "migrate", Short: "Bring the database schema up to date", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if roles {
				_, dsn := a.settings.source(migrations.Ingest)
				text, err := migrations.RolesSQL(dsn)
				fmt.Fprint(cmd.OutOrStdout(), text)
				return err
			}
			up := func(ctx context.Context, dsn string) error {
				err := migrations.Up(ctx, dsn)
				if errors.Is(err, migrations.ErrNoRoles) && len(passfiles) > 0 {
					return fmt.Errorf("--passfile: %s", err) // not ErrNoRoles, which is only a warning
				}
				if err != nil {
					return err
				}
				return migrations.SetPasswords(ctx, dsn, passfiles...)
			}
			db, err := a.open(cmd.Context(), migrations.Ingest, up, nil)
			if err != nil {
				return err
			}
			db.Close()
			return nil
		},
	}
	cmd.Flags().BoolVar(&roles, "roles", false, "only print the SQL that an administrator runs where this role may not make roles")
	cmd.Flags().StringArrayVar(&passfiles, "passfile", nil, "give razao_serve and razao_ingest the passwords that a libpq password file has for them")
	cmd.MarkFlagsMutuallyExclusive("roles", "passfile")
	return cmd
}
