// Package callers creates accounts for load generators, with the API keys, OAuth access tokens and
// sessions that authenticate them. An account may make sixty calls a minute, so a benchmark needs
// thousands of accounts.
//
// Accounts, keys and sessions are written straight into the database; access tokens are granted by
// a running server. The secret must be that of the servers under test: their seal in each key is
// what keeps calls off the slow path for foreign keys.
package callers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/oauth2"
	"golang.org/x/sync/errgroup"

	"razao/internal/people/account"
	"razao/internal/people/oauthserver"
	"razao/internal/people/seal"
)

const (
	madeAtOnce = 8 // accounts created concurrently
	callback   = "http://localhost/callback"
)

// Sealer returns the sealer with the secret of running servers: RAZAO_SECRET, or the file secret in
// their data folder.
func Sealer(data string) (*seal.Sealer, error) {
	if secret := os.Getenv("RAZAO_SECRET"); secret != "" {
		return seal.New(secret), nil
	}
	secret, err := os.ReadFile(filepath.Join(data, "secret"))
	if err != nil {
		return nil, fmt.Errorf("secret of the servers (RAZAO_SECRET): %w", err)
	}
	return seal.New(string(secret)), nil
}

// Keys creates n accounts and returns one API key of each, in no particular order.
func Keys(ctx context.Context, pool *pgxpool.Pool, s *seal.Sealer, n int) ([]string, error) {
	store := account.NewStore(pool, s)
	keys, err := forEach(ctx, n, func(ctx context.Context, email string) (string, error) {
		key, _, err := store.CreateKey(ctx, email, "bench")
		return key, err
	})
	if err != nil {
		return nil, fmt.Errorf("make keys: %w", err)
	}
	return keys, nil
}

// Session creates an account, signs it in and returns its session token, which is the value of the
// session cookie.
func Session(ctx context.Context, pool *pgxpool.Pool) (string, error) {
	store := account.NewStore(pool, nil)
	tokens, err := forEach(ctx, 1, func(ctx context.Context, email string) (string, error) {
		token, _, err := signIn(ctx, store, email)
		return token, err
	})
	if err != nil {
		return "", fmt.Errorf("make a session: %w", err)
	}
	return tokens[0], nil
}

// Tokens creates n accounts and returns one OAuth access token of each. It registers one client and
// takes every account through the authorization code flow with PKCE against the server that listens
// at address. publicAddress is that server's RAZAO_BASE_URL, the issuer of its tokens.
func Tokens(ctx context.Context, pool *pgxpool.Pool, s *seal.Sealer, address, publicAddress string, n int) ([]string, error) {
	server, err := oauthserver.New(oauthserver.Config{Pool: pool, Log: slog.New(slog.DiscardHandler), BaseURL: publicAddress, Seal: s})
	if err != nil {
		return nil, err
	}
	defer server.Close()
	client, err := server.AddClient(ctx, "bench", []string{callback})
	if err != nil {
		return nil, fmt.Errorf("make a client: %w", err)
	}
	config := oauth2.Config{ClientID: client.ID, RedirectURL: callback, Endpoint: oauth2.Endpoint{
		AuthURL: address + "/oauth/authorize", TokenURL: address + "/oauth/token", AuthStyle: oauth2.AuthStyleInParams,
	}}
	store := account.NewStore(pool, nil)
	tokens, err := forEach(ctx, n, func(ctx context.Context, email string) (string, error) {
		return grant(ctx, server, store, &config, email)
	})
	if err != nil {
		return nil, fmt.Errorf("make access tokens: %w", err)
	}
	return tokens, nil
}

// forEach calls do concurrently with the e-mail addresses of n accounts that do not exist yet and
// returns the results. The first error cancels the rest.
func forEach(ctx context.Context, n int, do func(ctx context.Context, email string) (string, error)) ([]string, error) {
	made := make([]string, n)
	run := time.Now().UnixNano() // unique per run: a reused database has accounts that may be at the limit of five keys
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(madeAtOnce)
	for i := range made {
		g.Go(func() (err error) {
			made[i], err = do(ctx, fmt.Sprintf("bench%d-%d@exemplo.com", run, i))
			return err
		})
	}
	return made, g.Wait()
}

// signIn creates the account of an address if necessary and starts a session for it.
func signIn(ctx context.Context, store *account.Store, email string) (string, account.Session, error) {
	who, err := store.ByEmail(ctx, email)
	if err != nil {
		return "", account.Session{}, err
	}
	return store.StartSession(ctx, who, "bench", "")
}

// grant performs the authorization code flow for one account (RFC 6749 section 4.1, with PKCE, RFC
// 7636) and returns the access token. Consent is given through the server's Go API instead of its
// page.
func grant(ctx context.Context, server *oauthserver.Server, store *account.Store, config *oauth2.Config, email string) (string, error) {
	_, session, err := signIn(ctx, store, email)
	if err != nil {
		return "", err
	}
	verifier := oauth2.GenerateVerifier()
	id, err := authorize(ctx, config.AuthCodeURL("", oauth2.S256ChallengeOption(verifier)))
	if err != nil {
		return "", err
	}
	if _, err := server.Request(ctx, id, session); err != nil {
		return "", err
	}
	address, err := server.Approve(ctx, id, session)
	if err != nil {
		return "", err
	}
	back, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	token, err := config.Exchange(ctx, back.Query().Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		return "", err
	}
	return token.AccessToken, nil
}

// authorize opens the authorization endpoint and returns the id of the pending request, which the
// redirect to the consent page carries.
func authorize(ctx context.Context, address string) (id string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultTransport.RoundTrip(request) // unlike Client.Do it does not follow the redirect
	if err != nil {
		return "", err
	}
	err = answer.Body.Close()
	to, noRedirect := answer.Location()
	if err = errors.Join(err, noRedirect); err != nil {
		return "", fmt.Errorf("ask for an authorization: %s: %w", answer.Status, err)
	}
	return to.Query().Get("authorization_id"), nil
}
