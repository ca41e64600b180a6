package chaos

import (
	"testing"
	"testing/synctest"
	"time"
)

// A refusal is excused only by a part that it needs, and only while that is broken or the server settles.
func TestExcuse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var f Faults
		begun := time.Now()
		time.Sleep(10 * time.Second)
		end := f.Begin(Reading|Writing, 5*time.Second)
		time.Sleep(10 * time.Second)
		at := func(seconds float64) time.Time { return begun.Add(time.Duration(seconds * float64(time.Second))) }
		if got := f.Excuse(Reading, at(12), at(19)); got != Broken {
			t.Errorf("while it lasts: %v", got)
		}
		end()
		time.Sleep(time.Second)
		end()
		for _, tt := range []struct {
			needs    Part
			from, to float64
			want     Excuse
		}{
			{Reading, 1, 2, NoExcuse},
			{Reading, 1, 11, Broken}, // asked before, broken on the way
			{Reading | Index, 12, 13, Broken},
			{Index, 12, 13, NoExcuse},
			{Process, 12, 13, NoExcuse},
			{Reading, 19, 21, Broken},
			{Reading, 21, 22, Settling},
			{Reading, 24, 40, Settling},
			{Reading, 26, 27, NoExcuse},
		} {
			if got := f.Excuse(tt.needs, at(tt.from), at(tt.to)); got != tt.want {
				t.Errorf("%s, %v to %v: %v, want %v", tt.needs, tt.from, tt.to, got, tt.want)
			}
		}
	})
}
