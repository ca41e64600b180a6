package load

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// Server is what load is put on, with the processes whose CPU time counts as its own.
type Server struct {
	URL      string
	PIDs     []int
	Postgres int   // its postmaster; 0: none
	Keys     *Ring // for calls of the API
}

// Kind is a kind of request. Next draws one; everything that it draws comes from r.
type Kind struct {
	Name  string
	Keyed bool // calls with a key
	Next  func(r *rand.Rand, t *vegeta.Target)
}

// Get returns a kind of GET, whose path is drawn. accept is the Accept-Encoding, "" for none.
func Get(name, accept string, path func(r *rand.Rand) string) Kind {
	return Kind{Name: name, Next: func(r *rand.Rand, t *vegeta.Target) {
		t.Method, t.URL = http.MethodGet, path(r)
		if accept != "" {
			t.Header.Set("Accept-Encoding", accept)
		}
	}}
}

// Attack says how requests are sent.
type Attack struct {
	Conns    int             // the most connections
	Rate     int             // requests a second (open loop); 0: each connection sends the next when it has the answer (closed loop)
	Duration time.Duration   // 0: until Until ends
	Until    context.Context // may be nil
	Seed     uint64          // servers that are attacked with the same seed get the same requests in the same order
	Refusals bool            // 503 is an answer
}

// Result is what came of an attack.
type Result struct {
	Answered, Refused vegeta.Metrics
	Usage             Usage
}

// Attack sends requests of a kind. Any answer but 2xx and 3xx is an error, and so is a tool that
// failed. In an open loop a request that is due while all connections are busy gets another one, up to
// the most: slow answers do not hide behind requests that were never sent (coordinated omission).
func (s *Server) Attack(ctx context.Context, kind *Kind, o Attack) (*Result, error) {
	transport := &http.Transport{MaxIdleConnsPerHost: o.Conns, DisableCompression: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	workers := o.Conns
	if o.Rate > 0 {
		workers = 1 // more are started as they are needed
	}
	attacker := vegeta.NewAttacker(vegeta.Client(client), vegeta.Workers(uint64(workers)), vegeta.MaxWorkers(uint64(o.Conns)))
	defer context.AfterFunc(ctx, func() { attacker.Stop() })()
	if o.Until != nil {
		defer context.AfterFunc(o.Until, func() { attacker.Stop() })()
	}
	out := &Result{}
	var failed error
	before, start := s.used(), time.Now()
	for answer := range attacker.Attack(s.targets(kind, o.Seed), vegeta.ConstantPacer{Freq: o.Rate, Per: time.Second}, o.Duration, "") {
		if o.Refusals && answer.Code == http.StatusServiceUnavailable {
			out.Refused.Add(answer)
			continue
		}
		out.Answered.Add(answer)
		if err := failure(answer); err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", kind.Name, err)
			attacker.Stop()
		}
	}
	used := s.used()
	out.Usage = Usage{
		Wall: time.Since(start), Server: used.Server - before.Server, Postgres: used.Postgres - before.Postgres, Memory: max(used.Memory, before.Memory),
	}
	out.Answered.Close()
	out.Refused.Close()
	return out, cmp.Or(ctx.Err(), failed)
}

// targets draws the requests. It is called concurrently: the n-th request depends on n alone.
func (s *Server) targets(kind *Kind, seed uint64) vegeta.Targeter {
	var count atomic.Uint64
	return func(t *vegeta.Target) error {
		t.Header = http.Header{}
		kind.Next(rand.New(rand.NewPCG(seed, count.Add(1))), t)
		t.URL = s.URL + t.URL
		if kind.Keyed && s.Keys != nil {
			t.Header.Set("Authorization", "Bearer "+s.Keys.Next())
		}
		return nil
	}
}

func failure(answer *vegeta.Result) error {
	switch {
	case answer.Error != "":
		return fmt.Errorf("%s: %s: %.300s", answer.URL, answer.Error, answer.Body)
	case bytes.Contains(answer.Body, []byte(`"isError":true`)):
		return fmt.Errorf("%s: the tool failed: %.300s", answer.URL, answer.Body)
	}
	return nil
}

// used reads the CPU clocks and the memory of a server.
func (s *Server) used() Usage {
	u := Usage{Postgres: FamilyCPU(s.Postgres), Memory: memory(s.PIDs...)}
	for _, pid := range s.PIDs {
		u.Server += CPU(pid)
	}
	return u
}
