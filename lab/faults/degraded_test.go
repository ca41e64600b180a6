package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"razao/index/folder"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
)

func TestMain(m *testing.M) { built.Main(m) }

// serving is how a server answers somebody who searches and somebody who has a number.
type serving struct {
	search, record int // statuses
	health         string
}

var (
	wholly    = serving{200, 200, `"status":"ok"`}
	formerly  = serving{200, 200, `"partes":{"banco":"ok","indice":"degradado"}`}
	byNumbers = serving{503, 200, `"partes":{"banco":"ok","indice":"indisponivel"}`}
)

// observed asks a server. The health that is wanted is known when it is there.
func observed(p *program.Program, number string, wanted serving) serving {
	p.T.Helper()
	var got serving
	got.search, _ = p.Get("/busca?q=ltda", "")
	got.record, _ = p.Get("/"+number, "")
	status, health := p.Get("/health", "")
	if status != http.StatusOK {
		p.T.Errorf("health: %d %s", status, health)
	}
	got.health = health
	if strings.Contains(health, wanted.health) {
		got.health = wanted.health
	}
	return got
}

// expect asks a server once.
func expect(p *program.Program, when, number string, want serving) {
	p.T.Helper()
	if got := observed(p, number, want); got != want {
		p.T.Errorf("%s: %+v, want %+v", when, got, want)
	}
}

// becomes waits until a server that is not restarted answers so. Records are answered all the while.
func becomes(p *program.Program, when, number string, want serving) {
	p.T.Helper()
	fixture.Wait(p.T, when, func() bool {
		got := observed(p, number, want)
		if got.record != http.StatusOK {
			p.T.Fatalf("%s: %+v", when, got)
		}
		return got == want
	})
}

// loaded returns the program with some companies, one of their numbers, and a key.
func loaded(t *testing.T) (p *program.Program, number, key string) {
	t.Helper()
	p, _ = built.OnItsOwn(t, "RAZAO_IP_REQUESTS=0")
	p.Must("ingest", "receita", "--from", program.Sample(t, t.TempDir(), "2026-09", 3000))
	s := p.Start("serve")
	number = p.Suggestions()[0]
	s.Stop()
	return p, number, p.NewKey("ana@exemplo.com.br", "chave")
}

// tool calls a tool of assistants and returns whether it failed, and its text.
func tool(p *program.Program, key, name, arguments string) (failed bool, text string) {
	p.T.Helper()
	req, err := http.NewRequestWithContext(p.T.Context(), http.MethodPost, "http://"+p.Addr+"/mcp", strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":`+arguments+`}}`))
	if err != nil {
		p.T.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, body := p.Do(req)
	var answer struct {
		Result struct {
			IsError bool
			Content []struct{ Text string }
		}
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil || resp.StatusCode != http.StatusOK || len(answer.Result.Content) == 0 {
		p.T.Fatalf("%s: %d %s, %v", name, resp.StatusCode, body, err)
	}
	return answer.Result.IsError, answer.Result.Content[0].Text
}

// TestServeWithoutTheIndex starts a server whose index is truncated, and puts the index back while it runs.
func TestServeWithoutTheIndex(t *testing.T) {
	t.Parallel()
	p, number, key := loaded(t)
	segments, err := filepath.Glob(filepath.Join(p.Data, "index", "000001", "*", "store", "*.zap"))
	if err != nil || len(segments) == 0 {
		t.Fatalf("segments %v, %v", segments, err)
	}
	whole, err := os.ReadFile(segments[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(segments[0], int64(len(whole)/2)); err != nil {
		t.Fatal(err)
	}
	p.Start("serve")
	expect(p, "with a truncated segment", number, byNumbers)
	for _, path := range []string{
		"/v1/cnpj/" + number, "/v2/estabelecimentos/" + number + "/full", "/v2/empresas/" + number[:8] + "/basic",
		"/v2/empresas/" + number[:8] + "/socios", "/v2/fontes", "/conta", "/login",
	} {
		status, body := p.Get(path, key)
		if status != 200 && (path != "/conta" || status != 303) {
			t.Errorf("%s: %d %.300s", path, status, body)
		}
	}
	for name, arguments := range map[string]string{
		"buscar_empresas": `{"consulta":"ltda"}`, "empresas_do_socio": `{"nome":"maria da silva"}`, "ranking_municipios": `{}`, "reconhecer_empresa": `{"nome":"comercio"}`, "search": `{"query":"ltda"}`,
	} {
		if failed, text := tool(p, key, name, arguments); !failed || !strings.Contains(text, "indice_indisponivel") {
			t.Errorf("%s: %t %s", name, failed, text)
		}
	}
	if failed, text := tool(p, key, "consultar_cnpj", `{"cnpj":"`+number+`"}`); failed {
		t.Errorf("consultar_cnpj: %s", text)
	}
	if err := os.WriteFile(segments[0], whole, 0o600); err != nil {
		t.Fatal(err)
	}
	becomes(p, "the index to be taken into service", number, wholly)
	if failed, text := tool(p, key, "buscar_empresas", `{"consulta":"ltda"}`); failed {
		t.Errorf("buscar_empresas: %s", text)
	}
}

// TestAFileTruncatedWhileItIsServed truncates mapped files under a running server and restores
// them. It is asked all the while: a search is answered or gets a 503, and no answer is missing or
// wrong.
func TestAFileTruncatedWhileItIsServed(t *testing.T) {
	t.Parallel()
	p, number, key := loaded(t)
	running := p.Start("serve")
	expect(p, "before", number, wholly)
	dir := filepath.Join(p.Data, "index", "000001")
	segments, err := filepath.Glob(filepath.Join(dir, "*", "store", "*.zap"))
	if err != nil || len(segments) == 0 {
		t.Fatalf("segments %v, %v", segments, err)
	}
	for _, path := range []string{segments[0], filepath.Join(dir, "facets")} {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		fixture.Wait(t, "the index to be taken out of service", func() bool {
			if status, body := p.Get("/busca?q=padaria&uf=SP", ""); status != 200 && (status != 503 || !strings.Contains(body, "indice_indisponivel")) {
				t.Fatalf("%s: %d %.300s", path, status, body)
			}
			got := observed(p, number, byNumbers)
			if got.record != http.StatusOK {
				t.Fatalf("%s: %+v", path, got)
			}
			return got == byNumbers
		})
		if failed, text := tool(p, key, "buscar_empresas", `{"consulta":"ltda"}`); !failed || !strings.Contains(text, "indice_indisponivel") {
			t.Errorf("buscar_empresas: %t %s", failed, text)
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		becomes(p, "the index to be back in service", number, wholly)
	}
	running.Stop()
}

// buildNext builds the program as it will be with the next format of the index, once for all tests.
var buildNext = sync.OnceValues(func() (string, error) {
	path := filepath.Join(built.Dir(), "next", "razao")
	return path, built.Build(path, "-ldflags", fmt.Sprintf("-X razao/index/folder.format=%d", folder.Format+1))
})

// next returns the next program on the database and the data of p.
func next(p *program.Program) *program.Program {
	p.T.Helper()
	other := p.Beside()
	var err error
	if other.Binary, err = buildNext(); err != nil {
		p.T.Fatal(err)
	}
	return other
}

// TestANewIndexFormatNeedsNoOutage takes the steps of docs/loads.md with two programs that differ in the format of the
// index. Search and records are asked for all the while and never fail.
func TestANewIndexFormatNeedsNoOutage(t *testing.T) {
	t.Parallel()
	old, number, _ := loaded(t)
	next := next(old)
	running := old.Start("serve")
	expect(old, "before", number, wholly)

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
	next.Must("index", "build")
	becomes(old, "the old program to learn of the index that it cannot read", number, formerly)
	next.Start("serve")
	expect(next, "the next program", number, wholly)
	stop.Store(true)
	asking.Wait()
	running.Stop()

	// An old program that starts now has the records only, until it builds an index of its own: the way back.
	running = old.Start("serve")
	expect(old, "the old program, started after the change", number, byNumbers)
	old.Must("index", "build")
	becomes(old, "the old program to take its index into service", number, wholly)
	becomes(next, "the next program to stay with its index", number, formerly)
	running.Stop()
}

// TestServersOfTheNextFormatMayStartFirst: they answer by numbers until the index is built, and then search, too.
func TestServersOfTheNextFormatMayStartFirst(t *testing.T) {
	t.Parallel()
	p, number, _ := loaded(t)
	p = next(p)
	p.Start("serve")
	expect(p, "before the index is built", number, byNumbers)
	p.Must("index", "build")
	becomes(p, "the index to be taken into service", number, wholly)
}

// TestIndexVerify changes a byte but neither size nor time of a file, as a decaying disk does.
func TestIndexVerify(t *testing.T) {
	t.Parallel()
	p, _, _ := loaded(t)
	if out := p.Must("index", "verify"); !strings.Contains(out, "000001: load 1, 2026-09") || !strings.HasSuffix(out, ": whole\n") {
		t.Errorf("a whole index: %q", out)
	}
	path := filepath.Join(p.Data, "index", "000001", "facets")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	body[len(body)/2] ^= 1
	if err := errors.Join(os.WriteFile(path, body, 0o600), os.Chtimes(path, info.ModTime(), info.ModTime())); err != nil {
		t.Fatal(err)
	}
	code, out, stderr := p.Run("index", "verify")
	if code != 1 || out != "" || !strings.Contains(stderr, "facets") {
		t.Errorf("a changed byte: exit %d, %q, %q", code, out, stderr)
	}
}
