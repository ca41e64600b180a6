package seal

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"razao/internal/recovery"
	"razao/internal/web/recent"
)

// Intervals and sizes of a Gate.
const (
	askEvery   = time.Minute      // interval of the query whether foreign secrets exist
	knownFor   = 2 * time.Minute  // after a failed query its last result stands so long; then they are taken to exist
	askTimeout = 10 * time.Second // of the query
	refusedFor = time.Minute      // a sealed secret that the database refused is not looked up again so long
	remembered = 20_000           // secrets in either map, about 2 MB
)

// Hash identifies a secret: its SHA-256, by which it is also stored.
type Hash = [sha256.Size]byte

// Gate decides in memory which secrets are worth a query. A secret is sealed if it carries a valid
// MAC of this service's seal, and foreign otherwise: made under another secret, made before there
// were MACs, or a guess. Make one with NewGate. It is safe for concurrent use, and each process has
// its own.
type Gate struct {
	foreign func(context.Context) (bool, error)
	now     func() time.Time

	life   context.Context // of all queries; ended under mu
	end    context.CancelFunc
	asking sync.WaitGroup // queries in progress

	mu      sync.Mutex
	exist   bool                         // result of the last query that succeeded: the database holds foreign secrets
	known   time.Time                    // time of that query
	asked   time.Time                    // time of the last query, successful or not
	proven  *recent.Map[Hash, struct{}]  // foreign secrets that the database knew
	refused *recent.Map[Hash, time.Time] // sealed secrets that the database did not know, and when
}

// NewGate returns a Gate. foreign is a query that reports whether the database holds foreign
// secrets. It runs in the background, at most once a minute and only while foreign secrets are
// presented; until it succeeds they are taken to exist. Close the gate before what foreign queries.
func NewGate(foreign func(context.Context) (bool, error)) *Gate {
	life, end := context.WithCancel(context.Background())
	return &Gate{
		foreign: foreign, now: time.Now, life: life, end: end,
		proven: recent.New[Hash, struct{}](remembered), refused: recent.New[Hash, time.Time](remembered),
	}
}

// Close cancels the query in progress, if any, and waits for it. The gate goes on answering from
// memory, without further queries. It may be called again.
func (g *Gate) Close() {
	g.mu.Lock()
	g.end()
	g.mu.Unlock()
	g.asking.Wait()
}

// Known reports whether a secret is certainly not a guess: it is sealed, or the database knew it
// when it was last looked up. A web.Guard then reserves no failure for it.
func (g *Gate) Known(secret Hash, sealed bool) bool {
	if sealed {
		return true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	_, proven := g.proven.Get(secret)
	return proven
}

// MayExist reports whether a secret is worth a query. A sealed one is, unless the database refused
// it within the last minute: a client that goes on with a revoked key costs one query a minute. A
// foreign one is if the database knew it before, or while foreign secrets may exist.
func (g *Gate) MayExist(secret Hash, sealed bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if sealed {
		at, refused := g.refused.Get(secret)
		return !refused || g.now().Sub(at) >= refusedFor
	}
	if _, proven := g.proven.Get(secret); proven {
		return true
	}
	return g.foreignMayExist()
}

// foreignMayExist answers from memory, and starts the query in the background if its turn has come.
// The caller holds g.mu.
func (g *Gate) foreignMayExist() bool {
	now := g.now()
	if now.Sub(g.asked) >= askEvery && g.life.Err() == nil {
		g.asked = now
		g.asking.Go(func() { g.ask(now) })
	}
	return g.exist || now.Sub(g.known) >= knownFor
}

// ask runs the query and stores its result as of at. A failure leaves the former result, which
// expires after knownFor.
func (g *Gate) ask(at time.Time) {
	ctx, cancel := context.WithTimeout(g.life, askTimeout)
	defer cancel()
	var exist bool
	err := recovery.Do(func() (err error) { // a panic in this goroutine would end the program
		exist, err = g.foreign(ctx)
		return err
	})
	if err != nil {
		return // not logged: requests that look a secret up report the same trouble
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.exist, g.known = exist, at
}

// Learn records whether the database knew a secret. Two cases are not remembered: a valid sealed
// secret, whose MAC says enough, and an invalid foreign one, of which an attacker can make any
// number to push the others out.
func (g *Gate) Learn(secret Hash, sealed, valid bool) {
	if sealed && valid {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case sealed:
		g.refused.Put(secret, g.now())
	case valid:
		g.proven.Put(secret, struct{}{})
	default:
		g.proven.Delete(secret) // revoked, if it was there
	}
}
