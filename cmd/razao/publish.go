package main

import (
	"time"

	"github.com/spf13/cobra"

	"razao/internal/store/database"
	"razao/internal/store/indexstore"
	"razao/internal/store/registry"
	"razao/internal/web/fetch"
	"razao/migrations"
)

// publisher returns what sends indexes to the index store, or nil if there is no writable one.
func (a *app) publisher() *indexstore.Publisher {
	to, ok := a.store.(indexstore.Writable)
	if !ok {
		return nil
	}
	return &indexstore.Publisher{Store: to, Dir: a.settings.indexDir(), Log: a.log, Grace: indexstore.DefaultGrace}
}

// fetcher returns what fetches indexes from the index store, or nil if there is none.
func (a *app) fetcher(db *database.DB) *indexstore.Node {
	if a.store == nil {
		return nil
	}
	return indexstore.NewNode(a.store, a.settings.indexDir(), registry.NewStore(db.Control).Snapshots,
		func() (int64, error) { return fetch.FreeBytes(a.settings.Data) }, a.log)
}

// publishCommand ends with busyCode while a load runs, because that sends its own index.
func (a *app) publishCommand() *cobra.Command {
	p := &indexstore.Publisher{}
	cmd := &cobra.Command{
		Use: "publish", Short: "Bring the search indexes into the store from which other servers fetch them", Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			to := a.publisher()
			if to == nil {
				return usagef("RAZAO_INDEX_STORE: publish needs a folder or s3://bucket/prefix")
			}
			to.Verify, to.Grace = p.Verify, p.Grace
			return a.withDatabase(cmd.Context(), migrations.Ingest, func(db *database.DB) error {
				return elseBusy(to.All(cmd.Context(), registry.NewStore(db.Pool), cmd.OutOrStdout()), time.Now())
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&p.Verify, "verify", false, "read again what the store has already, and send again what is damaged there")
	f.DurationVar(&p.Grace, "grace", indexstore.DefaultGrace, "how long what no load needs any more stays in the store")
	return cmd
}
