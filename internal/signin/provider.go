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

	"razao/internal/account"
)

// providerTimeout is what all questions to a provider about one person may take.
const providerTimeout = 15 * time.Second

// GitHub is the Kind of a provider that speaks GitHub's dialect of OAuth 2 instead of OpenID Connect.
const GitHub = "github"

// Provider is somebody who knows people and is trusted to have verified their e-mail addresses.
type Provider struct {
	ID           string // in addresses: small letters, digits and hyphens
	Name         string // as people know it
	Kind         string // GitHub, or "" for OpenID Connect
	Issuer       string // its address; "" for GitHub's own
	ClientID     string
	ClientSecret string
}

// provider is a Provider at work.
type provider interface {
	issuer() string
	// config returns what a code is asked for and exchanged with.
	config(ctx context.Context) (*oauth2.Config, error)
	// identify returns who a token belongs to. Email is "" when no address was verified.
	identify(ctx context.Context, token *oauth2.Token, nonce string) (account.Identity, error)
}

var validProviderID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`)

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

// withClient gives the libraries of OAuth a client that does not wait for ever.
func withClient(ctx context.Context) context.Context {
	return oidc.ClientContext(ctx, &http.Client{Timeout: providerTimeout})
}

// openID is a provider of OpenID Connect, described by what it publishes at its issuer.
type openID struct {
	address string
	client  oauth2.Config // without endpoint

	found atomic.Pointer[discovery] // nil until it was asked with success
}

// discovery is what a provider has said of itself.
type discovery struct {
	provider *oidc.Provider
	config   oauth2.Config // which learns in what form the provider takes the client's secret
}

func (p *openID) issuer() string { return p.address }

// discover asks where the provider has what, until it is known.
func (p *openID) discover(ctx context.Context) (*discovery, error) {
	if found := p.found.Load(); found != nil {
		return found, nil
	}
	ctx, cancel := context.WithTimeout(withClient(ctx), providerTimeout)
	defer cancel()
	asked, err := oidc.NewProvider(ctx, p.address)
	if err != nil {
		return nil, err
	}
	found := &discovery{provider: asked, config: p.client}
	found.config.Endpoint = asked.Endpoint()
	p.found.CompareAndSwap(nil, found) // somebody else may have asked meanwhile
	return p.found.Load(), nil
}

func (p *openID) config(ctx context.Context) (*oauth2.Config, error) {
	found, err := p.discover(ctx)
	if err != nil {
		return nil, err
	}
	return &found.config, nil
}

// claims are what a provider says of a person.
type claims struct {
	Subject  string `json:"sub"`
	Email    string `json:"email"`
	Verified truth  `json:"email_verified"`
}

// truth is a boolean that some providers write as a string.
type truth bool

// UnmarshalJSON implements json.Unmarshaler.
func (t *truth) UnmarshalJSON(raw []byte) error {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	*t = v == true || v == "true"
	return nil
}

func (p *openID) identify(ctx context.Context, token *oauth2.Token, nonce string) (account.Identity, error) {
	found, err := p.discover(ctx)
	if err != nil {
		return account.Identity{}, err
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := found.provider.Verifier(&oidc.Config{ClientID: p.client.ClientID}).Verify(withClient(ctx), raw)
	if err != nil {
		return account.Identity{}, err
	}
	if id.Nonce != nonce {
		return account.Identity{}, errors.New("the token was made for another sign-in")
	}
	var said claims
	if err := id.Claims(&said); err != nil {
		return account.Identity{}, err
	}
	if said.Email == "" && found.provider.UserInfoEndpoint() != "" {
		if err := askUserInfo(ctx, found.provider, token, &said); err != nil {
			return account.Identity{}, err
		}
	}
	if said.Subject != id.Subject || id.Subject == "" {
		return account.Identity{}, errors.New("the token and the information are of different people")
	}
	who := account.Identity{Issuer: p.address, Subject: id.Subject}
	if said.Verified {
		who.Email = said.Email
	}
	return who, nil
}

// askUserInfo fills said with what the provider tells apart from the token.
func askUserInfo(ctx context.Context, provider *oidc.Provider, token *oauth2.Token, said *claims) error {
	info, err := provider.UserInfo(withClient(ctx), oauth2.StaticTokenSource(token))
	if err != nil {
		return err
	}
	return info.Claims(said)
}
