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
	capacityConns   = 32    // that find out how much can be answered
	saturationConns = 1_000 // more than are ever busy, unless answers take a second
	probeEvery      = 200 * time.Millisecond
	probeTime       = 2 * time.Second
)

// offered are the loads of a saturation, in percent of the capacity.
var offered = [...]int{50, 100, 200, 400}

// Saturation is what comes of more load than can be answered.
type Saturation struct {
	builds []saturated
}

type saturated struct {
	program  string
	capacity float64 // answers a second
	levels   []level
}

// level is what came of one offered load.
type level struct {
	percent                  int
	wall                     time.Duration
	offered                  int
	answered                 report.Latencies // from the moment that each was due
	refused                  report.Latencies // 429 and 503
	unsaid                   int              // refusals without Retry-After
	broken                   int              // other statuses, connections that ended
	erroneous                int              // full answers of which a source says that it failed
	server, postgres, client time.Duration    // of CPU
	memory                   int64            // most that was resident
	probes                   report.Latencies
	unready                  int // probes that did not get 200
}

// Saturation measures for each build how much it answers, and then offers parts and multiples of that at a steady rate (open loop).
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

// mixed appends the path of a request: four of ten are for v1, three for full answers, two for pages of companies and one for a search.
// The first seven are keyed.
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

// asker is a connection that asks the mixture, and connects again when the server has ended it.
type asker struct {
	*Bench
	s      *server
	keys   *accounts
	r      *rand.Rand
	search func(*rand.Rand) string
	c      *client
	path   []byte
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

// ask asks once. An error means that there was no answer.
func (a *asker) ask(ctx context.Context) (answer *http.Response, err error) {
	if a.c == nil {
		if a.c, err = dial(ctx, a.s.address); err != nil {
			return nil, err
		}
	}
	var keyed bool
	if a.path, keyed = a.mixed(a.path[:0], a.r, a.search); keyed {
		a.header = append(append(append(a.header[:0], "Authorization: Bearer "...), a.keys.next()...), "\r\n"...)
	} else {
		a.header = append(a.header[:0], "Accept: text/html\r\nAccept-Encoding: gzip\r\n"...)
	}
	if answer, err = a.c.try(a.path, a.header); err != nil || answer.Close {
		a.close()
	}
	return answer, err
}

// closed asks as fast as answers come, and returns how many did.
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

// offer asks at a steady rate, however long answers take, while the server is probed.
func (b *Bench) offer(ctx context.Context, s *server, keys *accounts, percent int, capacity float64) (level, error) {
	l := level{percent: percent}
	due := make(chan time.Time, int(4*capacity*b.Duration.Seconds())+1) // never blocks who sends
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
	before, err := b.used(s)
	if err != nil {
		stop()
		return l, err
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
		l.unsaid, l.broken, l.erroneous = l.unsaid+p.unsaid, l.broken+p.broken, l.erroneous+p.erroneous
	}
	l.answered, l.refused, l.probes = report.NewLatencies(l.answered), report.NewLatencies(l.refused), report.NewLatencies(l.probes)
	return l, err
}

// pace sends the moments at which requests are due, and returns how many there were.
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

// count returns what counts an answer, given how long it took.
func (l *level) count(answer *http.Response, err error) func(took time.Duration, a *asker) {
	return func(took time.Duration, a *asker) {
		switch {
		case err != nil:
			l.broken++
		case isAnswer(answer.StatusCode):
			l.answered = append(l.answered, took)
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

// body is that of the last answer, nil when the connection was ended with it.
func (a *asker) body() []byte {
	if a.c == nil {
		return nil
	}
	return a.c.body.Bytes()
}

// probe asks for readiness on new connections, as balancers do, and reads the memory of the server, until ctx ends. A build without
// /health/ready is asked for /health.
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

// share is CPU time as processors that were busy.
func (l *level) share(d time.Duration) string {
	return fmt.Sprintf("%.2f", d.Seconds()/l.wall.Seconds())
}

// rate is how many answers came in a second.
func (l *level) rate() float64 { return float64(len(l.answered)) / l.wall.Seconds() }

// peak is the most that a build answered.
func (s *saturated) peak() float64 {
	most := 0.0
	for i := range s.levels {
		most = max(most, s.levels[i].rate())
	}
	return most
}

const (
	leastThroughput = 0.9
	longestRefusal  = 20 * time.Millisecond
)

// Goals adds what the design promises of overload.
func (x *Saturation) Goals(t *report.Table) {
	s := &x.builds[0]
	last := &s.levels[len(s.levels)-1]
	t.Row("throughput at four times the capacity, of its peak, at least", report.Percent(leastThroughput), report.Percent(last.rate()/s.peak()))
	t.Row("refusals at four times the capacity, p99", report.Millis(longestRefusal), report.Millis(last.refused.Percentile(99)))
}

// Section reports every build at every load.
func (x *Saturation) Section(p *report.Page) {
	p.Section("Saturation")
	p.Line("v1, full, pages of companies and searches, 4:3:2:1, with %s keys in turn; capacity by %d connections, then steady rates on up to %s "+
		"connections. Times are from the moment that a request was due. `Unready` are probes that did not get 200.",
		report.Count(keyedAccounts), capacityConns, report.Count(saturationConns))
	t := report.Table{Head: []string{
		"Build", "Offered/s", "Answered/s", "Of peak", "p50", "p99", "Refused", "p50", "p99", "Without Retry-After", "Broken", "`erro`",
		"CPU server", "CPU PostgreSQL", "CPU client", "Memory", "Probes, p99", "Unready",
	}}
	for i := range x.builds {
		s := &x.builds[i]
		for j := range s.levels {
			l := &s.levels[j]
			t.Row(
				fmt.Sprintf("%s, %d %%", filepath.Base(s.program), l.percent), report.Count(int(float64(l.offered)/l.wall.Seconds())),
				report.Count(int(l.rate())), report.Percent(l.rate()/s.peak()), report.Millis(l.answered.Percentile(50)),
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
