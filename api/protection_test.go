package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gin-gonic/gin"

	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
	"razao/internal/web"
)

// TestPanicsAreInTheHistory has handlers that panic before and after they respond.
func TestPanicsAreInTheHistory(t *testing.T) {
	t.Parallel()
	m := newMetered(t)
	var calls []account.Call
	a := New(Config{
		Live: fixture.SharedRecords(t).Live, Admit: m.meter.Admit, Record: func(c account.Call) { calls = append(calls, c) },
	})
	engine := web.NewEngine(web.Options{Log: slog.New(slog.DiscardHandler)})
	routes := engine.Group("", web.Recover(a.fail))
	web.Get(routes, "/v1/before", a.keyed(func(*gin.Context, *body) error { panic("broken") }))
	web.Get(routes, "/v1/after", a.keyed(func(c *gin.Context, _ *body) error {
		c.String(http.StatusOK, "half an answer")
		c.Writer.WriteHeaderNow()
		panic("broken")
	}))
	key, id := m.key(t, "chave")
	for path, want := range map[string]int{"/v1/before": 503, "/v1/after": 200} {
		calls = nil
		func() {
			defer func() { _ = recover() }() // a begun answer is cut off
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
			r.Header.Set("Authorization", "Bearer "+key)
			engine.ServeHTTP(httptest.NewRecorder(), r)
		}()
		if len(calls) != 1 || calls[0].Status != want || calls[0].Endpoint != path || calls[0].Key != id {
			t.Errorf("%s: the history has %+v, want status %d", path, calls, want)
		}
	}
}

// TestOtherMethodsShowTheRate sends requests that do not count, with the key of an account that has
// made a call and with other keys.
func TestOtherMethodsShowTheRate(t *testing.T) {
	t.Parallel()
	m := newMetered(t)
	good, _ := m.key(t, "boa")
	revoked, id := m.key(t, "revogada")
	if err := m.keys.RevokeKey(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if status, left := m.ask(t, "/v1/cnpj/"+fixture.Bakery, good); status != http.StatusOK || left != account.CallsPerMinute-1 {
		t.Fatalf("status %d, %d calls are left", status, left)
	}
	for _, tt := range []struct {
		method, path, key string
		status            int
		left              string
	}{
		{http.MethodPost, "/v1/cnpj/" + fixture.Bakery, good, 405, "59"},
		{http.MethodDelete, "/v2/empresas/" + fixture.Bakery + "/full", good, 405, "59"},
		{http.MethodGet, "/v2/nada", good, 404, "59"},
		{http.MethodPost, "/v1/cnpj/" + fixture.Bakery, revoked, 405, ""},
		{http.MethodPost, "/v1/cnpj/" + fixture.Bakery, "", 405, ""},
		{http.MethodPost, "/v1/cnpj/" + fixture.Bakery, "rz_abc", 405, ""},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, nil)
		r.Header.Set("Authorization", "Bearer "+tt.key)
		m.ServeHTTP(w, r)
		h := w.Header()
		if w.Code != tt.status || h.Get("X-RateLimit-Remaining") != tt.left || (h.Get("X-RateLimit-Limit") == "60") != (tt.left != "") ||
			(h.Get("X-RateLimit-Reset") == fmt.Sprint(m.minute.Unix())) != (tt.left != "") {
			t.Errorf("%s %s with %q: %d %v", tt.method, tt.path, tt.key, w.Code, h)
		}
	}
	if status, left := m.ask(t, "/v1/cnpj/"+fixture.Bakery, good); status != http.StatusOK || left != account.CallsPerMinute-2 {
		t.Errorf("then: status %d, %d calls are left", status, left)
	}
}

// TestNetworksHaveACeiling makes concurrent calls of many accounts from a network that may make
// five. A refusal by the network costs no account a call, and one by the account costs the network
// none.
func TestNetworksHaveACeiling(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	keys := account.NewStore(pool, seal.New("secret of the tests"))
	meter := account.OpenMeter(pool, seal.New("secret of the tests"), slog.New(slog.DiscardHandler))
	defer meter.Close()
	const ceiling, accounts = 5, 30
	engine := newEngine(New(Config{
		Live: fixture.SharedRecords(t).Live, Admit: meter.Admit, Known: meter.Knows, Calls: web.NewThrottle(ceiling, ceiling),
	}))
	ask := func(key, from string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/cnpj/abc", nil)
		r.RemoteAddr = from
		r.Header.Set("Authorization", "Bearer "+key)
		engine.ServeHTTP(w, r)
		return w
	}
	for range 3 * ceiling {
		if w := ask("rz_abc", "[2001:db8:1:1::1]:1"); w.Code != http.StatusUnauthorized {
			t.Fatalf("a call that is not let in: %d", w.Code)
		}
	}
	var mu sync.Mutex
	statuses := map[int]int{}
	var all sync.WaitGroup
	for i := range accounts {
		key, _, err := keys.CreateKey(t.Context(), fmt.Sprintf("ana+%d@exemplo.com.br", i), "chave")
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			w := ask(key, fmt.Sprintf("[2001:db8:1:1::%x]:1", i+1))
			mu.Lock()
			defer mu.Unlock()
			statuses[w.Code]++
			if w.Code == http.StatusTooManyRequests {
				if w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), `"protecao_ip"`) {
					t.Errorf("%v %s", w.Header(), w.Body)
				}
			}
		})
	}
	all.Wait()
	if statuses[http.StatusBadRequest] != ceiling || statuses[http.StatusTooManyRequests] != accounts-ceiling {
		t.Errorf("statuses %v", statuses)
	}
	var counted int
	if err := pool.QueryRow(t.Context(), `SELECT coalesce(sum(calls), 0) FROM admission`).Scan(&counted); err != nil || counted != ceiling {
		t.Errorf("%d calls were counted, %v, want %d", counted, err, ceiling)
	}
	key, _, err := keys.CreateKey(t.Context(), "bia@exemplo.com.br", "chave")
	if err != nil {
		t.Fatal(err)
	}
	if w := ask(key, "[2001:db8:1:2::1]:1"); w.Code != http.StatusBadRequest {
		t.Errorf("another network: %d", w.Code)
	}
}

// TestRefusedCallsDoNotCount calls while the only slot is taken: the key is not looked up and
// nothing is counted.
func TestRefusedCallsDoNotCount(t *testing.T) {
	t.Parallel()
	var admitted atomic.Int32
	slots := web.NewRequestSlots(1, 1)
	h := newEngine(New(Config{
		Live: fixture.SharedRecords(t).Live, Slots: slots,
		Admit: func(context.Context, string) (account.Admission, error) {
			admitted.Add(1)
			return account.Admission{}, account.ErrInvalidKey
		},
	}))
	taken, leave := make(chan struct{}), make(chan struct{})
	holder := gin.New()
	web.Get(holder, "/", web.Shed(slots, func(*gin.Context, error) {}), func(*gin.Context) { close(taken); <-leave })
	done := make(chan struct{})
	go func() {
		defer close(done)
		holder.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	}()
	<-taken
	get := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/v1/cnpj/12345678", nil))
		return w
	}
	for range 2 {
		w := get()
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || w.Header().Get("Cache-Control") != "no-store" ||
			!strings.Contains(w.Body.String(), `"codigo":"servico_indisponivel"`) {
			t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
		}
	}
	close(leave)
	<-done
	if w := get(); w.Code != http.StatusUnauthorized || admitted.Load() != 1 {
		t.Errorf("afterwards: %d, %d asked for admission, want one", w.Code, admitted.Load())
	}
}
