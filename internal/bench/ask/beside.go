package ask

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"razao/internal/bench/report"
)

const (
	besideRate  = 200             // look-ups a second: far below capacity, so that queueing shows interference only
	besideConns = 16              // more than are ever busy at this rate, unless answers stall for 80 ms
	besideTurns = 3               // loads by each build
	settleTime  = 5 * time.Second // after a load, for the server to switch to it
)

// Beside is the latency of look-ups while the machine is otherwise quiet, and while each build
// loads a release.
type Beside struct {
	quiet   report.Latencies
	loading []besideLoad // indexed like Bench.Programs
}

// besideLoad is the latency beside all loads by one build.
type besideLoad struct {
	program string
	took    report.Latencies
	wall    time.Duration
}

// Beside sends look-ups to the first build at a steady rate, alternately while nothing else runs
// and while one of the builds loads the release again. The rate does not depend on the answers
// (open loop): waiting for a connection counts as latency.
func (b *Bench) Beside(ctx context.Context) (*Beside, error) {
	keys, err := b.keys(ctx)
	if err != nil {
		return nil, err
	}
	kind := &request{by: keys, path: func(dst []byte, r *rand.Rand) []byte { return b.number(append(dst, "/v1/cnpj/"...), r) }}
	out := &Beside{loading: make([]besideLoad, len(b.Programs))}
	for turn := range besideTurns {
		for i := range b.Programs {
			if turn%2 == 1 {
				i = len(b.Programs) - 1 - i // AB BA AB
			}
			if err := b.besideOne(ctx, kind, out, i); err != nil {
				return nil, err
			}
		}
	}
	out.quiet = report.NewLatencies(out.quiet)
	for i := range out.loading {
		out.loading[i].took = report.NewLatencies(out.loading[i].took)
	}
	return out, nil
}

// besideOne measures once in quiet and once beside a load by one build.
func (b *Bench) besideOne(ctx context.Context, kind *request, out *Beside, build int) error {
	program := b.Programs[build]
	report.Say("look-ups, then beside a load by %s", program)
	quiet, err := b.steady(ctx, kind, func(ctx context.Context) error { return pause(ctx, b.Duration) })
	if err != nil {
		return err
	}
	began := time.Now()
	took, err := b.steady(ctx, kind, func(ctx context.Context) error { return b.load(ctx, program) })
	if err != nil {
		return err
	}
	l := &out.loading[build]
	l.program, l.wall = program, l.wall+time.Since(began)
	l.took, out.quiet = append(l.took, took...), append(out.quiet, quiet...)
	return pause(ctx, settleTime)
}

// pause sleeps, or returns ctx.Err() if ctx ends first.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// load runs `ingest receita --force` of a build on the folder and its database, as the superuser, to whom the
// load in service belongs.
func (b *Bench) load(ctx context.Context, program string) error {
	cmd := exec.CommandContext(ctx, program, "ingest", "receita", "--force", "--from", filepath.Join(b.Folder.Dir, "receita"))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // as service managers, timers and cron start it: the scheduler may divide by session
	cmd.Env = append(withoutSettings(), "RAZAO_DATA="+b.Folder.Dir, "RAZAO_DATABASE_URL="+b.DB.DSN)
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("load by %s: %w\n%s", program, err, log.Bytes())
	}
	return nil
}

// steady sends requests at besideRate until meanwhile returns, and returns how long each took,
// counted from the moment it was due: when all connections are stalled the wait counts (coordinated
// omission).
func (b *Bench) steady(ctx context.Context, kind *request, meanwhile func(context.Context) error) ([]time.Duration, error) {
	due := make(chan time.Time)
	took := make([][]time.Duration, besideConns)
	g, ctx := errgroup.WithContext(ctx)
	for i := range besideConns {
		g.Go(func() (err error) {
			took[i], err = b.answerDue(ctx, kind, due, rand.New(rand.NewPCG(uint64(i), uint64(time.Now().UnixNano()))))
			return err
		})
	}
	over := make(chan struct{})
	g.Go(func() error { defer close(over); return meanwhile(ctx) })
	g.Go(func() error {
		defer close(due)
		for next := time.Now(); ; next = next.Add(time.Second / besideRate) {
			select {
			case <-over:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Until(next)):
			}
			select {
			case due <- next:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(took...), nil
}

// answerDue sends a request for each moment it receives from due, on one connection.
func (b *Bench) answerDue(ctx context.Context, kind *request, due <-chan time.Time, r *rand.Rand) ([]time.Duration, error) {
	c, err := dial(ctx, b.servers[0].address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = c.conn.Close() })()
	var took []time.Duration
	var path, header []byte
	for at := range due {
		path = kind.path(path[:0], r)
		header = append(append(append(header[:0], "Authorization: Bearer "...), kind.by.next()...), "\r\n"...)
		if _, err := c.send(path, header, nil); err != nil {
			return nil, errors.Join(ctx.Err(), err)
		}
		took = append(took, time.Since(at))
	}
	return took, nil
}

// mostBeside is the goal: the 99th percentile beside a load in percent of that in quiet.
const mostBeside = 150

// Goals adds the goal for the 99th percentile beside loads by the first build.
func (s *Beside) Goals(t *report.Table) {
	t.Row("look-ups beside a load, p99", fmt.Sprintf("%.1f ×", mostBeside/100.0), report.Times(s.loading[0].took.Percentile(99), s.quiet.Percentile(99)))
}

// Section writes the latency in quiet and beside the loads of each build.
func (s *Beside) Section(p *report.Page) {
	p.Section("Look-ups beside a load")
	p.Line("%d v1 look-ups a second, each of another account; %d loads by each build in turn.", besideRate, besideTurns)
	t := report.Table{Head: []string{"", "Answers", "p50", "p99", "max", "p99, times quiet", "A load"}}
	row := func(name string, took report.Latencies, wall string) {
		t.Row(name, report.Count(len(took)), report.Millis(took.Percentile(50)), report.Millis(took.Percentile(99)), report.Millis(took.Max()),
			report.Times(took.Percentile(99), s.quiet.Percentile(99)), wall)
	}
	row("nothing is loaded", s.quiet, "")
	for _, l := range s.loading {
		row("beside a load by "+filepath.Base(l.program), l.took, report.Seconds(l.wall/besideTurns))
	}
	p.Table(&t)
}
