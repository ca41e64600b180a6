package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

// healthTime is how long the server gets to answer.
const healthTime = 5 * time.Second

func (a *app) healthCommand() *cobra.Command {
	var live bool
	cmd := &cobra.Command{
		Use: "health", Short: "Ask the server of this machine how it is, for containers without a shell", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			path := "/health/ready"
			if live {
				path = "/health/live"
			}
			return a.askHealth(cmd.Context(), cmd.OutOrStdout(), path)
		},
	}
	cmd.Flags().BoolVar(&live, "live", false, "only whether it answers, with or without records")
	return cmd
}

// askHealth prints what the server of RAZAO_ADDR says about itself. An error means that it says no, or nothing.
func (a *app) askHealth(ctx context.Context, out io.Writer, path string) error {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+reachable(a.settings.Addr)+path, nil)
	if err != nil {
		return fmt.Errorf("RAZAO_ADDR: %w", err)
	}
	direct := &http.Client{Transport: &http.Transport{}} // no proxy
	resp, err := direct.Do(req)
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	fmt.Fprintf(out, "%s\n", body)
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s is %s", path, resp.Status)
	}
	return nil
}

// reachable returns a listen address as one to connect to: that of all interfaces is the own machine.
func reachable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		return net.JoinHostPort("localhost", port)
	}
	return addr
}
