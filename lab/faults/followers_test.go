package faults

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/seal"
	"razao/internal/testing/fixture"
	"razao/internal/testing/mailtest"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
)

// inbox is where the events of all webhooks arrive.
type inbox struct {
	*httptest.Server
	mu       sync.Mutex
	ids      map[string]map[string]int // by path, then by id: how often it came
	requests int
}

func newInbox(t *testing.T) *inbox {
	t.Helper()
	b := &inbox{ids: map[string]map[string]int{}}
	b.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.ids[r.URL.Path] == nil {
			b.ids[r.URL.Path] = map[string]int{}
		}
		b.ids[r.URL.Path][r.Header.Get("Webhook-Id")]++
		b.requests++
	}))
	t.Cleanup(b.Close)
	return b
}

// crowd is a server whose accounts all follow one company, each with a webhook.
type crowd struct {
	*program.Program
	pool  *pgxpool.Pool
	mail  *mailtest.Server
	inbox *inbox
	size  int
}

func newCrowd(t *testing.T, size int) *crowd {
	t.Helper()
	c := &crowd{mail: &mailtest.Server{}, inbox: newInbox(t), size: size}
	c.Program, c.pool = built.OnItsOwn(t, "RAZAO_SMTP_URL="+c.mail.Start(t))
	c.Must("migrate")
	c.load(t, "2026-08")
	c.NewKey("operador@exemplo.com", "secret") // which makes the server's secret
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := c.pool.Exec(t.Context(), query, args...); err != nil {
			t.Fatal(err)
		}
	}
	exec(`INSERT INTO account (email) SELECT 'a' || n || '@exemplo.com' FROM generate_series(1, $1) n`, size)
	exec(`INSERT INTO follower (account_id) SELECT id FROM account WHERE email LIKE 'a%'`)
	exec(`INSERT INTO follow (account_id, kind, value) SELECT account_id, 'empresa', $1 FROM follower`, fixture.Bakery)
	exec(`INSERT INTO follow_mark SELECT account_id, (SELECT max(seq) + 1 FROM history_journal) FROM follower`)
	exec(`INSERT INTO webhook (account_id, form, seal, url) SELECT account_id, 'x', $1, $2 || '/' || account_id FROM follower`,
		seal.New(c.Secret()).Fingerprint(), c.inbox.URL)
	return c
}

func (c *crowd) load(t *testing.T, month string, edits ...string) {
	t.Helper()
	rel := fixture.Published(t, month, edits...)
	c.Must("ingest", "receita", "--from", filepath.Dir(rel.Files[0].Path), "--month", month, "--force")
}

// waiting counts what is still to be told or sent.
func (c *crowd) waiting(t *testing.T) (n int) {
	t.Helper()
	const query = `
		SELECT (SELECT count(*) FROM mail_outbox) + (SELECT count(*) FROM webhook_delivery WHERE next_try_at IS NOT NULL) +
			(SELECT count(*) FROM follow_mark WHERE seq <= (SELECT max(seq) FROM history_journal))`
	if err := c.pool.QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// settle waits until everything is told and sent. Leases of killed servers end after a minute.
func (c *crowd) settle(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Minute); c.waiting(t) > 0; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d messages wait", c.waiting(t))
		}
	}
}

// check fails unless each follower has been told so many loads, by mail and by webhook, and returns how
// many messages came a second time.
func (c *crowd) check(t *testing.T, loads int) (mails, events int) {
	t.Helper()
	for i := range c.size {
		n := len(c.mail.Box(fmt.Sprintf("a%d@exemplo.com", i+1)))
		if mails += n - loads; n < loads {
			t.Errorf("account %d got %d mails, want %d", i+1, n, loads)
		}
	}
	c.inbox.mu.Lock()
	defer c.inbox.mu.Unlock()
	events = c.inbox.requests - loads*c.size
	for path, ids := range c.inbox.ids {
		if len(ids) != loads {
			t.Errorf("%s got %d events, want %d", path, len(ids), loads)
		}
	}
	if len(c.inbox.ids) != c.size {
		t.Errorf("%d webhooks of %d got events", len(c.inbox.ids), c.size)
	}
	return mails, events
}

// TestFollowersOfAChangedCompany tells RAZAO_FOLLOWERS accounts of a load, and of the next one while the
// server is killed at RAZAO_KILLS moments: nothing is lost, and only a delivery that a kill cut off comes
// a second time, an event under the same id.
func TestFollowersOfAChangedCompany(t *testing.T) {
	size, kills := envNumber(t, "RAZAO_FOLLOWERS", 200), envNumber(t, "RAZAO_KILLS", 3)
	c := newCrowd(t, size)
	server := c.Start("serve")
	names := []string{"PADARIA ESTRELA DO SUL LTDA", "PADARIA ESTRELA DO NORTE LTDA"}
	c.load(t, "2026-09", names...)
	published := time.Now()
	c.settle(t)
	t.Logf("%d followers: %.1f s from the publication to the last mail and event", size, time.Since(published).Seconds())
	if mails, events := c.check(t, 1); mails+events != 0 {
		t.Errorf("%d mails and %d events came twice", mails, events)
	}
	server.Stop()
	c.load(t, "2026-10")
	random := rand.New(rand.NewPCG(uint64(envNumber(t, "RAZAO_SEED", 1)), 0)) //nolint:gosec // moments, not secrets
	for range kills {
		server := c.Start("serve")
		time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond) // the moment is what is tested
		server.Kill()
		t.Logf("killed with %d to go", c.waiting(t))
	}
	c.Start("serve")
	if _, err := c.pool.Exec(t.Context(), `UPDATE webhook SET retry_at = now()`); err != nil {
		t.Fatal(err)
	}
	c.settle(t)
	mails, events := c.check(t, 2)
	t.Logf("after %d kills %d mails and %d events came a second time", kills, mails, events)
	if mails > 8*kills || events > 16*kills {
		t.Errorf("%d mails and %d events came a second time: more than were on their way", mails, events)
	}
}
