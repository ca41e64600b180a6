package signin

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"razao/internal/people/seal"
	"razao/internal/testing/oidctest"
)

const ourBrowser = "o-navegador-da-ana-o-navegador-da-ana-o-nav"

// startOpenID runs a provider of OpenID Connect and returns it with its configuration.
func startOpenID(t *testing.T) (*oidctest.Provider, Provider) {
	t.Helper()
	p := oidctest.Start(t)
	return p, Provider{ID: "login", Name: "Login", Issuer: p.Issuer, ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret}
}

func person(subject, email string) oidctest.Person {
	return oidctest.Person{Subject: subject, Email: email, Verified: true}
}

// leave begins a sign-in and returns the authorization URL.
func (b *harness) leave(t *testing.T, provider, next string) string {
	t.Helper()
	address, err := b.Start(t.Context(), provider, next, ourBrowser)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// visit opens an authorization URL as a browser does, and returns the provider's response.
func visit(t *testing.T, address string) Answer {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	back, err := resp.Location()
	if err != nil || !strings.HasPrefix(back.String(), "https://razao.example/auth/callback?") {
		t.Fatalf("the provider answered %s: %s, %v", resp.Status, back, err)
	}
	q := back.Query()
	return Answer{State: q.Get("state"), Code: q.Get("code"), Error: q.Get("error"), Issuer: q.Get("iss")}
}

func TestSignInByProvider(t *testing.T) {
	t.Parallel()
	m, config := startOpenID(t)
	b := newHarness(t, config)
	byMail, err := b.accounts.ByEmail(t.Context(), "ana@exemplo.com")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		who  oidctest.Person
		want error
	}{
		{"first sign-in, with the address of an account", person("1", "Ana@Exemplo.com"), nil},
		{"second sign-in", person("1", "ana@exemplo.com"), nil},
		{"after the address changed", person("1", "ana.nova@exemplo.com"), nil},
		{"known, with an address that is not verified", oidctest.Person{Subject: "1", Email: "bia@exemplo.com"}, nil},
		{"new, with an address that is not verified", oidctest.Person{Subject: "2", Email: "ana@exemplo.com"}, ErrUnverified},
		{"new, with a look-alike", person("3", "аna@exemplo.com"), ErrUnverified},
		{"new, without an address", person("4", ""), ErrUnverified},
	}
	for _, tt := range tests {
		m.Queue(tt.who)
		arrival, err := b.Finish(t.Context(), ourBrowser, visit(t, b.leave(t, "login", "/conta?aba=chaves")))
		if !errors.Is(err, tt.want) || arrival.Next != "/conta?aba=chaves" {
			t.Errorf("%s: %+v, %v, want %v", tt.name, arrival, err, tt.want)
		}
		if tt.want == nil && arrival.Account != byMail || tt.want != nil && arrival.Account != 0 {
			t.Errorf("%s: account %d, want %d", tt.name, arrival.Account, byMail)
		}
	}
	if n := b.count(t, "account"); n != 1 {
		t.Errorf("%d accounts, want one", n)
	}
	m.Queue(person("5", "eva@exemplo.com"))
	if arrival, err := b.Finish(t.Context(), ourBrowser, visit(t, b.leave(t, "login", "//evil.example"))); err != nil || arrival.Account == byMail || arrival.Next != "/" {
		t.Errorf("somebody else: %+v, %v", arrival, err)
	}
}

func TestStartAsksForWhatIsNeeded(t *testing.T) {
	t.Parallel()
	_, config := startOpenID(t)
	b := newHarness(t, config)
	u, err := url.Parse(b.leave(t, "login", "/"))
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	for key, want := range map[string]string{
		"response_type": "code", "client_id": oidctest.ClientID, "redirect_uri": "https://razao.example/auth/callback",
		"scope": "openid email", "code_challenge_method": "S256",
	} {
		if q.Get(key) != want {
			t.Errorf("%s = %q, want %q", key, q.Get(key), want)
		}
	}
	for _, key := range []string{"state", "nonce", "code_challenge"} {
		if len(q.Get(key)) != 43 {
			t.Errorf("%s = %q, want 256 bits", key, q.Get(key))
		}
	}
	var row string
	if err := b.pool.QueryRow(t.Context(), `SELECT signin_attempt::text FROM signin_attempt`).Scan(&row); err != nil || strings.Contains(row, q.Get("state")) {
		t.Errorf("the row holds the state: %s, %v", row, err)
	}
	if _, err := b.Start(t.Context(), "outro", "/", ourBrowser); !errors.Is(err, ErrNoProvider) {
		t.Errorf("unknown provider: %v, want ErrNoProvider", err)
	}
}

func TestAnswersThatAreRefused(t *testing.T) {
	t.Parallel()
	m, config := startOpenID(t)
	b := newHarness(t, config)
	tests := []struct {
		name    string
		meddle  func(a *Answer) (browser string)
		want    error
		hasNext bool
	}{
		{"cancelled", func(a *Answer) string { a.Error = "access_denied"; return ourBrowser }, ErrCancelled, true},
		{"error of the provider", func(a *Answer) string { a.Error = "server_error"; return ourBrowser }, ErrProvider, true},
		{"tampered state", func(a *Answer) string { a.State = "A" + a.State[1:] + "x"; return ourBrowser }, ErrState, false},
		{"no state", func(a *Answer) string { a.State = ""; return ourBrowser }, ErrState, false},
		{"another browser", func(*Answer) string { return seal.RandomToken() }, ErrState, false},
		{"another provider's answer", func(a *Answer) string { a.Issuer = "https://evil.example"; return ourBrowser }, ErrProvider, true},
		{"tampered code", func(a *Answer) string { a.Code += "x"; return ourBrowser }, ErrProvider, true},
		{"no code", func(a *Answer) string { a.Code = ""; return ourBrowser }, ErrProvider, true},
		{"stolen code, with another verifier", func(*Answer) string {
			b.execute(t, `UPDATE signin_attempt SET verifier = repeat('a', 43)`)
			return ourBrowser
		}, ErrProvider, true},
		{"token of another sign-in", func(*Answer) string {
			b.execute(t, `UPDATE signin_attempt SET nonce = 'outro'`)
			return ourBrowser
		}, ErrProvider, true},
		{"too late", func(*Answer) string {
			b.execute(t, `UPDATE signin_attempt SET created_at = now() - interval '11 minutes'`)
			return ourBrowser
		}, ErrState, false},
		{"provider that fails", func(*Answer) string {
			m.Fail(http.StatusInternalServerError)
			return ourBrowser
		}, ErrProvider, true},
		{"token that has expired", func(*Answer) string { m.FastForward(-time.Hour); return ourBrowser }, ErrProvider, true},
	}
	for _, tt := range tests { // one after the other: they share the provider
		m.Queue(person("1", "ana@exemplo.com"))
		answer := visit(t, b.leave(t, "login", "/conta"))
		browser := tt.meddle(&answer)
		arrival, err := b.Finish(t.Context(), browser, answer)
		if !errors.Is(err, tt.want) || arrival.Account != 0 || (arrival.Next == "/conta") != tt.hasNext {
			t.Errorf("%s: %+v, %v, want %v", tt.name, arrival, err, tt.want)
		}
		b.execute(t, `DELETE FROM signin_attempt`)
	}
	if n := b.count(t, "account"); n != 0 {
		t.Errorf("refused answers made %d accounts", n)
	}
}

// TestAnswerWithoutIssuer omits iss from a response (mix-up): RFC 9207 §2.4 refuses it if the
// provider's metadata say that responses have it.
func TestAnswerWithoutIssuer(t *testing.T) {
	t.Parallel()
	const promised = "authorization_response_iss_parameter_supported"
	for _, tt := range []struct {
		metadata map[string]any
		want     error
	}{{map[string]any{promised: true}, ErrProvider}, {map[string]any{promised: false}, nil}, {nil, nil}} {
		m, config := startOpenID(t)
		m.Metadata = tt.metadata
		b := newHarness(t, config)
		m.Queue(person("1", "ana@exemplo.com"))
		answer := visit(t, b.leave(t, "login", "/conta"))
		arrival, err := b.Finish(t.Context(), ourBrowser, answer)
		if !errors.Is(err, tt.want) || (arrival.Account == 0) != (tt.want != nil) || arrival.Next != "/conta" {
			t.Errorf("metadata %v, no iss: %+v, %v, want %v", tt.metadata, arrival, err, tt.want)
		}
		m.Queue(person("1", "ana@exemplo.com"))
		answer = visit(t, b.leave(t, "login", "/conta"))
		answer.Issuer = config.Issuer
		if arrival, err := b.Finish(t.Context(), ourBrowser, answer); err != nil || arrival.Account == 0 {
			t.Errorf("metadata %v, right iss: %+v, %v", tt.metadata, arrival, err)
		}
	}
}

func TestAnswerCountsOnce(t *testing.T) {
	t.Parallel()
	m, config := startOpenID(t)
	b := newHarness(t, config)
	m.Queue(person("1", "ana@exemplo.com"))
	answer := visit(t, b.leave(t, "login", "/"))
	if _, err := b.Finish(t.Context(), ourBrowser, answer); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Finish(t.Context(), ourBrowser, answer); !errors.Is(err, ErrState) {
		t.Errorf("answer sent again: %v, want ErrState", err)
	}
	again := visit(t, b.leave(t, "login", "/"))
	again.Code = answer.Code
	if _, err := b.Finish(t.Context(), ourBrowser, again); !errors.Is(err, ErrProvider) {
		t.Errorf("code used again: %v, want ErrProvider", err)
	}
}

func TestTwoTabs(t *testing.T) {
	t.Parallel()
	m, config := startOpenID(t)
	b := newHarness(t, config)
	first, second := b.leave(t, "login", "/primeira"), b.leave(t, "login", "/segunda")
	for _, tab := range []struct{ address, next string }{{second, "/segunda"}, {first, "/primeira"}} {
		m.Queue(person("1", "ana@exemplo.com"))
		if arrival, err := b.Finish(t.Context(), ourBrowser, visit(t, tab.address)); err != nil || arrival.Next != tab.next {
			t.Errorf("tab of %s: %+v, %v", tab.next, arrival, err)
		}
	}
}

func TestProviderThatIsAway(t *testing.T) {
	t.Parallel()
	m, config := startOpenID(t)
	b := newHarness(t, config)
	m.Fail(http.StatusServiceUnavailable)
	if _, err := b.Start(t.Context(), "login", "/", ourBrowser); !errors.Is(err, ErrProvider) {
		t.Errorf("provider that does not say where it is: %v, want ErrProvider", err)
	}
	if _, err := b.Start(t.Context(), "login", "/", ourBrowser); err != nil {
		t.Errorf("provider that is back: %v", err)
	}
	gone := config
	gone.Issuer = "http://127.0.0.1:1"
	if _, err := newHarness(t, gone).Start(t.Context(), "login", "/", ourBrowser); !errors.Is(err, ErrProvider) {
		t.Errorf("provider that is gone: %v, want ErrProvider", err)
	}
}

func TestAddressApartFromTheToken(t *testing.T) {
	t.Parallel()
	m, config := startOpenID(t)
	b := newHarness(t, config)
	m.Queue(oidctest.Person{Subject: "1", Email: "ana@exemplo.com", Verified: true, InfoSubject: "1"})
	arrival, err := b.Finish(t.Context(), ourBrowser, visit(t, b.leave(t, "login", "/")))
	if who, errAccount := b.accounts.Account(t.Context(), arrival.Account); err != nil || errAccount != nil || who.Email != "ana@exemplo.com" {
		t.Errorf("arrival %+v, %v, account %+v, %v", arrival, err, who, errAccount)
	}
	m.Queue(oidctest.Person{Subject: "2", Email: "bia@exemplo.com", Verified: true, InfoSubject: "outra"})
	if _, err := b.Finish(t.Context(), ourBrowser, visit(t, b.leave(t, "login", "/"))); !errors.Is(err, ErrProvider) {
		t.Errorf("information of somebody else: %v, want ErrProvider", err)
	}
}

// TestClocksThatDiffer sets the provider's clock fast and slow by as much as real clocks are.
func TestClocksThatDiffer(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-4 * time.Minute, 4 * time.Minute} {
		m, config := startOpenID(t)
		m.FastForward(skew)
		b := newHarness(t, config)
		m.Queue(person("1", "ana@exemplo.com"))
		if _, err := b.Finish(t.Context(), ourBrowser, visit(t, b.leave(t, "login", "/"))); err != nil {
			t.Errorf("clock that differs by %s: %v", skew, err)
		}
	}
}

func TestVerifiedAddressInEveryForm(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]bool{`true`: true, `"true"`: true, `false`: false, `"false"`: false, `null`: false, `1`: false, `"sim"`: false} {
		var got looseBool
		if err := got.UnmarshalJSON([]byte(raw)); err != nil || bool(got) != want {
			t.Errorf("%s: %v, %v, want %v", raw, got, err, want)
		}
	}
}
