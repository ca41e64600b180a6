package ask

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"razao/internal/bench/machine"
	"razao/internal/bench/report"
)

const (
	capacityConns   = 8                      // of the closed loop that finds the capacity: nothing is refused, which would change the mixture
	saturationConns = 1_000                  // of the open loop; more than are ever busy, unless answers take a second
	probeEvery      = 200 * time.Millisecond // health probe, and sample of memory
	probeTime       = 2 * time.Second        // after which a probe counts as failed, as for a balancer
)

// offered are the rates of the open loop in percent of the capacity.
var offered = [...]int{50, 100, 200, 400}

// Saturation is the measurement of each build under more load than it can answer.
type Saturation struct {
	builds []saturated
}

// saturated is the measurement of one build.
type saturated struct {
	program  string
	capacity float64 // answers a second in a closed loop
	levels   []level
}

// level is the outcome of one offered rate.
type level struct {
	percent                  int
	wall                     time.Duration    // until the last answer
	offered                  int              // requests that were due
	answered                 report.Latencies // 200 and 302, from the moment each was due
	pages                    int              // of these, pages
	refused                  report.Latencies // 429 and 503, from the moment each was due
	unsaid                   int              // refusals that lack Retry-After
	broken                   int              // other statuses and broken connections
	erroneous                int              // answers in which a source has the status "erro"
	server, postgres, client time.Duration    // CPU time
	memory                   int64            // bytes: the largest resident set of the server
	probes                   report.Latencies // of /health/ready
	unready                  int              // probes without a 200
}

// Saturation finds the capacity of each build with a closed loop and then offers parts and
// multiples of it at a steady rate (open loop). Builds are measured one after the other, not in
// turns.
func (b *Bench) Saturation(ctx context.Context) (*Saturation, error) {
	keys, err := b.keys(ctx)
	if err != nil {
		return nil, err
	}
	out := &Saturation{}
	for i, s := range b.servers {
		build := saturated{program: b.Programs[i]}
		report.Say("capacity of %s", build.program)
		if _, err := b.closed(ctx, s, keys, b.Duration/5); err != nil { // to warm up
			return nil, err
		}
		answers, err := b.closed(ctx, s, keys, b.Duration)
		if err != nil {
			return nil, err
		}
		build.capacity = float64(answers) / b.Duration.Seconds()
		for _, percent := range offered {
			report.Say("%d %% of %.0f/s", percent, build.capacity)
			l, err := b.offer(ctx, s, keys, percent, build.capacity)
			if err != nil {
				return nil, err
			}
			build.levels = append(build.levels, l)
		}
		out.builds = append(out.builds, build)
	}
	return out, nil
}

// mixed appends the path of a random request: v1, full answers, company pages and searches in the
// proportion 4:3:2:1. API requests are keyed.
func (b *Bench) mixed(dst []byte, r *rand.Rand, search func(*rand.Rand) string) (path []byte, keyed bool) {
	switch n := r.IntN(10); {
	case n < 4:
		return b.number(append(dst, "/v1/cnpj/"...), r), true
	case n < 7:
		return append(b.number(append(dst, "/v2/estabelecimentos/"...), r), "/full"...), true
	case n < 9:
		return b.number(append(dst, '/'), r), false
	}
	return append(dst, search(r)...), false
}

// asker is a connection that sends mixed requests and reconnects when the server has closed it, as
// overloaded servers do.
type asker struct {
	*Bench
	s      *server
	keys   *accounts
	r      *rand.Rand
	search func(*rand.Rand) string
	c      *client
	path   []byte
	keyed  bool // the last request was a call
	header []byte
}

func (b *Bench) asker(s *server, keys *accounts, seed int) *asker {
	return &asker{Bench: b, s: s, keys: keys, r: rand.New(rand.NewPCG(uint64(seed), 5)), search: b.Log.Addresses()[0].Next}
}

func (a *asker) close() {
	if a.c != nil {
		_ = a.c.conn.Close()
		a.c = nil
	}
}

// ask sends one request. An error means that there was no answer.
func (a *asker) ask(ctx context.Context) (answer *http.Response, err error) {
	if a.c == nil {
		if a.c, err = dial(ctx, a.s.address); err != nil {
			return nil, err
		}
	}
	if a.path, a.keyed = a.mixed(a.path[:0], a.r, a.search); a.keyed {
		a.header = append(append(append(a.header[:0], "Authorization: Bearer "...), a.keys.next()...), "\r\n"...)
	} else {
		a.header = append(a.header[:0], "Accept: text/html\r\nAccept-Encoding: gzip\r\n"...)
	}
	if answer, err = a.c.try(a.path, a.header); err != nil || answer.Close {
		a.close()
	}
	return answer, err
}

// closed runs the closed loop for a while and returns how many requests were answered.
func (b *Bench) closed(ctx context.Context, s *server, keys *accounts, duration time.Duration) (answers int, err error) {
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	end := time.Now().Add(duration)
	for i := range capacityConns {
		g.Go(func() error {
			a := b.asker(s, keys, i)
			defer a.close()
			n := 0
			for time.Now().Before(end) {
				answer, err := a.ask(ctx)
				if err != nil {
					return err
				}
				if isAnswer(answer.StatusCode) {
					n++
				}
			}
			mu.Lock()
			defer mu.Unlock()
			answers += n
			return nil
		})
	}
	return answers, g.Wait()
}

func isAnswer(status int) bool { return status == http.StatusOK || status == http.StatusFound }

// offer runs the open loop at percent of capacity for b.Duration, however long answers take, while
// the server is probed beside it. All connections take from one channel of due moments.
func (b *Bench) offer(ctx context.Context, s *server, keys *accounts, percent int, capacity float64) (level, error) {
	l := level{percent: percent}
	if capacity <= 0 {
		return l, errors.New("the server answered nothing while its capacity was measured")
	}
	before, err := b.used(s)
	if err != nil {
		return l, err
	}
	due := make(chan time.Time, int(4*capacity*b.Duration.Seconds())+1) // holds every moment: the pacer never blocks
	parts := make([]level, saturationConns)
	g, asking := errgroup.WithContext(ctx)
	for i := range parts {
		g.Go(func() error {
			a := b.asker(s, keys, i)
			defer a.close()
			for at := range due {
				parts[i].count(a.ask(asking))(time.Since(at), a)
			}
			return asking.Err()
		})
	}
	probing, stop := context.WithCancel(ctx)
	var probes errgroup.Group
	probes.Go(func() error { return l.probe(probing, s) })
	if b.Profiles != "" {
		probes.Go(func() error {
			return s.profile(ctx, b.Duration, filepath.Join(b.Profiles, fmt.Sprintf("saturation-%d.pb.gz", percent)))
		})
	}
	began := time.Now()
	l.offered = pace(ctx, due, began, time.Duration(float64(time.Second)*100/capacity/float64(percent)), b.Duration)
	close(due)
	err = g.Wait()
	l.wall = time.Since(began)
	after, failed := b.used(s)
	l.server, l.postgres, l.client = after.server-before.server, after.postgres-before.postgres, after.client-before.client
	stop()
	err = errors.Join(err, failed, probes.Wait())
	for i := range parts {
		p := &parts[i]
		l.answered, l.refused = append(l.answered, p.answered...), append(l.refused, p.refused...)
		l.pages += p.pages
		l.unsaid, l.broken, l.erroneous = l.unsaid+p.unsaid, l.broken+p.broken, l.erroneous+p.erroneous
	}
	l.answered, l.refused, l.probes = report.NewLatencies(l.answered), report.NewLatencies(l.refused), report.NewLatencies(l.probes)
	return l, err
}

// pace sends the moments at which requests are due and returns how many there were. Moments are on
// a fixed grid: a late wake-up does not shift those that follow.
func pace(ctx context.Context, due chan<- time.Time, began time.Time, every, duration time.Duration) int {
	for n := 0; ; n++ {
		next := began.Add(time.Duration(n) * every)
		if next.Sub(began) >= duration || ctx.Err() != nil {
			return n
		}
		time.Sleep(time.Until(next))
		due <- next
	}
}

// count classifies an answer. It returns a function because the time of an answer is taken after it
// was read.
func (l *level) count(answer *http.Response, err error) func(took time.Duration, a *asker) {
	return func(took time.Duration, a *asker) {
		switch {
		case err != nil:
			l.broken++
		case isAnswer(answer.StatusCode):
			l.answered = append(l.answered, took)
			if !a.keyed {
				l.pages++
			}
			if bytes.Contains(a.body(), []byte(`"status":"erro"`)) {
				l.erroneous++
			}
		case answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusServiceUnavailable:
			l.refused = append(l.refused, took)
			if answer.Header.Get("Retry-After") == "" {
				l.unsaid++
			}
		default:
			l.broken++
		}
	}
}

// body is the body of the last answer, or nil if the connection was closed with it.
func (a *asker) body() []byte {
	if a.c == nil {
		return nil
	}
	return a.c.body.Bytes()
}

// probe asks for readiness on new connections, as balancers do, and samples the server's memory
// until ctx ends. A build without /health/ready is probed on /health.
func (l *level) probe(ctx context.Context, s *server) error {
	web := &http.Client{Timeout: probeTime, Transport: &http.Transport{DisableKeepAlives: true}}
	path := "/health/ready"
	tick := time.NewTicker(probeEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		l.memory = max(l.memory, machine.Resident(s.cmd.Process.Pid))
		began := time.Now()
		answer, err := web.Get("http://" + s.address + path)
		l.probes = append(l.probes, time.Since(began))
		if err == nil {
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
		}
		switch {
		case err == nil && answer.StatusCode == http.StatusNotFound && path != "/health":
			path = "/health"
		case err != nil || answer.StatusCode != http.StatusOK:
			l.unready++
		}
	}
}

// share formats CPU time as the average number of busy processors.
func (l *level) share(d time.Duration) string {
	return fmt.Sprintf("%.2f", d.Seconds()/l.wall.Seconds())
}

// rate is the number of answers a second.
func (l *level) rate() float64 { return float64(len(l.answered)) / l.wall.Seconds() }

// peak is the highest rate of answers at any level.
func (s *saturated) peak() float64 {
	most := 0.0
	for i := range s.levels {
		most = max(most, s.levels[i].rate())
	}
	return most
}

// The goals for four times the capacity.
const (
	leastThroughput = 0.9                   // of the peak, at four times the capacity
	longestRefusal  = 20 * time.Millisecond // 99th percentile, at four times the capacity
)

// Goals adds the goals for overload: throughput does not collapse, and refusals are fast.
func (x *Saturation) Goals(t *report.Table) {
	s := &x.builds[0]
	last := &s.levels[len(s.levels)-1]
	t.Row("throughput at four times the capacity, of its peak, at least", report.Percent(leastThroughput), report.Percent(last.rate()/s.peak()))
	t.Row("refusals at four times the capacity, p99", report.Millis(longestRefusal), report.Millis(last.refused.Percentile(99)))
}

// Section writes a row for each build at each offered rate.
func (x *Saturation) Section(p *report.Page) {
	p.Section("Saturation")
	p.Line("v1, full, pages of companies and searches, 4:3:2:1, with %s keys in turn; capacity by %d connections, then steady rates on up to %s "+
		"connections. Times are from the moment that a request was due. `Unready` are probes that did not get 200.",
		report.Count(keyedAccounts), capacityConns, report.Count(saturationConns))
	t := report.Table{Head: []string{
		"Build", "Offered/s", "Answered/s", "Pages/s", "Of peak", "p50", "p99", "Refused", "p50", "p99", "Without Retry-After", "Broken", "`erro`",
		"CPU server", "CPU PostgreSQL", "CPU client", "Memory", "Probes, p99", "Unready",
	}}
	for i := range x.builds {
		s := &x.builds[i]
		for j := range s.levels {
			l := &s.levels[j]
			t.Row(
				fmt.Sprintf("%s, %d %%", filepath.Base(s.program), l.percent), report.Count(int(float64(l.offered)/l.wall.Seconds())),
				report.Count(int(l.rate())), report.Count(int(float64(l.pages)/l.wall.Seconds())), report.Percent(l.rate()/s.peak()), report.Millis(l.answered.Percentile(50)),
				report.Millis(l.answered.Percentile(99)), report.Percent(report.Ratio(len(l.refused), l.offered)),
				report.Millis(l.refused.Percentile(50)), report.Millis(l.refused.Percentile(99)), report.Count(l.unsaid),
				report.Count(l.broken), report.Count(l.erroneous), l.share(l.server), l.share(l.postgres), l.share(l.client),
				report.Megabytes(l.memory), report.Millis(l.probes.Percentile(99)),
				fmt.Sprintf("%d of %d", l.unready, len(l.probes)),
			)
		}
	}
	p.Table(&t)
}
