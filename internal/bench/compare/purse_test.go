package compare

import (
	"context"
	"fmt"
	"testing"
)

// TestPurseSparesAccounts takes secrets for many calls: no account may make more than sixty.
func TestPurseSparesAccounts(t *testing.T) {
	t.Parallel()
	made := 0
	p := &purse{fill: func(context.Context) ([]string, error) {
		made += 2
		return []string{fmt.Sprint("key ", made-1), fmt.Sprint("key ", made)}, nil
	}}
	calls := map[string]int{}
	for i := range 400 {
		n := 1 + i%2
		secret, err := p.take(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		if calls[secret] += n; calls[secret] > 60 {
			t.Fatalf("%s was taken for %d calls", secret, calls[secret])
		}
	}
	if len(calls) < 600/60 || len(calls) > 600/60+1 {
		t.Errorf("%d accounts for 600 calls", len(calls))
	}
}
