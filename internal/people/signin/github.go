package signin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/oauth2"

	"razao/internal/people/account"
)

// gitHub is GitHub or a GitHub Enterprise server. It speaks OAuth 2 without OpenID Connect, so its
// REST API says whom an access token belongs to.
type gitHub struct {
	address string // without a slash at the end
	api     string // base URL of the REST API
	client  oauth2.Config
}

// newGitHub returns the provider at address, github.com if it is "". Enterprise servers have their
// API below /api/v3.
func newGitHub(address string, client oauth2.Config) *gitHub {
	g := &gitHub{address: strings.TrimSuffix(address, "/"), client: client}
	if g.address == "" {
		g.address = "https://github.com"
	}
	g.api = g.address + "/api/v3"
	if g.address == "https://github.com" {
		g.api = "https://api.github.com"
	}
	g.client.Scopes = []string{"user:email"}
	g.client.Endpoint = oauth2.Endpoint{
		AuthURL:   g.address + "/login/oauth/authorize",
		TokenURL:  g.address + "/login/oauth/access_token",
		AuthStyle: oauth2.AuthStyleInParams,
	}
	return g
}

// issuer returns what GitHub sends as iss since August 2026. Identities are stored under address.
func (g *gitHub) issuer() string { return g.address + "/login/oauth" }

// sendsIssuer is false: GitHub is configured without metadata.
func (g *gitHub) sendsIssuer(context.Context) (bool, error) { return false, nil }

func (g *gitHub) config(context.Context) (*oauth2.Config, error) { return &g.client, nil }

// identify asks the API for the user's numeric id, which a renamed account keeps, and for the
// primary e-mail address if it is verified. It ignores the nonce, which belongs to ID tokens: PKCE
// binds the code to this sign-in.
func (g *gitHub) identify(ctx context.Context, token *oauth2.Token, _ string) (account.Identity, error) {
	var user struct {
		ID int64 `json:"id"`
	}
	if err := g.ask(ctx, token, "/user", &user); err != nil {
		return account.Identity{}, err
	}
	if user.ID == 0 {
		return account.Identity{}, errors.New("/user has no id")
	}
	var emails []struct {
		Email    string `json:"email"`
		Primary  bool   `json:"primary"`
		Verified bool   `json:"verified"`
	}
	if err := g.ask(ctx, token, "/user/emails", &emails); err != nil {
		return account.Identity{}, err
	}
	who := account.Identity{Issuer: g.address, Subject: strconv.FormatInt(user.ID, 10)}
	for _, e := range emails {
		if e.Primary && e.Verified {
			who.Email = e.Email
		}
	}
	return who, nil
}

// ask decodes the response of GitHub's REST API to GET path, of at most 1 MB.
func (g *gitHub) ask(ctx context.Context, token *oauth2.Token, path string, into any) error {
	const maxAnswer = 1 << 20
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, g.api+path, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/vnd.github+json")
	resp, err := oauth2.NewClient(withHTTPClient(ctx), oauth2.StaticTokenSource(token)).Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: status %d", path, resp.StatusCode)
	}
	return json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(into)
}
