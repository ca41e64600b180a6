package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"razao/ingest"
	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/sample"
	"razao/internal/store/database"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/migrations"
)

// developer is the account that gets a key on the first `razao up`.
const developer = "dev@razao.example"

// upCommand is `razao up`. It migrates and loads as one role and serves as the other, like a
// production setup, so it opens the database twice.
func (a *app) upCommand() *cobra.Command {
	var roots int
	var another bool
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Everything for a first look: database, invented companies, website, a key",
		Args:  arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if roots < 1 {
				return usagef("--roots must be at least 1")
			}
			if another && cmd.Flags().Changed("roots") {
				return usagef("--roots is that of the first month")
			}
			if err := a.needBaseURL(); err != nil {
				return err
			}
			if another {
				return a.anotherMonth(cmd.Context(), cmd.OutOrStdout())
			}
			loads, err := a.open(cmd.Context(), migrations.Ingest, migrations.Up, nil)
			if err != nil {
				return err
			}
			defer loads.Close()
			return a.withDatabase(cmd.Context(), migrations.Serve, func(db *database.DB) error {
				return a.up(cmd.Context(), cmd.OutOrStdout(), loads, db, roots)
			})
		},
	}
	cmd.Flags().IntVar(&roots, "roots", 100_000, "companies to invent when no load is being served")
	cmd.Flags().BoolVar(&another, "another-month", false, "invent and load the month after the newest, also beside a running `razao up`, and end")
	return cmd
}

// up loads invented companies if nothing is loaded or a former attempt was interrupted, makes a
// key, and serves.
func (a *app) up(ctx context.Context, out io.Writer, loads, db *database.DB, roots int) error {
	_, err := registry.NewStore(db.Pool).CurrentID(ctx)
	if errors.Is(err, registry.ErrNoSnapshot) || err == nil && isThere(a.settings.sampleDir()) {
		err = a.loadSample(ctx, loads, roots)
	}
	if err != nil {
		return err
	}
	secret, err := a.secret()
	if err != nil {
		return err
	}
	key, err := developerKey(ctx, account.NewStore(db.Pool, seal.New(secret)))
	if err != nil {
		return err
	}
	return a.serve(ctx, db, func(live *snapshot.Live) { a.welcome(ctx, out, live, key) })
}

// welcome prints the address of the website and, on the first start, the key with an example call.
func (a *app) welcome(ctx context.Context, out io.Writer, live *snapshot.Live, key string) {
	fmt.Fprintf(out, "\nRazão is at %s\n", a.settings.BaseURL)
	if key == "" {
		fmt.Fprint(out, "The development key was printed on the first start; `razao keys create` makes another.\n\n")
		return
	}
	fmt.Fprintf(out, "Development API key, shown only now: %s\n\n", key)
	if number, ok := anyCompany(ctx, live); ok {
		fmt.Fprintf(out, "  curl -H 'Authorization: Bearer %s' %s/v1/cnpj/%s\n\n", key, a.settings.BaseURL, number)
	}
}

// anyCompany returns the CNPJ of some establishment in service.
func anyCompany(ctx context.Context, live *snapshot.Live) (string, bool) {
	s, err := live.Acquire()
	if err != nil {
		return "", false
	}
	defer s.Release()
	found, err := s.Suggest(ctx, "padaria", 1)
	if err != nil || len(found) == 0 {
		return "", false
	}
	return found[0].Establishment.CNPJ.String(), true
}

// loadSample invents two successive releases, so that there are changes to show, loads both and
// deletes their files. The folder of the files exists until everything is loaded, which tells the
// next start to continue; what the next month is made from is kept in another.
func (a *app) loadSample(ctx context.Context, db *database.DB, roots int) error {
	return a.ingesting(db, func(in *ingest.Ingester) error {
		dir := a.settings.sampleDir()
		former, latest := sample.Demonstration(time.Now(), roots)
		for _, o := range []sample.Options{former, latest} {
			served, err := in.Served(ctx, registry.Receita)
			if err != nil {
				return err
			}
			if served != nil && (!served.Invented || o.Month < served.Period) {
				continue // real data, or a newer sample, is in service
			}
			if _, err := a.loadMonth(ctx, in, o); err != nil {
				return err
			}
		}
		return os.RemoveAll(dir)
	})
}

// loadMonth invents a month, loads it, keeps what the next one is made from, and returns the folder of
// the release.
func (a *app) loadMonth(ctx context.Context, in *ingest.Ingester, o sample.Options) (dir string, err error) {
	o.Progress = func(done int64) { in.Progress("sample", done, int64(o.Roots)) }
	month := filepath.Join(a.settings.sampleDir(), o.Month)
	if err := os.RemoveAll(month); err != nil { // left by a start that was killed
		return "", fmt.Errorf("folder for the sample: %w", err)
	}
	written, err := sample.Write(ctx, month, o)
	if err != nil {
		return "", err
	}
	if err := loadAll(ctx, io.Discard, in, month); err != nil {
		return "", err
	}
	return written.Dir, sample.Keep(written.Dir, a.settings.seriesDir())
}

// anotherMonth loads the month that follows the newest of the demonstration, and says what it has
// changed of the company that changes every month. A server that runs serves it within seconds.
func (a *app) anotherMonth(ctx context.Context, out io.Writer) error {
	o, err := sample.Next(a.settings.seriesDir(), "")
	if err != nil {
		return fmt.Errorf("no demonstration in %s; `razao up` makes one in a new folder: %w", a.settings.Data, err)
	}
	return a.withIngester(ctx, func(in *ingest.Ingester) error {
		served, err := in.Served(ctx, registry.Receita)
		if err != nil {
			return err
		}
		// A run that was killed may have published the companies of the month, but not yet all sources.
		if served == nil || !served.Invented || served.Period != o.Since && served.Period != o.Month {
			return fmt.Errorf("the newest month of the demonstration, %s, is not in service: see `razao loads`", o.Since)
		}
		dir, err := a.loadMonth(ctx, in, o)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s is in service. %s/%s changes every month, this time:\n", o.Month, a.settings.BaseURL, sample.Company())
		events, err := sample.Events(dir, sample.Company().Root())
		for _, e := range events {
			fmt.Fprintf(out, "  %s\n", e)
		}
		return errors.Join(err, os.RemoveAll(a.settings.sampleDir()))
	})
}

// developerKey creates the key, or returns "" if the account has one already.
func developerKey(ctx context.Context, store *account.Store) (string, error) {
	keys, err := store.Keys(ctx, developer)
	if err != nil || len(keys) > 0 {
		return "", err
	}
	key, _, err := store.CreateKey(ctx, developer, "razao up")
	return key, err
}
