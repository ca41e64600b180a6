package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"razao/cmd/razao/console"
	"razao/internal/store/database"
	"razao/internal/store/registry"
	"razao/migrations"
)

func (a *app) diffLoadsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "diff A B", Short: "Compare two loads of one source: rows, what rules took, files, bytes, seconds", Args: arguments(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var ids [2]int64
			for i, arg := range args {
				var err error
				if ids[i], err = loadID(arg); err != nil {
					return err
				}
			}
			return a.withDatabase(cmd.Context(), migrations.Ingest, func(db *database.DB) error {
				was, now, err := twoLoads(cmd.Context(), registry.NewStore(db.Pool), ids)
				if err != nil {
					return err
				}
				return console.WriteDiff(cmd.OutOrStdout(), was, now)
			})
		},
	}
}

// twoLoads returns two loads, which must be of the same source.
func twoLoads(ctx context.Context, s *registry.Store, ids [2]int64) (was, now *registry.Load, err error) {
	var loads [2]registry.Load
	for i, id := range ids {
		if loads[i], err = s.Load(ctx, id); err != nil {
			return nil, nil, err
		}
	}
	was, now = &loads[0], &loads[1]
	if was.Source != now.Source {
		return nil, nil, fmt.Errorf("load %d is of %s, load %d of %s: only loads of one source can be compared; `razao loads` lists them",
			was.ID, was.Source, now.ID, now.Source)
	}
	return was, now, nil
}
