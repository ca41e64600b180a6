package account

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"razao/internal/people/seal"
)

func TestHistoryOfCalls(t *testing.T) {
	s, m := setUp(t)
	_, erp := mustCreate(t, s, "ana@exemplo.com", "ERP")
	_, site := mustCreate(t, s, "ana@exemplo.com", "site")
	_, other := mustCreate(t, s, "bia@exemplo.com", "ERP")
	day, at := today(t, s)
	calls := []Call{
		{Account: erp.Account, Key: erp.ID, At: at.Add(-24 * time.Hour), Version: "v1", Endpoint: "/v1/cnpj/:cnpj", Status: 404},
		{Account: other.Account, Key: other.ID, At: at, Version: "v1", Endpoint: "/v1/cnpj/:cnpj", Status: 200},
		{Account: erp.Account, Key: site.ID, At: at, Version: "v2", Endpoint: "/v2/empresas/:documento/full", Status: 200},
		{Account: erp.Account, At: at, Version: "mcp", Endpoint: "consultar_cnpj", Status: 200},
	}
	for _, c := range calls {
		m.Record(c)
	}
	m.countBlocked(exhaustion{caller: Caller{erp.Account, erp.ID}, reset: day.Add(time.Minute)})
	m.countBlocked(exhaustion{caller: Caller{erp.Account, erp.ID}, reset: day}) // the last minute of yesterday
	must(t, m.write(t.Context()))
	checkHistory(t, s, day, at, calls, erp, site, other)
	must(t, m.rollUp(t.Context()))
	checkHistory(t, s, day, at, calls, erp, site, other)
}

// checkHistory compares totals and calls with those of TestHistoryOfCalls.
func checkHistory(t *testing.T, s *Store, day, at time.Time, calls []Call, erp, site, other Key) {
	t.Helper()
	totals := []struct {
		key              KeyID
		yesterday, today Day
	}{
		{0, Day{Calls: 1, Blocked: 1}, Day{Calls: 2, Blocked: 1}},
		{erp.ID, Day{Calls: 1, Blocked: 1}, Day{Blocked: 1}},
		{site.ID, Day{}, Day{Calls: 1}},
		{other.ID, Day{}, Day{}},
	}
	for _, tt := range totals {
		days := daysOf(t, s, erp.Account, tt.key)
		tt.yesterday.Date, tt.today.Date = day.AddDate(0, 0, -1), day
		if diff := cmp.Diff([]Day{tt.yesterday, tt.today}, days[HistoryDays-2:]); diff != "" {
			t.Errorf("key %d (-want +got):\n%s", tt.key, diff)
		}
		for i, d := range days[:HistoryDays-2] {
			if d.Calls != 0 || d.Blocked != 0 || !d.Date.Equal(day.AddDate(0, 0, i+1-HistoryDays)) {
				t.Errorf("key %d, day %d: %+v", tt.key, i, d)
			}
		}
	}
	lists := []struct {
		key  KeyID
		want []Call
	}{
		{0, []Call{calls[3], calls[2], calls[0]}},
		{erp.ID, []Call{calls[0]}},
		{other.ID, nil},
	}
	for _, tt := range lists {
		got, err := s.Calls(t.Context(), erp.Account, tt.key, 0, 10)
		if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(Call{}, "ID"), cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("calls of key %d: %v (-want +got):\n%s", tt.key, err, diff)
		}
	}
	if keys, err := s.KeysOf(t.Context(), erp.Account); err != nil || keys[1].LastUsedAt == nil || !keys[1].LastUsedAt.Equal(at) {
		t.Errorf("last use of the key: %+v, %v, want %s", keys, err, at)
	}
}

func TestCallsInPages(t *testing.T) {
	s, m := setUp(t)
	_, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	_, at := today(t, s)
	for i := range 25 {
		m.Record(Call{Account: key.Account, Key: key.ID, At: at, Version: "v1", Endpoint: "/v1/cnpj/:cnpj", Status: 200 + i})
	}
	must(t, m.write(t.Context()))
	var statuses []int
	before := CallID(0)
	for range 3 {
		page, err := s.Calls(t.Context(), key.Account, 0, before, 10)
		if err != nil || len(page) == 0 {
			t.Fatalf("page before %d: %v, %v", before, page, err)
		}
		for _, c := range page {
			statuses = append(statuses, c.Status)
		}
		before = page[len(page)-1].ID
	}
	if len(statuses) != 25 || statuses[0] != 224 || statuses[24] != 200 {
		t.Errorf("pages hold %v", statuses)
	}
	if page, err := s.Calls(t.Context(), key.Account, 0, before, 10); err != nil || len(page) != 0 {
		t.Errorf("after the last page: %v, %v", page, err)
	}
}

func TestCloseWritesEveryCall(t *testing.T) {
	s, _ := setUp(t)
	_, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	_, at := today(t, s)
	const processes, calls = 2, 5000
	var all sync.WaitGroup
	for range processes {
		m := OpenMeter(s.pool, testSeal, slog.New(slog.DiscardHandler))
		all.Go(func() {
			for range calls {
				m.Record(callBy(key, at))
			}
			m.Close()
		})
	}
	all.Wait()
	days := daysOf(t, s, key.Account, key.ID)
	keeps(t, s, "usage_call", processes*calls)
	if got := days[HistoryDays-1].Calls; got != processes*calls {
		t.Errorf("%d calls in the totals, want %d", got, processes*calls)
	}
}

func TestCallsOutliveADatabaseThatIsAway(t *testing.T) {
	s, m := setUp(t)
	_, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	_, at := today(t, s)
	away := endedContext(t)
	for i := range 3 {
		m.Record(callBy(key, at))
		m.countBlocked(exhaustion{caller: Caller{key.Account, key.ID}, reset: at})
		if i == 2 {
			break
		}
		if err := m.write(away); err == nil {
			t.Fatal("the calls were written nowhere")
		}
	}
	must(t, m.write(t.Context()))
	calls, err := s.Calls(t.Context(), key.Account, 0, 0, 10)
	var blocked int64
	for _, d := range daysOf(t, s, key.Account, 0) {
		blocked += d.Blocked
	}
	if err != nil || len(calls) != 3 || blocked != 3 {
		t.Errorf("%d calls, %d blocked, %v, want three of each", len(calls), blocked, err)
	}
}

// A long history is deleted in steps, each of which fits the statement timeout of razao_serve.
func TestALongHistoryIsDeletedInSteps(t *testing.T) {
	s, _ := setUp(t)
	_, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	for _, query := range []string{
		`INSERT INTO usage_call (account_id, key_id, at, version, endpoint, status)
		 SELECT id, 0, now(), 'v1', '/v1/cnpj/:cnpj', 200 FROM account, generate_series(1, 120000)`,
		`CREATE FUNCTION bound() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF (SELECT count(*) FROM gone) > 50000 THEN RAISE EXCEPTION 'too much at once'; END IF; RETURN NULL; END $$`,
		`CREATE TRIGGER bound AFTER DELETE ON usage_call REFERENCING OLD TABLE AS gone EXECUTE FUNCTION bound()`,
	} {
		execute(t, s.pool, query)
	}
	must(t, s.Delete(t.Context(), key.Account))
	keeps(t, s, "usage_call", 0)
}

func TestDeletedAccountLeavesNothing(t *testing.T) {
	s, m := setUp(t)
	plain, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	_, other := mustCreate(t, s, "bia@exemplo.com", "ERP")
	if _, err := s.ByIdentity(t.Context(), Identity{Issuer: "https://id.example", Subject: "1", Email: "ana@exemplo.com"}); err != nil {
		t.Fatal(err)
	}
	token, _, err := s.StartSession(t.Context(), key.Account, "navegador", "")
	must(t, err)
	admit(t, m, plain)
	_, at := today(t, s)
	for _, k := range []Key{key, other} {
		m.Record(callBy(k, at))
	}
	must(t, m.write(t.Context()))
	m.Record(callBy(key, at)) // in flight

	must(t, s.Delete(t.Context(), key.Account))
	if err := m.write(t.Context()); err != nil {
		t.Fatalf("a call of a deleted account stops the others: %v", err)
	}
	for _, table := range []string{"api_key", "identity", "session", "admission", "usage_call", "usage_day"} {
		keeps(t, s, fmt.Sprintf("%s WHERE account_id = %d", table, key.Account), 0)
	}
	if _, err := m.Admit(t.Context(), plain); !errors.Is(err, ErrInvalidKey) {
		t.Errorf("key of a deleted account: %v, want ErrInvalidKey", err)
	}
	if _, err := s.Session(t.Context(), token); !errors.Is(err, ErrNoSession) {
		t.Errorf("session of a deleted account: %v, want ErrNoSession", err)
	}
	if err := s.Delete(t.Context(), key.Account); !errors.Is(err, ErrNoAccount) {
		t.Errorf("second deletion: %v, want ErrNoAccount", err)
	}
	if _, err := s.Account(t.Context(), key.Account); !errors.Is(err, ErrNoAccount) {
		t.Errorf("deleted account: %v, want ErrNoAccount", err)
	}
	if calls, err := s.Calls(t.Context(), other.Account, 0, 0, 10); err != nil || len(calls) != 1 {
		t.Errorf("another account has %v, %v, want its call", calls, err)
	}
}

func TestPurge(t *testing.T) {
	s, m := setUp(t)
	_, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	day, _ := today(t, s)
	oldest := day.AddDate(0, 0, 1-HistoryDays)
	for _, at := range []time.Time{oldest.Add(-time.Second), oldest} {
		m.Record(callBy(key, at))
	}
	must(t, errors.Join(m.write(t.Context()), m.rollUp(t.Context())))
	for _, age := range []string{"0", "91 days"} {
		token, _, err := s.StartSession(t.Context(), key.Account, "", "")
		must(t, err)
		execute(t, s.pool, `UPDATE session SET created_at = now() - $2::interval WHERE token_hash = $1`, seal.HashOf(token), age)
	}
	must(t, s.Purge(t.Context()))
	for _, table := range []string{"usage_call", "usage_day", "session"} {
		keeps(t, s, table, 1)
	}
	if calls, err := s.Calls(t.Context(), key.Account, 0, 0, 10); err != nil || len(calls) != 1 || !calls[0].At.Equal(oldest) {
		t.Errorf("calls after the purge: %v, %v", calls, err)
	}
}
