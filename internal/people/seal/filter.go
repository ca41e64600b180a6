package seal

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"razao/internal/recovery"
)

// Intervals and sizes of a Filter.
const (
	askEvery   = time.Minute      // interval of the query whether foreign secrets exist
	knownFor   = 2 * time.Minute  // after a failed query its last result stands so long; then they are taken to exist
	askTimeout = 10 * time.Second // of the query
	refusedFor = time.Minute      // a sealed secret that the database refused is not looked up again so long
	remembered = 20_000           // secrets in either map
)

// Hash identifies a secret: its SHA-256, by which it is also stored.
type Hash = [sha256.Size]byte

// Filter decides in memory which secrets are worth a query (negative cache). A secret is sealed if it carries a valid
// MAC of this service's seal, and foreign otherwise: made under another secret, made before there
// were MACs, or a guess. Make one with NewFilter. It is safe for concurrent use, and each process has
// its own.
type Filter struct {
	foreign func(context.Context) (bool, error)
	now     func() time.Time

	life   context.Context // of all queries; ended under mu
	end    context.CancelFunc
	asking sync.WaitGroup // queries in progress

	mu      sync.Mutex
	exist   bool                            // result of the last query that succeeded: the database holds foreign secrets
	known   time.Time                       // time of that query
	asked   time.Time                       // time of the last query, successful or not
	proven  *simplelru.LRU[Hash, struct{}]  // foreign secrets that the database knew
	refused *simplelru.LRU[Hash, time.Time] // sealed secrets that the database did not know, and when
}

// NewFilter returns a Filter. foreign is a query that reports whether the database holds foreign
// secrets. It runs in the background, at most once a minute and only while foreign secrets are
// presented; until it succeeds they are taken to exist. Close the filter before what foreign queries.
func NewFilter(foreign func(context.Context) (bool, error)) *Filter {
	life, end := context.WithCancel(context.Background())
	f := &Filter{foreign: foreign, now: time.Now, life: life, end: end}
	f.proven, _ = simplelru.NewLRU[Hash, struct{}](remembered, nil) // fails only for a size below 1
	f.refused, _ = simplelru.NewLRU[Hash, time.Time](remembered, nil)
	return f
}

// Close cancels the query in progress, if any, and waits for it. The filter goes on answering from
// memory, without further queries. It may be called again.
func (f *Filter) Close() {
	f.mu.Lock()
	f.end()
	f.mu.Unlock()
	f.asking.Wait()
}

// Known reports whether a secret is certainly not a guess: it is sealed, or the database knew it
// when it was last looked up. A web.Guard then reserves no failure for it.
func (f *Filter) Known(secret Hash, sealed bool) bool {
	if sealed {
		return true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	_, proven := f.proven.Get(secret)
	return proven
}

// MayExist reports whether a secret is worth a query. A sealed one is, unless the database refused
// it within the last minute: a client that goes on with a revoked key costs one query a minute. A
// foreign one is if the database knew it before, or while foreign secrets may exist.
func (f *Filter) MayExist(secret Hash, sealed bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if sealed {
		at, refused := f.refused.Get(secret)
		return !refused || f.now().Sub(at) >= refusedFor
	}
	if _, proven := f.proven.Get(secret); proven {
		return true
	}
	return f.foreignMayExist()
}

// foreignMayExist answers from memory, and starts the query in the background if its turn has come.
// The caller holds f.mu.
func (f *Filter) foreignMayExist() bool {
	now := f.now()
	if now.Sub(f.asked) >= askEvery && f.life.Err() == nil {
		f.asked = now
		f.asking.Go(func() { f.ask(now) })
	}
	return f.exist || now.Sub(f.known) >= knownFor
}

// ask runs the query and stores its result as of at. A failure leaves the former result, which
// expires after knownFor.
func (f *Filter) ask(at time.Time) {
	ctx, cancel := context.WithTimeout(f.life, askTimeout)
	defer cancel()
	var exist bool
	err := recovery.Do(func() (err error) { // a panic in this goroutine would end the program
		exist, err = f.foreign(ctx)
		return err
	})
	if err != nil {
		return // not logged: requests that look a secret up report the same trouble
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.exist, f.known = exist, at
}

// Record records whether the database knew a secret. Two cases are not remembered: a valid sealed
// secret, whose MAC says enough, and an invalid foreign one, of which an attacker can make any
// number to push the others out.
func (f *Filter) Record(secret Hash, sealed, valid bool) {
	if sealed && valid {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case sealed:
		f.refused.Add(secret, f.now())
	case valid:
		f.proven.Add(secret, struct{}{})
	default:
		f.proven.Remove(secret) // revoked, if it was there
	}
}
