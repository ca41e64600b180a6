package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/oauth2"
	"golang.org/x/sync/errgroup"

	"razao/internal/account"
	"razao/internal/assistant"
	"razao/internal/mcp"
	"razao/internal/oauthserver"
	"razao/internal/snapshot"
)

const (
	callback = "http://localhost/callback"

	// tokenAccounts is how many accounts call with a token in turn: none is limited below two thousand calls a second.
	tokenAccounts = 2_000
)

// newTokens returns the authorization server. Nobody is throttled.
func newTokens(pool *pgxpool.Pool) (*oauthserver.Server, error) {
	return oauthserver.New(oauthserver.Config{Pool: pool, Log: warnings(), BaseURL: publicAddress})
}

// addAssistants adds /mcp and the authorization server to an engine, as they are served.
func addAssistants(engine *gin.Engine, live *snapshot.Live, pool *pgxpool.Pool, meter *account.Meter) error {
	tokens, err := newTokens(pool)
	if err != nil {
		return err
	}
	verify := func(ctx context.Context, token string) (mcp.Access, error) {
		access, err := tokens.Verify(ctx, token)
		if errors.Is(err, oauthserver.ErrInvalidToken) {
			return mcp.Access{}, mcp.ErrInvalidToken
		}
		return mcp.Access{Account: access.Account, Scopes: access.Scopes, Expires: access.Expires}, err
	}
	assistants, err := mcp.New(mcp.Config{
		Assistant: assistant.New(assistant.Config{Live: live, BaseURL: publicAddress}),
		BaseURL:   publicAddress, Version: "bench", Log: warnings(),
		Verify: verify, Identify: account.NewStore(pool).Identify, Meter: meter,
	})
	if err != nil {
		return err
	}
	assistants.Register(engine)
	tokens.Register(engine, func(c *gin.Context, err error) { _ = c.AbortWithError(http.StatusBadRequest, err) })
	return nil
}

// makeTokens returns an access token of each of many accounts, got as a client gets it.
func makeTokens(ctx context.Context, db *database, s *server) ([]string, error) {
	say("making %s access tokens", count(tokenAccounts))
	tokens, err := newTokens(db.pool)
	if err != nil {
		return nil, err
	}
	client, err := tokens.AddClient(ctx, "bench", []string{callback})
	if err != nil {
		return nil, err
	}
	config := oauth2.Config{ClientID: client.ID, RedirectURL: callback, Endpoint: oauth2.Endpoint{
		AuthURL: "http://" + s.Keyed + "/oauth/authorize", TokenURL: "http://" + s.Keyed + "/oauth/token", AuthStyle: oauth2.AuthStyleInParams,
	}}
	store := account.NewStore(db.pool)
	made := make([]string, tokenAccounts)
	run := time.Now().UnixNano() // folders are used again
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	for i := range made {
		g.Go(func() (err error) {
			made[i], err = makeToken(ctx, tokens, store, &config, fmt.Sprintf("token%d-%d@exemplo.com", run, i))
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("make access tokens: %w", err)
	}
	return made, nil
}

// makeToken goes through the steps of somebody who lets a client in.
func makeToken(ctx context.Context, tokens *oauthserver.Server, store *account.Store, config *oauth2.Config, email string) (string, error) {
	who, err := store.ByEmail(ctx, email)
	if err != nil {
		return "", err
	}
	_, session, err := store.StartSession(ctx, who, "bench", "")
	if err != nil {
		return "", err
	}
	verifier := oauth2.GenerateVerifier()
	id, err := askFor(ctx, config.AuthCodeURL("", oauth2.S256ChallengeOption(verifier)))
	if err != nil {
		return "", err
	}
	if _, err := tokens.Request(ctx, id, session); err != nil {
		return "", err
	}
	address, err := tokens.Approve(ctx, id, session)
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

// askFor opens the address of a request and returns what opens the request.
func askFor(ctx context.Context, address string) (id string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultTransport.RoundTrip(request) // which follows nothing
	if err != nil {
		return "", err
	}
	_ = answer.Body.Close()
	to, err := answer.Location()
	if err != nil {
		return "", fmt.Errorf("ask for an authorization: %s: %w", answer.Status, err)
	}
	return to.Query().Get("authorization_id"), nil
}
