package nightly

import (
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"razao/internal/people/account"
	"razao/internal/sample"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
)

// varnish starts a Varnish with the VCL that is shipped, in front of p, and returns p as it is seen through that. more is VCL that follows.
func varnish(p *program.Program, name, more string) *program.Program {
	p.T.Helper()
	varnishd := built.Installed(p.T, "varnishd")
	_, port, err := net.SplitHostPort(p.Addr)
	if err != nil {
		p.T.Fatal(err)
	}
	dir := sharedFolder(p.T)
	file := filepath.Join(dir, name+".vcl")
	writeFile(p.T, file, strings.Replace(readFile(p.T, "../../deploy/varnish/default.vcl"), `.port = "8080"`, fmt.Sprintf(".port = %q", port), 1)+more)
	through := p.Beside()
	// Its child ends with it if it is interrupted.
	daemon(p.T, os.Interrupt, exec.Command(varnishd, "-F", "-j", "none", "-a", through.Addr, "-f", file, "-n", filepath.Join(dir, "work"), "-s", "malloc,64m"))
	listening(p.T, through.Addr)
	return through
}

// through is an answer that came through Varnish.
type through struct {
	status  int
	header  http.Header
	cookies bool
	body    string
	hit     bool // it was in the cache
}

// public reports whether a shared cache may keep the answer (RFC 9111 §3).
func (a through) public() bool {
	control := a.header.Get("Cache-Control")
	return !strings.Contains(control, "no-store") && !strings.Contains(control, "private")
}

func ask(p *program.Program, method, path string, header ...string) through {
	p.T.Helper()
	req, err := http.NewRequestWithContext(p.T.Context(), method, "http://"+p.Addr+path, nil)
	if err != nil {
		p.T.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	if req.Header.Get("Accept-Encoding") == "" {
		req.Header.Set("Accept-Encoding", "identity") // net/http would ask for gzip and hide that
	}
	resp, body := p.Do(req)
	return through{resp.StatusCode, resp.Header, len(resp.Cookies()) > 0, body, strings.Contains(resp.Header.Get("X-Varnish"), " ")}
}

// TestBehindVarnish serves through two Varnishes with the VCL of deploy/varnish. In one, which is
// purged on a switch, objects do not expire. The other is not purged, and its objects expire after
// a second instead of a minute.
func TestBehindVarnish(t *testing.T) {
	t.Parallel()
	p, pool := built.OnItsOwn(t)
	p.Settings = append(p.Settings, "RAZAO_IP_REQUESTS=0", "RAZAO_IP_FAILURES=0", "RAZAO_TRUSTED_PROXIES=127.0.0.1/32")
	purged := varnish(p, "purged", `sub vcl_backend_response { if (beresp.ttl > 0s) { set beresp.ttl = 1h; } }`)
	forgotten := varnish(p, "forgotten", `sub vcl_backend_response { if (beresp.ttl > 1s) { set beresp.ttl = 1s; } set beresp.grace = 0s; }`)
	p.Serving = []string{"RAZAO_EDGE_PURGE=http://" + purged.Addr}
	former, latest := program.Sample(t, t.TempDir(), "2026-08", 2000), t.TempDir()
	following := sample.Options{Roots: 2000, Seed: 7, First: "2026-08", Month: "2026-09"} // with all sources
	if _, err := sample.Write(t.Context(), latest, following); err != nil {
		t.Fatal(err)
	}
	p.Start("serve")

	fixture.Wait(t, "varnish to find the server well", func() bool { return ask(purged, "GET", "/robots.txt").status == 200 })
	for range 3 {
		if a := ask(purged, "GET", "/"); a.status != 503 || a.hit || a.header.Get("Retry-After") == "" {
			t.Errorf("before there is a load: %d, hit %v, %v", a.status, a.hit, a.header)
		}
	}
	p.Must("ingest", "receita", "--from", former)
	fixture.Wait(t, "the first load", func() bool { return ask(p, "GET", "/").status == 200 })
	if a := ask(purged, "GET", "/"); a.status != 200 || !strings.Contains(a.body, "08/2026") {
		t.Errorf("after the first load: %d %.300s", a.status, a.body)
	}
	pages := []string{"/", "/busca?q=ltda", "/busca?q=padaria", "/empresas", "/estados", "/municipios", "/municipios.csv", "/fontes", "/termos", "/api", "/sugestoes?q=com", "/dicionario"}
	for _, number := range p.Suggestions() {
		if number != "" {
			pages = append(pages, "/"+number, "/"+number+".md")
		}
	}
	t.Run("Kept", func(t *testing.T) { keptByVarnish(t, purged.In(t), pages) })
	t.Run("People", func(t *testing.T) {
		peopleBehindVarnish(t, purged.In(t), p, account.NewStore(pool, nil), pages)
	})
	t.Run("Purge", func(t *testing.T) { strangersMayNotPurge(t, purged.In(t)) })

	for _, v := range []*program.Program{purged, forgotten} {
		if a := ask(v, "GET", "/estados"); !strings.Contains(a.body, "08/2026") {
			t.Fatalf("%d %.300s", a.status, a.body)
		}
	}
	p.Must("ingest", "all", "--from", latest)
	for name, v := range map[string]*program.Program{"that was purged": purged, "that heard of nothing": forgotten} {
		for _, path := range pages {
			if strings.HasPrefix(path, "/sugestoes") || strings.HasPrefix(path, "/dicionario") || strings.HasSuffix(path, ".csv") {
				continue // they do not say of which month they are
			}
			fixture.Wait(t, path+" of the new load through a Varnish "+name, func() bool {
				return strings.Contains(ask(v, "GET", path).body, "09/2026")
			})
		}
	}
	untilKept(purged, pages[0])
	hideBehindVarnish(t, p, purged)
}

// untilKept asks for a page until Varnish has it, which the last purge of a former snapshot may undo once.
func untilKept(p *program.Program, path string) (a through) {
	p.T.Helper()
	fixture.Wait(p.T, path+" to be kept", func() bool {
		a = ask(p, "GET", path)
		return a.hit
	})
	return a
}

// keptByVarnish walks the pages twice.
func keptByVarnish(t *testing.T, p *program.Program, pages []string) {
	hits, first := 0, map[string]through{}
	for _, path := range pages {
		first[path] = ask(p, "GET", path)
	}
	for _, path := range pages {
		a := ask(p, "GET", path)
		if a.hit {
			hits++
		}
		if a.status != 200 || a.body != first[path].body {
			t.Errorf("%s again: status %d, another body: %v", path, a.status, a.body != first[path].body)
		}
		if tag := a.header.Get("Surrogate-Key") + a.header.Get("Set-Cookie"); tag != "" {
			t.Errorf("%s: visitors see %s", path, tag)
		}
	}
	t.Logf("%d of %d pages are hits on the second walk", hits, len(pages))
	if hits != len(pages) {
		t.Errorf("%d of %d pages are hits", hits, len(pages))
	}
	path := pages[len(pages)-2] // of a company
	whole := ask(p, "GET", path)
	if a := ask(p, "HEAD", path); a.status != 200 || !a.hit || a.body != "" || a.header.Get("ETag") != whole.header.Get("ETag") {
		t.Errorf("HEAD: %d, %v", a.status, a.header)
	}
	if a := ask(p, "GET", path, "If-None-Match", whole.header.Get("ETag")); a.status != 304 || !a.hit || a.body != "" {
		t.Errorf("If-None-Match: %d, hit %v", a.status, a.hit)
	}
	if a := ask(p, "GET", path, "Cookie", "_ga=1"); !a.hit {
		t.Error("a cookie of others makes a miss")
	}
	a := ask(p, "GET", path, "Accept-Encoding", "gzip")
	z, err := gzip.NewReader(strings.NewReader(a.body))
	if err != nil || a.header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("gzip: %v, %v", err, a.header)
	}
	if body, err := io.ReadAll(z); err != nil || string(body) != whole.body {
		t.Errorf("compressed, it is another page: %v", err)
	}
	if a := ask(p, "GET", path, "If-None-Match", a.header.Get("ETag"), "Accept-Encoding", "gzip"); a.status != 304 {
		t.Errorf("If-None-Match, gzip: %d", a.status)
	}
	for range 2 {
		if a := ask(p, "GET", "/um/dois/tres"); a.status != 404 || a.hit {
			t.Errorf("no such page: %d, hit %v", a.status, a.hit)
		}
	}
}

// peopleBehindVarnish lets two people with sessions and keys, and nobody, ask for the same addresses in turn.
func peopleBehindVarnish(t *testing.T, p, direct *program.Program, accounts *account.Store, pages []string) {
	type person struct{ email, cookie, key string }
	var people []person
	for _, email := range []string{"ana@exemplo.com.br", "bia@exemplo.com.br"} {
		key := direct.NewKey(email, "chave")
		id, err := accounts.ByEmail(t.Context(), email)
		if err != nil {
			t.Fatal(err)
		}
		token, _, err := accounts.StartSession(t.Context(), id, "", "")
		if err != nil {
			t.Fatal(err)
		}
		people = append(people, person{email, "razao=" + token, key})
	}
	call := "/v1/cnpj/" + strings.TrimSuffix(pages[len(pages)-1][1:], ".md")
	seen := map[string]bool{} // request ids of calls
	for range 2 {
		for i, who := range people {
			a := ask(p, "GET", "/conta", "Cookie", who.cookie)
			if a.status != 200 || a.hit || !strings.Contains(a.body, who.email) || strings.Contains(a.body, people[1-i].email) {
				t.Errorf("the account of %s: %d, hit %v", who.email, a.status, a.hit)
			}
			for _, path := range []string{pages[0], pages[len(pages)-2]} {
				if a := ask(p, "GET", path, "Cookie", "_ga=1; "+who.cookie); a.hit || !strings.Contains(a.body, `href="/conta"`) || a.public() {
					t.Errorf("%s of somebody signed in: hit %v, %s", path, a.hit, a.header.Get("Cache-Control"))
				}
			}
			a = ask(p, "GET", call, "Authorization", "Bearer "+who.key)
			id := a.header.Get("X-Request-ID")
			if a.status != 200 || a.hit || id == "" || seen[id] || a.public() {
				t.Errorf("a call of %s: %d, hit %v, id %q", who.email, a.status, a.hit, id)
			}
			seen[id] = true
		}
		if a := ask(p, "GET", "/conta"); a.status != 303 || a.hit {
			t.Errorf("an account of nobody: %d, hit %v", a.status, a.hit)
		}
		if a := ask(p, "GET", call); a.status != 401 || a.hit {
			t.Errorf("a call without a key: %d, hit %v", a.status, a.hit)
		}
		if a := ask(p, "GET", pages[0]); !a.hit || !strings.Contains(a.body, `href="/login"`) {
			t.Errorf("the first page for nobody: hit %v", a.hit)
		}
	}
	if !slices.ContainsFunc(people, func(who person) bool { return ask(p, "GET", "/busca.csv?q=ltda", "Cookie", who.cookie).status == 200 }) {
		t.Error("nobody may export")
	}
	if a := ask(p, "GET", "/busca.csv?q=ltda"); a.status != 303 {
		t.Errorf("an export for nobody: %d", a.status)
	}
}

func strangersMayNotPurge(t *testing.T, p *program.Program) {
	for key, want := range map[string]int{"": 400, "razao-1 || obj.status == 200": 400, ".*": 400, "razao-999999": 204} {
		if a := ask(p, "PURGE", "/", "Surrogate-Key", key); a.status != want {
			t.Errorf("PURGE %q: %d, want %d", key, a.status, want)
		}
	}
	if a := ask(p, "GET", "/"); !a.hit {
		t.Error("a purge of another key took the first page")
	}
}

// hideBehindVarnish hides a contact that Varnish has.
func hideBehindVarnish(t *testing.T, p, through *program.Program) {
	for _, number := range p.Suggestions() {
		if number == "" || strings.Contains(ask(p, "GET", "/"+number).body, "não mostra") {
			continue
		}
		before := untilKept(through, "/"+number)
		hide := *p
		hide.Settings = append(slices.Clone(p.Settings), p.Serving...)
		hide.Must("contacts", "hide", number)
		if after := ask(through, "GET", "/"+number); after.hit || after.body == before.body {
			t.Errorf("the contact of %s is still shown: hit %v", number, after.hit)
		}
		return
	}
	t.Error("no company shows its contact")
}
