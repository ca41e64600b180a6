package signin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"razao/internal/people/account"
)

// providerTimeout bounds all requests to a provider for one sign-in.
const providerTimeout = 15 * time.Second

// GitHub is the Kind of GitHub's OAuth 2, which is not OpenID Connect.
const GitHub = "github"

// Provider configures an identity provider. Configuring one means trusting it: a user whose address
// it calls verified signs in to the account of that address.
type Provider struct {
	ID           string // part of URLs: 1 to 31 of a-z, 0-9 and hyphen, the first no hyphen
	Name         string // shown to people
	Kind         string // GitHub, or "" for OpenID Connect
	Issuer       string // issuer URL; for GitHub the server's, "" for github.com
	ClientID     string
	ClientSecret string
}

// provider is an identity provider after its configuration was validated. It is safe for concurrent
// use.
type provider interface {
	// issuer returns the value that iss of a response must have.
	issuer() string
	// sendsIssuer reports whether the provider's metadata say that every response has iss.
	sendsIssuer(ctx context.Context) (bool, error)
	// config returns the endpoints and credentials, after discovery if needed.
	config(ctx context.Context) (*oauth2.Config, error)
	// identify returns the user of a token response. Email is "" unless the provider verified it.
	identify(ctx context.Context, token *oauth2.Token, nonce string) (account.Identity, error)
}

var validProviderID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`)

// open validates the configuration of a provider; it does not connect.
func (p Provider) open(callback string) (provider, error) {
	if !validProviderID.MatchString(p.ID) || p.Name == "" || p.ClientID == "" {
		return nil, fmt.Errorf("sign-in provider %q needs an id of small letters, digits and hyphens, a name and a client id", p.ID)
	}
	client := oauth2.Config{ClientID: p.ClientID, ClientSecret: p.ClientSecret, RedirectURL: callback}
	switch {
	case p.Kind == GitHub:
		return newGitHub(p.Issuer, client), nil
	case p.Kind != "":
		return nil, fmt.Errorf("sign-in provider %q is of the unknown kind %q", p.ID, p.Kind)
	case p.Issuer == "":
		return nil, fmt.Errorf("sign-in provider %q has no issuer", p.ID)
	}
	client.Scopes = []string{oidc.ScopeOpenID, "email"}
	return &openID{address: p.Issuer, client: client}, nil
}

// withHTTPClient makes the OAuth libraries use an HTTP client with a timeout instead of
// http.DefaultClient, which has none, and without redirects to other origins.
func withHTTPClient(ctx context.Context) context.Context {
	return oidc.ClientContext(ctx, &http.Client{Timeout: providerTimeout, Transport: oneOrigin{http.DefaultTransport}})
}

// oneOrigin is a transport that fails where a server redirects to another origin. net/http would send the
// code and the client's secret, which are in the body of a token request, there once more (307, 308), and
// oauth2 adds the access token to every request, whose client it makes from the transport alone.
type oneOrigin struct{ http.RoundTripper }

func (o oneOrigin) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := o.RoundTripper.RoundTrip(r)
	if err != nil || resp.StatusCode/100 != 3 {
		return resp, err
	}
	if to, err := resp.Location(); err == nil && (to.Scheme != r.URL.Scheme || to.Host != r.URL.Host) {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("%s redirects to %s://%s, which gets no secrets", r.URL.Host, to.Scheme, to.Host)
	}
	return resp, nil
}

// openID is an OpenID Connect provider.
type openID struct {
	address string        // issuer
	client  oauth2.Config // without endpoint

	found atomic.Pointer[discovery] // nil until discovery succeeded
}

// discovery is a provider's metadata (OpenID Connect Discovery §4).
type discovery struct {
	provider *oidc.Provider
	config   oauth2.Config // never copied: it caches how the token endpoint authenticates clients

	sendsIssuer bool // authorization_response_iss_parameter_supported (RFC 9207 §3)
}

func (p *openID) issuer() string { return p.address }

// discover returns the provider's metadata. They are fetched at the first use and kept; a failure
// is not remembered, so a provider that is down when the server starts works as soon as it is back.
func (p *openID) discover(ctx context.Context) (*discovery, error) {
	if found := p.found.Load(); found != nil {
		return found, nil
	}
	ctx, cancel := context.WithTimeout(withHTTPClient(ctx), providerTimeout)
	defer cancel()
	asked, err := oidc.NewProvider(ctx, p.address)
	if err != nil {
		return nil, err
	}
	var metadata struct {
		SendsIssuer looseBool `json:"authorization_response_iss_parameter_supported"`
	}
	if err := asked.Claims(&metadata); err != nil {
		return nil, err
	}
	found := &discovery{provider: asked, config: p.client, sendsIssuer: bool(metadata.SendsIssuer)}
	found.config.Endpoint = asked.Endpoint()
	p.found.CompareAndSwap(nil, found) // a concurrent request may have been first
	return p.found.Load(), nil
}

func (p *openID) config(ctx context.Context) (*oauth2.Config, error) {
	found, err := p.discover(ctx)
	if err != nil {
		return nil, err
	}
	return &found.config, nil
}

func (p *openID) sendsIssuer(ctx context.Context) (bool, error) {
	found, err := p.discover(ctx)
	if err != nil {
		return false, err
	}
	return found.sendsIssuer, nil
}

// claims are the claims read from an ID token or from UserInfo (OpenID Connect Core §5.1).
type claims struct {
	Subject  string    `json:"sub"`
	Email    string    `json:"email"`
	Verified looseBool `json:"email_verified"`
}

// looseBool is a bool that may also be the string "true": some providers send email_verified so.
type looseBool bool

// UnmarshalJSON implements json.Unmarshaler. Anything but true and "true" is false.
func (t *looseBool) UnmarshalJSON(raw []byte) error {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	*t = v == true || v == "true"
	return nil
}

// identify verifies the ID token (OpenID Connect Core §3.1.3.7: signature, issuer, audience,
// expiry) and that its nonce is this attempt's, so that an ID token of another sign-in cannot be
// replayed. It reads the claims from UserInfo if the token has no e-mail address; sub must then be
// the same in both, or the token was substituted (§5.3.2). go-oidc tolerates 5 minutes of clock
// skew in nbf.
func (p *openID) identify(ctx context.Context, token *oauth2.Token, nonce string) (account.Identity, error) {
	found, err := p.discover(ctx)
	if err != nil {
		return account.Identity{}, err
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := found.provider.Verifier(&oidc.Config{ClientID: p.client.ClientID}).Verify(withHTTPClient(ctx), raw)
	if err != nil {
		return account.Identity{}, err
	}
	if id.Nonce != nonce {
		return account.Identity{}, errors.New("nonce of another sign-in (replayed ID token)")
	}
	var about claims
	if err := id.Claims(&about); err != nil {
		return account.Identity{}, err
	}
	if about.Email == "" && found.provider.UserInfoEndpoint() != "" {
		if err := askUserInfo(ctx, found.provider, token, &about); err != nil {
			return account.Identity{}, err
		}
	}
	if about.Subject != id.Subject || id.Subject == "" {
		return account.Identity{}, errors.New("sub of the ID token and of UserInfo differ")
	}
	who := account.Identity{Issuer: p.address, Subject: id.Subject}
	if about.Verified {
		who.Email = about.Email
	}
	return who, nil
}

// askUserInfo reads the claims from the UserInfo endpoint (OpenID Connect Core §5.3), for providers
// whose ID tokens have no e-mail address.
func askUserInfo(ctx context.Context, provider *oidc.Provider, token *oauth2.Token, about *claims) error {
	info, err := provider.UserInfo(withHTTPClient(ctx), oauth2.StaticTokenSource(token))
	if err != nil {
		return err
	}
	return info.Claims(about)
}
