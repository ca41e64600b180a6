package download

import (
	"errors"
	"testing"
	"testing/synctest"

	"razao/internal/web/fetch"
)

func TestOneStreamAfterStrain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStreams(3)
		for i := 1; i < maxStrain; i++ {
			s.note(fetch.ErrSilent)
		}
		s.note(nil)
		enter := func() func() {
			leave, err := s.enter(t.Context())
			if err != nil {
				t.Error(err)
			}
			return leave
		}
		first, second := enter(), enter() // two at once: the strain was forgiven
		for i := 1; i <= maxStrain; i++ {
			if got := s.note(fetch.ErrSilent); got != (i == maxStrain) {
				t.Errorf("stall %d: %v", i, got)
			}
		}
		s.note(nil)
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
		if s.note(errors.New("status 500")) {
			t.Error("a status is not a stall")
		}
	})
}
