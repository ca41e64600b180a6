// Package chaos breaks what the program depends on while tests use it: connections ([Link]),
// PostgreSQL and its clock ([Postgres]), disks ([Disk]) and index files ([Folder]).
//
// [Faults] record what was broken and when. From them a test decides whether a refused answer has
// an [Excuse]: something it needed was broken, or had been repaired too recently for the server to
// notice. A refusal without an excuse is a failure.
package chaos

import (
	"strings"
	"sync"
	"time"
)

// Part is something that an answer may need, or a set of such parts.
type Part uint8

// The parts.
const (
	Process Part = 1 << iota // the server runs and its address is open
	Reading                  // PostgreSQL answers
	Writing                  // PostgreSQL accepts writes
	Records                  // the tables of public records can be read
	Index                    // the files of the index exist and are undamaged
	Mail                     // the mail server accepts mails
	Issuer                   // the OpenID provider answers
	Clock                    // the clock of PostgreSQL does not jump

	Everything = Process | Reading | Writing | Records | Index | Mail | Issuer | Clock
)

var partNames = []string{"process", "reading", "writing", "records", "index", "mail", "issuer", "clock"}

// String lists the parts of a set, such as "reading, writing"; "nothing" for the empty set.
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

// Excuse is why an answer may have been refused. A larger one is a better excuse.
type Excuse int

// The excuses.
const (
	NoExcuse Excuse = iota // everything that it needs worked
	Settling               // everything worked again, but not yet for the time that the server has to notice
	Broken                 // a part that it needs was broken at some moment between question and answer
)

// Faults are those that a test has caused. The zero value is ready to use. They are safe for concurrent use.
type Faults struct {
	mu  sync.Mutex
	all []*fault
}

// fault is a time in which parts were broken.
type fault struct {
	parts    Part
	from, to time.Time // to is zero while the parts are broken
	settling time.Duration
}

// Begin records that parts are about to break. end records that they are repaired, from when on the
// server has the time settling to recover. Calls of end after the first do nothing.
func (f *Faults) Begin(parts Part, settling time.Duration) (end func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := &fault{parts: parts, from: time.Now(), settling: settling}
	f.all = append(f.all, t)
	return sync.OnceFunc(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		t.to = time.Now()
	})
}

// Excuse returns the best excuse for refusing a question that needs the given parts and was in
// flight between two moments.
func (f *Faults) Excuse(needs Part, from, to time.Time) (best Excuse) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range f.all {
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
