package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"razao/index"
	"razao/ingest"
	"razao/internal/cnpj"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/internal/source"
)

// drawnOwners is how many establishments with records are drawn for each source.
const drawnOwners = 50_000

// sourcesReport is what loading and asking the public-record sources took.
type sourcesReport struct {
	options *options
	machine string
	loads   []sourceRun
	rebuild stage // of the index, with the flags of the sources
	asked   []lookupRun
}

// sourceRun is the load of one loader.
type sourceRun struct {
	id    string
	loads []registry.Load
	use   stage
}

// sources loads a release and all sources and asks the API for their records.
func (o *options) sources(ctx context.Context) error {
	r := &sourcesReport{options: o}
	return o.reported(r, func(f *folder) error { return o.intoSources(ctx, f, r) })
}

func (o *options) intoSources(ctx context.Context, f *folder, r *sourcesReport) error {
	db, err := o.openWithSources(ctx, f, r)
	if err != nil {
		return err
	}
	defer db.close()
	live, _, err := openSnapshot(ctx, f, db)
	if err != nil {
		return err
	}
	owners, err := drawOwners(ctx, live)
	live.Close()
	if err != nil {
		return err
	}
	r.asked, err = o.askRecords(ctx, f, db, owners)
	return err
}

// openWithSources opens the database of the folder, into which it loads a release and all sources if it is new.
func (o *options) openWithSources(ctx context.Context, f *folder, r *sourcesReport) (_ *database, err error) {
	loaded := f.hasDatabase()
	if !loaded {
		if _, err := o.sample(ctx, f); err != nil {
			return nil, err
		}
	}
	db, err := openDatabase(ctx, f)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			db.close()
		}
	}()
	if r.machine, err = describeMachine(ctx, db); err != nil || loaded {
		return db, err
	}
	if _, err := o.ingest(ctx, f, db); err != nil {
		return nil, err
	}
	return db, o.loadSources(ctx, f, db, r)
}

// loadSources loads every source in this process and builds the index again.
func (o *options) loadSources(ctx context.Context, f *folder, db *database, r *sourcesReport) error {
	in := &ingest.Ingester{
		Store: registry.NewStore(db.pool), IndexDir: f.indexDir(), WorkDir: f.path("work"), Workers: o.workers, Log: warnings(),
	}
	for _, id := range ingest.SourceIDs() {
		say("loading %s", id)
		run := sourceRun{id: id}
		var err error
		run.use, err = o.metered(db, func() error {
			run.loads, err = in.Source(ctx, id, f.path(id), ingest.SourceOptions{})
			return err
		})
		if err != nil {
			return fmt.Errorf("load %s: %w", id, err)
		}
		r.loads = append(r.loads, run)
	}
	say("building the index again")
	var err error
	r.rebuild, err = o.metered(db, func() error {
		_, err := in.RebuildIndex(ctx)
		return err
	})
	return err
}

// metered measures what do uses, as one stage.
func (o *options) metered(db *database, do func() error) (stage, error) {
	m := startMeter(family{db.server.PID()}, func(string) {})
	err := do()
	return m.finish()[0], err
}

// owners are establishments with records, by source.
type owners map[string][]cnpj.Full

func drawOwners(ctx context.Context, live *snapshot.Live) (owners, error) {
	s, err := live.Acquire()
	if err != nil {
		return nil, err
	}
	defer s.Release()
	all := owners{}
	for _, id := range source.IDs() {
		q := index.Query{Filters: index.Filters{Source: id}}
		err := s.Index.Each(ctx, q, drawnOwners, func(number cnpj.Full) error {
			all[id] = append(all[id], number)
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(all[id]) == 0 {
			return nil, fmt.Errorf("nobody has records of %s: the folder was loaded without sources", id)
		}
	}
	return all, nil
}

// askRecords measures first pages of every source and full answers.
func (o *options) askRecords(ctx context.Context, f *folder, db *database, all owners) (_ []lookupRun, err error) {
	s, err := o.startServer(ctx, f, db)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	var everybody []cnpj.Full
	var kinds []asked
	for _, id := range source.IDs() {
		numbers := all[id]
		everybody = append(everybody, numbers...)
		kinds = append(kinds, asked{id + ", first page", s.Program, func(dst []byte, r *rand.Rand) []byte {
			dst = numbers[r.IntN(len(numbers))].Append(append(dst, "/v2/estabelecimentos/"...))
			return append(append(dst, "/fontes/"...), id...)
		}, nil, o.conns, nil, false})
	}
	kinds = append(kinds,
		asked{"full, establishment with records", s.Program, func(dst []byte, r *rand.Rand) []byte {
			dst = everybody[r.IntN(len(everybody))].Append(append(dst, "/v2/estabelecimentos/"...))
			return append(dst, "/full"...)
		}, nil, o.conns, nil, false},
		asked{"full, company with records", s.Program, func(dst []byte, r *rand.Rand) []byte {
			dst = everybody[r.IntN(len(everybody))].Root().Append(append(dst, "/v2/empresas/"...))
			return append(dst, "/full"...)
		}, nil, o.conns, nil, false})
	var runs []lookupRun
	for i := range kinds {
		for _, conns := range o.conns {
			run, err := o.lookupRun(ctx, s, db, &kinds[i], conns)
			if err != nil {
				return nil, fmt.Errorf("%s, %d connections: %w", kinds[i].name, conns, err)
			}
			runs = append(runs, run)
		}
	}
	return runs, nil
}

func (r *sourcesReport) markdown() string {
	p := &page{}
	p.line("%s. `bench -only sources -roots %d -debts %d -workers %d -duration %s`", r.machine,
		r.options.roots, r.options.debts, r.options.workers, r.options.duration)
	if len(r.loads) > 0 {
		p.section("Loading the sources")
		t := table{head: []string{
			"Source", "Rows", "Records", "CNPJs", "Wall", "Rows/s", "CPU client", "CPU PostgreSQL", "Memory client", "Both at once", "Disk",
		}}
		for i := range r.loads {
			r.loads[i].row(&t)
		}
		p.table(&t)
		p.line("Index built again from the record store, with the flags of the sources: %s wall, %s CPU.",
			seconds(r.rebuild.wall), seconds(r.rebuild.client+r.rebuild.server))
	}
	p.section("Records over HTTP")
	p.line("Establishments and companies with records, drawn evenly from those of each source; keep-alive connections on loopback, " +
		"everybody admitted. CPU is µs for each request; the client is the load generator, on the same processors.")
	t := requestTable()
	for i := range r.asked {
		r.asked[i].row(&t)
	}
	p.table(&t)
	return p.text.String()
}

func (s *sourceRun) row(t *table) {
	var records, owners, disk int64
	for _, l := range s.loads {
		records, owners, disk = records+l.Counts.Records, owners+l.Counts.Owners, disk+l.StoreBytes
	}
	read := s.loads[0].RowsRead
	t.row(s.id, count(read), count(records), count(owners), seconds(s.use.wall), count(perSecond(read, s.use.wall)),
		seconds(s.use.client), seconds(s.use.server), known(s.use.clientPeak), known(s.use.bothPeak), megabytes(disk))
}

func perSecond(n int64, d time.Duration) int64 { return int64(float64(n) / max(d.Seconds(), 1e-3)) }
