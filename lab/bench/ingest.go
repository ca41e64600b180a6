package main

import (
	"context"
	"errors"
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
	if b.Loaded {
		if b.wants("ingest") || b.wants("sources") {
			return errors.New("-data holds a load already: leave ingest and sources out of -only, or choose another folder")
		}
		return nil
	}
	say("inventing %d companies", b.roots)
	if err := load.Invent(ctx, b.Release, b.roots, sources, b.debts); err != nil {
		return err
	}
	out := series{}
	loads := 1
	if b.wants("ingest") && len(b.Programs) > 1 {
		loads = b.loads
	}
	for turn := range loads {
		if err := b.loadOne(ctx, out, turn, "receita"); err != nil {
			return err
		}
	}
	if sources {
		entries, err := os.ReadDir(b.Release)
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
	if err := b.SetLoaded(); err != nil {
		return err
	}
	return out.print(ctx, title("loads", "seconds of a whole command, from the files to the published snapshot"), "before", "after")
}

// loadOne lets every build load the companies or a source.
func (b *bench) loadOne(ctx context.Context, out series, turn int, id string) error {
	for i := range b.Programs {
		if turn%2 == 1 {
			i = len(b.Programs) - 1 - i
		}
		say("%s: loading %s", labels[i], id)
		used, err := b.Programs[i].Run(ctx, "ingest", id, "--force", "--from", filepath.Join(b.Release, id))
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
