package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"razao/internal/backup"
	"razao/internal/database"
	"razao/migrations"
)

// backupCommand writes a snapshot of the database (REPEATABLE READ) beside running servers. It
// connects as the role that serves, which may read accounts.
func (a *app) backupCommand() *cobra.Command {
	var to []string
	var passphrase string
	cmd := &cobra.Command{
		Use: "backup FILE", Short: "Keep in one file what no load can make again: accounts, keys, history, hidden contacts, the secret",
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			recipients, err := backup.Recipients(to, passphrase)
			if errors.As(err, new(*backup.RecipientError)) {
				return usagef("--recipient: %v", err)
			}
			if err != nil {
				return err
			}
			secret, err := a.secret()
			if err != nil {
				return err
			}
			var m backup.Manifest
			err = a.withConnection(cmd, migrations.Serve, func(conn *pgxpool.Conn) error {
				return backup.WriteFile(args[0], func(out io.Writer) (err error) {
					m, err = backup.Write(cmd.Context(), conn.Conn(), out, backup.Options{Program: version, Secret: secret, To: recipients})
					return err
				})
			})
			if err == nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d rows of %d tables, and the secret\n", args[0], m.Rows(), len(m.Tables))
			}
			return err
		},
	}
	cmd.Flags().StringArrayVar(&to, "recipient", nil, "encrypt for the key age1…; may be given more than once")
	cmd.Flags().StringVar(&passphrase, "passphrase-file", "", "encrypt with the passphrase in the first line of a file")
	cmd.MarkFlagsMutuallyExclusive("recipient", "passphrase-file")
	return cmd
}

// restoreCommand writes the tables and the secret in one transaction. It connects as the role that
// may become the owner of the tables.
func (a *app) restoreCommand() *cobra.Command {
	var identity, passphrase string
	var replace bool
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Put back what `razao backup` kept, into a migrated database without accounts", Args: arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			identities, err := backup.Identities(identity, passphrase)
			if err != nil {
				return err
			}
			in, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer func() { _ = in.Close() }()
			var o *backup.Opened
			err = a.withConnection(cmd, migrations.Ingest, func(conn *pgxpool.Conn) error {
				o, err = backup.Restore(cmd.Context(), conn.Conn(), in, identities, replace, func(o *backup.Opened) error {
					return a.keepSecret(o.Secret, replace)
				})
				return err
			})
			switch {
			case errors.Is(err, backup.ErrNotEmpty):
				return fmt.Errorf("%w: --replace deletes them", err)
			case errors.Is(err, backup.ErrEncrypted):
				return fmt.Errorf("%w: --identity or --passphrase-file", err)
			case err == nil:
				fmt.Fprintf(cmd.ErrOrStderr(), "%d rows of %d tables, as they were at %s\n", o.Rows(), len(o.Tables), o.Made.Format("2006-01-02 15:04:05 MST"))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&identity, "identity", "", "file with the age key (AGE-SECRET-KEY-1…) that the backup was encrypted for")
	cmd.Flags().StringVar(&passphrase, "passphrase-file", "", "file with the passphrase in its first line")
	cmd.Flags().BoolVar(&replace, "replace", false, "delete the accounts, keys and hidden contacts that are there, and take the secret of the backup")
	return cmd
}

// withConnection opens a migrated database for a role and one connection to it, until do returns.
func (a *app) withConnection(cmd *cobra.Command, role string, do func(*pgxpool.Conn) error) error {
	return a.withDatabase(cmd.Context(), role, func(db *database.DB) error { return db.Pool.AcquireFunc(cmd.Context(), do) })
}
