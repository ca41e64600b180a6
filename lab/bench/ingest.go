package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"razao/lab/internal/load"
)

// load invents the release and lets every build load it, unless a former run has left both. The
// companies are loaded several times if the part ingest is wanted: each load is compared with the one
// before, as every month is.
func (b *bench) load(ctx context.Context) error {
	sources := slices.ContainsFunc(b.only, func(part string) bool { return part != "ingest" })
	done := filepath.Join(b.release, "loaded")
	if _, err := os.Stat(done); err == nil {
		if b.wants("ingest") || b.wants("sources") {
			return errors.New("-data holds a load already: leave ingest and sources out of -only, or choose another folder")
		}
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	say("inventing %d companies", b.roots)
	if err := load.Invent(ctx, b.release, b.roots, sources, b.debts); err != nil {
		return err
	}
	out := series{}
	loads := 1
	if b.wants("ingest") && (b.loads > 0 || len(b.programs) > 1) {
		loads = max(b.loads, 3)
		if b.loads > 0 {
			loads = b.loads
		}
	}
	for turn := range loads {
		if err := b.loadOne(ctx, out, turn, "receita"); err != nil {
			return err
		}
	}
	if sources {
		entries, err := os.ReadDir(b.release)
		if err != nil {
			return err
		}
		for turn, e := range entries {
			if e.Name() != "receita" {
				if err := b.loadOne(ctx, out, turn, e.Name()); err != nil {
					return err
				}
			}
		}
	}
	if err := os.WriteFile(done, nil, 0o600); err != nil {
		return err
	}
	return out.print(ctx, title("loads", "seconds of a whole command, from the files to the published snapshot"), "before", "after")
}

// loadOne lets every build load the companies or a source.
func (b *bench) loadOne(ctx context.Context, out series, turn int, id string) error {
	for i := range b.programs {
		if turn%2 == 1 {
			i = len(b.programs) - 1 - i
		}
		say("%s: loading %s", labels[i], id)
		used, err := b.programs[i].Run(ctx, "ingest", id, "--force", "--from", filepath.Join(b.release, id))
		if err != nil {
			return err
		}
		out[labels[i]] = append(out[labels[i]], result{"ingest/" + id, []value{
			{"wall-sec", used.Wall.Seconds()},
			{"cpu-sec", (used.Server + used.Postgres).Seconds()},
			{"program-sec", used.Server.Seconds()},
			{"postgres-sec", used.Postgres.Seconds()},
			{"memory-B", float64(used.Memory)},
			{"disk-B", float64(used.Disk)},
		}})
	}
	return nil
}
