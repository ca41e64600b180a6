package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"

	"razao/internal/people/account"
	"razao/internal/people/follow"
	"razao/internal/people/seal"
	"razao/internal/people/webhook"
	"razao/internal/store/snapshot"
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
	return newMeteredOn(t, fixture.SharedRecords(t).Live)
}

// newMeteredOn is newMetered on what a server holds.
func newMeteredOn(t *testing.T, live *snapshot.Live) *metered {
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
		Live: live, Admit: meter.Admit, Charge: meter.Charge, Quota: meter.Quota, Known: meter.Knows,
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
	var wait int
	if _, err := fmt.Sscanf(w.Header().Get("RateLimit"), `"conta";r=`+strconv.Itoa(left)+`;t=%d`, &wait); err != nil || wait < 0 || wait > 120 || // the minute of the tests is the next one
		w.Header().Get("RateLimit-Policy") != `"conta";q=60;w=60` || w.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") != strconv.Itoa(max(1, wait)) {
		t.Errorf("%s: %v, %v", path, err, w.Header())
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

// TestEveryCallCostsOne requests every route with a key: each costs one call and is recorded, however
// large the response and whatever its status. What needs no key costs nothing.
func TestEveryCallCostsOne(t *testing.T) {
	t.Parallel()
	m := newMetered(t)
	key, id := m.key(t, "chave")
	full := branch(t, fixture.Bakery, "0001")
	const company = "/v2/empresas/" + fixture.Chain
	var want []account.Call
	for i, call := range []struct {
		path, endpoint string
		status         int
	}{
		{"/v1/cnpj/" + fixture.Chain, "/v1/cnpj/:cnpj", 200},
		{"/v1/cnpj/" + full, "/v1/cnpj/:cnpj", 200},
		{"/v1/cnpj/00000001", "/v1/cnpj/:cnpj", 404},
		{"/v2/busca?q=exemplo&facetas=sim&limite=100", "/v2/busca", 200},
		{company + "/basic", "/v2/empresas/:documento/basic", 200},
		{company + "/full?limite=100", "/v2/empresas/:documento/full", 200},
		{company + "/full?limite=0", "/v2/empresas/:documento/full", 400},
		{company + "/fontes/pgfn", "/v2/empresas/:documento/fontes/:fonte", 200},
		{company + "/fontes/ceis?limite=1", "/v2/empresas/:documento/fontes/:fonte", 200},
		{company + "/socios", "/v2/empresas/:documento/socios", 200},
		{company + "/estabelecimentos?limite=100", "/v2/empresas/:documento/estabelecimentos", 200},
		{"/v2/estabelecimentos/" + full + "/basic", "/v2/estabelecimentos/:documento/basic", 200},
		{"/v2/estabelecimentos/" + full + "/full", "/v2/estabelecimentos/:documento/full", 200},
		{"/v2/estabelecimentos/" + full + "/fontes/pgfn?limite=1", "/v2/estabelecimentos/:documento/fontes/:fonte", 200},
	} {
		status, left := m.ask(t, call.path, key)
		if calls := account.CallsPerMinute - 1 - i; status != call.status || left != calls {
			t.Errorf("%s: status %d, %d calls are left, want %d", call.path, status, left, calls)
		}
		want = append(want, account.Call{Key: id, Version: call.endpoint[1:3], Endpoint: call.endpoint, Status: call.status})
	}
	for _, path := range []string{"/v2/fontes", "/v2/openapi.json", company} {
		if _, left := m.ask(t, path, key); left != -1 {
			t.Errorf("%s counts", path)
		}
	}
	slices.Reverse(want) // newest first
	got := m.history(t)
	for i := range got {
		if since := time.Since(got[i].At); since < 0 || since > time.Hour {
			t.Errorf("call %+v", got[i])
		}
		got[i] = account.Call{Key: got[i].Key, Version: got[i].Version, Endpoint: got[i].Endpoint, Status: got[i].Status}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
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
	if got := m.history(t); len(got) != 1 || got[0].Key != goodID {
		t.Errorf("the history has %+v, want one call by %d", got, goodID)
	}
}

// history returns the calls that were written. Nothing can be admitted afterwards.
func (m *metered) history(t *testing.T) []account.Call {
	t.Helper()
	m.stop()
	calls, err := m.keys.Calls(context.Background(), m.id, 0, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	return calls
}

// TestEveryRouteIsAdmittedOnce counts admissions by route: one for each request with a key, bad
// input included, and none where no key is needed.
func TestEveryRouteIsAdmittedOnce(t *testing.T) {
	t.Parallel()
	open := []string{"/v1/openapi.json", "/v2/openapi.json", "/v2/fontes", "/v2/fontes/:fonte/qualidade", "/v2/empresas/:documento", "/v2/estabelecimentos/:documento"}
	calls := 0
	engine := newEngine(New(Config{Follows: &follow.Store{}, Webhooks: &webhook.Store{}, Admit: func(context.Context, string) (account.Admission, error) {
		calls++
		return account.Admission{}, nil
	}}))
	for _, route := range engine.Routes() {
		want := 1
		for _, path := range open {
			if route.Path == path {
				want = 0
			}
		}
		calls = 0
		w := httptest.NewRecorder()
		path := strings.NewReplacer(":documento", "abc", ":cnpj", "abc", ":fonte", "xyz").Replace(route.Path)
		engine.ServeHTTP(w, httptest.NewRequest(route.Method, path+"?%zz", nil))
		if calls != want || w.Code != http.StatusBadRequest {
			t.Errorf("%s %s: admitted %d times, status %d", route.Method, route.Path, calls, w.Code)
		}
	}
}
