package faults

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"razao/internal/sample"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
	"razao/lab/internal/s3test"
)

// faultyStore stands in front of a store and can hold, drop or corrupt answers.
type faultyStore struct {
	mu     sync.Mutex
	open   *sync.Cond
	held   bool // requests for files wait
	down   bool // connections are aborted
	broken bool // one byte of each file is changed, except in manifests
}

func newFaultyStore() *faultyStore {
	g := &faultyStore{}
	g.open = sync.NewCond(&g.mu)
	return g
}

func (g *faultyStore) set(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
	g.open.Broadcast()
}

// around wraps the handler of the store.
func (g *faultyStore) around(store http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file := r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/files/")
		g.mu.Lock()
		for file && g.held && !g.down {
			g.open.Wait()
		}
		down, broken := g.down, g.broken && file
		g.mu.Unlock()
		switch {
		case down:
			panic(http.ErrAbortHandler)
		case broken:
			w = &spoiler{ResponseWriter: w}
		}
		store.ServeHTTP(w, r)
	})
}

// spoiler changes the first byte of the body, unless it is a manifest.
type spoiler struct {
	http.ResponseWriter
	done bool
}

func (s *spoiler) Write(p []byte) (int, error) {
	if !s.done && len(p) > 0 {
		s.done = true
		if p[0] != '{' {
			p = append([]byte{p[0] ^ 1}, p[1:]...)
		}
	}
	return s.ResponseWriter.Write(p)
}

// searched returns the total and the results of a search, in order.
func searched(p *program.Program, question, key string) string {
	p.T.Helper()
	status, body := p.Get("/v2/busca?limite=50&"+question, key)
	var answer struct {
		Total json.RawMessage
		Dados json.RawMessage
		Itens json.RawMessage
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil || status != http.StatusOK {
		p.T.Fatalf("%s: %d %.300s, %v", question, status, body, err)
	}
	return string(answer.Total) + string(answer.Dados) + string(answer.Itens)
}

// TestTwoNodes loads on one server and serves on another. They share the database and, through a
// store, the indexes.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	g := newFaultyStore()
	address := s3test.Start(t, g.around)
	a, _ := built.OnItsOwn(t, "RAZAO_IP_REQUESTS=0", "RAZAO_SECRET="+strings.Repeat("segredo ", 5), "RAZAO_INDEX_STORE="+address,
		"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=testtest")
	b := a.Beside()
	b.Data = filepath.Join(t.TempDir(), "data")
	folders := func() string {
		all, err := filepath.Glob(filepath.Join(b.Data, "index", "0*"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			all[i] = filepath.Base(all[i])
		}
		return strings.Join(all, " ")
	}
	const first = "2026-07"
	release := func(month string) (dir string) {
		dir = t.TempDir()
		o := sample.Options{Roots: 1000, Seed: 7, Month: month, OnlyReceita: month != first, First: first}
		if _, err := sample.Write(t.Context(), dir, o); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	dir := release(first)
	a.Must("ingest", "receita", "--from", filepath.Join(dir, "receita"))
	a.Must("ingest", "ceis", "--from", filepath.Join(dir, "ceis"))
	key := a.NewKey("ana@exemplo.com.br", "chave")
	a.Start("serve")
	number := a.Suggestions()[0]
	same := func(when, month string) {
		t.Helper()
		fixture.Wait(t, "both servers to be whole on one snapshot of "+month, func() bool {
			_, here := a.Get("/health", "")
			_, there := b.Get("/health", "")
			return here == there && strings.Contains(here, wholly.health) && strings.Contains(here, month)
		})
		for _, question := range []string{"q=ltda", "q=padaria&facetas=sim", "uf=SP&situacao=02", "fonte=ceis", "q=maria+silva", "fonte=cnep"} {
			if here, there := searched(a, question, key), searched(b, question, key); here != there {
				t.Errorf("%s, %s:\n%.500s\nis on the other server\n%.500s", when, question, here, there)
			}
		}
	}
	if out := a.Must("publish"); !strings.Contains(out, "sent 0 files") {
		t.Errorf("what the loads had sent: %s", out)
	}

	g.set(func() { g.held = true })
	log := b.Start("serve").Log
	expect(b, "while the index is on its way", number, byNumbers)
	g.set(func() { g.held = false })
	becomes(b, "the index to be fetched", number, wholly)
	same("the first month", "2026-07")

	g.set(func() { g.held = true })
	a.Must("ingest", "cnep", "--from", filepath.Join(dir, "cnep"))
	becomes(b, "the second server to wait for the flags of a source", number, formerly)
	g.set(func() { g.held = false })
	becomes(b, "the flags to be fetched", number, wholly)
	same("with another source", first)

	g.set(func() { g.held = true })
	a.Must("ingest", "receita", "--from", filepath.Join(release("2026-08"), "receita"))
	becomes(b, "the second server to learn of another month", number, formerly)
	g.set(func() { g.held = false })
	becomes(b, "the other month to be fetched", number, wholly)
	same("the second month", "2026-08")

	g.set(func() { g.down = true })
	code, _, said := a.Run("ingest", "receita", "--from", filepath.Join(release("2026-09"), "receita"))
	if code != 0 || !strings.Contains(said, "razao publish") {
		t.Errorf("a load while the store is down: exit code %d, %s", code, said)
	}
	becomes(b, "the second server to learn of a month that it cannot have", number, formerly)
	g.set(func() { g.down, g.broken = false, true })
	if out := a.Must("publish"); !strings.Contains(out, "000005: ") {
		t.Errorf("published again: %s", out)
	}
	fixture.Wait(t, "the second server to find the files damaged", func() bool { return strings.Contains(log.String(), "with SHA-256") })
	expect(b, "with damaged files in the store", number, formerly)
	g.set(func() { g.broken = false })
	becomes(b, "the third month to be fetched", number, wholly)
	same("the third month", "2026-09")

	a.Must("loads", "rollback", "receita")
	becomes(b, "the second server to go back", number, wholly)
	same("after a rollback", "2026-08")
	if got := folders(); got != "000004 000005" {
		t.Errorf("the second server has the indexes %s", got)
	}
}

func TestPublishNeedsAStore(t *testing.T) {
	t.Parallel()
	for _, store := range []string{"", "https://files.example/razao", "ftp://files.example"} {
		p := built.New(t, "RAZAO_INDEX_STORE="+store)
		if code, _, stderr := p.Run("publish"); code == 0 || !strings.Contains(stderr, "RAZAO_INDEX_STORE") {
			t.Errorf("%q: exit code %d, %s", store, code, stderr)
		}
	}
}
