package account

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/seal"
)

func TestManyCallsInOneStatement(t *testing.T) {
	s, m := setUp(t)
	byKey := func(plain string) subject { return subject{keyHash: [32]byte(seal.HashOf(plain))} }
	erp, erpKey := mustCreate(t, s, "ana@exemplo.com", "ERP")
	site, siteKey := mustCreate(t, s, "ana@exemplo.com", "site")
	bia, biaKey := mustCreate(t, s, "bia@exemplo.com", "ERP")
	revoked, revokedKey := mustCreate(t, s, "bia@exemplo.com", "antiga")
	must(t, s.RevokeKey(t.Context(), revokedKey.ID))
	ana := subject{account: erpKey.Account}
	execute(t, s.pool, `INSERT INTO admission VALUES ($1, date_trunc('minute', now()) + interval '1 minute', 10)`, erpKey.Account)

	asked := []subject{byKey(erp), byKey(bia), byKey(site), byKey(revoked), ana, byKey(erp), byKey(newKey(testSeal)), {account: 404}, byKey(site)}
	m.counting.Hedge = time.Hour
	first, _ := mustCreate(t, s, "eva@exemplo.com", "ERP")
	admit(t, m, first)
	hold := holdCounts(t, s.pool)
	var counting sync.WaitGroup
	counting.Go(func() { // the others wait for it
		if _, err := m.Admit(t.Context(), first); err != nil {
			t.Error(err)
		}
	})
	waitForStatements(m, 1, 0)
	type outcome struct {
		Admission
		number int
		err    error
	}
	outcomes := make([]outcome, len(asked))
	for i, who := range asked {
		counting.Go(func() {
			o := &outcomes[i]
			o.Admission, o.number, o.err = m.count(t.Context(), who)
		})
	}
	waitForStatements(m, 1, len(asked))
	must(t, hold.Rollback(t.Context()))
	counting.Wait()
	callers := []Caller{
		{erpKey.Account, erpKey.ID},
		{biaKey.Account, biaKey.ID},
		{siteKey.Account, siteKey.ID},
		{},
		{Account: erpKey.Account},
		{erpKey.Account, erpKey.ID},
		{},
		{},
		{siteKey.Account, siteKey.ID},
	}
	errs := map[int]error{3: ErrInvalidKey, 6: ErrInvalidKey, 7: ErrNoAccount}
	var numbers []int
	for i, a := range outcomes {
		if a.Caller != callers[i] || !errors.Is(a.err, errs[i]) {
			t.Errorf("call %d: %+v, %v, want %+v, %v", i, a.Admission, a.err, callers[i], errs[i])
		}
		switch a.Account {
		case erpKey.Account:
			numbers = append(numbers, a.number)
		case biaKey.Account:
			if a.number != 1 {
				t.Errorf("the call of another account is number %d", a.number)
			}
		}
	}
	if slices.Sort(numbers); !slices.Equal(numbers, []int{11, 12, 13, 14, 15}) {
		t.Errorf("the calls of the account are numbers %v", numbers)
	}
	s.pool.Close()
	for _, who := range []subject{byKey(erp), ana} {
		if _, _, err := m.count(t.Context(), who); err == nil || errors.Is(err, ErrInvalidKey) || errors.Is(err, ErrNoAccount) {
			t.Errorf("%+v without a database: %v", who, err)
		}
	}
}

// impatient lets m take every statement for a hung one.
func impatient(m *Meter) { m.counting.Hedge = time.Nanosecond }

// maxStatements is how many statements an impatient meter runs at once.
const maxStatements = 2

// holdCounts locks the counts of all accounts with calls.
func holdCounts(t *testing.T, pool *pgxpool.Pool) pgx.Tx {
	t.Helper()
	hold, err := pool.Begin(t.Context())
	must(t, err)
	_, err = hold.Exec(t.Context(), `SELECT FROM admission FOR UPDATE`)
	must(t, err)
	return hold
}

// waitForStatements waits until n statements of m are running and the given number of calls is
// queued.
func waitForStatements(m *Meter, n, calls int) {
	for busy := false; !busy; runtime.Gosched() {
		running, waiting := m.counting.Load()
		busy = running == n && waiting == calls
	}
}

// TestAStatementThatHangsIsNotWaitedFor blocks the count of one account; another account is
// admitted beside it.
func TestAStatementThatHangsIsNotWaitedFor(t *testing.T) {
	s, m := setUp(t)
	impatient(m)
	ana, _ := mustCreate(t, s, "ana@exemplo.com", "ERP")
	bia, _ := mustCreate(t, s, "bia@exemplo.com", "ERP")
	admit(t, m, ana)
	hold := holdCounts(t, s.pool)
	var hanging sync.WaitGroup
	hanging.Go(func() {
		if _, err := m.Admit(t.Context(), ana); err != nil {
			t.Error(err)
		}
	})
	waitForStatements(m, 1, 0)
	if _, err := m.Admit(t.Context(), bia); err != nil {
		t.Errorf("the other account: %v", err)
	}
	must(t, hold.Rollback(t.Context()))
	hanging.Wait()
}

// TestAbandonedCallsDoNotCount queues calls behind hung statements until some clients have left:
// their calls are not counted, the others are.
func TestAbandonedCallsDoNotCount(t *testing.T) {
	s, m := setUp(t)
	impatient(m)
	plain, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	execute(t, s.pool, `INSERT INTO admission VALUES ($1, date_trunc('minute', now()) + interval '1 minute', 1)`, key.Account) // does not end soon
	hold := holdCounts(t, s.pool)
	defer func() { _ = hold.Rollback(context.Background()) }()
	var waiting, leaving sync.WaitGroup
	admit := func() {
		if _, err := m.Admit(t.Context(), plain); err != nil {
			t.Error(err)
		}
	}
	for range maxStatements {
		waiting.Go(admit)
	}
	waitForStatements(m, maxStatements, 0)
	ctx, leave := context.WithCancel(t.Context())
	const abandoned = 20
	for i := range abandoned {
		if i == abandoned/2 {
			waiting.Go(admit)
		}
		leaving.Go(func() {
			if _, err := m.Admit(ctx, plain); !errors.Is(err, context.Canceled) {
				t.Errorf("who left: %v, want context.Canceled", err)
			}
		})
	}
	waitForStatements(m, maxStatements, abandoned+1)
	leave()
	leaving.Wait()
	_ = hold.Rollback(context.Background())
	waiting.Wait()
	m.counting.Wait()
	last, err := m.AdmitAccount(t.Context(), key.Account)
	if want := CallsPerMinute - 1 - maxStatements - 1 - 1; err != nil || last.Remaining != want {
		t.Errorf("%d calls are left, %v, want %d", last.Remaining, err, want)
	}
}
