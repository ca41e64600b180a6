package share

import (
	"errors"
	"testing"
	"testing/synctest"

	"razao/internal/web/fetch"
)

func TestOneLaneAfterStrain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLanes(3)
		for i := 1; i < maxStrain; i++ {
			l.strained(fetch.ErrSilent)
		}
		l.relax()
		enter := func() func() {
			leave, err := l.enter(t.Context())
			if err != nil {
				t.Error(err)
			}
			return leave
		}
		first, second := enter(), enter() // two at once: the strain was forgiven
		for i := 1; i <= maxStrain; i++ {
			if got := l.strained(fetch.ErrSilent); got != (i == maxStrain) {
				t.Errorf("stall %d: %v", i, got)
			}
		}
		l.relax()
		entered := make(chan func(), 2)
		for range 2 {
			go func() { entered <- enter() }()
		}
		first()
		synctest.Wait()
		if len(entered) != 0 {
			t.Error("a second download runs beside one from before")
		}
		second()
		synctest.Wait()
		if len(entered) != 1 {
			t.Errorf("%d downloads at once, want 1", len(entered))
		}
		(<-entered)()
		(<-entered)()
		if l.strained(errors.New("status 500")) {
			t.Error("a status is not a stall")
		}
	})
}
