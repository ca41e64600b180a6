package nightly

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

func (g *faultyStore) set(held, down, broken bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held, g.down, g.broken = held, down, broken
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
	var answer struct{ Total, Dados, Itens json.RawMessage }
	if err := json.Unmarshal([]byte(body), &answer); err != nil || status != http.StatusOK {
		p.T.Fatalf("%s: %d %.300s, %v", question, status, body, err)
	}
	return string(answer.Total) + string(answer.Dados) + string(answer.Itens)
}

// TestTwoNodes loads on one server and serves on another. They share the database and, through a
// store, the indexes: while that holds files back, is down or has damaged ones, the other serves what it had.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	g := &faultyStore{}
	g.open = sync.NewCond(&g.mu)
	a, _ := built.OnItsOwn(t, "RAZAO_IP_REQUESTS=0", "RAZAO_SECRET="+strings.Repeat("segredo ", 5), "RAZAO_INDEX_STORE="+s3test.Start(t, g.around),
		"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=testtest")
	b := a.Beside()
	b.Data = filepath.Join(t.TempDir(), "data")
	ingest := func(source, month string) (code int, stderr string) {
		dir := t.TempDir()
		if _, err := sample.Write(t.Context(), dir, sample.Options{Roots: 1000, Seed: 7, Month: month, First: "2026-07"}); err != nil {
			t.Fatal(err)
		}
		code, _, stderr = a.Run("ingest", source, "--from", filepath.Join(dir, source))
		return code, stderr
	}
	load := func(source, month string) {
		t.Helper()
		if code, stderr := ingest(source, month); code != 0 {
			t.Fatalf("%s of %s: exit code %d, %s", source, month, code, stderr)
		}
	}
	load("receita", "2026-07")
	load("ceis", "2026-07")
	key := a.NewKey("ana@exemplo.com.br", "chave")
	a.Start("serve")
	number := a.Suggestions()[0]
	same := func(when, month string) {
		t.Helper()
		becomes(b, when+" to be served", number, wholly)
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

	g.set(true, false, false)
	log := b.Start("serve").Log
	is(b, "while the index is on its way", number, byNumbers)
	g.set(false, false, false)
	same("the first month", "2026-07")

	g.set(true, false, false)
	load("cnep", "2026-07")
	becomes(b, "the second server to wait for the flags of a source", number, formerly)
	g.set(false, false, false)
	same("another source", "2026-07")

	g.set(false, true, false)
	if code, said := ingest("receita", "2026-08"); code != 0 || !strings.Contains(said, "razao publish") {
		t.Errorf("a load while the store is down: exit code %d, %s", code, said)
	}
	becomes(b, "the second server to learn of a month that it cannot have", number, formerly)
	g.set(false, false, true)
	a.Must("publish")
	fixture.Wait(t, "the second server to find the files damaged", func() bool { return strings.Contains(log.String(), "with SHA-256") })
	is(b, "with damaged files in the store", number, formerly)
	g.set(false, false, false)
	same("the second month", "2026-08")

	a.Must("loads", "rollback", "receita")
	same("a rollback", "2026-07")
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
