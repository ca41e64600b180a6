package api

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
)

// metered is the API behind the real admission, for an account whose minute does not end before the test.
type metered struct {
	*gin.Engine
	stop   func() // writes the history
	meter  *account.Meter
	keys   *account.Store
	id     account.ID
	minute time.Time // when the minute ends
}

func newMetered(t *testing.T) *metered {
	t.Helper()
	pool := pgtest.Pool(t)
	meter := account.OpenMeter(pool, seal.New("secret of the tests"), slog.New(slog.DiscardHandler))
	m := &metered{meter: meter, stop: sync.OnceFunc(meter.Close), keys: account.NewStore(pool, seal.New("secret of the tests"))}
	t.Cleanup(m.stop)
	var err error
	if m.id, err = m.keys.ByEmail(t.Context(), "ana@exemplo.com.br"); err != nil {
		t.Fatal(err)
	}
	const nextMinute = `INSERT INTO admission (account_id, minute, calls)
		VALUES ($1, date_trunc('minute', now(), 'UTC') + interval '1 minute', 0) RETURNING minute + interval '1 minute'`
	if err := pool.QueryRow(t.Context(), nextMinute, m.id).Scan(&m.minute); err != nil {
		t.Fatal(err)
	}
	m.Engine = newEngine(New(Config{
		Live: fixture.SharedRecords(t).Live, IBGE: testIBGE, Admit: meter.Admit, Quota: meter.Quota, Known: meter.Knows,
		Record: meter.Record, CursorKey: []byte("a key of the tests"),
	}))
	return m
}

func (m *metered) key(t *testing.T, name string) (plain string, id account.KeyID) {
	t.Helper()
	plain, key, err := m.keys.CreateKey(t.Context(), "ana@exemplo.com.br", name)
	if err != nil {
		t.Fatal(err)
	}
	return plain, key.ID
}

// ask calls with a key and returns the status and how many calls are left, -1 when the answer does not say.
func (m *metered) ask(t *testing.T, path, key string) (status, left int) {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.Header.Set("Authorization", "Bearer "+key)
	m.ServeHTTP(w, r)
	left, err := strconv.Atoi(w.Header().Get("X-RateLimit-Remaining"))
	if err != nil {
		return w.Code, -1
	}
	if got := w.Header().Get("X-RateLimit-Reset"); got != strconv.FormatInt(m.minute.Unix(), 10) {
		t.Errorf("%s: the minute ends at %s, want %d", path, got, m.minute.Unix())
	}
	return w.Code, left
}

// TestOneLimitForVersionsAndKeys exhausts a minute with two keys and both versions in turn: each is
// then refused.
func TestOneLimitForVersionsAndKeys(t *testing.T) {
	t.Parallel()
	m := newMetered(t)
	if m.minute.Unix()%60 != 0 {
		t.Errorf("%s is no minute of UTC", m.minute)
	}
	first, _ := m.key(t, "uma")
	second, _ := m.key(t, "outra")
	keys := []string{first, second}
	paths := []string{"/v1/cnpj/" + fixture.Bakery, "/v2/empresas/" + fixture.Bakery + "/basic", "/v2/empresas/00000001/full"}
	for i := range account.CallsPerMinute {
		status, left := m.ask(t, paths[i%3], keys[i/3%2])
		if want := account.CallsPerMinute - 1 - i; left != want || status == http.StatusTooManyRequests {
			t.Fatalf("call %d: status %d, %d calls are left, want %d", i+1, status, left, want)
		}
	}
	for _, path := range paths {
		for _, key := range keys {
			if status, left := m.ask(t, path, key); status != http.StatusTooManyRequests || left != 0 {
				t.Errorf("%s beyond the limit: status %d, %d calls are left", path, status, left)
			}
		}
	}
}

// TestEveryCallCostsOne requests every route: each costs one call, however large the response.
func TestEveryCallCostsOne(t *testing.T) {
	t.Parallel()
	m := newMetered(t)
	key, _ := m.key(t, "chave")
	full := branch(t, fixture.Bakery, "0001")
	paths := []string{"/v1/cnpj/" + fixture.Chain, "/v1/cnpj/" + full, "/v2/busca?q=exemplo&facetas=sim&limite=100"}
	for _, mode := range []string{"/basic", "/full?limite=100", "/fontes/pgfn", "/fontes/ceis?limite=1", "/socios", "/estabelecimentos?limite=100"} {
		paths = append(paths, "/v2/empresas/"+fixture.Chain+mode)
	}
	for _, mode := range []string{"/basic", "/full", "/fontes/pgfn?limite=1"} {
		paths = append(paths, "/v2/estabelecimentos/"+full+mode)
	}
	for i, path := range paths {
		status, left := m.ask(t, path, key)
		if want := account.CallsPerMinute - 1 - i; status != http.StatusOK || left != want {
			t.Errorf("%s: status %d, %d calls are left, want %d", path, status, left, want)
		}
	}
	if got := m.history(t); len(got) != len(paths) {
		t.Errorf("the history has %d calls of %d", len(got), len(paths))
	}
}

// TestInvalidKeysCostNothing calls with malformed, unknown and revoked keys: the account keeps its
// whole minute, and the history has no trace of them.
func TestInvalidKeysCostNothing(t *testing.T) {
	t.Parallel()
	m := newMetered(t)
	good, goodID := m.key(t, "boa")
	revoked, id := m.key(t, "revogada")
	if err := m.keys.RevokeKey(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{revoked, "", "abc", good[:len(good)-1] + "-", "rz_" + good} {
		for range 3 {
			if status, left := m.ask(t, "/v1/cnpj/"+fixture.Bakery, key); status != http.StatusUnauthorized || left != -1 {
				t.Errorf("key %q: status %d, %d calls are left", key, status, left)
			}
		}
	}
	if status, left := m.ask(t, "/v1/cnpj/"+fixture.Bakery, good); status != http.StatusOK || left != account.CallsPerMinute-1 {
		t.Errorf("then the good one: status %d, %d calls are left", status, left)
	}
	if got := m.history(t); !slices.Equal(got, []account.KeyID{goodID}) {
		t.Errorf("the history has calls by the keys %v, want one by %d", got, goodID)
	}
}

// history returns the keys of the calls that were written. Nothing can be admitted afterwards.
func (m *metered) history(t *testing.T) (keys []account.KeyID) {
	t.Helper()
	m.stop()
	calls, err := m.keys.Calls(context.Background(), m.id, 0, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		keys = append(keys, c.Key)
	}
	return keys
}
