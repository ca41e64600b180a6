package load

import (
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestAttackFails expects an error where an answer is none, so that errors are not measured as if they
// were answers.
func TestAttackFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		fails  bool
	}{
		"answered":    {http.StatusOK, `{"isError":false}`, false},
		"redirected":  {http.StatusFound, "", false},
		"absent":      {http.StatusNotFound, "", true},
		"failed":      {http.StatusInternalServerError, "", true},
		"refused":     {http.StatusServiceUnavailable, "", true},
		"failed tool": {http.StatusOK, `{"isError":true}`, true},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		}))
		kind := Get("it", "", func(*rand.Rand) string { return "/" })
		s := &Server{URL: server.URL, PIDs: []int{os.Getpid()}}
		got, err := s.Attack(t.Context(), &kind, Attack{Conns: 1, Duration: 100 * time.Millisecond})
		server.Close()
		if (err != nil) != c.fails {
			t.Errorf("%s: error %v", name, err)
		}
		if got.Answered.Requests == 0 || got.Usage.Memory == 0 {
			t.Errorf("%s: %d requests, %d bytes: nothing was measured", name, got.Answered.Requests, got.Usage.Memory)
		}
	}
}

// TestSameRequests expects two attacks with the same seed to send the same requests, with the keys in
// turn.
func TestSameRequests(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.URL.Path+" "+r.Header.Get("Authorization"))
	}))
	t.Cleanup(server.Close)
	kind := Get("it", "", func(r *rand.Rand) string { return "/" + strconv.Itoa(r.IntN(1000)) })
	kind.Keyed = true
	send := func(seed uint64) []string {
		asked = nil
		s := &Server{URL: server.URL, Keys: NewRing([]string{"a", "b"})}
		if _, err := s.Attack(t.Context(), &kind, Attack{Conns: 1, Duration: 100 * time.Millisecond, Seed: seed}); err != nil {
			t.Fatal(err)
		}
		return asked
	}
	first, again, other := send(1), send(1), send(2)
	n := min(len(first), len(again), len(other))
	if n < 2 || strings.Join(first[:n], ",") != strings.Join(again[:n], ",") || strings.Join(first[:n], ",") == strings.Join(other[:n], ",") {
		t.Errorf("asked %v, then %v, and with another seed %v", first[:n], again[:n], other[:n])
	}
	if n > 1 && (!strings.HasSuffix(first[0], "Bearer a") || !strings.HasSuffix(first[1], "Bearer b")) {
		t.Errorf("asked %v, want the keys in turn", first[:2])
	}
}
