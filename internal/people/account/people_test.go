package account

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"razao/internal/testing/pgtest"
)

func TestIdentitiesAreLinkedByAddress(t *testing.T) {
	t.Parallel()
	s := NewStore(pgtest.Pool(t), testSeal)
	byMail, err := s.ByEmail(t.Context(), "Ana@Exemplo.com")
	if err != nil {
		t.Fatal(err)
	}
	const google, github = "https://accounts.google.example", "https://github.example"
	bia, err := s.ByEmail(t.Context(), "bia@exemplo.com")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		who  Identity
		want ID
		err  error
	}{
		{"first sign-in with the address of an account", Identity{Issuer: google, Subject: "1", Email: "ana@exemplo.com"}, byMail, nil},
		{"second sign-in", Identity{Issuer: google, Subject: "1", Email: "ana@exemplo.com"}, byMail, nil},
		{"another provider", Identity{Issuer: github, Subject: "1", Email: "ANA@EXEMPLO.COM"}, byMail, nil},
		{"the address there changed", Identity{Issuer: google, Subject: "1", Email: "ana.nova@exemplo.com"}, byMail, nil},
		{"the address there is now that of another account", Identity{Issuer: google, Subject: "1", Email: "bia@exemplo.com"}, byMail, nil},
		{"the address there is gone", Identity{Issuer: google, Subject: "1"}, byMail, nil},
		{"the owner of that address", Identity{Issuer: google, Subject: "2", Email: "bia@exemplo.com"}, bia, nil},
		{"a new person without an address", Identity{Issuer: google, Subject: "3"}, 0, ErrInvalidEmail},
		{"a new person with a look-alike", Identity{Issuer: google, Subject: "4", Email: "аna@exemplo.com"}, 0, ErrInvalidEmail},
	}
	for _, tt := range tests {
		if got, err := s.ByIdentity(t.Context(), tt.who); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: account %d, %v, want %d, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
	identities, err := s.Identities(t.Context(), byMail)
	if err != nil || len(identities) != 2 || identities[0].Email != "bia@exemplo.com" || identities[1].Issuer != github {
		t.Errorf("identities %+v, %v", identities, err)
	}
	if a, err := s.Account(t.Context(), byMail); err != nil || a.Email != "Ana@exemplo.com" {
		t.Errorf("the account is %+v, %v: its address follows no provider", a, err)
	}
}

func TestOneAccountForManyFirstSignIns(t *testing.T) {
	t.Parallel()
	s := NewStore(pgtest.Pool(t), testSeal)
	const attempts = 20
	var ids [attempts]ID
	var all sync.WaitGroup
	for i := range attempts {
		all.Go(func() {
			var err error
			if i%2 == 0 {
				ids[i], err = s.ByEmail(t.Context(), "ana@exemplo.com")
			} else {
				ids[i], err = s.ByIdentity(t.Context(), Identity{Issuer: "https://id.example", Subject: "1", Email: "Ana@exemplo.com"})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, id := range ids {
		if id != ids[0] || id == 0 {
			t.Fatalf("accounts %v, want one", ids)
		}
	}
}

// TestLookAlikeAddresses has addresses that another letter, script or case makes look like, or fold
// into, ana@exemplo.com or kat@exemplo.com.
func TestLookAlikeAddresses(t *testing.T) {
	t.Parallel()
	s := NewStore(pgtest.Pool(t), testSeal)
	known := map[ID]string{}
	for _, email := range []string{"ana@exemplo.com", "kat@exemplo.com"} {
		id, err := s.ByEmail(t.Context(), email)
		if err != nil {
			t.Fatal(err)
		}
		known[id] = email
	}
	tests := []struct{ name, email, want string }{
		{"Cyrillic letter in the name", "аna@exemplo.com", ""},
		{"Kelvin sign, whose lower case is k", "\u212Aat@exemplo.com", ""},
		{"dotless i", "ana\u0131@exemplo.com", ""},
		{"full-width letters in the name", "ａｎａ@exemplo.com", ""},
		{"invisible character", "an\u200ba@exemplo.com", ""},
		{"right-to-left override", "\u202eana@exemplo.com", ""},
		{"Cyrillic letter in the domain", "ana@exеmplo.com", "ana@xn--exmplo-4of.com"},
		{"accent in the domain", "ana@exêmplo.com", "ana@xn--exmplo-jva.com"},
	}
	for _, tt := range tests {
		got, err := ParseEmail(tt.email)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
		id, err := s.ByEmail(t.Context(), tt.email)
		if owner, taken := known[id]; taken || (err == nil) != (tt.want != "") {
			t.Errorf("%s: opens account %d of %q, %v", tt.name, id, owner, err)
		}
	}
	// Full-width letters in a domain map to ASCII (IDNA), the form that is stored and mailed to.
	if got, err := ParseEmail("ana@ｅｘｅｍｐｌｏ.com"); got != "ana@exemplo.com" || err != nil {
		t.Errorf("full-width domain: %q, %v", got, err)
	}
}

func TestKeysOfTheAccountArea(t *testing.T) {
	t.Parallel()
	s := NewStore(pgtest.Pool(t), testSeal)
	ana, err := s.ByEmail(t.Context(), "ana@exemplo.com")
	if err != nil {
		t.Fatal(err)
	}
	bia, err := s.ByEmail(t.Context(), "bia@exemplo.com")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.AddKey(t.Context(), ana, "\n"); !errors.Is(err, ErrInvalidName) {
		t.Errorf("empty name: %v", err)
	}
	if _, _, err := s.AddKey(t.Context(), ana+bia, "ERP"); !errors.Is(err, ErrNoAccount) {
		t.Errorf("no account: %v", err)
	}
	var created sync.WaitGroup
	for range 20 {
		created.Go(func() {
			if _, _, err := s.AddKey(t.Context(), ana, "ERP"); err != nil && !errors.Is(err, ErrTooManyKeys) {
				t.Errorf("AddKey: %v", err)
			}
		})
	}
	created.Wait()
	keys, err := s.KeysOf(t.Context(), ana)
	if err != nil || len(keys) != MaxActiveKeys {
		t.Fatalf("%d keys, %v, want %d", len(keys), err, MaxActiveKeys)
	}
	if err := s.RevokeKeyOf(t.Context(), bia, keys[0].ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("the key of another account: %v, want ErrNotFound", err)
	}
	if err := s.RevokeKeyOf(t.Context(), ana, keys[0].ID); err != nil {
		t.Fatal(err)
	}
	plain, _, err := s.AddKey(t.Context(), ana, "novo")
	if err != nil || !wellFormed(plain) {
		t.Fatalf("key in the place of the revoked one: %q, %v", plain, err)
	}
	keys, err = s.KeysOf(t.Context(), ana)
	if err != nil || len(keys) != 6 || keys[0].RevokedAt == nil || keys[5].Name != "novo" {
		t.Errorf("history of keys: %+v, %v", keys, err)
	}
}

func TestSessionFromSignInToSignOut(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := NewStore(pool, testSeal)
	ana, err := s.ByEmail(t.Context(), "ana@exemplo.com")
	if err != nil {
		t.Fatal(err)
	}
	browser := "Mozilla\x00/5.0\r\n " + strings.Repeat("x", 500)
	token, session, err := s.StartSession(t.Context(), ana, browser, "")
	if err != nil {
		t.Fatal(err)
	}
	if session.Account != ana || session.Email != "ana@exemplo.com" || len(session.Browser) != maxBrowserLength || !strings.HasPrefix(session.Browser, "Mozilla/5.0 x") {
		t.Errorf("session %+v", session)
	}
	var row string
	if err := pool.QueryRow(t.Context(), `SELECT session::text FROM session`).Scan(&row); err != nil || strings.Contains(row, token) {
		t.Errorf("the row holds the token: %s, %v", row, err)
	}
	if err := s.SaveSession(t.Context(), session.ID, []byte("aviso")); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Session(t.Context(), token); err != nil || got.ID != session.ID || string(got.Data) != "aviso" {
		t.Errorf("Session = %+v, %v", got, err)
	}
	if err := s.SaveSession(t.Context(), session.ID, make([]byte, maxSessionData+1)); err == nil {
		t.Error("a session keeps any amount of data")
	}

	renewed, second, err := s.StartSession(t.Context(), ana, "", token)
	if err != nil || renewed == token || second.ID == session.ID {
		t.Fatalf("second sign-in: %+v, %v", second, err)
	}
	if _, err := s.Session(t.Context(), token); !errors.Is(err, ErrNoSession) {
		t.Errorf("the session that was replaced: %v, want ErrNoSession", err)
	}
	if err := s.EndSession(t.Context(), ana, second.ID); err != nil {
		t.Fatal(err)
	}
	for _, dead := range []string{renewed, token, "", "x", newToken(), strings.Repeat("\x00", 43)} {
		if _, err := s.Session(t.Context(), dead); !errors.Is(err, ErrNoSession) {
			t.Errorf("session of %q: %v, want ErrNoSession", dead, err)
		}
	}
	if err := s.SaveSession(t.Context(), second.ID, nil); !errors.Is(err, ErrNoSession) {
		t.Errorf("data for an ended session: %v, want ErrNoSession", err)
	}
	if _, _, err := s.StartSession(t.Context(), ana+1, "", ""); !errors.Is(err, ErrNoAccount) {
		t.Errorf("session without an account: %v, want ErrNoAccount", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Session(ended, renewed); err == nil || errors.Is(err, ErrNoSession) {
		t.Errorf("no answer from the database: %v, want trouble", err)
	}
}

func TestSessionsExpire(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := NewStore(pool, testSeal)
	ana, err := s.ByEmail(t.Context(), "ana@exemplo.com")
	if err != nil {
		t.Fatal(err)
	}
	const day = 24 * time.Hour
	tests := []struct {
		name      string
		age, idle time.Duration
		alive     bool
	}{
		{"new", 0, 0, true},
		{"idle for long", 13 * day, 13 * day, true},
		{"idle for too long", 15 * day, 15 * day, false},
		{"old, in use", 89 * day, 0, true},
		{"too old, in use", SessionLifetime + time.Second, 0, false},
	}
	for _, tt := range tests {
		token, session, err := s.StartSession(t.Context(), ana, "", "")
		if err != nil {
			t.Fatal(err)
		}
		const age = `UPDATE session SET created_at = now() - $2::interval, last_seen_at = now() - $3::interval WHERE id = $1`
		execute(t, pool, age, session.ID, tt.age, tt.idle)
		if _, err := s.Session(t.Context(), token); (err == nil) != tt.alive || !tt.alive && !errors.Is(err, ErrNoSession) {
			t.Errorf("%s: %v, want alive: %v", tt.name, err, tt.alive)
		}
		if tt.idle == 13*day { // its use was recorded
			if got, err := s.Session(t.Context(), token); err != nil || time.Since(got.LastSeenAt) > day {
				t.Errorf("%s: last seen %s, %v", tt.name, got.LastSeenAt, err)
			}
		}
	}
	if open, err := s.Sessions(t.Context(), ana); err != nil || len(open) != 3 {
		t.Errorf("%d open sessions, %v, want three", len(open), err)
	}
}

func TestSessionsOfAnAccount(t *testing.T) {
	t.Parallel()
	s := NewStore(pgtest.Pool(t), testSeal)
	ana, err := s.ByEmail(t.Context(), "ana@exemplo.com")
	if err != nil {
		t.Fatal(err)
	}
	bia, err := s.ByEmail(t.Context(), "bia@exemplo.com")
	if err != nil {
		t.Fatal(err)
	}
	var tokens []string
	var ids []SessionID
	for _, id := range []ID{ana, ana, ana, bia} {
		token, session, err := s.StartSession(t.Context(), id, "", "")
		if err != nil {
			t.Fatal(err)
		}
		tokens, ids = append(tokens, token), append(ids, session.ID)
	}
	if err := s.EndSession(t.Context(), bia, ids[0]); !errors.Is(err, ErrNoSession) {
		t.Errorf("the session of another account: %v, want ErrNoSession", err)
	}
	if err := s.EndSession(t.Context(), ana, ids[0]); err != nil {
		t.Fatal(err)
	}
	if err := s.EndSessions(t.Context(), ana, ids[1]); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, true, false, true} {
		if _, err := s.Session(t.Context(), tokens[i]); (err == nil) != want {
			t.Errorf("session %d: %v, want alive: %v", i, err, want)
		}
	}
	if err := s.EndSessions(t.Context(), ana, 0); err != nil {
		t.Fatal(err)
	}
	if open, err := s.Sessions(t.Context(), ana); err != nil || len(open) != 0 {
		t.Errorf("open sessions %v, %v, want none", open, err)
	}
}

// TestConcurrentUseAndDeletion writes calls while their account is deleted: none is left behind.
func TestConcurrentUseAndDeletion(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s, m := NewStore(pool, testSeal), idleMeter(pool)
	_, at := today(t, s)
	for range 10 {
		_, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
		var both sync.WaitGroup
		both.Go(func() {
			for range 20 {
				m.Record(Call{Account: key.Account, Key: key.ID, At: at, Version: "v1", Endpoint: "/v1/cnpj/:cnpj", Status: 200})
				if err := m.write(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
		both.Go(func() {
			if err := s.Delete(t.Context(), key.Account); err != nil {
				t.Error(err)
			}
		})
		both.Wait()
	}
	var left int
	if err := pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM usage_call) + (SELECT count(*) FROM usage_day)`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows of deleted accounts are left, %v", left, err)
	}
}
