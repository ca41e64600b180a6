package nodes

import (
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"razao/internal/people/account"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
)

// threeServers starts three processes on one database.
func threeServers(t *testing.T) (servers []*program.Program, pool *pgxpool.Pool) {
	t.Helper()
	first, pool := built.OnItsOwn(t)
	servers = []*program.Program{first, first.Beside(), first.Beside()}
	for _, s := range servers {
		s.Start("serve")
	}
	return servers, pool
}

// TestThreeServersCountAsOne sends more calls than a minute of an account has, at once, by two keys and through three processes.
// They may fall into two minutes; each one that refused somebody was used up to the last call, and not beyond. A server has at
// least 32 slots for calls and gets fewer at once, so that on a slow machine it sheds none.
func TestThreeServersCountAsOne(t *testing.T) {
	t.Parallel()
	servers, _ := threeServers(t)
	keys := []string{servers[0].NewKey("ana@exemplo.com.br", "uma"), servers[0].NewKey("ana@exemplo.com.br", "outra")}
	var mu sync.Mutex
	admitted, blocked := map[string]int{}, map[string]int{} // by the end of the minute
	lanes := make([]errgroup.Group, len(servers))
	for i := range lanes {
		lanes[i].SetLimit(30)
	}
	for i := range 200 {
		lanes[i%3].Go(func() error {
			status, header := servers[i%3].Call(keys[i%2])
			mu.Lock()
			defer mu.Unlock()
			switch minute := header.Get("X-RateLimit-Reset"); status {
			case http.StatusBadRequest:
				admitted[minute]++
			case http.StatusTooManyRequests:
				blocked[minute]++
				if header.Get("Retry-After") == "" || header.Get("X-RateLimit-Remaining") != "0" {
					t.Errorf("a refusal has the headers %v", header)
				}
			default:
				t.Errorf("call %d: status %d", i, status)
			}
			return nil
		})
	}
	for i := range lanes {
		_ = lanes[i].Wait()
	}
	if len(blocked) == 0 || len(admitted) > 2 {
		t.Errorf("let in %v, refused %v", admitted, blocked)
	}
	for minute, n := range admitted {
		if n > account.CallsPerMinute || blocked[minute] > 0 && n != account.CallsPerMinute {
			t.Errorf("in the minute until %s %d were let in and %d refused", minute, n, blocked[minute])
		}
	}
}

// TestThreeServersSeeARevocation asks each of three processes once before and once after a key was revoked.
func TestThreeServersSeeARevocation(t *testing.T) {
	t.Parallel()
	servers, _ := threeServers(t)
	key := servers[0].NewKey("ana@exemplo.com.br", "revogada")
	kept := servers[0].NewKey("ana@exemplo.com.br", "mantida")
	for _, s := range servers {
		if status, _ := s.Call(key); status != http.StatusBadRequest {
			t.Errorf("before: status %d", status)
		}
	}
	servers[0].Must("keys", "revoke", "1")
	for i, s := range servers {
		if status, _ := s.Call(key); status != http.StatusUnauthorized {
			t.Errorf("server %d after: status %d", i, status)
		}
		if status, _ := s.Call(kept); status != http.StatusBadRequest {
			t.Errorf("server %d, another key of the account: status %d", i, status)
		}
	}
}

// written returns how many calls are in the history, and how many its totals say.
func written(t *testing.T, pool *pgxpool.Pool) (calls, total int) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM usage_call`).Scan(&calls); err != nil {
		t.Fatal(err)
	}
	rows, err := pool.Query(t.Context(), `SELECT id FROM account`)
	if err != nil {
		t.Fatal(err)
	}
	accounts, err := pgx.CollectRows(rows, pgx.RowTo[account.ID])
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range accounts {
		days, err := account.NewStore(pool, nil).Days(t.Context(), id, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range days {
			total += int(d.Calls)
		}
	}
	return calls, total
}

// TestStopLosesNoCall stops a server politely while many are calling: whoever got an answer is in the history.
func TestStopLosesNoCall(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			p, pool := built.OnItsOwn(t)
			s := p.Start("serve")
			var answered atomic.Int64
			enough := make(chan struct{}) // closed when the server is to stop
			var callers sync.WaitGroup
			for _, email := range []string{"ana@exemplo.com.br", "bia@exemplo.com.br", "caio@exemplo.com.br", "davi@exemplo.com.br"} {
				key := p.NewKey(email, "chave")
				callers.Go(func() {
					for range account.CallsPerMinute {
						status, _ := p.Call(key)
						if status == 0 {
							return // the server has stopped
						}
						if status != http.StatusBadRequest {
							t.Errorf("status %d", status)
						}
						if answered.Add(1) == account.CallsPerMinute {
							close(enough)
						}
					}
				})
			}
			<-enough
			s.Signal(signal)
			callers.Wait()
			if err := s.Wait(); err != nil {
				t.Fatalf("%v\n%s", err, s.Log)
			}
			if calls, total := written(t, pool); calls != int(answered.Load()) || total != calls {
				t.Errorf("%d calls were answered, %d are in the history and %d in its totals", answered.Load(), calls, total)
			}
		})
	}
}

// TestKillLosesLittle kills a server that is being called. What was written before is whole, and the next server goes on with it.
func TestKillLosesLittle(t *testing.T) {
	t.Parallel()
	p, pool := built.OnItsOwn(t)
	s := p.Start("serve")
	key := p.NewKey("ana@exemplo.com.br", "chave")
	const first, second = 20, 15
	for range first {
		if status, _ := p.Call(key); status != http.StatusBadRequest {
			t.Fatalf("status %d", status)
		}
	}
	fixture.Wait(t, "the calls to be written without a stop", func() bool {
		calls, _ := written(t, pool)
		return calls >= first
	})
	for range second {
		_, _ = p.Call(key)
	}
	s.Kill()
	if err := s.Wait(); err == nil {
		t.Error("the server ended well")
	}
	calls, total := written(t, pool)
	if calls < first || calls > first+second || total != calls {
		t.Errorf("%d calls are in the history and %d in its totals, after %d and then %d", calls, total, first, second)
	}
	next := p.Start("serve")
	status, header := p.Call(key)
	if left := header.Get("X-RateLimit-Remaining"); status != http.StatusBadRequest || left == "" {
		t.Errorf("the next server: status %d, %v", status, header)
	}
	next.Stop()
	if after, total := written(t, pool); after != calls+1 || total != after {
		t.Errorf("the next server made %d calls of %d, totals %d", after, calls, total)
	}
}
