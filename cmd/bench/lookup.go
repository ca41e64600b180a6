package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	profileConns = 8
	profileTime  = 5 * time.Second
)

// lookedUp is what look-ups took.
type lookedUp struct {
	runs    []lookupRun
	profile *profile // of the server, 14 positions, taken apart from the runs
}

// lookupRun is one measurement of one kind of request.
type lookupRun struct {
	name                     string
	single, keyed            bool // one record; with key and admission
	conns                    int
	wall                     time.Duration
	took                     latencies
	server, postgres, client time.Duration // of CPU
}

// asked is a kind of request: where to, and the next path and body, appended to buffers.
type asked struct {
	name    string
	address string
	path    func(dst []byte, r *rand.Rand) []byte
	body    func(dst []byte, r *rand.Rand) []byte // of a call of a tool; nil: nothing is sent
	conns   []int
	keys    []string // of many accounts, used in turn; none: no key is sent
	single  bool     // it asks for one record
}

// lookup measures the API over HTTP, and beside it what costs nothing but HTTP.
func (o *options) lookup(ctx context.Context, f *folder, db *database, d *drawn) (_ *lookedUp, err error) {
	s, err := o.startServer(ctx, f, db)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	whole := asked{"v1, 14 positions", s.Program, func(dst []byte, r *rand.Rand) []byte {
		return d.numbers[r.IntN(len(d.numbers))].Append(append(dst, "/v1/cnpj/"...))
	}, nil, o.conns, nil, true}
	root := asked{"v1, 8 positions", s.Program, func(dst []byte, r *rand.Rand) []byte {
		return d.roots[r.IntN(len(d.roots))].Append(append(dst, "/v1/cnpj/"...))
	}, nil, o.conns, nil, true}
	basic := asked{"v2 basic, 14 positions", s.Program, func(dst []byte, r *rand.Rand) []byte {
		dst = d.numbers[r.IntN(len(d.numbers))].Append(append(dst, "/v2/estabelecimentos/"...))
		return append(dst, "/basic"...)
	}, nil, o.conns, nil, true}
	keys, err := makeKeys(ctx, db)
	if err != nil {
		return nil, err
	}
	keyed := func(kind asked) asked {
		kind.name, kind.address, kind.keys = kind.name+", key and admission", s.Keyed, keys
		return kind
	}
	few := []int{o.conns[0], o.conns[len(o.conns)/2]}
	largest := fmt.Sprintf("of the largest company, %s establishments", count(int64(d.establishments)))
	out := &lookedUp{}
	for _, kind := range []asked{
		whole, root, basic, keyed(whole), keyed(basic),
		{"v1, all " + largest, s.Program, fixed("/v1/cnpj/" + d.largest.String()), nil, few, nil, false},
		{"v2, first 100 " + largest, s.Program, fixed("/v2/empresas/" + d.largest.String() + "/estabelecimentos?limite=100"), nil, few, nil, false},
		{"gin, hello", s.Yardstick, fixed("/hello"), nil, o.conns, nil, false},
		{"gin, SELECT 1", s.Yardstick, fixed("/select1"), nil, few, nil, false},
	} {
		for _, conns := range kind.conns {
			run, err := o.lookupRun(ctx, s, db, &kind, conns)
			if err != nil {
				return nil, fmt.Errorf("%s, %d connections: %w", kind.name, conns, err)
			}
			out.runs = append(out.runs, run)
		}
	}
	out.profile, err = profileServer(ctx, f, s, &whole)
	return out, err
}

func fixed(path string) func([]byte, *rand.Rand) []byte {
	return func(dst []byte, _ *rand.Rand) []byte { return append(dst, path...) }
}

// lookupRun warms up and measures.
func (o *options) lookupRun(ctx context.Context, s *server, db *database, kind *asked, conns int) (lookupRun, error) {
	say("%s, %d connections", kind.name, conns)
	if _, err := kind.load(ctx, conns, min(o.duration/5, time.Second)); err != nil {
		return lookupRun{}, err
	}
	run := lookupRun{name: kind.name, single: kind.single, keyed: len(kind.keys) > 0, conns: conns}
	serverBefore, postgresBefore, err := usedBy(s, db)
	if err != nil {
		return run, err
	}
	before, start := ownCPU(), time.Now()
	took, err := kind.load(ctx, conns, o.duration)
	if err != nil {
		return run, err
	}
	run.wall, run.client = time.Since(start), ownCPU()-before
	serverAfter, postgresAfter, err := usedBy(s, db)
	if err != nil {
		return run, err
	}
	run.server, run.postgres = serverAfter-serverBefore, postgresAfter-postgresBefore
	run.took = newLatencies(took)
	return run, nil
}

func usedBy(s *server, db *database) (server, postgres time.Duration, err error) {
	stat, err := readStat(s.cmd.Process.Pid)
	if err != nil {
		return 0, 0, err
	}
	postgres, err = family{db.server.PID()}.cpu()
	return stat.own, postgres, err
}

// load asks on conns connections for a time and returns how long each request took.
func (k *asked) load(ctx context.Context, conns int, duration time.Duration) ([]time.Duration, error) {
	g, ctx := errgroup.WithContext(ctx)
	took := make([][]time.Duration, conns)
	end := time.Now().Add(duration)
	for i := range conns {
		g.Go(func() error {
			c, err := dial(ctx, k.address)
			if err != nil {
				return err
			}
			r := rand.New(rand.NewPCG(uint64(i), uint64(duration)))
			var path, header, body []byte
			turn := i
			took[i], err = c.ask(ctx, end, func() (_, _, _ []byte) {
				path = k.path(path[:0], r)
				if k.body != nil {
					body = k.body(body[:0], r)
				}
				if len(k.keys) > 0 {
					header = append(append(append(header[:0], "Authorization: Bearer "...), k.keys[turn%len(k.keys)]...), "\r\n"...)
					turn += conns
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

// profileServer takes a CPU profile of the server at work and leaves it in the folder.
func profileServer(ctx context.Context, f *folder, s *server, kind *asked) (*profile, error) {
	say("profile of the server")
	path := f.path("lookup.prof")
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		return download(ctx, fmt.Sprintf("http://%s/profile?seconds=%d", s.Yardstick, int(profileTime.Seconds())), path)
	})
	g.Go(func() error {
		_, err := kind.load(ctx, profileConns, profileTime+profileTime/10)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("profile of the server: %w", err)
	}
	return readProfile(path)
}

func download(ctx context.Context, address, path string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return errors.New(answer.Status)
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, answer.Body)
	return errors.Join(err, out.Close())
}
