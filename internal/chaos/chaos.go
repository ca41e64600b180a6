// Package chaos breaks what the program stands on, for tests that ask it meanwhile: connections (Link), PostgreSQL with its clock
// (Postgres), disks (Disk), files of an index (Folder). A Ledger knows what is broken when, so that a failure can be told from one
// without need, and a Report makes the table of docs/reliability.md.
package chaos

import (
	"strings"
	"sync"
	"time"
)

// Part is what an answer may need; several are their union.
type Part uint8

// The parts.
const (
	Process Part = 1 << iota // the server runs, and its address is open
	Reading                  // PostgreSQL answers
	Writing                  // and takes what is written
	Records                  // the tables of public records can be read
	Index                    // the files of the index are there and whole
	Mail                     // the mail server takes mails
	Issuer                   // the OpenID provider answers
	Clock                    // that of PostgreSQL goes on steadily

	Everything = Process | Reading | Writing | Records | Index | Mail | Issuer | Clock
)

var partNames = []string{"process", "reading", "writing", "records", "index", "mail", "issuer", "clock"}

func (p Part) String() string {
	var names []string
	for i, name := range partNames {
		if p&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// Excuse is why an answer may have been refused.
type Excuse int

// The excuses.
const (
	NoExcuse Excuse = iota // all that it needs was whole
	Settling               // what it needs was whole again, but not yet for the time that the server gets to notice
	Broken                 // a part that it needs was broken while it was asked
)

// Ledger keeps which parts are broken. The zero value is ready.
type Ledger struct {
	mu       sync.Mutex
	troubles []*trouble
}

type trouble struct {
	parts    Part
	from, to time.Time // to is zero while it lasts
	settling time.Duration
}

// Begin says that parts are about to break. end says that they are whole again, from when on the server gets a time to settle; a
// second call does nothing.
func (l *Ledger) Begin(parts Part, settling time.Duration) (end func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := &trouble{parts: parts, from: time.Now(), settling: settling}
	l.troubles = append(l.troubles, t)
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		t.to = time.Now()
	})
}

// Excuse returns the best excuse for a refusal of what needs parts and was asked from one moment to another.
func (l *Ledger) Excuse(needs Part, from, to time.Time) (best Excuse) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.troubles {
		switch {
		case t.parts&needs == 0 || t.from.After(to):
		case t.to.IsZero() || t.to.After(from):
			return Broken
		case t.to.Add(t.settling).After(from):
			best = Settling
		}
	}
	return best
}

// Troubled reports whether any part is broken.
func (l *Ledger) Troubled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.troubles {
		if t.to.IsZero() {
			return true
		}
	}
	return false
}
