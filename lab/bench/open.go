package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"razao/lab/internal/load"
)

const (
	steadyRate  = 200             // look-ups a second beside a load: far below capacity, so that only the load is in their way
	steadyTurns = 3               // loads by each build
	settleTime  = 5 * time.Second // after a load, for the server to switch to it
	mostConns   = 1000            // of an open loop
)

// during measures look-ups at a steady rate while each build loads the companies again, beside those of
// the same server while nothing is loaded.
func (b *bench) during(ctx context.Context) error {
	out := series{}
	kind, loading := b.v1(), filepath.Join(b.Release, "receita")
	for turn := range steadyTurns {
		for i, p := range b.Programs {
			say("%s: look-ups, and then during a load", labels[i])
			steady := load.Attack{Conns: mostConns, Rate: steadyRate, Duration: b.duration, Seed: uint64(turn)}
			idle, err := b.servers[i].Attack(ctx, &kind, steady)
			if err != nil {
				return err
			}
			until, loaded := context.WithCancelCause(ctx)
			go func() {
				_, err := p.Run(ctx, "ingest", "receita", "--force", "--from", loading)
				loaded(err)
			}()
			steady.Duration, steady.Until = 0, until
			busy, err := b.servers[i].Attack(ctx, &kind, steady)
			if err != nil {
				return err
			}
			<-until.Done()
			if err := context.Cause(until); err != context.Canceled {
				return err
			}
			out[labels[i]] = append(out[labels[i]], steadyResult("v1/idle", idle), steadyResult("v1/loading", busy))
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(settleTime):
			}
		}
	}
	return out.print(ctx, title("during", fmt.Sprintf("a load, %d look-ups a second, each of another account", steadyRate)), "before", "after")
}

// steadyResult is what an open loop of look-ups measured.
func steadyResult(name string, got *load.Result) result {
	l := &got.Answered.Latencies
	return result{name, []value{
		{"p50-sec", l.P50.Seconds()},
		{"p99-sec", l.P99.Seconds()},
		{"max-sec", l.Max.Seconds()},
		{"wall-sec", got.Usage.Wall.Seconds()},
	}}
}

// saturation offers each build fractions and multiples of what it can answer. Eight connections in a
// closed loop measure that, of a mixture of look-ups, full answers, company pages and searches.
func (b *bench) saturation(ctx context.Context) error {
	out := series{}
	search := b.searches()[0]
	mixture := load.Kind{Name: "mixture", Keyed: true, Next: func(r *rand.Rand, t *vegeta.Target) {
		switch n := r.IntN(10); {
		case n < 4:
			b.v1().Next(r, t)
		case n < 7:
			b.full().Next(r, t)
		case n < 9:
			page("company", func(r *rand.Rand) string { return "/" + b.drawn.CNPJ(r) }).Next(r, t)
		default:
			search.Next(r, t)
		}
	}}
	for i, s := range b.servers {
		capacity, err := s.Attack(ctx, &mixture, load.Attack{Conns: 8, Duration: b.duration, Refusals: true})
		if err != nil {
			return err
		}
		most := float64(capacity.Answered.Requests) / capacity.Usage.Wall.Seconds()
		for _, percent := range []int{50, 100, 200, 400} {
			say("%s: %d %% of %.0f requests a second", labels[i], percent, most)
			for turn := range b.turns {
				got, err := s.Attack(ctx, &mixture, load.Attack{
					Conns: mostConns, Rate: max(1, int(most)*percent/100), Duration: b.duration / time.Duration(b.turns), Seed: uint64(turn), Refusals: true,
				})
				if err != nil {
					return err
				}
				seconds := got.Usage.Wall.Seconds()
				out[labels[i]] = append(out[labels[i]], result{fmt.Sprintf("offered/%d%%", percent), []value{
					{"offered/s", float64(got.Answered.Requests+got.Refused.Requests) / seconds},
					{"answers/s", float64(got.Answered.Requests) / seconds},
					{"p99-sec", got.Answered.Latencies.P99.Seconds()},
					{"refused-p50-sec", got.Refused.Latencies.P50.Seconds()},
					{"refused-p99-sec", got.Refused.Latencies.P99.Seconds()},
					{"memory-B", float64(got.Usage.Memory)},
				}})
			}
		}
	}
	return out.print(ctx, title("saturation", "an open loop offers fractions and multiples of each build's capacity"), "before", "after")
}
