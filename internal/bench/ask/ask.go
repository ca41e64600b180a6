// Package ask measures what answers cost: of the program over HTTP, as it is served, and of its index without anything around it.
//
// Over HTTP a build of the program runs in a process of its own, on the data of a folder; keep-alive connections on loopback ask
// for numbers, pages and records that the load holds, as fast as they are answered, and the CPU time of the server and of
// PostgreSQL is read before and after. Two builds take turns at each kind of request, so that whatever else the machine does
// meets both. Inside the index one goroutine asks, and its thread's CPU time is read as well: unlike the clock it stands still
// while another program has the processor.
package ask

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"razao/internal/bench/load"
	"razao/internal/bench/machine"
	"razao/internal/bench/questions"
	"razao/internal/bench/report"
)

// Bench is what questions are asked of, and how.
type Bench struct {
	Folder   *load.Folder
	DB       *load.Database
	Programs []string // builds of the program: the one that is measured, and perhaps one to compare it with
	Log      *questions.Log
	Conns    []int          // connections at once, one measurement for each number
	Duration time.Duration  // of a measurement over HTTP
	Queries  int            // of each kind inside the index
	Profiles string         // folder for CPU profiles of the first build; "": none are taken
	Kinds    *regexp.Regexp // names of the kinds of request that are measured

	servers []*server
	keyed   *accounts // made when they are first needed
}

// Serve starts the builds. Close stops them.
func (b *Bench) Serve(ctx context.Context) error {
	for _, program := range b.Programs {
		s, err := startServer(ctx, program, b.Folder, b.DB)
		if err != nil {
			return errors.Join(err, b.Close())
		}
		b.servers = append(b.servers, s)
	}
	return nil
}

// Close stops what Serve started.
func (b *Bench) Close() (err error) {
	for _, s := range b.servers {
		err = errors.Join(err, s.close())
	}
	b.servers = nil
	return err
}

// request is a kind of request: the next path and body, appended to buffers.
type request struct {
	name   string
	path   func(dst []byte, r *rand.Rand) []byte
	body   func(dst []byte, r *rand.Rand) []byte // of a call of a tool; nil: nothing is sent
	header string                                // lines
	by     *accounts                             // that ask in turn; nil: nobody says who asks
	single bool                                  // it is a look-up of one record, for which there is a goal
}

// accounts are the secrets of many accounts, which ask in turn from one measurement to the next: none comes to its limit.
type accounts struct {
	secrets []string
	asked   atomic.Int64
}

func (a *accounts) next() string { return a.secrets[(a.asked.Add(1)-1)%int64(len(a.secrets))] }

// Run is the measurement of one kind of request.
type Run struct {
	name                     string
	single                   bool
	conns                    int
	wall                     time.Duration
	took                     report.Latencies
	server, postgres, client time.Duration // of CPU
	before                   *Run          // of the build to compare with; nil: there is none
}

// measure asks every build, in turns when there are several.
func (b *Bench) measure(ctx context.Context, kind *request, conns int) (*Run, error) {
	report.Say("%s, %d connections", kind.name, conns)
	servers := b.servers
	var runs []*Run
	for i, s := range servers {
		_, err := kind.load(ctx, s, conns, min(b.Duration/5, time.Second)) // to warm up
		if i > 0 && errors.Is(err, errAbsent) {
			report.Say("the build before has no %s: it is measured alone", kind.name)
			servers = servers[:i]
			break
		}
		if err != nil {
			return nil, err
		}
		runs = append(runs, &Run{name: kind.name, single: kind.single, conns: conns})
	}
	turns := 1 + 3*(len(servers)-1)
	for turn := range turns {
		for i, s := range servers {
			if turn%2 == 1 {
				i, s = len(servers)-1-i, servers[len(servers)-1-i] // the first of a turn is the last of the next one
			}
			if err := b.turn(ctx, runs[i], s, kind, b.Duration/time.Duration(turns)); err != nil {
				return nil, err
			}
		}
	}
	if b.Profiles != "" {
		if err := b.profile(ctx, kind, conns); err != nil {
			return nil, err
		}
	}
	for _, run := range runs {
		run.took = report.NewLatencies(run.took)
	}
	if len(runs) > 1 {
		runs[0].before = runs[1]
	}
	return runs[0], nil
}

// profile asks the first build once more, unmeasured, because a profile costs it time, and keeps the profile.
func (b *Bench) profile(ctx context.Context, kind *request, conns int) error {
	name := strings.Trim(notInNames.ReplaceAllString(kind.name, "-"), "-")
	file := filepath.Join(b.Profiles, fmt.Sprintf("%s-%d.pb.gz", name, conns))
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return b.servers[0].profile(ctx, b.Duration, file) })
	g.Go(func() error { _, err := kind.load(ctx, b.servers[0], conns, b.Duration); return err })
	return g.Wait()
}

// notInNames is what names of kinds have and names of files should not.
var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// turn adds to a run what one server does in a time.
func (b *Bench) turn(ctx context.Context, run *Run, s *server, kind *request, duration time.Duration) error {
	before, err := b.used(s)
	if err != nil {
		return err
	}
	took, err := kind.load(ctx, s, run.conns, duration)
	if err != nil {
		return err
	}
	after, err := b.used(s)
	if err != nil {
		return err
	}
	run.took = append(run.took, took...)
	run.wall += after.at.Sub(before.at)
	run.server += after.server - before.server
	run.postgres += after.postgres - before.postgres
	run.client += after.client - before.client
	return nil
}

// usage is CPU time up to a moment.
type usage struct {
	at                       time.Time
	server, postgres, client time.Duration
}

func (b *Bench) used(s *server) (u usage, err error) {
	var failed error
	u.at, u.client = time.Now(), machine.OwnCPU()
	u.server, err = machine.CPU(s.cmd.Process.Pid)
	u.postgres, failed = b.DB.Postgres().CPU()
	return u, errors.Join(err, failed)
}

// load asks on conns connections for a time and returns how long each request took.
func (k *request) load(ctx context.Context, s *server, conns int, duration time.Duration) ([]time.Duration, error) {
	g, ctx := errgroup.WithContext(ctx)
	took := make([][]time.Duration, conns)
	end := time.Now().Add(duration)
	for i := range conns {
		g.Go(func() error {
			c, err := dial(ctx, s.address)
			if err != nil {
				return err
			}
			r := rand.New(rand.NewPCG(uint64(i), uint64(duration)))
			var path, header, body []byte
			took[i], err = c.ask(ctx, end, func() (_, _, _ []byte) {
				path, header = k.path(path[:0], r), append(header[:0], k.header...)
				if k.body != nil {
					body = k.body(body[:0], r)
				}
				if k.by != nil {
					header = append(append(append(header, "Authorization: Bearer "...), k.by.next()...), "\r\n"...)
				}
				return path, header, body
			})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(took...), nil
}

func fixed(path string) func([]byte, *rand.Rand) []byte {
	return func(dst []byte, _ *rand.Rand) []byte { return append(dst, path...) }
}

// Requests are the runs of several kinds of request.
type Requests struct {
	title, note string
	runs        []*Run
}

// all measures every kind at every number of connections.
func (b *Bench) all(ctx context.Context, out *Requests, kinds []request, conns []int) (*Requests, error) {
	for i := range kinds {
		if !b.Kinds.MatchString(kinds[i].name) {
			continue
		}
		for _, n := range conns {
			run, err := b.measure(ctx, &kinds[i], n)
			if err != nil {
				return nil, fmt.Errorf("%s, %d connections: %w", kinds[i].name, n, err)
			}
			out.runs = append(out.runs, run)
		}
	}
	return out, nil
}

const loadNote = "Keep-alive connections on loopback; the request log goes to /dev/null. CPU is µs for each request; the client is " +
	"the load generator, on the same processors."

// Goals adds what the design promises of look-ups.
func (q *Requests) Goals(t *report.Table) {
	most := 0
	for _, run := range q.runs {
		most = max(most, run.conns)
	}
	for _, run := range q.runs {
		if run.single && run.conns == most {
			t.Row(fmt.Sprintf("%s, %d connections, CPU of server and PostgreSQL", run.name, run.conns), "120 µs", report.Micros(run.cpu()))
		}
	}
}

// Section reports the runs, each beside that of the other build if there is one.
func (q *Requests) Section(p *report.Page) {
	p.Section(q.title)
	p.Line("%s", q.note+" "+loadNote)
	t := report.Table{Head: []string{
		"Request", "Connections", "Requests/s", "p50", "p95", "p99", "max", "CPU server", "CPU PostgreSQL", "CPU client",
	}}
	for _, run := range q.runs {
		t.Row(run.cells(run.name)...)
		if run.before != nil {
			t.Row(run.before.cells("before")...)
		}
	}
	p.Table(&t)
	pairs(p, q.runs)
}

func (run *Run) cells(name string) []string {
	return []string{
		name, report.Count(run.conns), report.Count(int64(float64(len(run.took)) / run.wall.Seconds())),
		report.Millis(run.took.Percentile(50)), report.Millis(run.took.Percentile(95)), report.Millis(run.took.Percentile(99)),
		report.Millis(run.took.Max()), report.Micros(run.each(run.server)), report.Micros(run.each(run.postgres)),
		report.Micros(run.each(run.client)),
	}
}

// each is the share of one request.
func (run *Run) each(d time.Duration) time.Duration { return d / time.Duration(max(len(run.took), 1)) }

// cpu is what one request costs.
func (run *Run) cpu() time.Duration { return run.each(run.server + run.postgres) }

// pairs says how many times as much as the other build this one takes; nothing when there is no other.
func pairs(p *report.Page, runs []*Run) {
	runs = slices.DeleteFunc(slices.Clone(runs), func(run *Run) bool { return run.before == nil })
	if len(runs) == 0 {
		return
	}
	t := report.Table{Head: []string{"Times the build before", "Connections", "p50", "p99", "CPU of server and PostgreSQL"}}
	for _, run := range runs {
		b := run.before
		t.Row(run.name, report.Count(run.conns), report.Times(run.took.Percentile(50), b.took.Percentile(50)),
			report.Times(run.took.Percentile(99), b.took.Percentile(99)), report.Times(run.cpu(), b.cpu()))
	}
	p.Table(&t)
}
