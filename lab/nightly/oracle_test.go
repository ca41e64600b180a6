package nightly

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/sample"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
)

// periods are the periods of each source that are in service, or may be during a switch.
type periods map[string][]string

// question is a request whose right answer is determined by which periods of some sources are in
// service.
type question struct {
	path  string
	call  bool // of the API, which wants a key
	of    []string
	plain func(body string) string // removes what differs between two loads of the same files

	send     string                                       // the body of a POST; "": GET
	cookie   string                                       // of who is signed in
	personal bool                                         // the answer is for one person: no-store is right
	ask      func(ctx context.Context, addr string) reply // for a question of several requests
}

// oracle asks a running server questions to which it knows the right answer for every combination
// of loads in service. During a switch the answers before and after it are both right.
type oracle struct {
	p         *program.Program
	pool      *pgxpool.Pool
	months    map[string]string // the two periods of Receita → folder of the sample
	questions []question
	keys      []string
	known     map[string]string // question and periods → answer; complete before the first goroutine asks

	log func() string // of the server

	faults   outages
	mu       sync.Mutex
	possible periods
	next     int
	outcomes outcomes
}

const (
	ceis  = "ceis"
	bndes = "bndes"
)

// newOracle loads two months of invented companies, two editions of a daily source (ceis) and of
// one that is linked to companies (bndes), goes through all combinations, and records the answers
// of each. more adds questions. It returns the server that it has started.
func newOracle(p *program.Program, roots int, more func(*oracle)) *program.Server {
	p.T.Helper()
	o, s := beginOracle(p, roots, manyKeys, more)
	for _, step := range []func(){ // each changes one source, so all eight combinations occur
		func() { o.load(ceis, "2026-09") },
		func() { o.load(bndes, "2026-09") },
		func() { p.Must("loads", "rollback", ceis) },
		func() { o.load(registry.Receita, "2026-09") },
		func() { p.Must("loads", "rollback", ceis) },
		func() { p.Must("loads", "rollback", bndes) },
		func() { p.Must("loads", "rollback", ceis) },
	} {
		step()
		o.learn()
	}
	o.settle()
	return s
}

// beginOracle returns an oracle that knows the answers of the first combination, which is in service.
func beginOracle(p *program.Program, roots, keys int, more func(*oracle)) (*oracle, *program.Server) {
	t := p.T
	t.Helper()
	var err error
	o := &oracle{p: p, months: map[string]string{}, known: map[string]string{}, outcomes: outcomes{rightAt: map[string]time.Time{}, failuresOf: map[string]int{}}}
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
	p.Must("migrate")
	o.load(registry.Receita, "2026-08")
	o.load(ceis, "2026-08")
	o.load(bndes, "2026-08")
	s := p.Start("serve")
	o.connect(keys)
	o.choose(filepath.Join(dirs[1], "receita", "2026-09", "MUDANCAS.csv"))
	more(o)
	o.learn()
	return o, s
}

// ingest returns the arguments that load a source as it was in a month.
func (o *oracle) ingest(source, month string) []string {
	return []string{"ingest", source, "--from", filepath.Join(o.months[month], source), "--force"}
}

func (o *oracle) load(source, month string) { o.p.Must(o.ingest(source, month)...) }

// connect opens a pool on the program's PostgreSQL, which is running, and creates keys of as many
// accounts, a multiple of four.
func (o *oracle) connect(keys int) {
	t := o.p.T
	dsn := "host=" + filepath.Join(o.p.Data, "postgres/cluster") + " user=razao dbname=razao"
	for _, setting := range o.p.Settings {
		if named, ok := strings.CutPrefix(setting, "RAZAO_DATABASE_URL="); ok {
			dsn = named
		}
	}
	pool, err := pgxpool.New(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	o.pool = pool
	var making sync.WaitGroup
	for range 4 {
		making.Go(func() {
			for range keys / 4 {
				account := fmt.Sprintf("pergunta%s@exemplo.com.br", rand.Text())
				key := strings.TrimSpace(o.p.Must("keys", "create", "--account", account, "--name", "pergunta"))
				o.mu.Lock()
				o.keys = append(o.keys, key)
				o.mu.Unlock()
			}
		})
	}
	making.Wait()
	if len(o.keys) < keys {
		t.FailNow() // must has said why
	}
}

// manyKeys is how many accounts share two hundred questions a second, each within its sixty a
// minute.
const manyKeys = 160

var found = regexp.MustCompile(`href="/([0-9A-Z]{14})"`)

// choose finds companies to ask about: with records of each source and the same in both months, and such as have changed.
func (o *oracle) choose(changes string) {
	t := o.p.T
	list, err := os.ReadFile(changes)
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string]bool{}
	kinds := map[string]bool{"evento": true, "empresa.removida": true} // the title, and what nothing can be asked about
	all := []string{registry.Receita, ceis, bndes}
	only := func(source string) []string {
		if source == bndes { // whose links are inferred from the companies
			return []string{registry.Receita, bndes}
		}
		return []string{source}
	}
	ask := func(path string, of []string, plain func(string) string) {
		o.questions = append(o.questions, question{path: path, call: strings.HasPrefix(path, "/v"), of: of, plain: plain})
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
		_, page := o.p.Get("/busca?q=ltda&fonte="+source, "")
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
			ask("/"+number, only(registry.Receita), companyPart)
			ask("/"+number+"#participacoes", only(registry.Receita), holdings)
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
		if status, _ := o.p.Get(path, ""); status == http.StatusOK {
			ask(path, only(registry.Receita), content)
		}
	}
	ask("/sugestoes?q=sil", only(registry.Receita), records)
	ask("/sugestoes?q=mar", only(registry.Receita), records)
}

// records returns a JSON answer without what differs between two loads of the same files.
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

// numbers returns the CNPJs of a list in order.
func numbers(body string) string {
	var all []string
	for _, m := range found.FindAllStringSubmatch(body, -1) {
		all = append(all, m[1])
	}
	return strings.Join(all, " ")
}

// content returns the main element of a page.
func content(body string) string {
	_, body, _ = strings.Cut(body, "<main")
	body, _, _ = strings.Cut(body, "</main>")
	return body
}

// byIndex matches the part of a company's page or Markdown that comes from the index: its holdings.
var byIndex = regexp.MustCompile(`(?s)<section aria-labelledby="participacoes">.*?</section>\s*|## Participações em outras empresas\n.*?\n## `)

// elsewhere matches what a page says, before its sections, about holdings and public records.
var elsewhere = regexp.MustCompile(`(?s)<li><a href="#participacoes">.*?</li>|<div class="dealings">.*?</div>|<p class="holds">.*?</p>`)

// companyPart returns the page of a company up to the public records, without the part from the index.
func companyPart(body string) string {
	body, _, _ = strings.Cut(content(body), `id="registros"`)
	return strings.Join(strings.Fields(byIndex.ReplaceAllString(elsewhere.ReplaceAllString(body, ""), "")), " ")
}

// holdings returns the part of a company's page that comes from the index.
func holdings(body string) string { return byIndex.FindString(content(body)) }

// byLoad matches what the Markdown of a company says about loads: times, the month of inferred
// links, and what changed since the former load, which depends on what was loaded in between.
var byLoad = regexp.MustCompile(`(?s)## O que mudou.*?\n## |carregada em \d\d/\d\d/\d{4}|\*\*Carregada em:\*\* \S+|Vínculos inferidos com os dados[^\n]*`)

func text(body string) string {
	return byIndex.ReplaceAllString(byLoad.ReplaceAllString(body, ""), "## ")
}

// active returns the loads in service by source.
func (o *oracle) active() map[string]registry.Load {
	var loads []registry.Load
	fixture.Wait(o.p.T, "PostgreSQL to list the loads", func() (ok bool) {
		var err error
		loads, err = registry.NewStore(o.pool).Loads(o.p.T.Context())
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

// learn records the answers of a new server, which knows no other state than the present one.
func (o *oracle) learn() {
	t := o.p.T
	fresh := o.p.Beside()
	s := fresh.Start("serve")
	defer s.Stop()
	served := o.served()
	for i := range o.questions {
		q := &o.questions[i]
		r := o.get(fresh.Addr, q)
		if r.err != nil || r.status != http.StatusOK && r.status != http.StatusNotFound && r.status != http.StatusSeeOther {
			t.Fatalf("%s in %v: %d, %v", q.path, served, r.status, r.err)
		}
		about := q.combinations(served)[0]
		if former, ok := o.known[about]; ok && former != r.text {
			t.Fatalf("%s has two answers:\n%s\n%s", about, former, r.text)
		}
		o.known[about] = r.text
	}
}

// combinations returns the keys of o.known for the question: one for each combination of periods
// that its sources may have.
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

// settle waits until the server serves the current snapshot. From then on only its answers are
// right.
func (o *oracle) settle() {
	t := o.p.T
	fixture.Wait(t, "the server to follow", func() bool {
		id, err := registry.NewStore(o.pool).CurrentID(t.Context())
		status, health := o.p.Get("/health", "")
		return err == nil && status == http.StatusOK && strings.Contains(health, `"status":"ok"`) &&
			strings.Contains(health, fmt.Sprintf(`"fotografia":"%d"`, id))
	})
	served := o.served()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.possible = served
}

// other returns the one of the two periods of a source that is not in service.
func (o *oracle) other(source string) string {
	if o.served()[source][0] == "2026-08" {
		return "2026-09"
	}
	return "2026-08"
}
