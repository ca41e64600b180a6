package batching_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"razao/internal/recovery"
	"razao/internal/store/batching"
)

type (
	call    = batching.Call[int, string]
	batcher = batching.Batcher[int, string]
)

// statements are those that a group has sent. Each waits for a signal of free, if there is one.
type statements struct {
	free chan struct{}

	mu   sync.Mutex
	sent [][]int
}

func (s *statements) ask(_ context.Context, calls []*call) {
	var keys []int
	for _, c := range calls {
		keys = append(keys, c.Key)
	}
	s.mu.Lock()
	s.sent = append(s.sent, keys)
	s.mu.Unlock()
	if s.free != nil {
		<-s.free
	}
	for _, c := range calls {
		c.Answer(fmt.Sprint(c.Key), nil)
	}
}

func (s *statements) keys() [][]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sent)
}

func running(g *batcher) int { n, _ := g.Load(); return n }

func waiting(g *batcher) int { _, n := g.Load(); return n }

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// started calls get in a goroutine and returns what it will answer.
func started(ctx context.Context, g *batcher, key int) chan error {
	done := make(chan error, 1)
	go func() {
		got, err := g.Get(ctx, key)
		if err == nil && got != fmt.Sprint(key) {
			err = fmt.Errorf("the answer to %d is %q", key, got)
		}
		done <- err
	}()
	return done
}

// TestCallsShareAStatement: calls that arrive while a statement runs share the next one, up to
// Most.
func TestCallsShareAStatement(t *testing.T) {
	t.Parallel()
	s := &statements{free: make(chan struct{})}
	g := &batcher{Ask: s.ask, Most: 3, Hedge: time.Hour}
	done := []chan error{started(t.Context(), g, 0)}
	eventually(t, "the first statement", func() bool { return len(s.keys()) == 1 })
	for key := 1; key <= 5; key++ {
		done = append(done, started(t.Context(), g, key))
	}
	eventually(t, "five calls to wait", func() bool { return waiting(g) == 5 })
	close(s.free)
	for _, d := range done {
		if err := <-d; err != nil {
			t.Error(err)
		}
	}
	sizes, all := []int{}, []int{}
	for _, keys := range s.keys() {
		sizes, all = append(sizes, len(keys)), append(all, keys...)
	}
	if slices.Sort(all); !slices.Equal(sizes, []int{1, 3, 2}) || !slices.Equal(all, []int{0, 1, 2, 3, 4, 5}) {
		t.Errorf("statements of %v calls, in all %v", sizes, all)
	}
	if err := <-started(t.Context(), g, 6); err != nil || len(s.keys()) != 4 {
		t.Errorf("the slot was not given up: %v, %v", err, s.keys())
	}
}

// TestWhoLeavesIsNotAsked: a call that is cancelled while it is queued never reaches Ask.
func TestWhoLeavesIsNotAsked(t *testing.T) {
	t.Parallel()
	s := &statements{free: make(chan struct{})}
	g := &batcher{Ask: s.ask, Most: 10, Hedge: time.Hour}
	first := started(t.Context(), g, 0)
	eventually(t, "the first statement", func() bool { return len(s.keys()) == 1 })
	ctx, leave := context.WithCancel(t.Context())
	gone, stays := started(ctx, g, 1), started(t.Context(), g, 2)
	eventually(t, "two calls to wait", func() bool { return waiting(g) == 2 })
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("who left: %v", err)
	}
	close(s.free)
	if err := errors.Join(<-first, <-stays); err != nil {
		t.Error(err)
	}
	if got := fmt.Sprint(s.keys()); got != "[[0] [2]]" {
		t.Errorf("statements %s", got)
	}
}

// TestAHangingStatementDoesNotHoldUpOthers: after Hedge one more is sent, and no third.
func TestAHangingStatementDoesNotHoldUpOthers(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	g := &batcher{Most: 10, Hedge: 10 * time.Millisecond, Ask: func(_ context.Context, calls []*call) {
		if calls[0].Key < 2 {
			<-hang
		}
		for _, c := range calls {
			c.Answer(fmt.Sprint(c.Key), nil)
		}
	}}
	hanging := []chan error{started(t.Context(), g, 0)}
	eventually(t, "the first statement", func() bool { return running(g) == 1 })
	if err := <-started(t.Context(), g, 2); err != nil { // though nobody comes after it
		t.Error(err)
	}
	hanging = append(hanging, started(t.Context(), g, 1))
	eventually(t, "both statements to run", func() bool { return running(g) == 2 && waiting(g) == 0 })
	hanging = append(hanging, started(t.Context(), g, 3))
	eventually(t, "a call to wait", func() bool { return waiting(g) == 1 })
	time.Sleep(3 * g.Hedge)
	if n := running(g); n != 2 {
		t.Errorf("%d statements at once", n)
	}
	close(hang)
	for _, h := range hanging {
		if err := <-h; err != nil {
			t.Error(err)
		}
	}
}

// TestTroubleReachesEveryCall: an error, a panic and a forgotten call are answers.
func TestTroubleReachesEveryCall(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	var panicked *recovery.Error
	for name, c := range map[string]struct {
		ask  func(context.Context, []*call)
		want func(error) bool
	}{
		"error":     {func(_ context.Context, calls []*call) { calls[0].Answer("", broken) }, func(err error) bool { return errors.Is(err, broken) }},
		"panic":     {func(context.Context, []*call) { panic("no") }, func(err error) bool { return errors.As(err, &panicked) }},
		"forgotten": {func(context.Context, []*call) {}, func(err error) bool { return errors.Is(err, batching.ErrUnanswered) }},
	} {
		g := &batcher{Ask: c.ask, Most: 10}
		if _, err := g.Get(t.Context(), 1); !c.want(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestManyCallers: under load every call gets its own answer.
func TestManyCallers(t *testing.T) {
	t.Parallel()
	s := &statements{}
	g := &batcher{Ask: s.ask, Most: 7, Hedge: time.Microsecond}
	var wg sync.WaitGroup
	for first := range 32 {
		wg.Go(func() {
			for i := range 200 {
				if err := <-started(t.Context(), g, first*1000+i); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	n := 0
	for _, keys := range s.keys() {
		n += len(keys)
	}
	if n != 32*200 {
		t.Errorf("%d calls were asked", n)
	}
}
