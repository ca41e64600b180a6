package signin

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"razao/internal/people/account"
)

// fakeGitHub answers as GitHub does to a sign-in of one person.
type fakeGitHub struct {
	user, emails string // bodies
	challenge    string // of the sign-in under way
	issuer       string // iss of responses; "": they have none, as those of older Enterprise servers
}

func (g *fakeGitHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/login/oauth/authorize":
		q := r.URL.Query()
		g.challenge = q.Get("code_challenge")
		back := url.Values{"code": {"um-codigo"}, "state": {q.Get("state")}}
		if g.issuer != "" {
			back.Set("iss", g.issuer)
		}
		http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
	case "/login/oauth/access_token":
		sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
		w.Header().Set("Content-Type", "application/json")
		if r.FormValue("code") != "um-codigo" || r.FormValue("client_secret") != "segredo" ||
			base64.RawURLEncoding.EncodeToString(sum[:]) != g.challenge {
			_, _ = fmt.Fprint(w, `{"error":"bad_verification_code"}`) // with status 200
			return
		}
		_, _ = fmt.Fprint(w, `{"access_token":"ficha","token_type":"bearer","scope":"user:email"}`)
	case "/api/v3/user", "/api/v3/user/emails":
		if r.Header.Get("Authorization") != "Bearer ficha" {
			http.Error(w, "", http.StatusUnauthorized)
			return
		}
		body := g.user
		if r.URL.Path == "/api/v3/user/emails" {
			body = g.emails
		}
		if body == "" {
			http.Error(w, "", http.StatusInternalServerError)
			return
		}
		_, _ = fmt.Fprint(w, body)
	default:
		http.NotFound(w, r)
	}
}

func TestSignInByGitHub(t *testing.T) {
	t.Parallel()
	fake := &fakeGitHub{}
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	b := newHarness(t, Provider{ID: "github", Name: "GitHub", Kind: GitHub, Issuer: server.URL + "/", ClientID: "razao", ClientSecret: "segredo"})
	ana, err := b.accounts.ByEmail(t.Context(), "ana@exemplo.com")
	if err != nil {
		t.Fatal(err)
	}
	const verified = `[{"email":"outra@exemplo.com","primary":false,"verified":true},{"email":"ana@exemplo.com","primary":true,"verified":true}]`
	tests := []struct {
		name, user, emails string
		account            account.ID
		want               error
	}{
		{"first sign-in", `{"id":7,"login":"ana"}`, verified, ana, nil},
		{"second sign-in, under a new name and address", `{"id":7,"login":"ana-nova"}`, `[]`, ana, nil},
		{"address not verified", `{"id":8}`, `[{"email":"ana@exemplo.com","primary":true,"verified":false}]`, 0, ErrUnverified},
		{"nobody", `{}`, verified, 0, ErrProvider},
		{"no profile", "", verified, 0, ErrProvider},
		{"no addresses", `{"id":9}`, "", 0, ErrProvider},
		{"nonsense", `<html>`, verified, 0, ErrProvider},
	}
	for _, tt := range tests {
		fake.user, fake.emails = tt.user, tt.emails
		arrival, err := b.Finish(t.Context(), ourBrowser, visit(t, b.leave(t, "github", "/conta")))
		if !errors.Is(err, tt.want) || arrival.Account != tt.account || arrival.Next != "/conta" {
			t.Errorf("%s: %+v, %v, want account %d, %v", tt.name, arrival, err, tt.account, tt.want)
		}
	}
	fake.user, fake.emails = `{"id":7,"login":"ana"}`, verified
	for issuer, want := range map[string]error{server.URL + "/login/oauth": nil, "https://outro.exemplo": ErrProvider} {
		fake.issuer = issuer
		if _, err := b.Finish(t.Context(), ourBrowser, visit(t, b.leave(t, "github", "/"))); !errors.Is(err, want) {
			t.Errorf("iss %s: %v, want %v", issuer, err, want)
		}
	}
	fake.issuer = ""
	stolen := visit(t, b.leave(t, "github", "/"))
	stolen.Code = "outro"
	if _, err := b.Finish(t.Context(), ourBrowser, stolen); !errors.Is(err, ErrProvider) {
		t.Errorf("a code that GitHub does not know: %v, want ErrProvider", err)
	}
}

// TestSecretsFollowNoRedirect: the client's secret and the access token go to no other port of a provider's host.
func TestSecretsFollowNoRedirect(t *testing.T) {
	t.Parallel()
	for _, moved := range []string{"/login/oauth/access_token", "/api/v3/user", "/api/v3/user/emails"} {
		fake := &fakeGitHub{user: `{"id":7}`, emails: `[{"email":"ana@exemplo.com","primary":true,"verified":true}]`}
		other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			t.Errorf("%s was followed, with the secret %q and the token %q", moved, r.FormValue("client_secret"), r.Header.Get("Authorization"))
			fake.ServeHTTP(w, r)
		}))
		t.Cleanup(other.Close)
		asked := false
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != moved {
				fake.ServeHTTP(w, r)
				return
			}
			asked = true
			http.Redirect(w, r, other.URL+moved, http.StatusTemporaryRedirect)
		}))
		t.Cleanup(server.Close)
		b := newHarness(t, Provider{ID: "github", Name: "GitHub", Kind: GitHub, Issuer: server.URL + "/", ClientID: "razao", ClientSecret: "segredo"})
		if _, err := b.Finish(t.Context(), ourBrowser, visit(t, b.leave(t, "github", "/conta"))); !errors.Is(err, ErrProvider) || !asked {
			t.Errorf("%s: %v, want ErrProvider; it was asked: %t", moved, err, asked)
		}
	}
}

func TestGitHubsOwnAddresses(t *testing.T) {
	t.Parallel()
	p, err := Provider{ID: "github", Name: "GitHub", Kind: GitHub, ClientID: "razao"}.open("https://razao.example/auth/callback")
	if err != nil {
		t.Fatal(err)
	}
	if g := p.(*gitHub); g.address != "https://github.com" || g.issuer() != "https://github.com/login/oauth" || g.api != "https://api.github.com" {
		t.Errorf("addresses %s and %s, issuer %s", g.address, g.api, g.issuer())
	}
}
