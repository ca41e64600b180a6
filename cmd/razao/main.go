// Command razao loads the open data on Brazilian companies and serves them: API, website and the
// operator's tools in one binary.
//
// This package is wiring. It is the only one that reads settings (settings.go, from the
// environment); all others receive plain values. There is one file for each subcommand. A
// subcommand parses its flags, opens the database for the role that it needs (app.go) and calls the
// package that does the work.
//
//   - `serve` assembles the packages that answer requests (serve.go), with those that know people
//     (people.go), and runs their background work in one errgroup: the first fatal error or SIGTERM
//     ends all of it.
//   - `ingest`, `update`, `index` and `loads` run an ingest.Ingester, as the role that may write
//     loads and with low priority.
//
// Errors bubble up to run, which prints them once and chooses the exit code. stdout has data only;
// progress and logs go to stderr.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/spf13/cobra"

	"razao/api"
	"razao/cmd/razao/console"
)

// version is that of the source; where there is a tag, the linker sets what git describe says (-X main.version).
var version = api.Release

func main() { os.Exit(run()) }

// run returns the exit code: 0 done, 1 failed, 2 wrong usage, or that of an exitError.
func run() int {
	// GOMEMLIMIT, unless it is set, becomes 70 % of the control group's limit. The rest is for
	// memory that Go does not count, above all the mapped index and a private PostgreSQL.
	_, _ = memlimit.Set(memlimit.WithRatio(0.7)) // the error means that there is no limit
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // a second Ctrl-C ends the process at once
	}()
	err := command().ExecuteContext(ctx)
	var usage *usageError
	var exit *exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "razao: %s\nSee `razao help`.\n", console.Visible(err.Error()))
		return 2
	case errors.As(err, &exit):
		fmt.Fprintf(os.Stderr, "razao: %s\n", console.Visible(err.Error()))
		return exit.code
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "razao: interrupted; no half load is kept, and a download goes on from there next time")
		return 1
	default:
		fmt.Fprintf(os.Stderr, "razao: %s\n", console.Visible(err.Error()))
		return 1
	}
}

// endAtOnce lets the first signal end the process. It is for commands that change nothing and read what no context ends: a pipe, a terminal.
func endAtOnce() { signal.Reset(os.Interrupt, syscall.SIGTERM) }

// usageError is a mistake on the command line: exit code 2.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef returns a usageError with a formatted text.
func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// arguments turns the error of a check of positional arguments into a usageError.
func arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return &usageError{err}
		}
		return nil
	}
}

// command returns the root command with all subcommands. Settings are read before any of them runs.
func command() *cobra.Command {
	a := &app{}
	root := &cobra.Command{
		Use:           "razao",
		Short:         "The open registry of Brazilian companies",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return a.configure(cmd.CommandPath())
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	root.AddCommand(
		a.upCommand(), a.serveCommand(), a.migrateCommand(), a.ingestCommand(), a.updateCommand(), a.loadsCommand(), a.indexCommand(), a.publishCommand(),
		a.sampleCommand(), a.keysCommand(), a.contactsCommand(), a.oauthCommand(), a.mcpCommand(), a.healthCommand(), a.verifyCommand(), a.askCommand(), a.backupCommand(), a.restoreCommand(), a.exportCommand(),
		versionCommand(),
	)
	return root
}

// group returns a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(commands...)
	return cmd
}

func versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version", Args: arguments(cobra.NoArgs),
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil }, // in place of the root's: it needs no settings
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !asJSON {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), version)
				return err
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(console.BuildJSON(version))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "with the commit, Go and the platform, for programs")
	return cmd
}
