package pagetest

import (
	"testing"

	"razao/internal/store/snapshot"
	"razao/site/page"
)

// Server returns a server of pages over what is loaded, and the snapshot in service.
func Server(t testing.TB, live *snapshot.Live) (*page.Server, *snapshot.Snapshot) {
	t.Helper()
	pages, err := page.New(page.Config{Live: live, BaseURL: "https://razao.exemplo"})
	if err != nil {
		t.Fatal(err)
	}
	snap, err := live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Release)
	return pages, snap
}
