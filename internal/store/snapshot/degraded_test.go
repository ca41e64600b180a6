package snapshot_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"razao/index"
	"razao/index/flags"
	"razao/index/folder"
	"razao/internal/store/networks"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

// damage makes an index folder unusable in one way.
type damage struct {
	spoil func(t *testing.T, dir string)
	is    error  // that the error must wrap; nil: any
	says  string // what the text of the error must contain, for the operator
}

// damages are ways of making the index of load 2 unusable.
var damages = map[string]damage{
	"missing": {func(t *testing.T, dir string) {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}, fs.ErrNotExist, "razao index build"},
	"still being copied": {func(t *testing.T, dir string) {
		if err := os.Remove(filepath.Join(dir, "manifest.json")); err != nil {
			t.Fatal(err)
		}
	}, folder.ErrDamaged, "razao index build"},
	"truncated": {func(t *testing.T, dir string) {
		segments, err := filepath.Glob(filepath.Join(dir, "*", "store", "*.zap"))
		if err != nil || len(segments) == 0 {
			t.Fatalf("segments %v, %v", segments, err)
		}
		if err := os.Truncate(segments[0], 100); err != nil {
			t.Fatal(err)
		}
	}, folder.ErrDamaged, "razao index build"},
	"of another format": {func(t *testing.T, dir string) {
		edit(t, dir, fmt.Sprintf(`"format": %d`, folder.Format), `"format": 99`)
	}, folder.ErrFormat, "razao index build"},
	"of another load": {func(t *testing.T, dir string) {
		m, err := folder.Read(dir)
		m.Load = 7
		if err := errors.Join(err, m.Write(dir)); err != nil {
			t.Fatal(err)
		}
	}, nil, "built from load 7, not 2"},
}

// open follows what l has published, like a server that starts now.
func open(t *testing.T, l *fixture.Loaded, options ...snapshot.Option) *snapshot.Live {
	t.Helper()
	live := snapshot.Open(t.Context(), l.Store, l.IndexDir, fixture.Atlas(t), slog.New(slog.DiscardHandler), options...)
	t.Cleanup(live.Close)
	return live
}

// run keeps Run going until the test ends.
func run(t *testing.T, live *snapshot.Live) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); live.Run(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
}

// queries asks everything that needs the index and returns the errors.
func queries(t *testing.T, s *snapshot.Snapshot) map[string]error {
	t.Helper()
	ctx, all := t.Context(), map[string]error{}
	_, all["find"] = s.Find(ctx, index.Query{Text: "padaria", Limit: 1})
	_, all["suggest"] = s.Suggest(ctx, "padaria", 1)
	_, all["facets"] = s.Facets(ctx, index.Query{})
	_, all["export"] = s.Numbers(ctx, index.Query{Text: "padaria"}, 1)
	_, _, all["partnerships"] = networks.Partnerships(ctx, s, networks.Person{Name: "marta"})
	_, _, _, all["holdings"] = networks.Holdings(ctx, s, root(t, fixture.Holding), registry.Range{Limit: 1})
	_, all["places"] = s.Places()
	_, all["pages"] = s.Pages()
	return all
}

// serves checks that the records of a snapshot are served; they never need the index.
func serves(t *testing.T, s *snapshot.Snapshot, load int64) {
	t.Helper()
	if s.Load.ID != load {
		t.Errorf("load %d is served, want %d", s.Load.ID, load)
	}
	h, err := s.Company(t.Context(), root(t, fixture.Bakery))
	if err != nil || h.Company.RazaoSocial != "PADARIA ESTRELA DO SUL LTDA" {
		t.Errorf("company: %q, %v", h.Company.RazaoSocial, err)
	}
	if _, err := s.Establishment(t.Context(), &h, 1); err != nil {
		t.Errorf("establishment: %v", err)
	}
}

// searches checks that every query to the index is answered.
func searches(t *testing.T, s *snapshot.Snapshot) {
	t.Helper()
	for query, err := range queries(t, s) {
		if err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestRecordsLiveWithoutTheIndex publishes a snapshot whose index cannot be used: who served before
// goes on with the former one, who starts now has the records alone. Then it puts the index back.
func TestRecordsLiveWithoutTheIndex(t *testing.T) {
	t.Parallel()
	for name, d := range damages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := fixture.Load(t)
			l.Ingest(t)
			dir := filepath.Join(l.IndexDir, "000002")
			if err := os.CopyFS(dir+".whole", os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			d.spoil(t, dir)
			var missing *snapshot.IndexError
			if err := l.Live.Refresh(t.Context()); !errors.As(err, &missing) || !strings.Contains(err.Error(), d.says) {
				t.Errorf("got %v, want %q", err, d.says)
			}
			if err := l.Live.Trouble(); !errors.As(err, &missing) {
				t.Errorf("trouble: %v", err)
			}
			former := fixture.Acquire(t, l.Live)
			serves(t, former, 1)
			searches(t, former)

			live := open(t, l)
			s := fixture.Acquire(t, live)
			serves(t, s, 2)
			for query, err := range queries(t, s) {
				if !errors.As(err, &missing) || d.is != nil && !errors.Is(err, d.is) || !strings.Contains(err.Error(), d.says) {
					t.Errorf("%s: %v", query, err)
				}
			}
			if err := live.Trouble(); err == nil || !strings.Contains(err.Error(), d.says) {
				t.Errorf("trouble: %v", err)
			}
			if err := live.Refresh(t.Context()); err == nil || !strings.Contains(err.Error(), d.says) {
				t.Errorf("still unusable: %v", err)
			}
			if fixture.Acquire(t, live).ID() != s.ID() {
				t.Error("another snapshot is served")
			}

			if err := errors.Join(os.RemoveAll(dir), os.Rename(dir+".whole", dir)); err != nil {
				t.Fatal(err)
			}
			if err := live.Refresh(t.Context()); err != nil || live.Trouble() != nil {
				t.Errorf("the index is whole: %v, %v", err, live.Trouble())
			}
			serves(t, s, 2) // requests in flight finish on what they began with
			again := fixture.Acquire(t, live)
			serves(t, again, 2)
			searches(t, again)
			if again.ID() != s.ID() {
				t.Error("the same loads have another name")
			}
		})
	}
}

// TestTheFormerIsNotKeptWithoutItsRecords publishes twice without a usable index. The second
// publication deletes the records of the snapshot in service, which must then be left.
func TestTheFormerIsNotKeptWithoutItsRecords(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	for _, load := range []string{"000002", "000003"} {
		l.Ingest(t)
		damages["missing"].spoil(t, filepath.Join(l.IndexDir, load))
		if err := l.Live.Refresh(t.Context()); !errors.Is(err, folder.ErrDamaged) {
			t.Errorf("load %s: %v", load, err)
		}
	}
	if gone, err := l.Store.Load(t.Context(), 1); err != nil || gone.State != registry.LoadDropped {
		t.Fatalf("load 1 is %s, %v", gone.State, err)
	}
	s := fixture.Acquire(t, l.Live)
	serves(t, s, 3)
	if _, err := s.Find(t.Context(), index.Query{Text: "padaria", Limit: 1}); !errors.Is(err, folder.ErrDamaged) {
		t.Errorf("find: %v", err)
	}
	if _, err := l.Ingester.RebuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	searches(t, fixture.Acquire(t, l.Live))
}

// TestNewRecordsComeWithoutTheIndex loads a source while the index is missing: no former snapshot
// is whole, so the new records must be served.
func TestNewRecordsComeWithoutTheIndex(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	damages["missing"].spoil(t, filepath.Join(l.IndexDir, "000001"))
	live := open(t, l)
	before := fixture.Acquire(t, live)
	if _, err := l.Store.Publish(t.Context(), nil, ""); err != nil {
		t.Fatal(err)
	}
	if err := live.Refresh(t.Context()); !errors.Is(err, folder.ErrDamaged) {
		t.Errorf("got %v", err)
	}
	after := fixture.Acquire(t, live)
	serves(t, after, 1)
	if before.ID() == after.ID() {
		t.Error("the new snapshot is not served")
	}
}

// TestRunTakesTheIndexIntoService puts an index back while Run is running.
func TestRunTakesTheIndexIntoService(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	dir := filepath.Join(l.IndexDir, "000001")
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Fatal(err)
	}
	live := open(t, l)
	run(t, live)
	if err := os.Rename(dir+".away", dir); err != nil {
		t.Fatal(err)
	}
	fixture.Wait(t, "the index to be taken into service", func() bool {
		s, err := live.Acquire()
		if err != nil {
			t.Fatal(err)
		}
		defer s.Release()
		_, err = s.Find(t.Context(), index.Query{Text: "padaria", Limit: 1})
		return err == nil
	})
}

// mapped returns the files of an index that are mapped into memory while it is served.
func mapped(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*/store/*.zap", "facets", "order-name"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		all = append(all, files...)
	}
	return all
}

// truncate empties a file and returns what puts its content back.
func truncate(t *testing.T, path string) (restore func()) {
	t.Helper()
	whole, err := os.ReadFile(path)
	if err = errors.Join(err, os.Truncate(path, 0)); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// askUntilDamaged asks all queries until one has found damage.
func askUntilDamaged(t *testing.T, s *snapshot.Snapshot) {
	t.Helper()
	var missing *snapshot.IndexError
	noticed := false
	all := queries(t, s)
	_, all["by name"] = s.Find(t.Context(), index.Query{Order: index.ByName, Limit: 1})
	for query, err := range all {
		if noticed = noticed || errors.As(err, &missing); err != nil && (!errors.As(err, &missing) || !errors.Is(err, folder.ErrDamaged)) {
			t.Errorf("%s: %v", query, err)
		}
	}
	if !noticed {
		t.Fatal("no query has found the damage")
	}
}

// TestATruncatedFileIsTakenOutOfService truncates a mapped file, so that reading it faults
// (SIGBUS), and restores it.
func TestATruncatedFileIsTakenOutOfService(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	for _, path := range mapped(t, filepath.Join(l.IndexDir, "000001")) {
		live := open(t, l)
		s := fixture.Acquire(t, live)
		searches(t, s)
		restore := truncate(t, path)
		askUntilDamaged(t, s)
		if err := live.Trouble(); !errors.Is(err, folder.ErrDamaged) {
			t.Errorf("%s: trouble at once: %v", path, err)
		}
		if err := live.Refresh(t.Context()); !errors.Is(err, folder.ErrDamaged) {
			t.Errorf("%s: refresh: %v", path, err)
		}
		without := fixture.Acquire(t, live)
		serves(t, without, 1)
		for query, err := range queries(t, without) {
			if !errors.Is(err, folder.ErrDamaged) {
				t.Errorf("%s, out of service: %s: %v", path, query, err)
			}
		}
		restore()
		if err := live.Refresh(t.Context()); err != nil || live.Trouble() != nil {
			t.Errorf("%s is back: %v, %v", path, err, live.Trouble())
		}
		searches(t, fixture.Acquire(t, live))
	}
}

// TestAFalseAlarmCostsOneVerification repairs a file before Refresh verifies the index: it is
// opened again and stays in service.
func TestAFalseAlarmCostsOneVerification(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	live := open(t, l)
	s := fixture.Acquire(t, live)
	restore := truncate(t, mapped(t, filepath.Join(l.IndexDir, "000001"))[0])
	askUntilDamaged(t, s)
	restore()
	if err := live.Refresh(t.Context()); err != nil || live.Trouble() != nil {
		t.Errorf("refresh: %v, %v", err, live.Trouble())
	}
	serves(t, s, 1) // requests in flight finish on what they began with
	searches(t, fixture.Acquire(t, live))
}

// TestAChangedFileIsNoticedWithoutAQuery changes one byte of a mapped file, which no query would notice.
func TestAChangedFileIsNoticedWithoutAQuery(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	live := open(t, l)
	path := filepath.Join(l.IndexDir, "000001", "facets")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := slices.Clone(whole)
	changed[3] ^= 1
	for _, content := range [][]byte{changed, whole} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		err := live.Refresh(t.Context())
		if spoilt := !bytes.Equal(content, whole); spoilt != errors.Is(err, folder.ErrDamaged) {
			t.Errorf("spoilt %t: %v", spoilt, err)
		}
	}
	searches(t, fixture.Acquire(t, live))
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if err := live.Refresh(t.Context()); err != nil { // what is mapped is still there
		t.Error(err)
	}
	searches(t, fixture.Acquire(t, live))
}

// TestSpoiltContentIsRefused overwrites the second half of each file of an index, one at a time.
// None of these indexes may be served. Flags, which are not in the manifest, cost only their filters; the cache of what was verified,
// which the process that has loaded may have written by now, is not part of the index.
func TestSpoiltContentIsRefused(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	err := filepath.WalkDir(filepath.Join(l.IndexDir, "000001"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, flags.Path(registry.Receita, 1)) || strings.HasPrefix(entry.Name(), ".") {
			return err
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		kept := len(whole) / 2
		spoilt := append(slices.Clone(whole[:kept]), bytes.Repeat([]byte{0xff}, len(whole)-kept)...)
		if err := os.WriteFile(path, spoilt, 0o600); err != nil {
			return err
		}
		live := open(t, l)
		serves(t, fixture.Acquire(t, live), 1)
		if err := live.Trouble(); !errors.Is(err, folder.ErrDamaged) {
			t.Errorf("%s: %v", entry.Name(), err)
		}
		return os.WriteFile(path, whole, 0o600)
	})
	if err != nil {
		t.Error(err)
	}
}
