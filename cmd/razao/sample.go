package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"razao/cmd/razao/console"
	"razao/internal/sample"
)

// lastInvented ends the calendar of invented releases, which may be of the future.
var lastInvented = time.Date(2099, time.December, 31, 0, 0, 0, 0, time.UTC)

func (a *app) sampleCommand() *cobra.Command {
	var o sample.Options
	var out, previous string
	cmd := &cobra.Command{
		Use: "sample", Short: "Write an invented release in the official format", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usagef("--out is required")
			}
			if o.Roots < 1 {
				return usagef("--roots must be at least 1")
			}
			if err := checkMonth(o.Month, lastInvented); err != nil {
				return err
			}
			if _, err := time.Parse(time.DateOnly, o.Day); err != nil && o.Day != "" {
				return usagef("--day %q is not of the form AAAA-MM-DD, such as 2026-09-30", o.Day)
			}
			if previous != "" {
				if cmd.Flags().Changed("roots") || cmd.Flags().Changed("seed") {
					return usagef("--roots and --seed are those of --previous")
				}
				if !cmd.Flags().Changed("month") {
					o.Month = "" // the next one
				}
				next, err := sample.Next(previous, o.Month)
				if err != nil {
					return err
				}
				next.Day = o.Day
				o = next
			}
			p := console.NewProgress(a.log)
			defer p.Stop()
			o.Progress = func(roots int64) { p.Watch.Report("sample", roots, int64(o.Roots)) }
			s, err := sample.Write(cmd.Context(), out, o)
			if err != nil {
				return err
			}
			p.Stop()
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d companies, %d establishments, %d partners, %d Simples rows; %d MB of CSV in %d MB of zips\n",
				s.Dir, s.Companies, s.Establishments, s.Partners, s.Simples, s.CSVBytes/1e6, s.ZipBytes/1e6)
			if previous != "" {
				fmt.Fprintf(cmd.OutOrStdout(), "  %d changes since %s, listed in MUDANCAS.csv\n", s.Changes, o.Since)
			}
			return nil
		},
	}
	newest, _ := sample.Latest(time.Now())
	f := cmd.Flags()
	f.IntVar(&o.Roots, "roots", 100_000, "companies to invent")
	f.StringVar(&out, "out", "", "folder to write to")
	f.Uint64Var(&o.Seed, "seed", 1, "same seed, same companies")
	f.StringVar(&previous, "previous", "", "folder of a former sample, which this one follows with planted changes")
	f.StringVar(&o.Month, "month", newest, "month of the release, AAAA-MM (with --previous: the next one)")
	f.StringVar(&o.Day, "day", "", "day on which the sources were fetched, AAAA-MM-DD (default: the last of the month)")
	return cmd
}
