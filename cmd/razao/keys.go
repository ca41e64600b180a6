package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"razao/cmd/razao/console"
	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/store/database"
	"razao/migrations"
)

func (a *app) keysCommand() *cobra.Command {
	return group("keys", "Create, list and revoke API keys", a.createKeyCommand(), a.listKeysCommand(), a.revokeKeyCommand())
}

// createKeyCommand prints the key alone on stdout, so that scripts can capture it. It is stored
// only as a hash and cannot be printed again.
func (a *app) createKeyCommand() *cobra.Command {
	var email, name string
	cmd := &cobra.Command{
		Use: "create --account EMAIL --name NAME", Short: "Create a key and print it, once", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if email == "" || name == "" {
				return usagef("--account and --name are required")
			}
			return a.withDatabase(cmd.Context(), migrations.Serve, func(db *database.DB) error {
				secret, err := a.secret()
				if err != nil {
					return err
				}
				key, _, err := account.NewStore(db.Pool, seal.New(secret)).CreateKey(cmd.Context(), email, name)
				if err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), key)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&email, "account", "", "e-mail address of the account, created when it is missing")
	cmd.Flags().StringVar(&name, "name", "", "name of the integration")
	return cmd
}

func (a *app) listKeysCommand() *cobra.Command {
	var email string
	cmd := &cobra.Command{
		Use: "list", Short: "List keys", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDatabase(cmd.Context(), migrations.Serve, func(db *database.DB) error {
				keys, err := account.NewStore(db.Pool, nil).Keys(cmd.Context(), email)
				if err != nil {
					return err
				}
				return console.WriteKeys(cmd.OutOrStdout(), keys)
			})
		},
	}
	cmd.Flags().StringVar(&email, "account", "", "only the keys of this account")
	return cmd
}

func (a *app) revokeKeyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID", Short: "Revoke a key for good", Args: arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return usagef("%q is not the id of a key", args[0])
			}
			return a.withDatabase(cmd.Context(), migrations.Serve, func(db *database.DB) error {
				if err := account.NewStore(db.Pool, nil).RevokeKey(cmd.Context(), account.KeyID(id)); err != nil {
					return fmt.Errorf("revoke key %d: %w", id, err)
				}
				return nil
			})
		},
	}
}
