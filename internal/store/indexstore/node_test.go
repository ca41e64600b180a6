package indexstore

import (
	"errors"
	"testing"
	"time"

	"razao/internal/store/registry"
)

// TestFailuresLengthenThePause lets the same fetch fail repeatedly, succeed, and fail once more.
func TestFailuresLengthenThePause(t *testing.T) {
	t.Parallel()
	s := registry.Snapshot{ID: 7, IndexName: "000007"}
	n := NewNode(openFolder(t.TempDir()), t.TempDir(), nil, nil, nil)
	_ = n.Want(s, "")
	down := errors.New("down")
	for range 8 {
		n.done(t.Context(), s, down)
	}
	if err := n.Want(s, ""); !errors.Is(err, down) {
		t.Errorf("wanted again: %v", err)
	}
	if pause := time.Until(n.notBefore); pause < 10*retryFirst {
		t.Errorf("after eight failures it is tried again in %s", pause)
	}
	n.done(t.Context(), s, nil)
	n.done(t.Context(), s, down)
	if pause := time.Until(n.notBefore); pause > retryFirst {
		t.Errorf("after a success and a failure it is tried again in %s", pause)
	}
}
