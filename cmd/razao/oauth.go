package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"razao/cmd/razao/console"
	"razao/internal/people/oauthserver"
	"razao/internal/store/database"
	"razao/migrations"
)

func (a *app) oauthCommand() *cobra.Command {
	clients := group("clients", "Register, list and delete OAuth clients", a.createClientCommand(), a.listClientsCommand(), a.deleteClientCommand())
	return group("oauth", "Manage the programs that people may allow to read for them", clients)
}

// withOAuth opens the OAuth server on the database for the duration of do, without serving it.
func (a *app) withOAuth(cmd *cobra.Command, do func(*oauthserver.Server) error) error {
	if err := a.needBaseURL(); err != nil {
		return err
	}
	return a.withDatabase(cmd.Context(), migrations.Serve, func(db *database.DB) error {
		server, err := oauthserver.New(oauthserver.Config{Pool: db.Pool, Log: a.log, BaseURL: a.settings.BaseURL})
		if err != nil {
			return fmt.Errorf("RAZAO_BASE_URL: %w", err)
		}
		defer server.Close()
		return do(server)
	})
}

func (a *app) createClientCommand() *cobra.Command {
	var name string
	var redirects []string
	cmd := &cobra.Command{
		Use: "create --name NAME --redirect URI", Short: "Register a client without a secret and print its id", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if name == "" || len(redirects) == 0 {
				return usagef("--name and --redirect are required")
			}
			return a.withOAuth(cmd, func(server *oauthserver.Server) error {
				client, err := server.AddClient(cmd.Context(), name, redirects)
				if err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), client.ID)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "what people are told that it is called")
	cmd.Flags().StringArrayVar(&redirects, "redirect", nil, "address that it may lead people back to; may be repeated")
	return cmd
}

func (a *app) listClientsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the clients registered here and those that somebody let in", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withOAuth(cmd, func(server *oauthserver.Server) error {
				clients, err := server.Clients(cmd.Context())
				if err != nil {
					return err
				}
				return console.WriteClients(cmd.OutOrStdout(), clients)
			})
		},
	}
}

func (a *app) deleteClientCommand() *cobra.Command {
	return &cobra.Command{
		Use: "delete ID", Short: "Delete a client and all that people allowed it", Args: arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withOAuth(cmd, func(server *oauthserver.Server) error {
				return server.DeleteClient(cmd.Context(), args[0])
			})
		},
	}
}
