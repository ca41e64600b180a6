package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/account"
	"razao/internal/fixture"
	"razao/internal/registry"
	"razao/internal/sample"
	"razao/internal/seal"
)

// periods are those in service, or that may be in service, of each source.
type periods map[string][]string

// question is a request whose answer follows from the periods that are in service of some sources.
type question struct {
	path  string
	call  bool // of the API, which wants a key
	of    []string
	plain func(body string) string // takes out what a load of the same files changes
}

// oracle asks a server that is always up questions whose right answers it knows for every period that is loaded.
type oracle struct {
	p         *place
	pool      *pgxpool.Pool
	months    map[string]string // the two periods of Receita → folder of the sample
	questions []question
	keys      []string
	known     map[string]string // question and periods → answer; complete before the first goroutine asks

	mu       sync.Mutex
	possible periods
	outages  int // of PostgreSQL, made by the test
	down     bool
	next     int
	tally    tally
}

// tally counts what became of questions.
type tally struct {
	asked, wrong, failed int
	during               int      // failed while PostgreSQL was down
	said                 []string // of the first that went wrong
}

const (
	ceis  = "ceis"
	bndes = "bndes"
)

// newOracle loads two months of invented companies, with a daily source and one that is linked, on a private PostgreSQL below a
// folder, walks through all combinations of their periods, and notes the answers of each.
func newOracle(t *testing.T, roots int, data string) *oracle {
	t.Helper()
	p := newPlace(t, "RAZAO_IP_REQUESTS=0", "TMPDIR="+t.TempDir())
	if data != "" {
		p.data = data
	}
	var err error
	if p.program, err = build(); err != nil {
		t.Fatal(err)
	}
	o := &oracle{p: p, months: map[string]string{}, known: map[string]string{}}
	dirs := []string{filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")}
	options := sample.Options{Roots: roots, Seed: 7, Month: "2026-08"}
	for _, dir := range dirs {
		if _, err := sample.Write(t.Context(), dir, options); err != nil {
			t.Fatal(err)
		}
		o.months[options.Month] = dir
		if options, err = sample.Next(dir, ""); err != nil {
			t.Fatal(err)
		}
	}
	p.must("migrate")
	o.load(registry.Receita, "2026-08")
	o.load(ceis, "2026-08")
	o.load(bndes, "2026-08")
	p.start("serve")
	o.connect()
	o.choose(filepath.Join(dirs[1], "receita", "2026-09", "MUDANCAS.csv"))
	o.learn()
	for _, step := range []func(){ // each changes one source, so all eight combinations occur
		func() { o.load(ceis, "2026-09") },
		func() { o.load(bndes, "2026-09") },
		func() { p.must("loads", "rollback", ceis) },
		func() { o.load(registry.Receita, "2026-09") },
		func() { p.must("loads", "rollback", ceis) },
		func() { p.must("loads", "rollback", bndes) },
		func() { p.must("loads", "rollback", ceis) },
	} {
		step()
		o.learn()
	}
	o.settle()
	return o
}

// ingest returns the arguments that load a source as it was in a month.
func (o *oracle) ingest(source, month string) []string {
	return []string{"ingest", source, "--from", filepath.Join(o.months[month], source), "--force"}
}

func (o *oracle) load(source, month string) { o.p.must(o.ingest(source, month)...) }

// connect opens the private PostgreSQL, which is running, and makes keys enough for a steady load within the limit of each.
func (o *oracle) connect() {
	t := o.p.t
	pool, err := pgxpool.New(context.Background(), "host="+filepath.Join(o.p.data, "postgres/cluster")+" user=razao dbname=razao")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	o.pool = pool
	secret, err := (&app{settings: settings{Data: o.p.data}}).secret()
	if err != nil {
		t.Fatal(err)
	}
	accounts := account.NewStore(pool, seal.New(secret))
	for i := range 200 {
		key, _, err := accounts.CreateKey(t.Context(), fmt.Sprintf("pergunta%d@exemplo.com.br", i), "pergunta")
		if err != nil {
			t.Fatal(err)
		}
		o.keys = append(o.keys, key)
	}
}

var found = regexp.MustCompile(`href="/([0-9A-Z]{14})"`)

// choose finds companies to ask about: with records of each source and the same in both months, and such as have changed.
func (o *oracle) choose(changes string) {
	t := o.p.t
	list, err := os.ReadFile(changes)
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string]bool{}
	kinds := map[string]bool{"tipo": true}
	all := []string{registry.Receita, ceis, bndes}
	only := func(source string) []string { return []string{source} }
	ask := func(path string, of []string, plain func(string) string) {
		o.questions = append(o.questions, question{path, strings.HasPrefix(path, "/v"), of, plain})
	}
	for row := range strings.Lines(string(list)) {
		fields := strings.Split(row, ";")
		root, kind := fields[0], fields[2]
		if changed[root] = true; kinds[kind] {
			continue
		}
		kinds[kind] = true
		ask("/v1/cnpj/"+root, only(registry.Receita), records)
		ask("/v2/empresas/"+root+"/basic", only(registry.Receita), records)
	}
	for _, source := range []string{ceis, bndes} {
		_, page := o.p.get("/busca?q=ltda&fonte="+source, "")
		n := 0
		for _, m := range found.FindAllStringSubmatch(page, -1) {
			number, root := m[1], m[1][:8]
			if changed[root] || n == 3 {
				continue
			}
			n++
			ask("/v2/empresas/"+root+"/full", all, records)
			ask("/v2/estabelecimentos/"+number+"/full", all, records)
			ask("/v2/empresas/"+root+"/fontes/"+source, only(source), records)
			ask("/"+number, only(registry.Receita), cadastre)
			ask("/"+number+".md", all, text)
		}
		if n == 0 {
			t.Fatalf("no company with records of %s", source)
		}
	}
	for _, path := range []string{"/busca?q=silva", "/busca?q=padaria&uf=SP", "/empresas?uf=MG", "/empresas?uf=SP&ordem=nome"} {
		ask(path, only(registry.Receita), numbers)
	}
	ask("/busca?q=ltda&fonte="+ceis, []string{registry.Receita, ceis}, numbers)
	for _, path := range []string{"/estados", "/municipios", "/rankings"} {
		if status, _ := o.p.get(path, ""); status == http.StatusOK {
			ask(path, only(registry.Receita), content)
		}
	}
	ask("/sugestoes?q=sil", only(registry.Receita), records)
	ask("/sugestoes?q=mar", only(registry.Receita), records)
}

// records is an answer in JSON without what tells one load of the same files from another.
func records(body string) string {
	var v any
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		return body
	}
	withoutLoad(v)
	plain, _ := json.Marshal(v) // what was decoded can be encoded
	return string(plain)
}

func withoutLoad(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range []string{"meta", "carregada_em", "proveniencia", "requisicao_id"} {
			delete(v, name)
		}
		for _, inner := range v {
			withoutLoad(inner)
		}
	case []any:
		for _, inner := range v {
			withoutLoad(inner)
		}
	}
}

// numbers are the companies of a list in their order.
func numbers(body string) string {
	var all []string
	for _, m := range found.FindAllStringSubmatch(body, -1) {
		all = append(all, m[1])
	}
	return strings.Join(all, " ")
}

// content is what a page has that others have not.
func content(body string) string {
	_, body, _ = strings.Cut(body, "<main")
	body, _, _ = strings.Cut(body, "</main>")
	return body
}

// cadastre is the page of a company up to the records of sources.
func cadastre(body string) string {
	body, _, _ = strings.Cut(content(body), `id="registros"`)
	return body
}

// byLoad is what a company's text says of loads: when they were made, with which companies links were inferred, what changed since
// the one before, which depends on what was loaded in between.
var byLoad = regexp.MustCompile(`(?s)## O que mudou.*?\n## |carregada em \d\d/\d\d/\d{4}|\*\*Carregada em:\*\* \S+|Vínculos inferidos com os dados[^\n]*`)

func text(body string) string { return byLoad.ReplaceAllString(body, "") }

// An answer may say that it lacks something: suggestions are empty and not to be stored, a source has the status erro. That is not
// wrong, but as good as a failure.
var (
	errCouldNotLook = errors.New("the answer says that it could not look")
	couldNotLook    = regexp.MustCompile("\"status\":\"erro\"|`erro`")
)

// get asks a question of a server.
func (o *oracle) get(addr string, q *question) (status int, answer string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+q.path, nil)
	if err != nil {
		return 0, "", err
	}
	if q.call {
		req.Header.Set("Authorization", "Bearer "+o.key())
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if resp.StatusCode == http.StatusOK && (strings.Contains(resp.Header.Get("Cache-Control"), "no-store") || couldNotLook.Match(body)) {
		err = errors.Join(err, errCouldNotLook)
	}
	plain := strings.ReplaceAll(q.plain(string(body)), addr, "")
	return resp.StatusCode, fmt.Sprint(resp.StatusCode, " ", plain), err
}

func (o *oracle) key() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.next++
	return o.keys[o.next%len(o.keys)]
}

// active returns the loads in service by source.
func (o *oracle) active() map[string]registry.Load {
	var loads []registry.Load
	fixture.Wait(o.p.t, "PostgreSQL to list the loads", func() (ok bool) {
		var err error
		loads, err = registry.NewStore(o.pool).Loads(o.p.t.Context())
		return err == nil
	})
	active := map[string]registry.Load{}
	for _, l := range loads {
		if l.Active {
			active[l.Source] = l
		}
	}
	return active
}

// served returns the period in service of each source, as a month.
func (o *oracle) served() periods {
	served := periods{}
	for source, l := range o.active() {
		served[source] = []string{l.Period[:len("2026-08")]}
	}
	return served
}

// learn notes the answers to all questions by a new server, which serves nothing but the present state.
func (o *oracle) learn() {
	t := o.p.t
	fresh := o.p.beside()
	s := fresh.start("serve")
	defer s.stop()
	served := o.served()
	for i := range o.questions {
		q := &o.questions[i]
		status, answer, err := o.get(fresh.addr, q)
		if err != nil || status != http.StatusOK && status != http.StatusNotFound {
			t.Fatalf("%s in %v: %d, %v", q.path, served, status, err)
		}
		about := q.combinations(served)[0]
		if former, ok := o.known[about]; ok && former != answer {
			t.Fatalf("%s has two answers:\n%s\n%s", about, former, answer)
		}
		o.known[about] = answer
	}
}

// combinations returns the question with each of the periods that may be served of its sources.
func (q *question) combinations(possible periods) []string {
	all := []string{q.path}
	for _, source := range q.of {
		var longer []string
		for _, prefix := range all {
			for _, period := range possible[source] {
				longer = append(longer, prefix+" "+source+" "+period)
			}
		}
		all = longer
	}
	return all
}

// settle waits until the server serves the current snapshot, after which no other answer is right.
func (o *oracle) settle() {
	t := o.p.t
	fixture.Wait(t, "the server to follow", func() bool {
		id, err := registry.NewStore(o.pool).CurrentID(t.Context())
		status, health := o.p.get("/health", "")
		return err == nil && status == http.StatusOK && strings.Contains(health, `"status":"ok"`) &&
			strings.Contains(health, fmt.Sprintf(`"fotografia":"%d"`, id))
	})
	served := o.served()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.possible, o.down = served, false
}

// expect lets both periods of a source be right, until settle; "": nothing changes.
func (o *oracle) expect(source string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	both := periods{}
	for id, now := range o.possible {
		both[id] = now
	}
	if source != "" {
		both[source] = []string{"2026-08", "2026-09"}
	}
	o.possible = both
}

// other returns the period of a source that is not in service.
func (o *oracle) other(source string) string {
	if o.served()[source][0] == "2026-08" {
		return "2026-09"
	}
	return "2026-08"
}

// outage says that PostgreSQL is about to be killed: until settle calls may fail.
func (o *oracle) outage() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.down, o.outages = true, o.outages+1
}

// instant is what was right at a moment.
type instant struct {
	possible periods
	outages  int
	down     bool
	during   int
}

func (o *oracle) now() instant {
	o.mu.Lock()
	defer o.mu.Unlock()
	return instant{o.possible, o.outages, o.down, o.tally.during}
}

// ask asks a question and judges the answer.
func (o *oracle) ask(q *question) {
	before := o.now()
	status, answer, err := o.get(o.p.addr, q)
	after := o.now()
	about := append(q.combinations(before.possible), q.combinations(after.possible)...)
	o.mu.Lock()
	defer o.mu.Unlock()
	c := &o.tally
	c.asked++
	switch right := func(about string) bool { return o.known[about] == answer }; {
	case err == nil && slices.ContainsFunc(about, right):
	case (err != nil || status >= 500) && (before.down || after.outages > before.outages):
		c.during++
	case err != nil || status >= 500 || status == http.StatusTooManyRequests:
		c.failed++
		c.tell("%s failed: %d %.300s %v", q.path, status, answer, err)
	default:
		c.wrong++
		c.tell("%s, want one of %q, got %.3000s", q.path, about, answer)
	}
}

func (c *tally) tell(format string, args ...any) {
	if len(c.said) < 10 {
		c.said = append(c.said, time.Now().Format("15:04:05.000 ")+fmt.Sprintf(format, args...))
	}
}

// askedMeanwhile asks all questions in turn, by several at a steady rate, while do runs, and returns what became of them.
func (o *oracle) askedMeanwhile(do func()) tally {
	ctx, cancel := context.WithCancel(context.Background())
	var asking sync.WaitGroup
	for first := range 2 {
		asking.Go(func() {
			rate := time.NewTicker(10 * time.Millisecond)
			defer rate.Stop()
			for i := first * len(o.questions) / 2; ; i++ {
				select {
				case <-ctx.Done():
					return
				case <-rate.C:
					o.ask(&o.questions[i%len(o.questions)])
				}
			}
		})
	}
	stop := sync.OnceFunc(func() { cancel(); asking.Wait() })
	defer stop() // also when do ends the test
	do()
	stop()
	t := o.p.t
	for _, line := range o.tally.said {
		t.Error(line)
	}
	if c := o.tally; c.asked == 0 || c.wrong > 0 || c.failed > 0 {
		t.Errorf("%d questions: %d wrong answers, %d failed", c.asked, c.wrong, c.failed)
	}
	return o.tally
}
