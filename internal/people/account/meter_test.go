package account

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/testing/pgtest"
)

// secondPool returns another pool on the database of pool, as another process has one.
func secondPool(t *testing.T, pool *pgxpool.Pool) *pgxpool.Pool {
	t.Helper()
	second, err := pgxpool.NewWithConfig(t.Context(), pool.Config().Copy())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(second.Close)
	return second
}

// idleMeter returns a meter that writes only when the test says so.
func idleMeter(pool *pgxpool.Pool) *Meter {
	return newMeter(pool, testSeal, slog.New(slog.DiscardHandler))
}

func execute(t *testing.T, pool *pgxpool.Pool, query string, arguments ...any) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), query, arguments...); err != nil {
		t.Fatal(err)
	}
}

// burst makes parallel calls and returns how many were admitted and how many refused in each
// minute.
func burst(t *testing.T, calls int, admit func(i int) (Admission, error)) (admitted, refused map[time.Time]int) {
	t.Helper()
	admitted, refused = map[time.Time]int{}, map[time.Time]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() {
			a, err := admit(i)
			mu.Lock()
			defer mu.Unlock()
			var limit *LimitError
			switch {
			case err == nil:
				admitted[a.Reset]++
			case errors.As(err, &limit):
				refused[a.Reset]++
			default:
				t.Errorf("call %d: %v", i, err)
			}
		})
	}
	all.Wait()
	return admitted, refused
}

func TestExactlySixtyInAMinuteOverKeysAndProcesses(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	meters := []*Meter{idleMeter(pool), idleMeter(secondPool(t, pool))}
	s := NewStore(pool, testSeal)
	var keys [3]string
	var id ID
	for i := range keys {
		plain, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
		keys[i], id = plain, key.Account
	}
	for minute := 0; minute < 3; {
		admitted, refused := burst(t, 200, func(i int) (Admission, error) {
			if i%4 == 3 { // without a key, as an assistant
				return meters[i%2].AdmitAccount(t.Context(), id)
			}
			return meters[i%2].Admit(t.Context(), keys[i%4])
		})
		for reset, n := range admitted {
			if n > CallsPerMinute || refused[reset] > 0 && n != CallsPerMinute {
				t.Errorf("%d let in and %d refused in the minute until %s", n, refused[reset], reset)
			}
		}
		if len(admitted) == 1 && len(refused) == 1 { // else the clock struck in the middle of it
			minute++
		}
		// The next minute begins.
		execute(t, pool, `UPDATE admission SET minute = minute - interval '2 minutes'`)
		for _, m := range meters {
			ahead := m.now().Add(time.Minute)
			m.now = func() time.Time { return ahead }
		}
	}
}

func TestAdmissionTellsWhereTheAccountStands(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	m := idleMeter(pool)
	plain, key := mustCreate(t, NewStore(pool, testSeal), "ana@exemplo.com", "ERP")
	first, err := m.Admit(t.Context(), plain)
	if err != nil {
		t.Fatal(err)
	}
	want := Admission{Caller: Caller{key.Account, key.ID}, At: first.At, Limit: 60, Remaining: 59, Reset: first.At.Truncate(time.Minute).Add(time.Minute)}
	if !first.Reset.Equal(want.Reset) || first.Caller != want.Caller || first.Limit != want.Limit || first.Remaining != want.Remaining {
		t.Errorf("got %+v, want %+v", first, want)
	}
	execute(t, pool, `UPDATE admission SET calls = 59, minute = date_trunc('minute', now()) + interval '1 minute'`)
	last, err := m.Admit(t.Context(), plain)
	if err != nil || last.Remaining != 0 {
		t.Errorf("sixtieth call: %+v, %v", last, err)
	}
	refused, err := m.Admit(t.Context(), plain)
	var limit *LimitError
	if !errors.As(err, &limit) || limit.Wait <= 0 || limit.Wait > 2*time.Minute {
		t.Fatalf("call past the limit: %v", err)
	}
	if refused.Caller != want.Caller || refused.Limit != 60 || refused.Remaining != 0 || !refused.Reset.Equal(last.Reset) {
		t.Errorf("refused with %+v after %+v", refused, last)
	}
}

func TestAdmitTellsRefusalFromTrouble(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	m := idleMeter(pool)
	good, _ := mustCreate(t, NewStore(pool, testSeal), "ana@exemplo.com", "ERP")
	tests := []struct {
		name, token string
		want        error
	}{
		{"missing", "", ErrMissingKey},
		{"malformed", "rz_x", ErrInvalidKey},
		{"wrong checksum", good[:42] + "-", ErrInvalidKey},
		{"unknown", newKey(testSeal), ErrInvalidKey},
	}
	for _, tt := range tests {
		if a, err := m.Admit(t.Context(), tt.token); !errors.Is(err, tt.want) || a != (Admission{}) {
			t.Errorf("%s: %+v, %v, want %v", tt.name, a, err, tt.want)
		}
	}
	if _, err := m.AdmitAccount(t.Context(), 404); !errors.Is(err, ErrNoAccount) {
		t.Errorf("unknown account: %v, want ErrNoAccount", err)
	}
	var counted int
	if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM admission`).Scan(&counted); err != nil || counted != 0 {
		t.Errorf("%d accounts were charged for refused keys, %v", counted, err)
	}

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	var limit *LimitError
	_, err := m.Admit(ended, good)
	if err == nil || errors.Is(err, ErrInvalidKey) || errors.Is(err, ErrMissingKey) || errors.As(err, &limit) {
		t.Errorf("no answer from the database: %v, want no refusal", err)
	}
	if _, err := m.Admit(ended, "rz_x"); !errors.Is(err, ErrInvalidKey) {
		t.Errorf("a malformed key asked the database: %v", err)
	}
}

func TestRevocationIsSeenByEveryProcessAtOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	here, there := idleMeter(pool), idleMeter(secondPool(t, pool))
	s := NewStore(pool, testSeal)
	plain, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	for _, m := range []*Meter{here, there} {
		if _, err := m.Admit(t.Context(), plain); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.RevokeKeyOf(t.Context(), key.Account, key.ID); err != nil {
		t.Fatal(err)
	}
	for _, m := range []*Meter{here, there} {
		if _, err := m.Admit(t.Context(), plain); !errors.Is(err, ErrInvalidKey) {
			t.Errorf("revoked key: %v, want ErrInvalidKey", err)
		}
	}
}

func TestAHammeringClientIsRefusedWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	m := idleMeter(pool)
	start := time.Now()
	m.now = func() time.Time { return start }
	plain, _ := mustCreate(t, NewStore(pool, testSeal), "ana@exemplo.com", "ERP")
	execute(t, pool, `INSERT INTO admission SELECT account_id, date_trunc('minute', now()) + interval '1 minute', 60 FROM api_key`)
	seen, err := m.Admit(t.Context(), plain)
	var limit *LimitError
	if !errors.As(err, &limit) {
		t.Fatalf("call past the limit: %v", err)
	}
	noDatabase, cancel := context.WithCancel(t.Context())
	cancel()
	m.now = func() time.Time { return start.Add(limit.Wait - time.Second) }
	for range 1000 {
		got, err := m.Admit(noDatabase, plain)
		var again *LimitError
		if !errors.As(err, &again) || again.Wait != time.Second || got.Caller != seen.Caller || !got.Reset.Equal(seen.Reset) {
			t.Fatalf("blocked call: %+v, %v", got, err)
		}
	}
	m.now = func() time.Time { return start.Add(limit.Wait) }
	if _, err := m.Admit(noDatabase, plain); err == nil || errors.As(err, &limit) {
		t.Errorf("the minute is over, but nobody asked the database: %v", err)
	}
	if len(m.exhausted) != 0 {
		t.Errorf("%d refusals are kept after their minute", len(m.exhausted))
	}
}

// TestTheRowDecidesTheMinute covers calls that waited past the end of a minute, and a database
// clock that was set.
func TestTheRowDecidesTheMinute(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		row      string // the minute of the row, from the present one
		admitted bool
	}{
		{"the last minute, used up", "-1 minutes", true},
		{"the next minute, used up by calls that came after this one and were faster", "1 minutes", false},
		{"a minute of before the clock was set back", "10 minutes", true},
		{"a minute of before the clock was set forward", "-10 days", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.Pool(t)
			plain, _ := mustCreate(t, NewStore(pool, testSeal), "ana@exemplo.com", "ERP")
			execute(t, pool, `INSERT INTO admission SELECT account_id, date_trunc('minute', now()) + $1::interval, 60 FROM api_key`, tt.row)
			a, err := idleMeter(pool).Admit(t.Context(), plain)
			if (err == nil) != tt.admitted {
				t.Errorf("%+v, %v, want admitted: %v", a, err, tt.admitted)
			}
			if ahead := a.Reset.Sub(a.At); ahead <= 0 || ahead > 2*time.Minute {
				t.Errorf("the next minute begins in %s", ahead)
			}
		})
	}
}
