package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"razao/index/folder"
	"razao/ingest"
)

func (a *app) indexCommand() *cobra.Command {
	return group("index", "Work on the search index", &cobra.Command{
		Use: "build", Short: "Build the index of the load in service again, from the record store alone", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var m folder.Manifest
			err := a.withIngester(cmd.Context(), func(in *ingest.Ingester) (err error) {
				m, err = in.RebuildIndex(cmd.Context())
				return err
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "index of load %d: %d establishments\n", m.Load, m.Docs)
			return nil
		},
	}, &cobra.Command{
		Use: "verify", Short: "Read every index again and compare it with its checksums; a server may run meanwhile", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.verifyIndexes(cmd) },
	})
}

// verifyIndexes reads every index completely and compares checksums. A running server skips files
// whose size and time of change are as before, but a decaying disk changes neither.
func (a *app) verifyIndexes(cmd *cobra.Command) error {
	dirs, err := filepath.Glob(filepath.Join(a.settings.indexDir(), "*"))
	if err != nil {
		return err
	}
	var bad []error
	for _, dir := range dirs {
		if strings.HasSuffix(dir, folder.TemporarySuffix) {
			continue
		}
		m, err := folder.Read(dir)
		if err == nil {
			err = m.Verify(cmd.Context(), dir)
		}
		if err != nil {
			bad = append(bad, fmt.Errorf("%s: %w", dir, err))
			continue
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: load %d, %s, %d establishments, %d MB: whole\n", filepath.Base(dir), m.Load, m.Month, m.Docs, m.Bytes()>>20)
	}
	return errors.Join(bad...)
}
