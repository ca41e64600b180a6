package nightly

import (
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"razao/index/folder"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
)

// TestANewIndexFormatNeedsNoOutage takes the steps of docs/loads.md with two programs that differ in the format of the
// index. Search and records are asked for all the while and never fail.
func TestANewIndexFormatNeedsNoOutage(t *testing.T) {
	t.Parallel()
	old, _ := built.OnItsOwn(t, "RAZAO_IP_REQUESTS=0")
	old.Must("ingest", "receita", "--from", program.Sample(t, t.TempDir(), "2026-09", 3000))
	running := old.Start("serve")
	number := old.Suggestions()[0]
	next, early := old.Beside(), old.Beside()
	next.Binary = filepath.Join(built.Dir(), "next", "razao")
	if err := built.Build(next.Binary, "-ldflags", fmt.Sprintf("-X razao/index/folder.format=%d", folder.Format+1)); err != nil {
		t.Fatal(err)
	}
	early.Binary = next.Binary
	is(old, "before", number, wholly)

	var stop atomic.Bool
	var asking sync.WaitGroup
	asking.Go(func() {
		for !stop.Load() {
			for _, path := range []string{"/busca?q=ltda", "/estados", "/" + number} {
				if status, body := old.Get(path, ""); status != 200 {
					t.Errorf("during the change %s: %d %.300s", path, status, body)
				}
			}
		}
	})
	early.Start("serve")
	is(early, "a next program that starts before its index is built", number, byNumbers)
	next.Must("index", "build")
	becomes(early, "the index to be taken into service", number, wholly)
	becomes(old, "the old program to learn of the index that it cannot read", number, formerly)
	next.Start("serve")
	is(next, "the next program", number, wholly)
	stop.Store(true)
	asking.Wait()
	running.Stop()

	// An old program that starts now has the records only, until it builds an index of its own: the way back.
	running = old.Start("serve")
	is(old, "the old program, started after the change", number, byNumbers)
	old.Must("index", "build")
	becomes(old, "the old program to take its index into service", number, wholly)
	becomes(next, "the next program to stay with its index", number, formerly)
	running.Stop()
}
