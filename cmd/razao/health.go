package main

import (
	"github.com/spf13/cobra"

	"razao/internal/ops/health"
)

// healthCommand asks a running server over HTTP and opens no database, so it is cheap enough for
// the health check of a container.
func (a *app) healthCommand() *cobra.Command {
	var live bool
	cmd := &cobra.Command{
		Use: "health", Short: "Ask the server of this machine how it is, for containers without a shell", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			path := "/health/ready"
			if live {
				path = "/health/live"
			}
			return health.Ask(cmd.Context(), cmd.OutOrStdout(), a.settings.Addr, path)
		},
	}
	cmd.Flags().BoolVar(&live, "live", false, "only whether it answers, with or without records")
	return cmd
}
