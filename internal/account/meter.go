package account

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/coalesce"
	"razao/internal/seal"
)

// CallsPerMinute is how many calls an account may make in a clock minute, with all its keys and tokens together.
const CallsPerMinute = 60

// Admission describes the limit of a recognised caller, admitted or not. Its times are by the database's clock.
type Admission struct {
	Caller
	At        time.Time // of the call
	Limit     int       // calls per minute
	Remaining int
	Reset     time.Time // start of the next minute
}

// LimitError means that an account has exhausted its minute.
type LimitError struct {
	Wait time.Duration // until the next minute
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("calls per minute exhausted: blocked for %s", e.Wait)
}

// Meter admits calls and records the usage history. It is made by OpenMeter and safe for concurrent use. Processes on one
// database share the counts.
type Meter struct {
	pool *pgxpool.Pool
	seal *seal.Sealer
	gate *seal.Gate
	log  *slog.Logger
	now  func() time.Time // for durations only; the database's clock decides the minute

	mu        sync.Mutex
	minute    time.Time // end of the minute that exhausted is about
	exhausted map[subject]exhaustion
	calls     []Call          // not yet written
	blocked   map[tally]int64 // not yet written

	counting coalesce.Group[subject, counted]

	outcomes    outcomes
	rollUpEvery time.Duration

	life context.Context // of all statements
	end  context.CancelFunc

	full   chan struct{} // signals a full batch to run
	stop   chan struct{}
	done   chan struct{} // closed when run has returned
	rolled chan struct{} // closed when rollUps has returned
}

// subject is who is to be admitted: the hash of a key or, if account is not 0, an account known by an access token.
type subject struct {
	keyHash [sha256.Size]byte
	account ID
}

// exhaustion is a cached refusal, until the minute ends.
type exhaustion struct {
	caller Caller
	reset  time.Time // by the database's clock
	until  time.Time // the same moment by this process's clock
}

// OpenMeter returns a meter on a migrated database. Until Close it writes and rolls up the history in the background, and logs
// when that fails.
//
// Keys sealed by s are told from forgeries in memory.
func OpenMeter(pool *pgxpool.Pool, s *seal.Sealer, log *slog.Logger) *Meter {
	m := newMeter(pool, s, log)
	go m.run()
	go m.rollUps()
	return m
}

func newMeter(pool *pgxpool.Pool, s *seal.Sealer, log *slog.Logger) *Meter {
	foreign := func(ctx context.Context) (bool, error) { return foreignKeys(ctx, pool, s) }
	life, end := context.WithCancel(context.Background())
	m := &Meter{
		life: life, end: end,
		pool: pool, seal: s, gate: seal.NewGate(foreign), log: log, now: time.Now,
		exhausted: map[subject]exhaustion{}, blocked: map[tally]int64{},
		rollUpEvery: time.Minute,
		full:        make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}), rolled: make(chan struct{}),
	}
	m.counting = coalesce.Group[subject, counted]{Ask: m.countCalls, AtOnce: 1, Most: maxBatch, Hedge: hedgeAfter}
	return m
}

// foreignKeys reports whether active keys exist that s did not seal.
func foreignKeys(ctx context.Context, pool *pgxpool.Pool, s *seal.Sealer) (exist bool, err error) {
	const query = `SELECT
		EXISTS (SELECT FROM api_key WHERE revoked_at IS NULL AND seal IS NULL) OR
		EXISTS (SELECT FROM api_key WHERE revoked_at IS NULL AND seal < $1) OR
		EXISTS (SELECT FROM api_key WHERE revoked_at IS NULL AND seal > $1)`
	err = pool.QueryRow(ctx, query, s.Fingerprint()).Scan(&exist)
	return exist, err
}

// Admit authenticates a call by its API key and counts it. The refusals are ErrMissingKey for "", ErrInvalidKey for anything
// but an active key, and *LimitError, with an Admission, for an account over its limit. Any other error means that the database
// failed. An admitted call counts whatever its outcome.
//
// Keys are not cached: once revoked, a key is admitted by no process. Only refusals are, so that a client in a loop costs the
// database nothing: for the rest of an exhausted minute, and for a minute of a key that is not active. A key that is not sealed is
// looked up only while active keys of another seal exist.
func (m *Meter) Admit(ctx context.Context, token string) (_ Admission, err error) {
	defer func() { m.outcomes.add(err) }()
	hash, sealed, err := m.check(token)
	if err != nil {
		return Admission{}, err
	}
	admission, err := m.admit(ctx, subject{keyHash: hash})
	m.learn(hash, sealed, err)
	return admission, err
}

// check refuses a key as far as that needs no query.
func (m *Meter) check(token string) (hash seal.Hash, isSealed bool, err error) {
	if token == "" {
		return hash, false, ErrMissingKey
	}
	if !wellFormed(token) {
		return hash, false, ErrInvalidKey
	}
	hash, isSealed = sha256.Sum256([]byte(token)), sealed(m.seal, token)
	if !m.gate.MayExist(hash, isSealed) {
		return hash, isSealed, ErrInvalidKey
	}
	return hash, isSealed, nil
}

// learn remembers how the look-up of a key ended.
func (m *Meter) learn(hash seal.Hash, sealed bool, err error) {
	invalid := errors.Is(err, ErrInvalidKey)
	if invalid || err == nil || errors.As(err, new(*LimitError)) {
		m.gate.Learn(hash, sealed, !invalid)
	}
}

// Knows reports, without a query, whether a token is certainly no guess: a key that this service once gave out, active or not.
func (m *Meter) Knows(token string) bool {
	return wellFormed(token) && m.gate.Known(sha256.Sum256([]byte(token)), sealed(m.seal, token))
}

// AdmitAccount counts a call of an account that was authenticated otherwise, like Admit. ErrNoAccount: it was deleted.
func (m *Meter) AdmitAccount(ctx context.Context, id ID) (_ Admission, err error) {
	defer func() { m.outcomes.add(err) }()
	return m.admit(ctx, subject{account: id})
}

// admit counts a call unless its subject is known to be over the limit.
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
		// Measured from before the query: a client that waits as told is not refused again.
		m.exhaust(who, exhaustion{caller: a.Caller, reset: a.Reset, until: asked.Add(wait)})
		return a, &LimitError{Wait: wait}
	}
	a.Remaining = CallsPerMinute - calls
	return a, nil
}

// refusal answers from memory for a subject known to have exhausted the current minute; nil error: not known.
func (m *Meter) refusal(who subject) (Admission, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok := m.exhausted[who]
	if !ok {
		return Admission{}, nil
	}
	wait := c.until.Sub(m.now())
	if wait <= 0 {
		delete(m.exhausted, who)
		return Admission{}, nil
	}
	m.countBlocked(c)
	return Admission{Caller: c.caller, At: c.reset.Add(-wait), Limit: CallsPerMinute, Reset: c.reset}, &LimitError{Wait: wait}
}

// exhaust caches that a subject has exhausted its minute, and drops the entries of earlier minutes.
func (m *Meter) exhaust(who subject, c exhaustion) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.reset.After(m.minute) {
		clear(m.exhausted)
		m.minute = c.reset
	}
	m.exhausted[who] = c
	m.countBlocked(c)
}

// countBlocked counts a refused call for the history. The caller holds m.mu.
func (m *Meter) countBlocked(c exhaustion) {
	m.blocked[tally{c.caller, c.reset.Add(-time.Minute).UTC().Truncate(24 * time.Hour)}]++
}
