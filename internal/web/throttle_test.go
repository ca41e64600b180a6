package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
)

// clock is a time that the test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func testThrottle(perMinute, burst int) (*Throttle, *clock) {
	c := &clock{time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)}
	t := NewThrottle(perMinute, burst)
	t.now = c.now
	return t, c
}

func TestThrottle(t *testing.T) {
	t.Parallel()
	throttle, clock := testThrottle(600, 120)
	ana, bia := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	for i := range 120 {
		if err := throttle.Take(ana); err != nil {
			t.Fatalf("request %d: %v", i+1, err)
		}
	}
	var tooMany *TooManyError
	if err := throttle.Take(ana); !errors.As(err, &tooMany) || tooMany.Wait != 100*time.Millisecond || tooMany.Seconds() != "1" {
		t.Errorf("request 121: %v, want to wait for 100ms", err)
	}
	if err := throttle.Take(bia); err != nil {
		t.Errorf("another client: %v", err)
	}
	clock.at = clock.at.Add(time.Second)
	for i := range 10 {
		if err := throttle.Take(ana); err != nil {
			t.Errorf("request %d after a second: %v", i+1, err)
		}
	}
	if err := throttle.Check(ana); err == nil {
		t.Error("request 11 after a second is let through")
	}
	clock.at = clock.at.Add(100 * time.Millisecond)
	for range 3 {
		if err := throttle.Check(ana); err != nil {
			t.Errorf("a look counts: %v", err)
		}
	}
}

func TestThrottleOfAccounts(t *testing.T) {
	t.Parallel()
	throttle, clock := testThrottle(60, 2)
	for i := range 2 {
		if err := throttle.TakeAccount(7); err != nil {
			t.Errorf("request %d: %v", i+1, err)
		}
	}
	var tooMany *TooManyError
	if err := throttle.TakeAccount(7); !errors.As(err, &tooMany) || tooMany.Wait != time.Second {
		t.Errorf("request 3: %v, want to wait for 1s", err)
	}
	if err := errors.Join(throttle.TakeAccount(8), throttle.Take(netip.Addr{})); err != nil {
		t.Errorf("others: %v", err)
	}
	clock.at = clock.at.Add(time.Second)
	if err := throttle.TakeAccount(7); err != nil {
		t.Errorf("after a second: %v", err)
	}
}

func TestNoThrottle(t *testing.T) {
	t.Parallel()
	throttle := NewThrottle(0, 0)
	if err := errors.Join(throttle.Take(netip.Addr{}), throttle.Check(netip.Addr{}), throttle.TakeAccount(0)); err != nil {
		t.Error(err)
	}
}

func TestThrottleSeesNetworksOfIPv6(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		same bool
	}{
		{"192.0.2.1", "192.0.2.1", true},
		{"192.0.2.1", "192.0.2.2", false},
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true},
		{"2001:db8:1:2::1", "2001:db8:1:3::1", false},
	}
	for _, tt := range tests {
		throttle, _ := testThrottle(30, 1)
		if err := throttle.Take(netip.MustParseAddr(tt.a)); err != nil {
			t.Fatal(err)
		}
		if err := throttle.Take(netip.MustParseAddr(tt.b)); (err != nil) != tt.same {
			t.Errorf("%s after %s: %v, want the same client: %v", tt.b, tt.a, err, tt.same)
		}
	}
}

// TestThrottleSeesSites spreads requests over the /64s of one /48: together they have sixteen times
// the rate of one.
func TestThrottleSeesSites(t *testing.T) {
	t.Parallel()
	throttle, clock := testThrottle(60, 10)
	network := func(site, n int) netip.Addr { return netip.MustParseAddr(fmt.Sprintf("2001:db8:%x:%x::1", site, n)) }
	let := 0
	for n := range 1000 {
		if throttle.Take(network(1, n)) == nil {
			let++
		}
	}
	if let != 160 {
		t.Errorf("%d requests of a /48 are let through, want 160", let)
	}
	if err := throttle.Take(network(2, 1)); err != nil {
		t.Errorf("another /48: %v", err)
	}
	if err := throttle.Take(netip.MustParseAddr("192.0.2.1")); err != nil {
		t.Errorf("IPv4: %v", err)
	}
	clock.at = clock.at.Add(time.Second)
	if err := throttle.Check(network(1, 2000)); err != nil {
		t.Errorf("after a second: %v", err)
	}
}

// TestRefunds takes all tokens and returns some: as many requests are let through again, and never
// more than a full bucket.
func TestRefunds(t *testing.T) {
	t.Parallel()
	throttle, clock := testThrottle(60, 3)
	ana := netip.MustParseAddr("2001:db8:1:2::1")
	takes := func(want int) {
		t.Helper()
		for i := range want {
			if err := throttle.Take(ana); err != nil {
				t.Errorf("request %d of %d: %v", i+1, want, err)
			}
		}
		var tooMany *TooManyError
		if err := throttle.Take(ana); !errors.As(err, &tooMany) || tooMany.Wait != time.Second {
			t.Errorf("one more than %d: %v", want, err)
		}
	}
	takes(3)
	throttle.Refund(ana)
	throttle.Refund(ana)
	takes(2)
	clock.at = clock.at.Add(time.Hour)
	throttle.Refund(ana) // of a request that took as long
	clock.at = clock.at.Add(time.Nanosecond)
	takes(3)
	(*Throttle)(nil).Refund(ana)
}

func TestThrottleForgetsWhoWasQuiet(t *testing.T) {
	t.Parallel()
	throttle, _ := testThrottle(30, 1)
	busy := netip.MustParseAddr("192.0.2.1")
	if err := throttle.Take(busy); err != nil {
		t.Fatal(err)
	}
	client := netip.MustParseAddr("10.0.0.0")
	for range 3 * maxClients {
		client = client.Next()
		_ = throttle.Take(client)
		if err := throttle.Check(busy); err == nil {
			t.Fatal("a busy client was forgotten")
		}
		if n := throttle.clients.Len(); n > maxClients {
			t.Fatalf("%d clients are remembered", n)
		}
	}
}

func TestClientAddress(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	tests := []struct {
		name, peer string
		forwarded  []string
		trusted    []netip.Prefix
		want       string
	}{
		{"direct", "192.0.2.1:1234", nil, trusted, "192.0.2.1"},
		{"header of a stranger", "192.0.2.1:1234", []string{"198.51.100.1"}, trusted, "192.0.2.1"},
		{"header without configuration", "10.0.0.1:1234", []string{"198.51.100.1"}, nil, "10.0.0.1"},
		{"one proxy", "10.0.0.1:1234", []string{"198.51.100.1"}, trusted, "198.51.100.1"},
		{"two proxies", "10.0.0.1:1234", []string{"198.51.100.1, 10.0.0.2"}, trusted, "198.51.100.1"},
		{"two headers", "10.0.0.1:1234", []string{"198.51.100.1", "10.0.0.2"}, trusted, "198.51.100.1"},
		{"client that writes the header itself", "10.0.0.1:1234", []string{"203.0.113.9, 198.51.100.1"}, trusted, "198.51.100.1"},
		{"client that names a proxy of ours", "10.0.0.1:1234", []string{"10.0.0.9, 198.51.100.1"}, trusted, "198.51.100.1"},
		{"nonsense", "10.0.0.1:1234", []string{"198.51.100.1, unknown"}, trusted, "10.0.0.1"},
		{"empty header", "10.0.0.1:1234", []string{""}, trusted, "10.0.0.1"},
		{"IPv4 in IPv6", "[::ffff:10.0.0.1]:1234", []string{"::ffff:198.51.100.1"}, trusted, "198.51.100.1"},
		{"IPv6", "[fd00::1]:1234", []string{"2001:db8::1"}, trusted, "2001:db8::1"},
		{"no address", "@", []string{"198.51.100.1"}, trusted, "invalid IP"},
		{"IPv4 with a port", "10.0.0.1:1234", []string{"198.51.100.1:4711"}, trusted, "198.51.100.1"},
		{"a proxy with a port", "10.0.0.1:1234", []string{"198.51.100.1:4711, 10.0.0.2:80"}, trusted, "198.51.100.1"},
		{"spoofed, and the client's own with a port", "10.0.0.1:1234", []string{"203.0.113.9:1, 198.51.100.1:4711"}, trusted, "198.51.100.1"},
		{"IPv6 in brackets", "10.0.0.1:1234", []string{"[2001:db8::1]"}, trusted, "2001:db8::1"},
		{"IPv6 with a port", "10.0.0.1:1234", []string{"[2001:db8::1]:4711"}, trusted, "2001:db8::1"},
		{"IPv4 in IPv6 with a port", "10.0.0.1:1234", []string{"[::ffff:198.51.100.1]:4711"}, trusted, "198.51.100.1"},
		{"quoted", "10.0.0.1:1234", []string{`"198.51.100.1"`}, trusted, "198.51.100.1"},
		{"quoted, with brackets and port", "10.0.0.1:1234", []string{`"[2001:db8::1]:4711" , "10.0.0.2"`}, trusted, "2001:db8::1"},
		{"zone", "10.0.0.1:1234", []string{"fe80::1%eth0"}, trusted, "fe80::1"},
		{"zone and port", "10.0.0.1:1234", []string{"[fe80::1%eth0]:4711"}, trusted, "fe80::1"},
		{"blanks", "10.0.0.1:1234", []string{"\t198.51.100.1:4711 "}, trusted, "198.51.100.1"},
		{"unknown (RFC 7239 §6.2)", "10.0.0.1:1234", []string{"203.0.113.9, unknown"}, trusted, "10.0.0.1"},
		{"obfuscated (RFC 7239 §6.3)", "10.0.0.1:1234", []string{"203.0.113.9, _hidden"}, trusted, "10.0.0.1"},
		{"unknown behind a second proxy", "10.0.0.1:1234", []string{"203.0.113.9, unknown, 10.0.0.2"}, trusted, "10.0.0.2"},
		{"no port", "10.0.0.1:1234", []string{"198.51.100.1:"}, trusted, "10.0.0.1"},
		{"no such port", "10.0.0.1:1234", []string{"198.51.100.1:70000"}, trusted, "10.0.0.1"},
		{"half a quotation", "10.0.0.1:1234", []string{`"203.0.113.9, 198.51.100.1"`}, trusted, "10.0.0.1"},
		{"half a bracket", "10.0.0.1:1234", []string{"[2001:db8::1"}, trusted, "10.0.0.1"},
		{"IPv4 in brackets", "10.0.0.1:1234", []string{"[198.51.100.1]"}, trusted, "10.0.0.1"},
		{"quotation marks alone", "10.0.0.1:1234", []string{`"`}, trusted, "10.0.0.1"},
		{"empty last element", "10.0.0.1:1234", []string{"203.0.113.9,"}, trusted, "10.0.0.1"},
	}
	for _, tt := range tests {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = tt.peer
		r.Header["X-Forwarded-For"] = tt.forwarded
		r.Header.Set("Forwarded", "for=203.0.113.77") // RFC 7239; never read, so a client cannot choose between the two
		if got := clientAddress(r, tt.trusted); got.String() != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func fail(c *gin.Context, err error) {
	var tooMany *TooManyError
	switch {
	case errors.As(err, &tooMany):
		c.Header("Retry-After", tooMany.Seconds())
		c.Status(http.StatusTooManyRequests)
	case errors.Is(err, ErrCrossOrigin):
		c.Status(http.StatusForbidden)
	case errors.Is(err, ErrFormTooLarge):
		c.Status(http.StatusRequestEntityTooLarge)
	case errors.Is(err, ErrForm):
		c.Status(http.StatusBadRequest)
	default:
		c.Status(http.StatusServiceUnavailable)
	}
}

// TestRateIsShown compares the fields with draft-ietf-httpapi-ratelimit-headers-11: structured fields (RFC 9651), seconds rounded up.
func TestRateIsShown(t *testing.T) {
	t.Parallel()
	reset := time.Date(2026, 11, 28, 12, 1, 0, 0, time.UTC)
	for before, want := range map[time.Duration]string{
		time.Minute: `"conta";r=7;t=60`, 1500 * time.Millisecond: `"conta";r=7;t=2`, time.Second: `"conta";r=7;t=1`, 0: `"conta";r=7;t=0`, -time.Hour: `"conta";r=7;t=0`,
	} {
		h := http.Header{}
		ShowRate(h, 60, 7, reset.Add(-before), reset)
		got := []string{h.Get("RateLimit"), h.Get("RateLimit-Policy"), h.Get("X-RateLimit-Limit"), h.Get("X-RateLimit-Remaining"), h.Get("X-RateLimit-Reset")}
		if all := []string{want, `"conta";q=60;w=60`, "60", "7", "1795867260"}; !slices.Equal(got, all) {
			t.Errorf("%s before: %q, want %q", before, got, all)
		}
	}
	h := http.Header{}
	if ShowRate(h, 0, 0, reset, reset); len(h) != 0 {
		t.Errorf("nobody's: %v", h)
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	throttle, _ := testThrottle(60, 2)
	engine := quiet()
	served := 0
	Get(engine, "/", Limit(throttle, fail), func(*gin.Context) { served++ })
	for i, want := range []int{200, 200, 429, 429} {
		resp := do(engine, "GET", "/", "X-Forwarded-For", fmt.Sprintf("198.51.100.%d", i)) // which nobody trusts
		if resp.StatusCode != want || (resp.Header.Get("Retry-After") != "") != (want == 429) {
			t.Errorf("request %d: status %d, headers %v, want %d", i+1, resp.StatusCode, resp.Header, want)
		}
	}
	if served != 2 {
		t.Errorf("%d requests were served, want two", served)
	}
}

func TestGuard(t *testing.T) {
	t.Parallel()
	throttle, clock := testThrottle(30, 30)
	engine := quiet()
	Get(engine, "/:status", Guard{Failures: throttle, Fail: fail}.Limit, func(c *gin.Context) {
		if c.Param("status") == "401" {
			c.Status(http.StatusUnauthorized)
		}
	})
	for range 100 {
		if resp := do(engine, "GET", "/200"); resp.StatusCode != 200 {
			t.Fatalf("answers that are no failure count: status %d", resp.StatusCode)
		}
	}
	for i := range 30 {
		if resp := do(engine, "GET", "/401"); resp.StatusCode != 401 {
			t.Fatalf("failure %d: status %d", i+1, resp.StatusCode)
		}
	}
	for _, path := range []string{"/401", "/200"} {
		if resp := do(engine, "GET", path); resp.StatusCode != 429 || resp.Header.Get("Retry-After") != "2" {
			t.Errorf("%s after 30 failures: status %d, Retry-After %s", path, resp.StatusCode, resp.Header.Get("Retry-After"))
		}
	}
	clock.at = clock.at.Add(2 * time.Second)
	if resp := do(engine, "GET", "/200"); resp.StatusCode != 200 {
		t.Errorf("after the wait: status %d", resp.StatusCode)
	}
}

// TestGuardTakesForGuesses blocks requests in their handler. No more possible guesses get there
// than failures are left, all known requests do, and successes return theirs.
func TestGuardTakesForGuesses(t *testing.T) {
	t.Parallel()
	const burst, requests = 5, 50
	for _, known := range []bool{false, true} {
		throttle, _ := testThrottle(30, burst)
		engine := quiet()
		inside, leave := make(chan struct{}, requests), make(chan struct{})
		status := http.StatusOK
		guard := Guard{Failures: throttle, Known: func(*gin.Context) bool { return known }, Fail: fail}
		Get(engine, "/", guard.Limit, func(c *gin.Context) {
			inside <- struct{}{}
			<-leave
			c.Status(status)
		})
		round := func() (refused int) {
			answers := make(chan int, requests)
			for range requests {
				go func() { answers <- do(engine, "GET", "/").StatusCode }()
			}
			want := burst
			if known {
				want = requests
			}
			for range want {
				<-inside
			}
			for range requests - want {
				if got := <-answers; got != http.StatusTooManyRequests {
					t.Errorf("status %d beyond the failures left", got)
				}
				refused++
			}
			for range want {
				leave <- struct{}{}
			}
			for range want {
				<-answers
			}
			return refused
		}
		for range 2 { // the second time as much is left as the first
			if refused := round(); known != (refused == 0) {
				t.Errorf("known %t: %d refused", known, refused)
			}
		}
		status = http.StatusUnauthorized
		round()
		if err := throttle.Check(netip.MustParseAddr("192.0.2.1")); err == nil {
			t.Errorf("known %t: failures were not counted", known)
		}
	}
}

func TestGuardSpares(t *testing.T) {
	t.Parallel()
	throttle, _ := testThrottle(30, 1)
	engine := quiet()
	guard := Guard{Failures: throttle, Known: func(c *gin.Context) bool { return c.Query("known") != "" }, Spare: true, Fail: fail}
	Get(engine, "/", guard.Limit, func(c *gin.Context) { Failed(c) })
	for i, tt := range []struct {
		path string
		want int
	}{{"/", 200}, {"/", 429}, {"/?known=1", 200}, {"/?known=1", 200}} {
		if resp := do(engine, "GET", tt.path); resp.StatusCode != tt.want {
			t.Errorf("request %d: status %d, want %d", i+1, resp.StatusCode, tt.want)
		}
	}
}
