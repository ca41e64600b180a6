// Package ask measures what answers cost: of a built program over HTTP, and of its index alone.
//
// Over HTTP each build runs as its own process on the data of a folder. Keep-alive connections on
// loopback send requests for numbers, pages and records that the load contains, and the CPU time of
// the server and of PostgreSQL is read before and after. There are two kinds of measurement:
//
//   - Lookups, Records, Tools, Searches and Pages are closed loops: each connection sends the next
//     request when it has the answer. They give throughput and the CPU time of a request.
//   - Beside and Saturation are open loops: requests become due at a steady rate, whatever the
//     answers take, and latency includes the wait for a free connection. A stalled server cannot
//     hide behind requests that were never sent (coordinated omission).
//
// In closed loops two builds take turns, first and second in alternating order, so that whatever
// else the machine does affects both alike.
//
// Inside the index one goroutine asks, locked to its thread. Besides wall time its thread's CPU
// time is read, which stands still while other programs have the processor.
package ask

import (
	"cmp"
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

// Bench holds what is measured and how. The exported fields are set by the caller; Serve must be
// called before any measurement but Index, and Close at the end. A Bench is not safe for concurrent
// use.
type Bench struct {
	Folder   *load.Folder   // the data that servers and the index read
	DB       *load.Database // the private PostgreSQL of Folder
	Programs []string       // paths of builds: the one to measure and, optionally, one to compare it with
	Log      *questions.Log // supplies the questions
	Conns    []int          // numbers of connections; each kind of request is measured with each of them
	Duration time.Duration  // of one measurement over HTTP, all turns of one build together
	Queries  int            // queries of each kind inside the index
	Profiles string         // folder for CPU profiles of the first build, one per kind; "": none
	Kinds    *regexp.Regexp // names of the kinds of request to measure

	servers []*server
	keyed   *accounts // nil until a measurement needs keys
}

// Serve starts a server for each build and waits until all are healthy. On an error it stops those
// that were started.
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

// Close stops the servers and waits for them to exit. It may be called again.
func (b *Bench) Close() (err error) {
	for _, s := range b.servers {
		err = errors.Join(err, s.close())
	}
	b.servers = nil
	return err
}

// request is a kind of request. path and body append the next ones to dst, so that drawing
// allocates nothing that would count as the client's cost.
type request struct {
	name   string
	path   func(dst []byte, r *rand.Rand) []byte
	body   func(dst []byte, r *rand.Rand) []byte // JSON of a tool call; nil: a GET
	header string                                // further header lines, each with its CRLF
	by     *accounts                             // whose keys are sent in turn; nil: without Authorization
	single bool                                  // a look-up of one record: it has a goal for its CPU
}

// accounts hands out the secrets of many accounts round-robin, across measurements, so that none
// reaches its sixty calls a minute.
type accounts struct {
	secrets []string
	asked   atomic.Int64
}

func (a *accounts) next() string { return a.secrets[(a.asked.Add(1)-1)%int64(len(a.secrets))] }

// Run is the measurement of one kind of request at one number of connections.
type Run struct {
	name                     string
	single                   bool
	conns                    int
	wall                     time.Duration
	took                     report.Latencies
	server, postgres, client time.Duration // of CPU
	budget                   budget        // of server; nil: no profile was taken
	before                   *Run          // of the build to compare with; nil: there is none
}

// contender is a server and what it is asked.
type contender struct {
	*server
	kind *request
}

// measure asks every build for a kind of request and returns the run of the first build, which refers
// to that of the other one. A second build that answers 404 does not have this kind of request yet and
// is left out.
func (b *Bench) measure(ctx context.Context, kind *request, conns int) (*Run, error) {
	var contenders []contender
	for _, s := range b.servers {
		contenders = append(contenders, contender{s, kind})
	}
	run, err := b.compete(ctx, conns, contenders)
	if err == nil && b.Profiles != "" {
		run.budget, err = b.profile(ctx, kind, conns)
	}
	return run, err
}

// compete warms contenders up and then measures them, in four alternating turns if there are two. It
// returns the run of the first one, which refers to that of the second. The second is left out if it
// answers 404.
func (b *Bench) compete(ctx context.Context, conns int, contenders []contender) (*Run, error) {
	report.Say("%s, %d connections", contenders[0].kind.name, conns)
	var runs []*Run
	for i, c := range contenders {
		_, err := c.kind.load(ctx, c.server, conns, min(b.Duration/5, time.Second)) // to warm up
		if i > 0 && errors.Is(err, errAbsent) {
			report.Say("404 from what %s is compared with: it is measured alone", contenders[0].kind.name)
			contenders = contenders[:i]
			break
		}
		if err != nil {
			return nil, err
		}
		runs = append(runs, &Run{name: c.kind.name, single: c.kind.single, conns: conns})
	}
	turns := 1 + 3*(len(contenders)-1)
	for turn := range turns {
		for i := range contenders {
			if turn%2 == 1 {
				i = len(contenders) - 1 - i // AB BA AB BA: neither profits from its place
			}
			if err := b.turn(ctx, runs[i], contenders[i], b.Duration/time.Duration(turns)); err != nil {
				return nil, err
			}
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

// profile repeats a kind of request against the first build, keeps a CPU profile of it and says what
// the time is spent on. The run is not measured, because profiling costs time.
func (b *Bench) profile(ctx context.Context, kind *request, conns int) (budget, error) {
	name := strings.Trim(notInNames.ReplaceAllString(kind.name, "-"), "-")
	file := filepath.Join(b.Profiles, fmt.Sprintf("%s-%d.pb.gz", name, conns))
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return b.servers[0].profile(ctx, b.Duration, file) })
	g.Go(func() error { _, err := kind.load(ctx, b.servers[0], conns, b.Duration); return err })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return readBudget(file)
}

// notInNames matches what is replaced in the name of a kind to make a file name.
var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// turn loads one server for a while and adds the result to run.
func (b *Bench) turn(ctx context.Context, run *Run, c contender, duration time.Duration) error {
	before, err := b.used(c.server)
	if err != nil {
		return err
	}
	took, err := c.kind.load(ctx, c.server, run.conns, duration)
	if err != nil {
		return err
	}
	after, err := b.used(c.server)
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

// usage is a reading of CPU clocks.
type usage struct {
	at                       time.Time
	server, postgres, client time.Duration
}

func (b *Bench) used(s *server) (u usage, err error) {
	var failed error
	u.at, u.client = time.Now(), machine.OwnCPU()
	for _, pid := range s.processes() {
		used, failed := machine.CPU(pid)
		u.server, err = u.server+used, errors.Join(err, failed)
	}
	u.postgres, failed = b.DB.Postgres().CPU()
	return u, errors.Join(err, failed)
}

// load sends requests on conns connections until duration is over and returns how long each took.
// The random generators are seeded by connection and duration, so builds get the same requests.
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

// fixed is a request's path that does not vary.
func fixed(path string) func([]byte, *rand.Rand) []byte {
	return func(dst []byte, _ *rand.Rand) []byte { return append(dst, path...) }
}

// Requests is the measurement of several kinds of request: a result of cmd/bench.
type Requests struct {
	title, note string
	against     string // what runs are compared with; "": the build before
	runs        []*Run
}

// all measures every kind at every number of connections and adds the runs to out.
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

// Goals adds the CPU goal of look-ups, at the largest number of connections.
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

// Section writes one row for each run, followed by that of the other build if there is one, and the
// table of ratios.
func (q *Requests) Section(p *report.Page) {
	p.Section(q.title)
	p.Line("%s", q.note+" "+loadNote)
	t := report.Table{Head: []string{
		"Request", "Connections", "Requests/s", "p50", "p95", "p99", "max", "CPU server", "CPU PostgreSQL", "CPU client",
	}}
	for _, run := range q.runs {
		t.Row(run.cells(run.name)...)
		if run.before != nil {
			t.Row(run.before.cells(cmp.Or(q.against, "before"))...)
		}
	}
	p.Table(&t)
	pairs(p, cmp.Or(q.against, theBuildBefore), q.runs)
	budgets(p, q.runs)
}

const theBuildBefore = "the build before"

func (run *Run) cells(name string) []string {
	return []string{
		name, report.Count(run.conns), report.Count(int64(float64(len(run.took)) / run.wall.Seconds())),
		report.Millis(run.took.Percentile(50)), report.Millis(run.took.Percentile(95)), report.Millis(run.took.Percentile(99)),
		report.Millis(run.took.Max()), report.Micros(run.each(run.server)), report.Micros(run.each(run.postgres)),
		report.Micros(run.each(run.client)),
	}
}

// each divides a total by the number of requests.
func (run *Run) each(d time.Duration) time.Duration { return d / time.Duration(max(len(run.took), 1)) }

// cpu is the CPU time of server and PostgreSQL for one request.
func (run *Run) cpu() time.Duration { return run.each(run.server + run.postgres) }

// pairs writes the table of ratios to what runs are compared with; nothing if there is no other.
func pairs(p *report.Page, against string, runs []*Run) {
	runs = slices.DeleteFunc(slices.Clone(runs), func(run *Run) bool { return run.before == nil })
	if len(runs) == 0 {
		return
	}
	t := report.Table{Head: []string{"Times " + against, "Connections", "p50", "p99", "CPU of server and PostgreSQL"}}
	for _, run := range runs {
		b := run.before
		t.Row(run.name, report.Count(run.conns), report.Times(run.took.Percentile(50), b.took.Percentile(50)),
			report.Times(run.took.Percentile(99), b.took.Percentile(99)), report.Times(run.cpu(), b.cpu()))
	}
	p.Table(&t)
}
