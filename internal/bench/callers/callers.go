// Package callers makes accounts that may call the program, with the keys, access tokens and sessions that prove it. An
// account may make sixty calls a minute, so whoever measures needs many of them.
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

	"razao/internal/account"
	"razao/internal/oauthserver"
	"razao/internal/seal"
)

const (
	madeAtOnce = 8
	callback   = "http://localhost/callback"
)

// Sealer returns what seals the keys of servers at work, which have RAZAO_SECRET or the secret of their data folder.
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

// Keys returns the API keys of n new accounts, one of each.
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

// Session signs a new account in and returns the token of its session.
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

// Tokens returns OAuth access tokens of n new accounts, one of each, obtained as a client obtains them from the server that
// listens at address. publicAddress is the one that the server says it has.
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

// forEach calls do with the addresses of n people who have no account yet, several at once.
func forEach(ctx context.Context, n int, do func(ctx context.Context, email string) (string, error)) ([]string, error) {
	made := make([]string, n)
	run := time.Now().UnixNano() // databases are used again, and an account has five keys at the most
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

func signIn(ctx context.Context, store *account.Store, email string) (string, account.Session, error) {
	who, err := store.ByEmail(ctx, email)
	if err != nil {
		return "", account.Session{}, err
	}
	return store.StartSession(ctx, who, "bench", "")
}

// grant takes the steps of somebody who lets a client in (RFC 6749 §4.1, with PKCE); only the consent page is left out.
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

// authorize opens the authorization endpoint and returns the id of the request that waits for consent.
func authorize(ctx context.Context, address string) (id string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultTransport.RoundTrip(request) // which follows no redirect
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
