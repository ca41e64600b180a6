package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"razao/internal/sample"
)

func (a *app) sampleCommand() *cobra.Command {
	var o sample.Options
	var out string
	cmd := &cobra.Command{
		Use: "sample", Short: "Write an invented release in the official format", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usagef("--out is required")
			}
			if o.Roots < 1 {
				return usagef("--roots must be at least 1")
			}
			p := newProgress(a.log)
			defer p.stop()
			o.Progress = func(roots int64) { p.report("sample", roots, int64(o.Roots)) }
			s, err := sample.Write(cmd.Context(), out, o)
			if err != nil {
				return err
			}
			p.stop()
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d companies, %d establishments, %d partners, %d Simples rows; %d MB of CSV in %d MB of zips\n",
				s.Dir, s.Companies, s.Establishments, s.Partners, s.Simples, s.CSVBytes/1e6, s.ZipBytes/1e6)
			return nil
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Roots, "roots", 100_000, "companies to invent")
	f.StringVar(&out, "out", "", "folder to write to")
	f.Uint64Var(&o.Seed, "seed", 1, "same seed, same companies")
	f.StringVar(&o.Month, "month", lastMonth(time.Now()), "month of the release, AAAA-MM")
	return cmd
}

// lastMonth is the month before now: a release that could exist.
func lastMonth(now time.Time) string {
	return time.Date(now.Year(), now.Month()-1, 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
}
