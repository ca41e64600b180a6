package account

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"razao/internal/people/seal"
	"razao/internal/testing/pgtest"
)

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

// TestFurtherCallsAreChargedWhole charges seven calls at a time, from two processes at once: eight times
// seven are in a minute, and of what is refused nothing is counted.
func TestFurtherCallsAreChargedWhole(t *testing.T) {
	s, m := setUp(t)
	_, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	meters := []*Meter{m, idleMeter(secondPool(t, s.pool))}
	execute(t, s.pool, `INSERT INTO admission VALUES ($1, date_trunc('minute', now()) + interval '1 minute', 0)`, key.Account)
	admitted, refused := burst(t, 20, func(i int) (Admission, error) { return meters[i%2].Charge(t.Context(), key.Account, 7) })
	for reset, n := range admitted {
		if n != CallsPerMinute/7 || refused[reset] != 20-n {
			t.Errorf("%d admitted, %d refused", n, refused[reset])
		}
	}
	for left := CallsPerMinute % 7; left > 0; left-- { // what is left is nobody's yet
		a, err := m.Charge(t.Context(), key.Account, 1)
		if err != nil || a.Remaining != left-1 || a.Account != key.Account {
			t.Errorf("%+v, %v, want %d left", a, err, left-1)
		}
	}
	a, err := m.Charge(t.Context(), key.Account, 1)
	if limit := new(LimitError); !errors.As(err, &limit) || limit.Wait <= 0 || a.Remaining != 0 {
		t.Errorf("beyond the limit: %+v, %v", a, err)
	}
	if _, err := m.Charge(t.Context(), key.Account+1, 1); !errors.Is(err, ErrNoAccount) {
		t.Errorf("no account: %v", err)
	}
}

func TestExactlySixtyInAMinuteOverKeysAndProcesses(t *testing.T) {
	s, m := setUp(t)
	meters := []*Meter{m, idleMeter(secondPool(t, s.pool))}
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
		execute(t, s.pool, `UPDATE admission SET minute = minute - interval '2 minutes'`)
		for _, m := range meters {
			ahead := m.now().Add(time.Minute)
			m.now = func() time.Time { return ahead }
		}
	}
}

func TestAdmissionTellsWhatIsLeft(t *testing.T) {
	s, m := setUp(t)
	plain, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	first, err := m.Admit(t.Context(), plain)
	must(t, err)
	want := Admission{Caller: Caller{key.Account, key.ID}, At: first.At, Limit: 60, Remaining: 59, Reset: first.At.Truncate(time.Minute).Add(time.Minute)}
	if !first.Reset.Equal(want.Reset) || first.Caller != want.Caller || first.Limit != want.Limit || first.Remaining != want.Remaining {
		t.Errorf("got %+v, want %+v", first, want)
	}
	execute(t, s.pool, `UPDATE admission SET calls = 59, minute = date_trunc('minute', now()) + interval '1 minute'`)
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
	s, m := setUp(t)
	good, _ := mustCreate(t, s, "ana@exemplo.com", "ERP")
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
	keeps(t, s, "admission", 0)

	ended := endedContext(t)
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
	s, here := setUp(t)
	there := idleMeter(secondPool(t, s.pool))
	plain, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	for _, m := range []*Meter{here, there} {
		admit(t, m, plain)
	}
	must(t, s.RevokeKeyOf(t.Context(), key.Account, key.ID))
	for _, m := range []*Meter{here, there} {
		if _, err := m.Admit(t.Context(), plain); !errors.Is(err, ErrInvalidKey) {
			t.Errorf("revoked key: %v, want ErrInvalidKey", err)
		}
	}
}

func TestAHammeringClientIsRefusedWithoutTheDatabase(t *testing.T) {
	s, m := setUp(t)
	start := time.Now()
	m.now = func() time.Time { return start }
	plain, _ := mustCreate(t, s, "ana@exemplo.com", "ERP")
	execute(t, s.pool, `INSERT INTO admission SELECT account_id, date_trunc('minute', now()) + interval '1 minute', 60 FROM api_key`)
	seen, err := m.Admit(t.Context(), plain)
	var limit *LimitError
	if !errors.As(err, &limit) {
		t.Fatalf("call past the limit: %v", err)
	}
	noDatabase := endedContext(t)
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
			s, m := setUp(t)
			plain, _ := mustCreate(t, s, "ana@exemplo.com", "ERP")
			execute(t, s.pool, `INSERT INTO admission SELECT account_id, date_trunc('minute', now()) + $1::interval, 60 FROM api_key`, tt.row)
			a, err := m.Admit(t.Context(), plain)
			if (err == nil) != tt.admitted {
				t.Errorf("%+v, %v, want admitted: %v", a, err, tt.admitted)
			}
			if ahead := a.Reset.Sub(a.At); ahead <= 0 || ahead > 2*time.Minute {
				t.Errorf("the next minute begins in %s", ahead)
			}
		})
	}
}

// TestCloseEndsTheQuery closes a meter whose filter's query hangs: the query is cancelled and waited for.
func TestCloseEndsTheQuery(t *testing.T) {
	t.Parallel()
	m := OpenMeter(pgtest.Pool(t), testSeal, slog.New(slog.DiscardHandler))
	started, ended := make(chan struct{}), false
	m.filter = seal.NewFilter(func(ctx context.Context) (bool, error) {
		close(started)
		<-ctx.Done()
		ended = true
		return false, ctx.Err()
	})
	if _, _, err := m.check(newKey(seal.New("another secret of the tests"))); err != nil {
		t.Fatal(err)
	}
	<-started
	m.Close()
	if !ended {
		t.Error("the query goes on after Close")
	}
}

func TestOutcomes(t *testing.T) {
	s, m := setUp(t)
	key, made := mustCreate(t, s, "ana@exemplo.com.br", "chave")
	for _, token := range []string{"", "nada", goodKey(strings.Repeat("a", 34))} {
		_, _ = m.Admit(t.Context(), token)
	}
	for range CallsPerMinute { // in two minutes at the most
		_, _ = m.Admit(t.Context(), key)
		_, _ = m.AdmitAccount(t.Context(), made.Account)
	}
	for i := 0; m.Outcomes().Limited == 0 && i < CallsPerMinute; i++ {
		_, _ = m.Admit(t.Context(), key)
	}
	_, _ = m.AdmitAccount(t.Context(), made.Account+1)
	left := endedContext(t)
	other, _ := mustCreate(t, s, "bia@exemplo.com.br", "chave")
	_, _ = m.Admit(left, other)
	s.pool.Close()
	_, _ = m.Admit(t.Context(), other)
	got := m.Outcomes()
	if got.Admitted < CallsPerMinute || got.Limited == 0 {
		t.Errorf("admitted, limited: %+v", got)
	}
	got.Admitted, got.Limited = 0, 0
	if want := (Outcomes{Missing: 1, Invalid: 3, Left: 1, Failed: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
