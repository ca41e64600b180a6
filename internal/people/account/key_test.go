package account

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"razao/internal/people/seal"
)

func TestKeyFromCreationToRevocation(t *testing.T) {
	s, m := setUp(t)
	ctx := t.Context()
	plain, key := mustCreate(t, s, " Ana@Exemplo.COM", " ERP ")
	want := Key{ID: key.ID, Account: key.Account, Email: "Ana@exemplo.com", Name: "ERP", Prefix: plain[:8], CreatedAt: key.CreatedAt}
	if diff := cmp.Diff(want, key); diff != "" || key.ID == 0 || key.Account == 0 || key.CreatedAt.IsZero() {
		t.Errorf("created key (-want +got):\n%s", diff)
	}

	admitted, err := m.Admit(ctx, plain)
	if want := (Caller{Account: key.Account, Key: key.ID}); err != nil || admitted.Caller != want {
		t.Errorf("Admit = %v, %v, want %v", admitted, err, want)
	}
	must(t, s.RevokeKey(ctx, key.ID))
	if _, err := m.Admit(ctx, plain); !errors.Is(err, ErrInvalidKey) {
		t.Errorf("revoked key: %v, want ErrInvalidKey", err)
	}
	first := onlyKey(t, s)
	if err := s.RevokeKey(ctx, key.ID); err != nil {
		t.Errorf("second revocation: %v", err)
	}
	if again := onlyKey(t, s); first.RevokedAt == nil || !again.RevokedAt.Equal(*first.RevokedAt) {
		t.Errorf("revoked at %v, then %v", first.RevokedAt, again.RevokedAt)
	}
	if err := s.RevokeKey(ctx, key.ID+1); !errors.Is(err, ErrNotFound) {
		t.Errorf("revoke an unknown key: %v, want ErrNotFound", err)
	}
}

func onlyKey(t *testing.T, s *Store) Key {
	t.Helper()
	keys, err := s.Keys(t.Context(), "")
	if err != nil || len(keys) != 1 {
		t.Fatalf("Keys = %v, %v, want one", keys, err)
	}
	return keys[0]
}

func TestOnlyTheHashIsStored(t *testing.T) {
	s, _ := setUp(t)
	plain, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	var row string
	var hash []byte
	const query = `SELECT api_key::text, hash FROM api_key WHERE id = $1`
	must(t, s.pool.QueryRow(t.Context(), query, key.ID).Scan(&row, &hash))
	if !cmp.Equal(hash, seal.HashOf(plain)) || len(hash) != 32 {
		t.Errorf("stored hash %x is not the key's SHA-256", hash)
	}
	for i := range len(plain) - shownLength {
		if part := plain[i : i+shownLength+1]; strings.Contains(row, part) {
			t.Fatalf("the row holds %q of the key: %s", part, row)
		}
	}
}

func TestInputOfNewKeys(t *testing.T) {
	s, _ := setUp(t)
	tests := []struct {
		email, name string
		want        error
	}{
		{"ana", "ERP", ErrInvalidEmail},
		{"ana@exemplo.com", "", ErrInvalidName},
	}
	for _, tt := range tests {
		if _, _, err := s.CreateKey(t.Context(), tt.email, tt.name); !errors.Is(err, tt.want) {
			t.Errorf("CreateKey(%q, %q): %v, want %v", tt.email, tt.name, err, tt.want)
		}
	}
	if keys, err := s.Keys(t.Context(), ""); err != nil || len(keys) != 0 {
		t.Errorf("Keys = %v, %v, want none", keys, err)
	}
	ana := accountOf(t, s, "ana@exemplo.com")
	if _, _, err := s.AddKey(t.Context(), ana, "", "\n"); !errors.Is(err, ErrInvalidName) {
		t.Errorf("AddKey without a name: %v", err)
	}
	if _, _, err := s.AddKey(t.Context(), ana+1, "", "ERP"); !errors.Is(err, ErrNoAccount) {
		t.Errorf("AddKey without an account: %v", err)
	}
	if _, err := s.Keys(t.Context(), "ana"); !errors.Is(err, ErrInvalidEmail) {
		t.Errorf("Keys of what is no address: %v, want ErrInvalidEmail", err)
	}
}

func TestKeysOfAnAccount(t *testing.T) {
	s, _ := setUp(t)
	_, ana1 := mustCreate(t, s, "ana@exemplo.com", "um")
	_, bia := mustCreate(t, s, "bia@exemplo.com", "um")
	_, ana2 := mustCreate(t, s, "ANA@EXEMPLO.com", "dois") // differs in case alone: the same account
	if ana2.Account != ana1.Account || ana2.Email != "ana@exemplo.com" {
		t.Errorf("second key went to account %d (%s), want %d", ana2.Account, ana2.Email, ana1.Account)
	}
	tests := []struct {
		email string
		want  []Key
	}{
		{"", []Key{ana1, bia, ana2}},
		{"Ana@exemplo.com", []Key{ana1, ana2}},
		{"bia@exemplo.com", []Key{bia}},
		{"eva@exemplo.com", nil},
	}
	for _, tt := range tests {
		got, err := s.Keys(t.Context(), tt.email)
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("Keys(%q): %v (-want +got):\n%s", tt.email, err, diff)
		}
	}
}

// TestAtMostFiveActiveKeys creates keys at once: as the operator, in the account area, and in both.
func TestAtMostFiveActiveKeys(t *testing.T) {
	s, _ := setUp(t)
	ana, bia := accountOf(t, s, "ana@exemplo.com"), accountOf(t, s, "bia@exemplo.com")
	byOperator := func(email string, _ ID) error { _, _, err := s.CreateKey(t.Context(), email, "ERP"); return err }
	byOwner := func(_ string, id ID) error { _, _, err := s.AddKey(t.Context(), id, "", "ERP"); return err }
	ways := []func(string, ID) error{byOperator, byOwner}
	for email, of := range map[string][]func(string, ID) error{"cai@exemplo.com": ways[:1], "eva@exemplo.com": ways[1:], "ana@exemplo.com": ways} {
		id := accountOf(t, s, email)
		errs := make([]error, 20)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { errs[i] = of[i%len(of)](email, id) })
		}
		all.Wait()
		created := 0
		for _, err := range errs {
			switch {
			case err == nil:
				created++
			case !errors.Is(err, ErrTooManyKeys):
				t.Errorf("new key of %s: %v", email, err)
			}
		}
		keys, err := s.KeysOf(t.Context(), id)
		if err != nil || created != MaxActiveKeys || len(keys) != MaxActiveKeys {
			t.Fatalf("%s: %d created, %d stored, %v, want %d", email, created, len(keys), err, MaxActiveKeys)
		}
	}
	keys, err := s.Keys(t.Context(), "ana@exemplo.com")
	must(t, err)
	mustCreate(t, s, "bia@exemplo.com", "another account has its own five")
	if err := s.RevokeKeyOf(t.Context(), bia, keys[0].ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("the key of another account: %v, want ErrNotFound", err)
	}
	must(t, s.RevokeKeyOf(t.Context(), ana, keys[0].ID))
	must(t, s.RevokeKey(t.Context(), keys[2].ID))
	mustCreate(t, s, "ana@exemplo.com", "in the place of a revoked one")
	plain, _, err := s.AddKey(t.Context(), ana, "", "novo")
	if err != nil || !wellFormed(plain) {
		t.Fatalf("in the place of the other one: %q, %v", plain, err)
	}
	for _, add := range ways {
		if err := add("ana@exemplo.com", ana); !errors.Is(err, ErrTooManyKeys) {
			t.Errorf("sixth active key: %v, want ErrTooManyKeys", err)
		}
	}
	keys, err = s.KeysOf(t.Context(), ana)
	if err != nil || len(keys) != MaxActiveKeys+2 || keys[0].RevokedAt == nil || keys[6].Name != "novo" {
		t.Errorf("keys %+v, %v", keys, err)
	}
}

// TestFormSentTwice sends forms again: at once on two servers, with the limit reached, under another name, for another account,
// and when the key is not to be shown any more.
func TestFormSentTwice(t *testing.T) {
	s, m := setUp(t)
	servers := []*Store{s, NewStore(secondPool(t, s.pool), testSeal)}
	ana, bia := accountOf(t, s, "ana@exemplo.com"), accountOf(t, s, "bia@exemplo.com")
	sent := func(id ID, form, name string) string {
		t.Helper()
		plain, key, err := s.AddKey(t.Context(), id, form, name)
		if err != nil || key.Account != id || key.Name != "ERP" && key.Name != "site" || !strings.HasPrefix(plain, key.Prefix) || !wellFormed(plain) {
			t.Fatalf("%q, %+v, %v", plain, key, err)
		}
		return plain
	}
	var all sync.WaitGroup
	plain := make([]string, 8)
	for i := range plain {
		all.Go(func() { plain[i], _, _ = servers[i%2].AddKey(t.Context(), ana, "first", " ERP "[i%2:]) })
	}
	all.Wait()
	for _, again := range plain {
		if again != sent(ana, "first", "ERP") {
			t.Errorf("one form has the keys %q", plain)
		}
	}
	keeps(t, s, "api_key", 1)
	if _, err := m.Admit(t.Context(), plain[0]); err != nil {
		t.Errorf("the key: %v", err)
	}
	others := []string{plain[0], sent(ana, "second", "ERP"), sent(ana, "first", "site"), sent(ana, "", "ERP"), sent(ana, "", "ERP"), sent(bia, "first", "ERP")}
	slices.Sort(others)
	if len(slices.Compact(others)) != 6 {
		t.Errorf("the keys of other forms are %q", others)
	}
	if again := sent(ana, "second", "ERP"); !slices.Contains(others, again) { // with five active keys
		t.Errorf("another key, %q", again)
	}
	keeps(t, s, "api_key", 6)
	for form, change := range map[string]string{
		"first":  `UPDATE api_key SET revoked_at = now() WHERE hash = $1`,
		"second": `UPDATE api_key SET created_at = now() - interval '5 minutes 1 second' WHERE hash = $1`,
	} {
		execute(t, s.pool, change, seal.HashOf(sent(ana, form, "ERP")))
		if again, _, err := s.AddKey(t.Context(), ana, form, "ERP"); !errors.Is(err, ErrFormUsed) || again != "" {
			t.Errorf("%s: %q, %v, want ErrFormUsed", form, again, err)
		}
	}
	keeps(t, s, "api_key", 6)
}

func TestQuotaCountsNothing(t *testing.T) {
	s, _ := setUp(t)
	ctx := t.Context()
	plain, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	other, revoked := mustCreate(t, s, "ana@exemplo.com", "antiga")
	must(t, s.RevokeKey(ctx, revoked.ID))
	m := idleMeter(s.pool)
	for range CallsPerMinute + 1 {
		got, err := m.Quota(ctx, plain)
		if want := (Caller{Account: key.Account, Key: key.ID}); err != nil || got.Caller != want || got.Remaining != got.Limit {
			t.Fatalf("Quota = %+v, %v, want %v", got, err, want)
		}
	}
	for _, c := range []struct {
		name, token string
		want        error
		isKey       bool
	}{
		{"nothing", "", ErrMissingKey, false},
		{"a revoked key", other, ErrInvalidKey, true},
		{"an unknown key", newKey(testSeal), ErrInvalidKey, true},
		{"a mistyped key", plain + "x", ErrInvalidKey, true},
		{"another token", "eyJhbGciOiJub25lIn0", ErrInvalidKey, false},
	} {
		if _, err := m.Quota(ctx, c.token); !errors.Is(err, c.want) || IsKey(c.token) != c.isKey {
			t.Errorf("%s: %v, IsKey %t", c.name, err, IsKey(c.token))
		}
	}
	s.pool.Close()
	if _, err := m.Quota(ctx, plain); err == nil || errors.Is(err, ErrInvalidKey) {
		t.Errorf("without a database: %v", err)
	}
}
