package indexstore

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"razao/index"
	"razao/index/build"
	"razao/index/flags"
	"razao/index/folder"
	"razao/index/indextest"
	"razao/internal/store/registry"
	"razao/internal/web/fetch/fetchtest"
)

// origin is a server that builds indexes, with a real one of one load and the flags of all sources.
type origin struct {
	t   *testing.T
	dir string
	s   registry.Snapshot // with index 000001
}

func newOrigin(t *testing.T) *origin {
	t.Helper()
	docs := indextest.Synthetic(2000)
	built := indextest.Build(t, docs, build.Options{BucketBytes: 64 << 10, ShardDocs: 300})
	o := &origin{t: t, dir: t.TempDir()}
	if err := os.Rename(built, filepath.Join(o.dir, "000001")); err != nil {
		t.Fatal(err)
	}
	o.s = registry.Snapshot{ID: 1, IndexName: "000001", Loads: indextest.Flag(t, filepath.Join(o.dir, "000001"), docs)}
	o.s.Loads[registry.Receita] = 1
	return o
}

func (o *origin) publisher(to Writable) *Publisher {
	return &Publisher{Store: to, Dir: o.dir, Log: slog.New(slog.DiscardHandler), Grace: DefaultGrace}
}

// send publishes an index and checks the number of files that had to be sent.
func (o *origin) send(to Writable, index string, files int) Sent {
	o.t.Helper()
	sent, err := o.publisher(to).Send(o.t.Context(), index)
	if err != nil || files >= 0 && sent.SentFiles != files {
		o.t.Fatalf("sent %+v, want %d files; %v", sent, files, err)
	}
	return sent
}

// published is an origin and a store that has its index.
func published(t *testing.T) (*origin, Writable) {
	t.Helper()
	o, s := newOrigin(t), inFolder(t)
	o.send(s, "000001", -1)
	return o, s
}

// again makes another index with the same files, as a rebuild from the same load may.
func (o *origin) again(index string) registry.Snapshot {
	o.t.Helper()
	from, to := filepath.Join(o.dir, "000001"), filepath.Join(o.dir, index)
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		o.t.Fatal(err)
	}
	m, err := folder.Read(to)
	if err == nil {
		err = errors.Join(os.Remove(filepath.Join(to, folder.ManifestName)), os.RemoveAll(filepath.Join(to, "sources")))
	}
	m.BuiltAt = m.BuiltAt.Add(time.Minute)
	if err = errors.Join(err, m.Write(to)); err != nil {
		o.t.Fatal(err)
	}
	return registry.Snapshot{ID: 2, IndexName: index, Loads: map[string]int64{registry.Receita: 1}}
}

// node returns a server that has nothing yet, and knows of snapshots.
func (o *origin) node(from Store, known ...registry.Snapshot) *Node {
	snapshots := func(context.Context) ([]registry.Snapshot, error) { return known, nil }
	return NewNode(from, filepath.Join(o.t.TempDir(), "index"), snapshots, func() (int64, error) { return 1 << 40, nil }, slog.New(slog.DiscardHandler))
}

// same checks that a node has an index byte for byte as it was built, and nothing beside it.
func (o *origin) same(n *Node, s registry.Snapshot) {
	o.t.Helper()
	here, there := os.DirFS(filepath.Join(o.dir, s.IndexName)), os.DirFS(filepath.Join(n.dir, s.IndexName))
	err := fs.WalkDir(here, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		want, err := fs.ReadFile(here, path)
		if err != nil {
			return err
		}
		if got, err := fs.ReadFile(there, path); err != nil || !bytes.Equal(got, want) {
			o.t.Errorf("%s: %d bytes of %d, %v", path, len(got), len(want), err)
		}
		return nil
	})
	if err != nil {
		o.t.Fatal(err)
	}
	ix, err := index.Open(filepath.Join(n.dir, s.IndexName))
	if err != nil {
		o.t.Fatal(err)
	}
	delete(s.Loads, registry.Receita)
	flagged, err := ix.ForLoads(s.Loads)
	s.Loads[registry.Receita] = 1
	if len(s.Loads) > 1 && (err != nil || len(flagged.Unflagged()) > 0) {
		o.t.Errorf("flags: %v", err)
	}
	if err := ix.Close(); err != nil {
		o.t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(n.dir, "*"+unfinished+"*")); err != nil || len(left) > 0 {
		o.t.Errorf("%v is left, %v", left, err)
	}
}

// want asks a node that runs, and waits.
func want(t *testing.T, n *Node, s registry.Snapshot) error {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); n.Run(ctx) }()
	defer func() { stop(); <-ended }()
	if err := n.Want(s, ""); err != nil {
		t.Fatalf("asked for: %v", err)
	}
	<-n.Arrived()
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.failed
}

func TestAnIndexTravels(t *testing.T) {
	t.Parallel()
	s := inFolder(t)
	o := newOrigin(t)
	first := o.send(s, "000001", -1)
	if first.SentFiles == 0 || first.SentBytes > first.Bytes || first.Files < first.SentFiles {
		t.Errorf("sent %+v", first)
	}
	o.send(s, "000001", 0)
	readers := map[string]Store{"folder": s}
	if d, ok := s.(dir); ok {
		readers["http"] = serve(t, string(d), nil)
	}
	for how, from := range readers {
		n := o.node(from, o.s)
		if err := want(t, n, o.s); err != nil {
			t.Fatalf("%s: %v", how, err)
		}
		o.same(n, o.s)
		if got := n.Stats(); got.Bytes > first.Bytes || got.Bytes == 0 || got.Running || got.Failures > 0 {
			t.Errorf("%s: %+v of %+v", how, got, first)
		}
	}
}

// TestOnlyWhatDiffersTravels builds an index again, loads a source, and damages a file of a node.
func TestOnlyWhatDiffersTravels(t *testing.T) {
	t.Parallel()
	o, s := published(t)
	second := o.again("000001-2")
	o.send(s, "000001-2", 1) // its manifest
	n := o.node(s, second, o.s)
	bring := func(what string, of registry.Snapshot, files int64) {
		t.Helper()
		before := n.Stats().Files
		if err := n.bring(t.Context(), of); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got := n.Stats().Files - before; files >= 0 && got != files {
			t.Errorf("%s: %d files were fetched, want %d", what, got, files)
		}
		o.same(n, of)
	}
	bring("everything", o.s, -1)
	n.inService = "000001"
	bring("the index that was built again", second, 0)

	flag := filepath.Join("000001", filepath.FromSlash(flags.Path("pgfn", o.s.Loads["pgfn"])))
	if err := os.Remove(filepath.Join(n.dir, flag)); err != nil {
		t.Fatal(err)
	}
	bring("flags that are missing", o.s, 1)

	for _, path := range []string{"facets", "rankings"} { // of the other index they stay as they were
		path = filepath.Join(n.dir, "000001", path)
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		body[len(body)/2] ^= 1
		if err := errors.Join(os.Remove(path), os.WriteFile(path, body, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(n.dir, "000001-2")); err != nil {
		t.Fatal(err)
	}
	bring("two files that are damaged here", o.s, int64(2+len(o.s.Loads)-1))
}

// TestACutConnectionGoesOn cuts every file after its half, once.
func TestACutConnectionGoesOn(t *testing.T) {
	t.Parallel()
	o, s := newOrigin(t), inFolder(t)
	sent := o.send(s, "000001", -1)
	var cuts, resumed atomic.Int64
	from := serve(t, s.String(), func(files http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			body, err := os.ReadFile(filepath.Join(s.String(), strings.TrimPrefix(r.URL.Path, "/data/")))
			switch {
			case r.Header.Get("Range") != "":
				resumed.Add(1)
			case err == nil && len(body) > 200_000:
				cuts.Add(1)
				fetchtest.Half(w, r, body)
			}
			files.ServeHTTP(w, r)
		}
	})
	n := o.node(from, o.s)
	if err := n.bring(t.Context(), o.s); err != nil {
		t.Fatal(err)
	}
	o.same(n, o.s)
	if got := n.Stats().Bytes; got > sent.Bytes || cuts.Load() == 0 || resumed.Load() != cuts.Load() {
		t.Errorf("%d bytes of %d, %d connections were cut, %d files went on", got, sent.Bytes, cuts.Load(), resumed.Load())
	}
}

// TestAFetchThatEndsGoesOn stops a node in the middle and starts another on its folder.
func TestAFetchThatEndsGoesOn(t *testing.T) {
	t.Parallel()
	o, s := newOrigin(t), inFolder(t)
	sent := o.send(s, "000001", -1)
	ctx, stop := context.WithCancel(t.Context())
	var asked atomic.Int64
	from := serve(t, s.String(), func(files http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) == 12 {
				stop()
			}
			files.ServeHTTP(w, r)
		}
	})
	first := o.node(from, o.s)
	if err := first.bring(ctx, o.s); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	if _, err := os.Stat(filepath.Join(first.dir, "000001")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an index that is not complete is in its place: %v", err)
	}
	second := o.node(from, o.s)
	second.dir = first.dir
	if err := second.bring(t.Context(), o.s); err != nil {
		t.Fatal(err)
	}
	o.same(second, o.s)
	if done := first.Stats().Files; done == 0 || second.Stats().Bytes+first.Stats().Bytes > sent.Bytes+maxListing {
		t.Errorf("%+v, and then %+v, of %d bytes", first.Stats(), second.Stats(), sent.Bytes)
	}
}

// TestADamagedStore changes a byte in the store: nothing is installed until the file is sent again.
func TestADamagedStore(t *testing.T) {
	t.Parallel()
	o, s := published(t)
	m, err := folder.Read(filepath.Join(o.dir, "000001"))
	if err != nil {
		t.Fatal(err)
	}
	f := m.Files[slices.IndexFunc(m.Files, func(f folder.File) bool { return f.Path == "facets" })]
	body, err := get(s, contentName(f.SHA256), 0)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, contentName(f.SHA256), body[:len(body)-1]+"!")
	n := o.node(s, o.s)
	err = want(t, n, o.s)
	if err == nil || !strings.Contains(err.Error(), "facets of index 000001") || !strings.Contains(err.Error(), f.SHA256) {
		t.Errorf("damaged: %v", err)
	}
	if again := n.Want(o.s, ""); again != err {
		t.Errorf("asked for again: %v", again)
	}
	if _, err := os.Stat(filepath.Join(n.dir, "000001")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a damaged index is in its place: %v", err)
	}
	o.send(s, "000001", 0) // sizes are as they should be
	p := o.publisher(s)
	p.Verify = true
	if sent, err := p.Send(t.Context(), "000001"); err != nil || sent.SentFiles != 1 {
		t.Errorf("verified: %+v, %v", sent, err)
	}
	before := n.Stats().Files
	if err := n.bring(t.Context(), o.s); err != nil {
		t.Fatal(err)
	}
	o.same(n, o.s)
	if got := n.Stats().Files; got <= before {
		t.Errorf("%d files, %d before", got, before)
	}
}

// TestAStoreWithoutTheIndex asks for an index and for flags that were never sent.
func TestAStoreWithoutTheIndex(t *testing.T) {
	t.Parallel()
	o, s := newOrigin(t), inFolder(t)
	n := o.node(s, o.s)
	if err := n.bring(t.Context(), o.s); err == nil || !strings.Contains(err.Error(), "does not have index 000001") {
		t.Errorf("no index: %v", err)
	}
	if err := os.Remove(filepath.Join(o.dir, "000001", filepath.FromSlash(flags.Path("ceis", o.s.Loads["ceis"])))); err != nil {
		t.Fatal(err)
	}
	o.send(s, "000001", -1)
	if err := n.bring(t.Context(), o.s); err == nil || !strings.Contains(err.Error(), "does not have these flags of index 000001: sources/ceis-") {
		t.Errorf("no flags: %v", err)
	}
	if _, err := index.Open(filepath.Join(n.dir, "000001")); err != nil {
		t.Errorf("the index without them: %v", err)
	}
}

func TestAnotherIndexOfTheName(t *testing.T) {
	t.Parallel()
	o, s := published(t)
	o.again("other")
	if err := errors.Join(os.RemoveAll(filepath.Join(o.dir, "000001")),
		os.Rename(filepath.Join(o.dir, "other"), filepath.Join(o.dir, "000001"))); err != nil {
		t.Fatal(err)
	}
	if _, err := o.publisher(s).Send(t.Context(), "000001"); !errors.Is(err, errOther) {
		t.Errorf("sent: %v", err)
	}
	n := o.node(s, o.s)
	if err := os.CopyFS(filepath.Join(n.dir, "000001"), os.DirFS(filepath.Join(o.dir, "000001"))); err != nil {
		t.Fatal(err)
	}
	if err := n.bring(t.Context(), o.s); err == nil || !strings.Contains(err.Error(), "another one") {
		t.Errorf("fetched: %v", err)
	}
}

// TestSweep lets an index of the store, and of a node, be unneeded.
func TestSweep(t *testing.T) {
	t.Parallel()
	o, s := published(t)
	second := o.again("000001-2")
	o.send(s, "000001-2", 1)
	put(t, s, filesPrefix+"unfinished", "left by a process that was killed")
	p, now := o.publisher(s), time.Now()
	sweep := func(when time.Duration, needed ...string) int {
		t.Helper()
		removed, err := p.Sweep(t.Context(), needed, now.Add(when))
		if err != nil {
			t.Fatal(err)
		}
		return removed
	}
	if n := sweep(0, "000001", "000001-2"); n != 0 {
		t.Errorf("all are needed: %d are gone", n)
	}
	if n := sweep(25*time.Hour, "000001-2"); n != 1 { // what nobody finished
		t.Errorf("one is not needed since now: %d are gone", n)
	}
	if n := sweep(48*time.Hour, "000001-2"); n != 0 {
		t.Errorf("within the grace: %d are gone", n)
	}
	sweep(48*time.Hour, "000001", "000001-2") // a rollback
	sweep(72*time.Hour, "000001-2")
	if n := sweep(95*time.Hour, "000001-2"); n != 0 {
		t.Errorf("within the grace that began again: %d are gone", n)
	}
	// Listing, manifest and distinct flags; the other index has the remaining files, too.
	if n := sweep(97*time.Hour, "000001-2"); n < 3 || n > 2+len(o.s.Loads) {
		t.Errorf("after the grace: %d are gone", n)
	}
	n := o.node(s, second)
	if err := n.bring(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	o.same(n, second)
	if p.Grace = 0; sweep(97*time.Hour) < 10 {
		t.Error("without a grace something stays")
	}
	if left := names(t, s, ""); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestSweepNeedsToKnow damages a listing: what it reaches is unknown, so nothing is removed.
func TestSweepNeedsToKnow(t *testing.T) {
	t.Parallel()
	o, s := published(t)
	before := names(t, s, filesPrefix)
	put(t, s, listingsPrefix+"000002", "{}")
	if removed, err := o.publisher(s).Sweep(t.Context(), nil, time.Now().Add(1000*time.Hour)); !errors.Is(err, errListing) || removed > 0 {
		t.Errorf("%d are gone, %v", removed, err)
	}
	if got := names(t, s, filesPrefix); !slices.Equal(got, before) {
		t.Errorf("%d files of %d", len(got), len(before))
	}
}

// TestTidy keeps indexes on a node that are needed, in service, wanted or built there.
func TestTidy(t *testing.T) {
	t.Parallel()
	o, s := published(t)
	second := o.again("000001-2")
	o.send(s, "000001-2", -1)
	n := o.node(s, o.s)
	if err := n.bring(t.Context(), o.s); err != nil {
		t.Fatal(err)
	}
	known := []registry.Snapshot{second}
	n.snapshots = func(context.Context) ([]registry.Snapshot, error) { return known, nil }
	for _, name := range []string{"000007", "000005.fetch-12345678.tmp"} {
		if err := os.MkdirAll(filepath.Join(n.dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	has := func(want ...string) {
		t.Helper()
		entries, err := os.ReadDir(n.dir)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	n.inService = "000001"
	if err := n.bring(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	has("000001", "000001-2", "000007")
	if left, err := flags.List(filepath.Join(n.dir, "000001")); err != nil || len(left) > 0 {
		t.Errorf("flags of loads that are gone: %v, %v", left, err)
	}
	n.inService = "000001-2"
	if err := n.bring(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	has("000001-2", "000007")
}

func TestTooLittleDisk(t *testing.T) {
	t.Parallel()
	o, s := published(t)
	n := o.node(s, o.s)
	n.free = func() (int64, error) { return 1000, nil }
	if err := n.bring(t.Context(), o.s); err == nil || !strings.Contains(err.Error(), "has 0 MB left") || n.Stats().Files > 0 {
		t.Errorf("%+v, %v", n.Stats(), err)
	}
}
