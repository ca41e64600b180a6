package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"razao/internal/assist/assistant"
	"razao/internal/assist/mcp"
	"razao/internal/recovery"
	"razao/internal/store/database"
	"razao/internal/store/snapshot"
)

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Short: "Answer an assistant of this machine on standard input and output (MCP)", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.needBaseURL(); err != nil {
				return err
			}
			return a.withRecords(cmd.Context(), func(db *database.DB) error { return a.serveAssistant(cmd.Context(), db) })
		},
	}
}

// assistants returns the MCP server. c says how callers are verified and counted; the zero value,
// for stdio, means that there is only the local user.
func (a *app) assistants(live *snapshot.Live, c mcp.Config) (*mcp.Server, error) {
	c.Assistant = assistant.New(assistant.Config{Live: live, BaseURL: a.settings.BaseURL})
	c.BaseURL, c.Version, c.Log = a.settings.BaseURL, version, a.log
	s, err := mcp.New(c)
	if err != nil {
		return nil, fmt.Errorf("RAZAO_BASE_URL: %w", err)
	}
	return s, nil
}

// serveAssistant serves one client on stdin and stdout until it disconnects.
func (a *app) serveAssistant(ctx context.Context, db *database.DB) error {
	live, err := a.openSnapshots(ctx, db, nil)
	if err != nil {
		return err
	}
	defer live.Close()
	assistants, err := a.assistants(live, mcp.Config{})
	if err != nil {
		return err
	}
	ctx, left := context.WithCancel(ctx)
	defer left()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { recovery.Keep(ctx, a.log, "follow snapshots", live.Run); return nil })
	g.Go(func() error {
		defer left()
		return assistants.ServeStdio(ctx)
	})
	return g.Wait()
}
