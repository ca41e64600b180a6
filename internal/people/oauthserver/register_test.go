package oauthserver

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/web"
)

func TestRegistration(t *testing.T) {
	b := newHarness(t)
	const good = `{"redirect_uris":["` + callback + `"]`
	tests := []struct {
		name, kind, body string
		status           int
		code             string
	}{
		{"least", "application/json", good + `}`, 201, ""},
		{"charset", "application/json; charset=utf-8", good + `,"client_name":"x"}`, 201, ""},
		{"more than is known", "application/json", good + `,"jwks":{},"contacts":["a@b"],"software_id":"x"}`, 201, ""},
		{"form", "application/x-www-form-urlencoded", "redirect_uris=x", 400, "invalid_request"},
		{"no type", "", good + `}`, 400, "invalid_request"},
		{"nothing", "application/json", "", 400, "invalid_client_metadata"},
		{"no JSON", "application/json", "{", 400, "invalid_client_metadata"},
		{"list", "application/json", "[]", 400, "invalid_client_metadata"},
		{"redirect that is no list", "application/json", `{"redirect_uris":"` + callback + `"}`, 400, "invalid_client_metadata"},
		{"no redirects", "application/json", `{}`, 400, "invalid_redirect_uri"},
		{"null", "application/json", `null`, 400, "invalid_redirect_uri"},
		{"one of them hostile", "application/json", `{"redirect_uris":["` + callback + `","javascript:alert(1)"]}`, 400, "invalid_redirect_uri"},
		{"zero in it", "application/json", `{"redirect_uris":["https://a.exemplo/\u0000"]}`, 400, "invalid_redirect_uri"},
		{"quotes in it", "application/json", `{"redirect_uris":["https://a.exemplo/\"é\\"]}`, 400, "invalid_redirect_uri"},
		{"too many", "application/json", `{"redirect_uris":[` + strings.Repeat(`"`+callback+`",`, maxRedirects) + `"` + callback + `"]}`, 400, "invalid_redirect_uri"},
		{"other grant", "application/json", good + `,"grant_types":["client_credentials"]}`, 400, "invalid_client_metadata"},
		{"other response", "application/json", good + `,"response_types":["token"]}`, 400, "invalid_client_metadata"},
		{"oversize", "application/json", good + `,"x":"` + strings.Repeat("x", maxRegistration) + `"}`, 413, "invalid_request"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := b.send(t, http.MethodPost, "/oauth/register", tt.kind, tt.body, "")
			refused := answerOf[protocolError](t, w)
			if w.Code != tt.status || refused.Code != tt.code || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("%d %s, want %d %s", w.Code, w.Body, tt.status, tt.code)
			}
			if strings.ContainsFunc(refused.Description, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
				t.Errorf("%q is not what the protocol lets a description be", refused.Description)
			}
		})
	}
	b.keeps(t, "oauth_client", 3)
	w := b.send(t, http.MethodPost, "/oauth/register", "application/json", good+`,"client_name":" João\n\u202e& cia "}`, "")
	got := answerOf[clientInformation](t, w)
	want := clientInformation{
		ID: got.ID, IssuedAt: got.IssuedAt, Name: "João & cia", Redirects: []string{callback}, GrantTypes: []string{"authorization_code", "refresh_token"},
		ResponseTypes: []string{"code"}, AuthMethod: "none", Scope: "consulta",
	}
	if diff := cmp.Diff(want, got); diff != "" || got.ID == "" || got.IssuedAt == 0 {
		t.Errorf("registered (-want +got):\n%s", diff)
	}
}

func TestClientsOfTheOperator(t *testing.T) {
	b := newHarness(t)
	for _, redirects := range [][]string{nil, {"http://a.exemplo"}} {
		if _, err := b.AddClient(t.Context(), "Interno", redirects); !errors.Is(err, ErrClientMetadata) {
			t.Errorf("%v: %v, want ErrClientMetadata", redirects, err)
		}
	}
	if _, err := b.AddClient(t.Context(), " ", []string{callback}); !errors.Is(err, ErrClientMetadata) {
		t.Errorf("no name: %v, want ErrClientMetadata", err)
	}
	added, err := b.AddClient(t.Context(), "Interno", []string{callback})
	must(t, err)
	b.register(t, callback) // that nobody lets in
	used, _ := b.signedUp(t, b.ana)
	b.execute(t, `UPDATE oauth_client SET created_at = created_at - interval '2 days' WHERE id <> $1`, used)
	must(t, b.Purge(t.Context()))
	all, err := b.Clients(t.Context())
	if err != nil || len(all) != 2 || all[0].ID != added.ID || all[0].LastUsedAt != nil || all[1].ID != used || all[1].LastUsedAt == nil {
		t.Errorf("%+v, %v", all, err)
	}
	b.requestID(t, asking(added.ID))
	must(t, b.DeleteClient(t.Context(), added.ID))
	if err := b.DeleteClient(t.Context(), added.ID); !errors.Is(err, ErrUnknownClient) {
		t.Errorf("deleted again: %v", err)
	}
}

func TestTenThousandRegistrations(t *testing.T) {
	b := newHarness(t, func(c *Config) { c.NewClients = web.NewThrottle(1, 60) })
	body := `{"redirect_uris":["` + callback + `"]}`
	statuses := map[int]int{}
	for range 1000 {
		w := b.send(t, http.MethodPost, "/oauth/register", "application/json", body, "203.0.113.7")
		statuses[w.Code]++
		if w.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") == "" {
			t.Fatal("no Retry-After")
		}
	}
	if made := statuses[http.StatusCreated]; made < 60 || made > 70 || made+statuses[http.StatusTooManyRequests] != 1000 {
		t.Errorf("one address: %v", statuses)
	}
	// From as many addresses as it takes: many clients are there, and nothing is slower or fuller for long.
	b.execute(t, `
		INSERT INTO oauth_client (id, origin, name, redirect_uris, created_at)
		SELECT 'muitos' || n, 'registration', 'x', ARRAY[$1], now() - n * interval '1 second' FROM generate_series(1, 30000) n`, callback)
	if w := b.send(t, http.MethodPost, "/oauth/register", "application/json", body, "203.0.113.8"); w.Code != http.StatusCreated {
		t.Fatalf("another address: %d", w.Code)
	}
	client := b.register(t, callback)
	issued := b.tokens(t, b.code(t, b.ana, client, callback))
	must(t, b.Purge(t.Context()))
	if n := b.count(t, "oauth_client"); n > 20_001+1 {
		t.Errorf("%d clients are left", n)
	}
	b.alive(t, issued.Access)
	b.execute(t, `UPDATE oauth_client SET created_at = created_at - interval '25 hours'`)
	must(t, b.Purge(t.Context()))
	b.keeps(t, "oauth_client", 1)
	b.alive(t, issued.Access)
}

func TestDeletedClientRegistersAgain(t *testing.T) {
	b := newHarness(t)
	client, issued := b.signedUp(t, b.ana)
	must(t, b.DeleteClient(t.Context(), client))
	b.dead(t, issued.Access)
	b.refused(t, refreshing(client, issued.Refresh), 401, "invalid_client")
	w := b.post(t, "/oauth/token", refreshing("", issued.Refresh), "Authorization", "Basic "+basic(client))
	if w.Code != 401 || !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Basic ") {
		t.Errorf("by header: %d %v", w.Code, w.Header())
	}
}
