package account

import (
	"context"
	"log/slog"
	"testing"

	"razao/internal/people/seal"
	"razao/internal/testing/pgtest"
)

// TestCloseEndsTheQuery closes a meter whose filter's query hangs: the query is cancelled and waited for.
func TestCloseEndsTheQuery(t *testing.T) {
	t.Parallel()
	m := OpenMeter(pgtest.Pool(t), testSeal, slog.New(slog.DiscardHandler))
	started, ended := make(chan struct{}), false
	m.filter = seal.NewFilter(func(ctx context.Context) (bool, error) {
		close(started)
		<-ctx.Done()
		ended = true
		return false, ctx.Err()
	})
	if _, _, err := m.check(newKey(seal.New("another secret of the tests"))); err != nil {
		t.Fatal(err)
	}
	<-started
	m.Close()
	if !ended {
		t.Error("the query goes on after Close")
	}
}
