package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/ingest"
	"razao/internal/contract"
	"razao/internal/fixture"
	"razao/internal/fixture/published"
	"razao/internal/registry"
)

// TestContract runs the contract scripts on the built program, which loads the records itself and serves them on a port. The
// scripts that change nothing share a server, with an account for each.
func TestContract(t *testing.T) {
	t.Parallel()
	release := filepath.Join(t.TempDir(), fixture.Month)
	fixture.Write(t, release)
	shared := startContract(t, release)
	contract.Run(t, func(t *testing.T, s contract.Script) contract.Target {
		if s.Changes {
			return startContract(t, release).target(s)
		}
		return (&contractServer{shared.in(t), shared.pool, release}).target(s)
	})
}

// contractServer is the program, serving the invented release and the records of every source.
type contractServer struct {
	*place
	pool    *pgxpool.Pool
	release string // folder of its files
}

func startContract(t *testing.T, release string) *contractServer {
	t.Helper()
	p, pool := newProgram(t, "RAZAO_IP_REQUESTS=0")
	s := &contractServer{p, pool, release}
	p.must("migrate")
	s.ingest(registry.Receita, "")
	for _, id := range ingest.SourceIDs() {
		s.ingest(id, published.Period(id))
	}
	p.start("serve")
	return s
}

// ingest loads the release or the records of a source, few as they are.
func (s *contractServer) ingest(source, period string) {
	s.t.Helper()
	if source == registry.Receita {
		s.must("ingest", source, "--from", s.release, "--month", fixture.Month, "--partial", "--force")
		return
	}
	s.must("ingest", source, "--from", published.Folder(s.t, source), "--period", period, "--force")
}

func (s *contractServer) target(script contract.Script) contract.Target {
	s.t.Helper()
	account := strings.TrimSuffix(script.Name, ".txt") + "@exemplo.com.br"
	key := func(name string) string {
		return strings.TrimSpace(s.must("keys", "create", "--account", account, "--name", name))
	}
	target := contract.Target{URL: "http://" + s.addr, Key: key("boa"), Revoked: key("revogada"), Load: s.loadAgain, Drop: s.loseRecords}
	list := strings.Split(strings.TrimSpace(s.must("keys", "list", "--account", account)), "\n")
	id, _, _ := strings.Cut(list[len(list)-1], " ") // the newest
	s.must("keys", "revoke", id)
	return target
}

// loadAgain loads beside the running server and waits until it has noticed.
func (s *contractServer) loadAgain(source, period string) {
	s.t.Helper()
	_, before := s.get("/health", "")
	s.ingest(source, period)
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	for now := before; now == before; _, now = s.get("/health", "") {
		if ctx.Err() != nil {
			s.t.Fatalf("the server does not notice the load of %s: %s", source, now)
		}
	}
}

func (s *contractServer) loseRecords(source string) {
	s.t.Helper()
	loads, err := registry.NewStore(s.pool).Loads(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, l := range loads {
		if l.Source != source || !l.Active {
			continue
		}
		if _, err := s.pool.Exec(s.t.Context(), fmt.Sprintf("DROP TABLE load_%06d.record", l.ID)); err != nil {
			s.t.Fatal(err)
		}
	}
}
