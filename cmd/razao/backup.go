package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"razao/internal/store/backup"
	"razao/internal/store/database"
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
			a.warnOfReaders(passphrase)
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
			a.warnOfReaders(passphrase, identity)
			identities, err := backup.Identities(identity, passphrase)
			if err != nil {
				return err
			}
			in, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer func() { _ = in.Close() }()
			var o *backup.Contents
			err = a.withConnection(cmd, migrations.Ingest, func(conn *pgxpool.Conn) error {
				o, err = backup.Restore(cmd.Context(), conn.Conn(), in, identities, replace, func(o *backup.Contents) error {
					return a.keepSecret(o.Secret, replace)
				})
				return err
			})
			switch {
			case errors.Is(err, backup.ErrNotEmpty):
				return fmt.Errorf("%w: --replace deletes them", err)
			case errors.Is(err, backup.ErrEncrypted):
				return fmt.Errorf("%w: --identity or --passphrase-file", err)
			case errors.Is(err, backup.ErrWrongIdentity):
				return fmt.Errorf("%w than that in %s", err, cmp.Or(passphrase, identity))
			case errors.Is(err, backup.ErrOtherKind) && passphrase != "":
				return fmt.Errorf("%w: for an age key, so with --identity, not --passphrase-file", err)
			case errors.Is(err, backup.ErrOtherKind):
				return fmt.Errorf("%w: with a passphrase, so with --passphrase-file, not --identity", err)
			case errors.Is(err, backup.ErrNotEncrypted):
				return fmt.Errorf("%w, so it may be anybody's: if you trust it, leave out --identity and --passphrase-file", err)
			case errors.Is(err, backup.ErrCutShort), errors.Is(err, backup.ErrDamaged):
				return fmt.Errorf("%w: nothing was restored; copy the file again", err)
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

// warnOfReaders warns of files with a passphrase or key that others than their owner may read. ""
// and what is no file, such as a pipe, are none.
func (a *app) warnOfReaders(files ...string) {
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
			a.log.Warn("others may read the passphrase or key: chmod 600", "file", file)
		}
	}
}

// withConnection opens a migrated database for a role and one connection to it, until do returns.
func (a *app) withConnection(cmd *cobra.Command, role string, do func(*pgxpool.Conn) error) error {
	return a.withDatabase(cmd.Context(), role, func(db *database.DB) error { return db.Pool.AcquireFunc(cmd.Context(), do) })
}
