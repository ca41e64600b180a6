package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"razao/cmd/razao/console"
	"razao/internal/data/cnpj"
	"razao/internal/people/contacts"
	"razao/internal/store/database"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/web/edge"
	"razao/migrations"
)

func (a *app) contactsCommand() *cobra.Command {
	cmd := group("contacts", "Hide contacts on request", a.requestsCommand(), a.hideContactCommand(), a.showContactCommand(), a.listHiddenCommand())
	cmd.Long = "Hide the street, telephones and e-mail of an establishment everywhere: pages, CSV and API. It takes effect without a\n" +
		"restart, before the command ends, and holds for every load."
	return cmd
}

// withContacts opens the store of hidden contacts for the duration of do.
func (a *app) withContacts(cmd *cobra.Command, do func(*contacts.Store) error) error {
	return a.withDatabase(cmd.Context(), migrations.Serve, func(db *database.DB) error { return do(contacts.NewStore(db.Pool)) })
}

func (a *app) requestsCommand() *cobra.Command {
	var dismiss int64
	cmd := &cobra.Command{
		Use: "requests", Short: "List the requests that nobody has answered, or dismiss one", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withContacts(cmd, func(contacts *contacts.Store) error {
				if cmd.Flags().Changed("dismiss") {
					return contacts.Dismiss(cmd.Context(), dismiss)
				}
				open, err := contacts.Requests(cmd.Context())
				if err != nil {
					return err
				}
				return console.WriteRequests(cmd.OutOrStdout(), open)
			})
		},
	}
	cmd.Flags().Int64Var(&dismiss, "dismiss", 0, "id of a request to delete without hiding anything")
	return cmd
}

// hideContactCommand prints the e-mail addresses of those whose requests are thereby granted.
func (a *app) hideContactCommand() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "hide CNPJ", Short: "Hide the contact of an establishment and print whom to tell", Args: arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := establishmentNumber(args[0])
			if err != nil {
				return err
			}
			return a.withDatabase(cmd.Context(), migrations.Serve, func(db *database.DB) error {
				answered, err := contacts.NewStore(db.Pool).Hide(cmd.Context(), number, reason)
				if err != nil {
					return err
				}
				for _, r := range answered {
					fmt.Fprintln(cmd.OutOrStdout(), r.Email)
				}
				if err := followed(cmd.Context()); err != nil {
					return err
				}
				if err := a.purgeCaches(cmd.Context()); err != nil {
					return err
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "the contact of %s is hidden: %s\n", number, whose(cmd.Context(), registry.NewStore(db.Pool), number))
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the list")
	return cmd
}

// whose says in words whose contact a number stands for, which may be a typing error.
func whose(ctx context.Context, store *registry.Store, number cnpj.Full) string {
	name, err := nameOf(ctx, store, number)
	switch {
	case registry.IsAbsent(err), errors.Is(err, registry.ErrNoSnapshot):
		return "it is not in the load in service, and will be hidden in one that has it"
	case err != nil:
		return "who that is, is not known: " + err.Error()
	}
	return name
}

// nameOf returns the name of the company of an establishment in the load in service.
func nameOf(ctx context.Context, store *registry.Store, number cnpj.Full) (string, error) {
	id, err := store.CurrentID(ctx)
	if err != nil {
		return "", err
	}
	snapshot, err := store.Snapshot(ctx, id)
	if err != nil {
		return "", err
	}
	view, err := store.View(ctx, snapshot)
	if err != nil {
		return "", err
	}
	head, err := view.Head(ctx, number.Root())
	if err != nil {
		return "", err
	}
	_, err = view.Establishment(ctx, &head, number.Order())
	return console.Visible(head.Company.RazaoSocial), err
}

// followed waits until every server has seen the change: otherwise a cache that is purged could fetch
// the contact again.
func followed(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return fmt.Errorf("the change is made, but servers may take %s to see it: %w", snapshot.HidingTakes, ctx.Err())
	case <-time.After(snapshot.HidingTakes):
		return nil
	}
}

// purgeCaches purges everything from caches in front of the servers, because the hidden contact may
// be in any list.
func (a *app) purgeCaches(ctx context.Context) error {
	caches, err := edge.New(a.settings.EdgePurge, a.log)
	if err != nil {
		return err
	}
	if err := caches.PurgeAll(ctx); err != nil {
		return fmt.Errorf("the contact is hidden, but caches may show it for another minute: %w", err)
	}
	return nil
}

func (a *app) showContactCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show CNPJ", Short: "Show the contact of an establishment again", Args: arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := establishmentNumber(args[0])
			if err != nil {
				return err
			}
			return a.withContacts(cmd, func(contacts *contacts.Store) error {
				if err := contacts.Show(cmd.Context(), number); err != nil {
					return err
				}
				if err := followed(cmd.Context()); err != nil {
					return err
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "the contact of %s is shown again\n", number)
				return nil
			})
		},
	}
}

func (a *app) listHiddenCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the establishments whose contact is hidden", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withContacts(cmd, func(contacts *contacts.Store) error {
				hidden, err := contacts.Hidden(cmd.Context())
				if err != nil {
					return err
				}
				return console.WriteHidden(cmd.OutOrStdout(), hidden)
			})
		},
	}
}

// establishmentNumber parses an argument that is a full CNPJ, with or without punctuation.
func establishmentNumber(arg string) (cnpj.Full, error) {
	number, err := cnpj.ParseFull(cnpj.Unmask(arg))
	if err != nil {
		return 0, usagef("%q is not a CNPJ of 14 positions", arg)
	}
	return number, nil
}
