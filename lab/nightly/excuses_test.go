package nightly

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// part is something that an answer may need, or a set of such parts.
type part uint8

const (
	partProcess part = 1 << iota // the server runs and its address is open
	partReading                  // PostgreSQL answers
	partWriting                  // PostgreSQL accepts writes
	partRecords                  // the tables of public records can be read
	partIndex                    // the files of the index exist and are undamaged

	everyPart = partProcess | partReading | partWriting | partRecords | partIndex
)

// excuse is why an answer may have been refused. A larger one is a better excuse.
type excuse int

const (
	noExcuse excuse = iota // everything that it needs worked
	settled                // everything worked again, but not yet for the time that the server has to notice
	broken                 // a part that it needs was broken at some moment between question and answer
)

// outages are those that a test has caused. The zero value is ready to use. They are safe for concurrent use.
type outages struct {
	mu  sync.Mutex
	all []*outage
}

// outage is a time in which parts were broken.
type outage struct {
	parts    part
	from, to time.Time // to is zero while the parts are broken
	settling time.Duration
}

// begin records that parts are about to break. end records that they are repaired, from when on the
// server has the time settling to recover. Calls of end after the first do nothing.
func (o *outages) begin(parts part, settling time.Duration) (end func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	one := &outage{parts: parts, from: time.Now(), settling: settling}
	o.all = append(o.all, one)
	return sync.OnceFunc(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		one.to = time.Now()
	})
}

// excuse returns the best excuse for refusing a question that needs the given parts and was in
// flight between two moments.
func (o *outages) excuse(needs part, from, to time.Time) (best excuse) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, one := range o.all {
		switch {
		case one.parts&needs == 0 || one.from.After(to):
		case one.to.IsZero() || one.to.After(from):
			return broken
		case one.to.Add(one.settling).After(from):
			best = settled
		}
	}
	return best
}

// A refusal is excused only by a part that it needs, and only while that is broken or the server settles.
func TestExcuse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var o outages
		begun := time.Now()
		time.Sleep(10 * time.Second)
		end := o.begin(partReading|partWriting, 5*time.Second)
		time.Sleep(10 * time.Second)
		at := func(seconds float64) time.Time { return begun.Add(time.Duration(seconds * float64(time.Second))) }
		if got := o.excuse(partReading, at(12), at(19)); got != broken {
			t.Errorf("while it lasts: %v", got)
		}
		end()
		time.Sleep(time.Second)
		end()
		for _, tt := range []struct {
			needs    part
			from, to float64
			want     excuse
		}{
			{partReading, 1, 2, noExcuse},
			{partReading, 1, 11, broken}, // asked before, broken on the way
			{partReading | partIndex, 12, 13, broken},
			{partIndex, 12, 13, noExcuse},
			{partProcess, 12, 13, noExcuse},
			{partReading, 19, 21, broken},
			{partReading, 21, 22, settled},
			{partReading, 24, 40, settled},
			{partReading, 26, 27, noExcuse},
		} {
			if got := o.excuse(tt.needs, at(tt.from), at(tt.to)); got != tt.want {
				t.Errorf("%d, %v to %v: %v, want %v", tt.needs, tt.from, tt.to, got, tt.want)
			}
		}
	})
}
