package kept_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"razao/internal/people/account"
	"razao/internal/people/kept"
	"razao/internal/people/seal"
	"razao/internal/testing/pgtest"
)

// accounts returns the ids of two accounts.
func accounts(t *testing.T, pool *pgxpool.Pool, s *seal.Sealer) (ana, bia account.ID) {
	t.Helper()
	store := account.NewStore(pool, s)
	for email, id := range map[string]*account.ID{"ana@exemplo.com": &ana, "bia@exemplo.com": &bia} {
		var err error
		if *id, err = store.ByEmail(t.Context(), email); err != nil {
			t.Fatal(err)
		}
	}
	return ana, bia
}

// TestKept: what is kept is read by its account alone, under its token, until it expires; and is nowhere in the clear.
func TestKept(t *testing.T) {
	t.Parallel()
	pool, sealer := pgtest.Pool(t), seal.New("secret of the tests")
	ana, bia := accounts(t, pool, sealer)
	s := kept.NewStore(pool, sealer)
	content := []byte(strings.Repeat("FORNECEDOR SECRETO;529.982.247-25\n", 1000))
	token, err := s.Keep(t.Context(), ana, content)
	if err != nil {
		t.Fatal(err)
	}
	got, until, err := s.Read(t.Context(), ana, token)
	if err != nil || !bytes.Equal(got, content) || until.IsZero() {
		t.Fatalf("%d bytes until %s, %v", len(got), until, err)
	}
	other := seal.New("another secret")
	for what, read := range map[string]func() error{
		"by another account":   func() error { _, _, err := s.Read(t.Context(), bia, token); return err },
		"under another token":  func() error { _, _, err := s.Read(t.Context(), ana, seal.RandomToken()); return err },
		"with another secret":  func() error { _, _, err := kept.NewStore(pool, other).Read(t.Context(), ana, token); return err },
		"for nobody":           func() error { _, _, err := s.Read(t.Context(), 0, token); return err },
		"under a broken token": func() error { _, _, err := s.Read(t.Context(), ana, token+"x"); return err },
	} {
		if err := read(); !errors.Is(err, kept.ErrGone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	var row string
	if err := pool.QueryRow(t.Context(), `SELECT string_agg(k::text, ' ') FROM kept k`).Scan(&row); err != nil || strings.Contains(row, "SECRETO") || strings.Contains(row, token) {
		t.Errorf("in the clear: %t, %v", err == nil, err)
	}
	if _, err := pool.Exec(t.Context(), `UPDATE kept SET expires_at = now()`); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Read(t.Context(), ana, token); !errors.Is(err, kept.ErrGone) {
		t.Errorf("expired: %v", err)
	}
	if err := s.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := rows(t, pool); n != 0 {
		t.Errorf("%d rows after they expired", n)
	}
}

func rows(t *testing.T, pool *pgxpool.Pool) (n int) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM kept`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestKeptIsChanged: changes at the same time come one after the other, and one that fails changes nothing.
func TestKeptIsChanged(t *testing.T) {
	t.Parallel()
	pool, sealer := pgtest.Pool(t), seal.New("secret of the tests")
	ana, bia := accounts(t, pool, sealer)
	s := kept.NewStore(pool, sealer)
	token, err := s.Keep(t.Context(), ana, nil)
	if err != nil {
		t.Fatal(err)
	}
	const changes = 8
	var all errgroup.Group
	for range changes {
		all.Go(func() error {
			return s.Change(t.Context(), ana, token, func(content []byte) ([]byte, error) { return append(content, 'x'), nil })
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("fails")
	for err, change := range map[error]func() error{
		failed: func() error {
			return s.Change(t.Context(), ana, token, func([]byte) ([]byte, error) { return nil, failed })
		},
		kept.ErrTooLarge: func() error {
			return s.Change(t.Context(), ana, token, func([]byte) ([]byte, error) { return make([]byte, 64<<20+1), nil })
		},
		kept.ErrGone: func() error {
			return s.Change(t.Context(), bia, token, func([]byte) ([]byte, error) { return nil, nil })
		},
	} {
		if got := change(); !errors.Is(got, err) {
			t.Errorf("%v, want %v", got, err)
		}
	}
	if got, _, err := s.Read(t.Context(), ana, token); err != nil || len(got) != changes {
		t.Errorf("%q after %d changes, %v", got, changes, err)
	}
}

// TestKeptIsBounded: an account keeps a few things, the newest, and nothing outlives the account or exceeds the bound.
func TestKeptIsBounded(t *testing.T) {
	t.Parallel()
	pool, sealer := pgtest.Pool(t), seal.New("secret of the tests")
	ana, bia := accounts(t, pool, sealer)
	s := kept.NewStore(pool, sealer)
	var tokens []string
	for i := range kept.Most + 2 {
		token, err := s.Keep(t.Context(), ana, []byte{byte(i)})
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, token)
	}
	if _, err := s.Keep(t.Context(), bia, []byte("x")); err != nil {
		t.Fatal(err)
	}
	for i, token := range tokens {
		got, _, err := s.Read(t.Context(), ana, token)
		if i < 2 && !errors.Is(err, kept.ErrGone) || i >= 2 && (err != nil || got[0] != byte(i)) {
			t.Errorf("the thing %d: %v, %v", i+1, got, err)
		}
	}
	if _, err := s.Keep(t.Context(), ana, make([]byte, 64<<20+1)); !errors.Is(err, kept.ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	if _, err := s.Keep(t.Context(), 999_999, []byte("x")); !errors.Is(err, account.ErrNoAccount) {
		t.Errorf("for no account: %v", err)
	}
	if _, err := pool.Exec(t.Context(), `DELETE FROM account WHERE id = $1`, ana); err != nil {
		t.Fatal(err)
	}
	if n := rows(t, pool); n != 1 {
		t.Errorf("%d rows after the account was deleted", n)
	}
}
