package account

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"razao/internal/people/seal"
)

func TestIdentitiesAreLinkedByAddress(t *testing.T) {
	s, _ := setUp(t)
	byMail := accountOf(t, s, "Ana@Exemplo.com")
	const google, github = "https://accounts.google.example", "https://github.example"
	bia := accountOf(t, s, "bia@exemplo.com")
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
	s, _ := setUp(t)
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
	s, _ := setUp(t)
	known := map[ID]string{}
	for _, email := range []string{"ana@exemplo.com", "kat@exemplo.com"} {
		id, err := s.ByEmail(t.Context(), email)
		must(t, err)
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

func TestSessionFromSignInToSignOut(t *testing.T) {
	s, _ := setUp(t)
	ana := accountOf(t, s, "ana@exemplo.com")
	browser := "Mozilla\x00/5.0\r\n " + strings.Repeat("x", 500)
	token, session, err := s.StartSession(t.Context(), ana, browser, "")
	must(t, err)
	if session.Account != ana || session.Email != "ana@exemplo.com" || len(session.Browser) != maxBrowserLength || !strings.HasPrefix(session.Browser, "Mozilla/5.0 x") {
		t.Errorf("session %+v", session)
	}
	var row string
	if err := s.pool.QueryRow(t.Context(), `SELECT session::text FROM session`).Scan(&row); err != nil || strings.Contains(row, token) {
		t.Errorf("the row holds the token: %s, %v", row, err)
	}
	must(t, s.SaveSession(t.Context(), session.ID, nil, []byte("aviso")))
	if err := s.SaveSession(t.Context(), session.ID, []byte{}, []byte{}); !errors.Is(err, ErrNoSession) {
		t.Errorf("data that came meanwhile are taken: %v, want ErrNoSession", err)
	}
	if got, err := s.Session(t.Context(), token); err != nil || got.ID != session.ID || string(got.Data) != "aviso" {
		t.Errorf("Session = %+v, %v", got, err)
	}
	if err := s.SaveSession(t.Context(), session.ID, nil, make([]byte, maxSessionData+1)); err == nil {
		t.Error("a session keeps any amount of data")
	}

	must(t, s.SaveSession(t.Context(), session.ID, []byte("aviso"), []byte{}))
	if got, err := s.Session(t.Context(), token); err != nil || len(got.Data) != 0 {
		t.Errorf("Session = %+v, %v", got, err)
	}

	renewed, second, err := s.StartSession(t.Context(), ana, "", token)
	if err != nil || renewed == token || second.ID == session.ID {
		t.Fatalf("second sign-in: %+v, %v", second, err)
	}
	if _, err := s.Session(t.Context(), token); !errors.Is(err, ErrNoSession) {
		t.Errorf("the session that was replaced: %v, want ErrNoSession", err)
	}
	must(t, s.EndSession(t.Context(), ana, second.ID))
	for _, dead := range []string{renewed, token, "", "x", seal.RandomToken(), strings.Repeat("\x00", 43)} {
		if _, err := s.Session(t.Context(), dead); !errors.Is(err, ErrNoSession) {
			t.Errorf("session of %q: %v, want ErrNoSession", dead, err)
		}
	}
	if err := s.SaveSession(t.Context(), second.ID, nil, nil); !errors.Is(err, ErrNoSession) {
		t.Errorf("data for an ended session: %v, want ErrNoSession", err)
	}
	if _, _, err := s.StartSession(t.Context(), ana+1, "", ""); !errors.Is(err, ErrNoAccount) {
		t.Errorf("session without an account: %v, want ErrNoAccount", err)
	}
	ended := endedContext(t)
	if _, err := s.Session(ended, renewed); err == nil || errors.Is(err, ErrNoSession) {
		t.Errorf("no answer from the database: %v, want trouble", err)
	}
}

func TestSessionsExpire(t *testing.T) {
	s, _ := setUp(t)
	ana := accountOf(t, s, "ana@exemplo.com")
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
		must(t, err)
		const age = `UPDATE session SET created_at = now() - $2::interval, last_seen_at = now() - $3::interval WHERE id = $1`
		execute(t, s.pool, age, session.ID, tt.age, tt.idle)
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
	s, _ := setUp(t)
	ana := accountOf(t, s, "ana@exemplo.com")
	bia := accountOf(t, s, "bia@exemplo.com")
	var tokens []string
	var ids []SessionID
	for _, id := range []ID{ana, ana, ana, bia} {
		token, session, err := s.StartSession(t.Context(), id, "", "")
		must(t, err)
		tokens, ids = append(tokens, token), append(ids, session.ID)
	}
	if err := s.EndSession(t.Context(), bia, ids[0]); !errors.Is(err, ErrNoSession) {
		t.Errorf("the session of another account: %v, want ErrNoSession", err)
	}
	must(t, s.EndSession(t.Context(), ana, ids[0]))
	must(t, s.EndSessions(t.Context(), ana, ids[1]))
	for i, want := range []bool{false, true, false, true} {
		if _, err := s.Session(t.Context(), tokens[i]); (err == nil) != want {
			t.Errorf("session %d: %v, want alive: %v", i, err, want)
		}
	}
	must(t, s.EndSessions(t.Context(), ana, 0))
	if open, err := s.Sessions(t.Context(), ana); err != nil || len(open) != 0 {
		t.Errorf("open sessions %v, %v, want none", open, err)
	}
}

// TestConcurrentUseAndDeletion writes calls while their account is deleted: none is left behind.
func TestConcurrentUseAndDeletion(t *testing.T) {
	s, m := setUp(t)
	_, at := today(t, s)
	for range 10 {
		_, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
		var both sync.WaitGroup
		both.Go(func() {
			for range 20 {
				m.Record(callBy(key, at))
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
	keeps(t, s, "usage_call", 0)
	keeps(t, s, "usage_day", 0)
}
