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

	"razao/internal/people/seal"
	"razao/internal/store/batching"
)

// CallsPerMinute is how many calls an account may make in a clock minute (UTC), with all its keys
// and tokens together. It is a fixed window: twice as many may pass around the turn of a minute.
const CallsPerMinute = 60

// Admission describes the limit of a recognised caller, admitted or not. Times are by the
// database's clock.
type Admission struct {
	Caller
	At        time.Time // of the call
	Limit     int       // CallsPerMinute
	Remaining int       // calls left in the minute, after this one
	Reset     time.Time // start of the next minute
}

// LimitError means that an account has exhausted its minute. Refused calls do not prolong it.
type LimitError struct {
	Wait time.Duration // until the next minute
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("calls per minute exhausted: blocked for %s", e.Wait)
}

// Meter admits calls and records the usage history. Make one with OpenMeter. It is safe for
// concurrent use. Processes on one database share the counts.
type Meter struct {
	pool   *pgxpool.Pool
	seal   *seal.Sealer
	filter *seal.Filter
	log    *slog.Logger
	now    func() time.Time // for durations only; the database's clock decides the minute

	mu        sync.Mutex
	minute    time.Time // latest end of a minute in exhausted
	exhausted map[subject]exhaustion
	calls     []Call               // recorded, not yet written
	blocked   map[blockedDay]int64 // refused by the limit, not yet written

	counting batching.Batcher[subject, callCount]

	outcomes    outcomes
	rollUpEvery time.Duration

	life context.Context // parent of all statements; ended by Close
	end  context.CancelFunc

	full   chan struct{} // signals a full batch to run
	stop   chan struct{} // closed by Close
	done   chan struct{} // closed when run has returned
	rolled chan struct{} // closed when rollUps has returned
}

// subject is whose call is counted: that of a key, by its hash, or, if account is not 0, that of an
// account authenticated otherwise. It is the key under which calls are batched and refusals cached.
type subject struct {
	keyHash [sha256.Size]byte
	account ID
}

// exhaustion is a cached refusal. It is valid until the minute ends.
type exhaustion struct {
	caller Caller
	reset  time.Time // by the database's clock
	until  time.Time // the same moment by this process's clock
}

// OpenMeter returns a Meter on a migrated database. Until Close it writes and rolls up the history
// in the background and logs failures. Keys with a MAC of s are told from forgeries in memory.
func OpenMeter(pool *pgxpool.Pool, s *seal.Sealer, log *slog.Logger) *Meter {
	m := newMeter(pool, s, log)
	go m.run()
	go m.rollUps()
	return m
}

// newMeter returns a Meter without its background goroutines.
func newMeter(pool *pgxpool.Pool, s *seal.Sealer, log *slog.Logger) *Meter {
	foreign := func(ctx context.Context) (bool, error) { return foreignKeys(ctx, pool, s) }
	life, end := context.WithCancel(context.Background())
	m := &Meter{
		life: life, end: end,
		pool: pool, seal: s, filter: seal.NewFilter(foreign), log: log, now: time.Now,
		exhausted: map[subject]exhaustion{}, blocked: map[blockedDay]int64{},
		rollUpEvery: time.Minute,
		full:        make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}), rolled: make(chan struct{}),
	}
	m.counting = batching.Batcher[subject, callCount]{Ask: m.countCalls, Most: maxBatch}
	return m
}

// foreignKeys reports whether active keys exist that s did not seal, see seal.NewFilter.
func foreignKeys(ctx context.Context, pool *pgxpool.Pool, s *seal.Sealer) (exist bool, err error) {
	const query = `SELECT
		EXISTS (SELECT FROM api_key WHERE revoked_at IS NULL AND seal IS NULL) OR
		EXISTS (SELECT FROM api_key WHERE revoked_at IS NULL AND seal < $1) OR
		EXISTS (SELECT FROM api_key WHERE revoked_at IS NULL AND seal > $1)`
	err = pool.QueryRow(ctx, query, s.Fingerprint()).Scan(&exist)
	return exist, err
}

// Admit authenticates a call by its API key and counts it. An admitted call counts whatever its
// outcome. The refusals are ErrMissingKey for "", ErrInvalidKey for anything but an active key, and
// *LimitError, with an Admission, for an account over its limit. An ended ctx is its error,
// wrapped; whether the call was counted is then unknown. Any other error means that the database
// failed.
//
// Keys are not cached: once revoked, a key is admitted by no process. Refusals are: for the rest of
// an exhausted minute, and for a minute for a key that is not active. A key without a valid MAC is
// looked up only while the database has active keys that this seal did not make.
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

// check refuses a key as far as that needs no query, and returns its hash and whether its MAC is
// valid. The errors are ErrMissingKey and ErrInvalidKey.
func (m *Meter) check(token string) (hash seal.Hash, isSealed bool, err error) {
	if token == "" {
		return hash, false, ErrMissingKey
	}
	if !wellFormed(token) {
		return hash, false, ErrInvalidKey
	}
	hash, isSealed = sha256.Sum256([]byte(token)), sealed(m.seal, token)
	if !m.filter.MayExist(hash, isSealed) {
		return hash, isSealed, ErrInvalidKey
	}
	return hash, isSealed, nil
}

// learn tells the filter how the look-up of a key ended. A database error says nothing about the key.
func (m *Meter) learn(hash seal.Hash, sealed bool, err error) {
	invalid := errors.Is(err, ErrInvalidKey)
	if invalid || err == nil || errors.As(err, new(*LimitError)) {
		m.filter.Record(hash, sealed, !invalid)
	}
}

// Knows reports, without a query, whether a token is certainly no guess: a key that this service
// issued, active or not. It is for web.Guard.
func (m *Meter) Knows(token string) bool {
	return wellFormed(token) && m.filter.Known(sha256.Sum256([]byte(token)), sealed(m.seal, token))
}

// AdmitAccount counts a call of an account that was authenticated otherwise, like Admit. The
// refusals are ErrNoAccount and *LimitError.
func (m *Meter) AdmitAccount(ctx context.Context, id ID) (_ Admission, err error) {
	defer func() { m.outcomes.add(err) }()
	return m.admit(ctx, subject{account: id})
}

// admit counts a call unless a cached refusal answers it.
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
		// The wait counts from before the query, so the cached refusal ends before the client
		// returns.
		m.exhaust(who, exhaustion{caller: a.Caller, reset: a.Reset, until: asked.Add(wait)})
		return a, &LimitError{Wait: wait}
	}
	a.Remaining = CallsPerMinute - calls
	return a, nil
}

// refusal returns the cached refusal of a subject that has exhausted the current minute, and a nil
// error if there is none. The refused call is counted for the history.
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

// exhaust caches that a subject has exhausted its minute. The first entry of a later minute drops
// all others, which bounds the map by the callers of one minute.
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

// countBlocked counts a refused call for the history, on the day of its minute. The caller holds
// m.mu.
func (m *Meter) countBlocked(c exhaustion) {
	m.blocked[blockedDay{c.caller, c.reset.Add(-time.Minute).UTC().Truncate(24 * time.Hour)}]++
}
