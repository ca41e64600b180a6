package seal

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"razao/internal/recent"
	"razao/internal/recovery"
)

const (
	askEvery   = time.Minute      // whether secrets of another seal exist
	knownFor   = 2 * time.Minute  // from then on that is unknown
	askTimeout = 10 * time.Second // for the query
	refusedFor = time.Minute      // a sealed secret that the database does not know is not looked up again
	remembered = 20_000           // secrets, in about 2 MB
)

// Hash identifies a secret: its SHA-256, by which it is also stored.
type Hash = [sha256.Size]byte

// Gate decides in memory which secrets may be looked up. It is made by NewGate and safe for concurrent use.
type Gate struct {
	foreign func(context.Context) (bool, error)
	now     func() time.Time

	mu      sync.Mutex
	exist   bool      // secrets of another seal, when it was asked
	known   time.Time // when that was
	asked   time.Time
	proven  *recent.Map[Hash, struct{}]  // of another seal, and valid
	refused *recent.Map[Hash, time.Time] // sealed, and not valid
}

// NewGate returns a gate. foreign is a query that reports whether secrets exist that the service's seal is not on; it is asked once a
// minute at most, and while its answer is unknown they are taken to exist.
func NewGate(foreign func(context.Context) (bool, error)) *Gate {
	return &Gate{
		foreign: foreign, now: time.Now,
		proven: recent.New[Hash, struct{}](remembered), refused: recent.New[Hash, time.Time](remembered),
	}
}

// Known reports whether a secret is certainly no guess: it is sealed, or the database once knew it.
func (g *Gate) Known(secret Hash, sealed bool) bool {
	if sealed {
		return true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	_, proven := g.proven.Get(secret)
	return proven
}

// MayExist reports whether a secret is worth a query. One that is not Known is, while secrets of another seal exist.
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

// foreignMayExist answers from memory and asks in the background. The caller holds g.mu.
func (g *Gate) foreignMayExist() bool {
	now := g.now()
	if now.Sub(g.asked) >= askEvery {
		g.asked = now
		go g.ask(now)
	}
	return g.exist || now.Sub(g.known) >= knownFor
}

func (g *Gate) ask(at time.Time) {
	ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
	defer cancel()
	var exist bool
	err := recovery.Do(func() (err error) { // in a goroutine of its own
		exist, err = g.foreign(ctx)
		return err
	})
	if err != nil {
		return // soon unknown; who looks something up learns of the trouble
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.exist, g.known = exist, at
}

// Learn remembers what the database said of a secret: not of a valid one that is sealed, which needs no memory, nor of a wrong
// guess, of which there may be any number.
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
		g.proven.Delete(secret) // it was revoked
	}
}
