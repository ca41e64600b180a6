package account

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// CallsPerMinute is how many calls an account may make in a minute of the clock, with all its keys together.
const CallsPerMinute = 60

// Admission is what is known of a call whose caller was recognised, let in or not. Its times are the database's.
type Admission struct {
	Caller
	At        time.Time
	Limit     int // calls in a minute
	Remaining int
	Reset     time.Time // when the next minute begins
}

// LimitError is the error of a call that came after its account had used up the minute.
type LimitError struct {
	Wait time.Duration // until the next minute
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the account has used up its minute: blocked for %s", e.Wait)
}

// Meter lets calls in and keeps their history. It is made by OpenMeter and safe for concurrent use; several processes with a
// meter on the same database count as one.
type Meter struct {
	pool *pgxpool.Pool
	log  *slog.Logger
	now  func() time.Time // only to measure how long ago something was

	mu      sync.Mutex
	minute  time.Time           // the end of the latest one that was used up
	closed  map[subject]closing // who has used it up
	calls   []Call              // not yet written
	blocked map[tally]int64     // not yet written

	queue   []*question // calls that wait to be counted
	asking  int         // statements that count calls just now
	askedAt time.Time   // when the latest of them began
	asked   sync.WaitGroup

	rollUpEvery time.Duration

	full   chan struct{} // there is a batch to write
	stop   chan struct{}
	done   chan struct{} // nothing more is written
	rolled chan struct{} // nothing more is rolled up
}

// subject is what a call shows: a key or, without one, an account.
type subject struct {
	keyHash [sha256.Size]byte
	account ID
}

// closing is the refusal of all calls of a subject for the rest of a minute.
type closing struct {
	caller Caller
	reset  time.Time
	until  time.Time // reset, by the clock of this process
}

// OpenMeter returns a meter on a migrated database. It writes the history in the background until it is closed, and says
// in the log when it cannot.
func OpenMeter(pool *pgxpool.Pool, log *slog.Logger) *Meter {
	m := newMeter(pool, log)
	go m.run()
	go m.rollUps()
	return m
}

func newMeter(pool *pgxpool.Pool, log *slog.Logger) *Meter {
	return &Meter{
		pool: pool, log: log, now: time.Now,
		closed: map[subject]closing{}, blocked: map[tally]int64{},
		rollUpEvery: time.Minute,
		full:        make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}), rolled: make(chan struct{}),
	}
}

// Admit decides on a call with the key token. It is refused with ErrMissingKey when token is "", with ErrInvalidKey when it
// is no active key, and with a *LimitError, beside an Admission, when the account has used up the minute. Any other error
// means that nobody could decide. A call that is let in counts, whatever becomes of it.
//
// The database is asked for every call, so that a revoked key is not let in again by any process; only the rest of a minute
// that was used up is refused here, even to a key that is revoked meanwhile.
func (m *Meter) Admit(ctx context.Context, token string) (Admission, error) {
	if token == "" {
		return Admission{}, ErrMissingKey
	}
	if !wellFormed(token) {
		return Admission{}, ErrInvalidKey
	}
	return m.admit(ctx, subject{keyHash: sha256.Sum256([]byte(token))})
}

// AdmitAccount decides on a call of somebody who was recognised without a key, like Admit. ErrNoAccount: the account was
// deleted.
func (m *Meter) AdmitAccount(ctx context.Context, id ID) (Admission, error) {
	return m.admit(ctx, subject{account: id})
}

func (m *Meter) admit(ctx context.Context, who subject) (Admission, error) {
	if refused, err := m.refusal(who); err != nil {
		return refused, err
	}
	asked := m.now()
	a, calls, err := m.count(ctx, who)
	if err != nil {
		return Admission{}, err
	}
	if calls > CallsPerMinute {
		wait := a.Reset.Sub(a.At)
		// Measured from before the question, so that nobody who waits that long is refused again.
		m.close(who, closing{caller: a.Caller, reset: a.Reset, until: asked.Add(wait)})
		return a, &LimitError{Wait: wait}
	}
	a.Remaining = CallsPerMinute - calls
	return a, nil
}

// refusal refuses a call of a subject that is known to have used up the present minute, without asking anybody.
func (m *Meter) refusal(who subject) (Admission, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok := m.closed[who]
	if !ok {
		return Admission{}, nil
	}
	wait := c.until.Sub(m.now())
	if wait <= 0 {
		delete(m.closed, who)
		return Admission{}, nil
	}
	m.countBlocked(c)
	return Admission{Caller: c.caller, At: c.reset.Add(-wait), Limit: CallsPerMinute, Reset: c.reset}, &LimitError{Wait: wait}
}

// close remembers that a subject has used up its minute, and forgets all that used up an earlier one.
func (m *Meter) close(who subject, c closing) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.reset.After(m.minute) {
		clear(m.closed)
		m.minute = c.reset
	}
	m.closed[who] = c
	m.countBlocked(c)
}

// countBlocked counts a call that the limit refused, for the history. The caller holds m.mu.
func (m *Meter) countBlocked(c closing) {
	m.blocked[tally{c.caller, c.reset.Add(-time.Minute).UTC().Truncate(24 * time.Hour)}]++
}
