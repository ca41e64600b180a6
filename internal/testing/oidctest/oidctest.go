// Package oidctest is an OpenID provider on loopback for tests. It asks nobody anything: who is next
// in its queue is signed in. It checks what a provider has to check of its client: client and secret,
// that a code is used once, and PKCE (RFC 7636).
package oidctest

import (
	"cmp"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"sync"
	"testing"
	"time"
)

// The client that the provider knows.
const (
	ClientID     = "razao"
	ClientSecret = "segredo do cliente"
)

// Person is somebody who signs in.
type Person struct {
	Subject  string
	Email    string
	Verified bool

	// InfoSubject, if not "", keeps the address out of the ID token: only UserInfo has it, with this
	// sub. What is verified is said there as a text, as some providers do.
	InfoSubject string
}

// Provider is a provider. It is safe for concurrent use.
type Provider struct {
	// Issuer is the address at which clients reach it, which may be that of a proxy before it.
	Issuer string
	// Metadata are further members of the discovery document.
	Metadata map[string]any

	server *httptest.Server
	key    *rsa.PrivateKey

	mu      sync.Mutex
	queue   []Person
	failing []int // statuses of the next answers
	refuses bool
	ahead   time.Duration
	codes   map[string]grant // that are not used yet
	tokens  map[string]Person
}

// grant is what a code stands for.
type grant struct {
	who              Person
	nonce, challenge string
}

// Start starts a provider, which stops with the test.
func Start(t testing.TB) *Provider {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{key: key, codes: map[string]grant{}, tokens: map[string]Person{}}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /.well-known/openid-configuration", p.discovery)
	routes.HandleFunc("GET /keys", p.keys)
	routes.HandleFunc("GET /authorize", p.authorize)
	routes.HandleFunc("POST /token", p.token)
	routes.HandleFunc("GET /userinfo", p.userinfo)
	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.failing) > 0 {
			w.WriteHeader(p.failing[0])
			p.failing = p.failing[1:]
			return
		}
		routes.ServeHTTP(w, r)
	}))
	t.Cleanup(p.server.Close)
	p.Issuer = p.server.URL
	return p
}

// Addr returns the host and port on which it listens.
func (p *Provider) Addr() string { return p.server.Listener.Addr().String() }

// Queue lets a person sign in after those queued before. With an empty queue it is always the
// same visitor.
func (p *Provider) Queue(who Person) { p.set(func() { p.queue = append(p.queue, who) }) }

// Fail answers the next request with a status.
func (p *Provider) Fail(status int) { p.set(func() { p.failing = append(p.failing, status) }) }

// Refuse sends people back as if they had not consented, or no longer.
func (p *Provider) Refuse(on bool) { p.set(func() { p.refuses = on }) }

// FastForward sets its clock ahead, or back for a negative duration.
func (p *Provider) FastForward(by time.Duration) { p.set(func() { p.ahead += by }) }

func (p *Provider) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	document := map[string]any{
		"issuer": p.Issuer, "authorization_endpoint": p.Issuer + "/authorize", "token_endpoint": p.Issuer + "/token",
		"userinfo_endpoint": p.Issuer + "/userinfo", "jwks_uri": p.Issuer + "/keys", "id_token_signing_alg_values_supported": []string{"RS256"},
	}
	for name, value := range p.Metadata {
		document[name] = value
	}
	write(w, document)
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	write(w, map[string]any{"keys": []map[string]string{
		{"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "1", "n": encode(p.key.N.Bytes()), "e": "AQAB"},
	}})
}

func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	back := asked.Get("redirect_uri")
	if asked.Get("client_id") != ClientID || asked.Get("response_type") != "code" || asked.Get("code_challenge_method") != "S256" || back == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	answer := url.Values{"state": {asked.Get("state")}}
	if p.refuses {
		answer.Set("error", "access_denied")
	} else {
		g := grant{Person{Subject: "visitante", Email: "visitante@exemplo.com.br", Verified: true}, asked.Get("nonce"), asked.Get("code_challenge")}
		if len(p.queue) > 0 {
			g.who, p.queue = p.queue[0], p.queue[1:]
		}
		code := rand.Text()
		p.codes[code] = g
		answer.Set("code", code)
	}
	http.Redirect(w, r, back+"?"+answer.Encode(), http.StatusFound)
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	} else if plain, err := url.QueryUnescape(secret); err == nil { // RFC 6749 §2.3.1
		secret = plain
	}
	code := r.PostFormValue("code")
	g, known := p.codes[code]
	verifier := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !known || id != ClientID || secret != ClientSecret || encode(verifier[:]) != g.challenge {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	delete(p.codes, code)
	access := rand.Text()
	p.tokens[access] = g.who
	now := time.Now().Add(p.ahead)
	claims := map[string]any{
		"iss": p.Issuer, "aud": ClientID, "sub": g.who.Subject, "nonce": g.nonce,
		"iat": now.Unix(), "nbf": now.Unix(), "exp": now.Add(10 * time.Minute).Unix(),
	}
	if g.who.InfoSubject == "" {
		claims["email"], claims["email_verified"] = g.who.Email, g.who.Verified
	}
	write(w, map[string]any{"access_token": access, "token_type": "bearer", "expires_in": 600, "id_token": p.sign(claims)})
}

func (p *Provider) userinfo(w http.ResponseWriter, r *http.Request) {
	const scheme = "Bearer "
	header := r.Header.Get("Authorization")
	who, known := p.tokens[header[min(len(header), len(scheme)):]]
	if !known {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	write(w, map[string]any{"sub": cmp.Or(who.InfoSubject, who.Subject), "email": who.Email, "email_verified": strconv.FormatBool(who.Verified)})
}

// sign returns claims as a JWT (RFC 7519) with RS256.
func (p *Provider) sign(claims map[string]any) string {
	body, err := json.Marshal(claims)
	if err != nil {
		panic(err) // texts and numbers
	}
	signed := encode([]byte(`{"alg":"RS256","kid":"1","typ":"JWT"}`)) + "." + encode(body)
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(nil, p.key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return signed + "." + encode(signature)
}

func encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
