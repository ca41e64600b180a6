// Package clients runs what calls the API from elsewhere: clients that generators make of the served OpenAPI documents, with the lines
// that /api shows for them, and the script for Google Sheets.
package clients

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	_ "github.com/oapi-codegen/runtime" // what the generated Go imports

	"razao/api"
	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
	"razao/internal/web"
)

// shown returns the path of an example of /api.
func shown(name string) string {
	return filepath.Join("..", "..", "site", "data", "examples", filepath.FromSlash(name))
}

// server is the API with a key of an account of its own.
type server struct{ url, key string }

// start starts the API behind a proxy that answers the first call with 429, the third with 503, and the second further page
// with 409. It fails a test that asks for fewer further pages.
func start(t *testing.T, pages int32) server {
	t.Helper()
	pool, secret := pgtest.Pool(t), seal.New("secret of the tests")
	key, _, err := account.NewStore(pool, secret).CreateKey(t.Context(), "clientes@exemplo.com.br", "clients")
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	meter := account.OpenMeter(pool, secret, log)
	t.Cleanup(meter.Close)
	engine := web.NewEngine(web.Options{Log: log})
	a := api.New(api.Config{Live: fixture.SharedRecords(t).Live, Admit: meter.Admit, Charge: meter.Charge})
	a.Register(engine)
	engine.NoRoute(a.NotFound)
	var calls, further atomic.Int32
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" { // a document
			engine.ServeHTTP(w, r)
			return
		}
		n := calls.Add(1)
		status, code := 0, ""
		switch {
		case n == 1:
			status, code = http.StatusTooManyRequests, "limite_excedido"
		case n == 3:
			status, code = http.StatusServiceUnavailable, "servico_indisponivel"
		case r.URL.Query().Has("cursor") && further.Add(1) == 2:
			status, code = http.StatusConflict, "fotografia_alterada"
		default:
			engine.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"erro":{"codigo":"`+code+`","mensagem":"x"},"requisicao_id":"5f2b8c1e-8f0a-4b6d-9a57-0d9f6c1c2b3a"}`)
	}))
	t.Cleanup(func() {
		refusing.Close()
		if further.Load() < pages {
			t.Errorf("%d further pages", further.Load())
		}
	})
	return server{refusing.URL, key}
}

// redirecting returns the address of a server that redirects to another port of its host, where nothing may arrive, and
// the address there.
func redirecting(t *testing.T) (address, to string) {
	t.Helper()
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a redirect was followed, with the key: %t", r.Header.Get("Authorization") != "")
	}))
	t.Cleanup(other.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(server.Close)
	return server.URL, other.URL
}

// said is what the trials print.
const said = `PADARIA ESTRELA DO SUL LTDA 480000.00
120 120 EXEMPLO LOJA 120
4 12345678000195
12345678 dados
00000001 cnpj_nao_encontrado
12345678000195
404 cnpj_nao_encontrado 36
PADARIA ESTRELA DO SUL LTDA
429 limite_excedido true
`

// TestGo builds a program with what oapi-codegen makes of the documents and calls the API with it.
func TestGo(t *testing.T) {
	t.Parallel()
	s, dir := start(t, 5), t.TempDir()
	percorrer, err := filepath.Abs(shown("cliente/percorrer.go"))
	if err != nil {
		t.Fatal(err)
	}
	trial, err := filepath.Abs(filepath.Join("testdata", "go"))
	if err != nil {
		t.Fatal(err)
	}
	// No generated file is in the tree: the compiler sees them there.
	seen := map[string]string{filepath.Join(trial, "razao", "percorrer.go"): percorrer}
	for name, version := range map[string]string{"razao": "v2", "v1": "v1"} {
		out := filepath.Join(dir, version+".go")
		run(t, "", "go", "tool", "oapi-codegen", "-package", name, "-generate", "types,client", "-o", out, s.document(t, dir, version))
		seen[filepath.Join(trial, name, "api.go")] = out
	}
	overlay, err := json.Marshal(map[string]any{"Replace": seen})
	if err != nil {
		t.Fatal(err)
	}
	path, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "trial")
	if err := os.WriteFile(path, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "", "go", "build", "-overlay", path, "-o", program, "./testdata/go")
	if got := run(t, "", program, s.url, s.key); got != said {
		t.Errorf("got\n%s\nwant\n%s", got, said)
	}
	from, _ := redirecting(t)
	if out, _, err := try(t, "", program, from, s.key); err == nil {
		t.Errorf("a redirect is an answer: %s", out)
	}
}

// TestTypeScript does the same with openapi-typescript and openapi-fetch.
func TestTypeScript(t *testing.T) {
	t.Parallel()
	s, dir := start(t, 5), t.TempDir()
	for _, source := range []string{filepath.Join("testdata", "typescript"), shown("cliente")} {
		if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
			t.Fatal(err)
		}
	}
	run(t, dir, "npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund")
	for name, version := range map[string]string{"razao": "v2", "v1": "v1"} {
		run(t, dir, filepath.Join(dir, "node_modules", ".bin", "openapi-typescript"), s.document(t, dir, version), "-o", name+".d.ts")
	}
	run(t, dir, filepath.Join(dir, "node_modules", ".bin", "tsc"), "-p", ".")
	if got := run(t, dir, "node", filepath.Join("dist", "trial.js"), s.url, s.key); got != said {
		t.Errorf("got\n%s\nwant\n%s", got, said)
	}
	from, _ := redirecting(t)
	if out, _, err := try(t, dir, "node", filepath.Join("dist", "trial.js"), from, s.key); err == nil {
		t.Errorf("a redirect is an answer: %s", out)
	}
}

// document saves the OpenAPI document of a version, as it is served, and returns its path.
func (s server) document(t *testing.T, dir, version string) string {
	t.Helper()
	path := filepath.Join(dir, version+".json")
	run(t, "", "curl", "-fs", "-o", path, s.url+"/"+version+"/openapi.json")
	return path
}

// run runs a program in a folder and returns what it prints.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	out, failure, err := try(t, dir, name, args...)
	if err != nil {
		t.Fatalf("%s %v: %v\n%s%s", name, args, err, out, failure)
	}
	return out
}

// try is run of a program that may fail.
func try(t *testing.T, dir, name string, args ...string) (out, failure string, err error) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("REQUIRE_POSTGRES") == "" {
			t.Skipf("make programs installs it: %v", err)
		}
		t.Fatalf("make programs installs it: %v", err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	printed, err := cmd.Output()
	return string(printed), stderr.String(), err
}

// TestSheets runs the script for Google Sheets in Node, whose services it is given.
func TestSheets(t *testing.T) {
	t.Parallel()
	s := start(t, 0)
	runner, script := filepath.Join("testdata", "sheets.js"), shown("planilha/razao.gs")
	got, failure, err := try(t, "", "node", runner, script, s.url, s.key, "12.345.678/0001-95", "7654321000159", "00000001", "", "98765432")
	want := `Informe a chave no menu Razão → Chave…
2 2 5 5
PADARIA ESTRELA DO SUL LTDA|Ativa|Fabricação de produtos de padaria e confeitaria com predominância de produção própria|CAMPINAS|SP
TRANSPORTES ANTIGOS LTDA - ME|Baixada|Fabricação de produtos de padaria e confeitaria com predominância de produção própria|CAMPINAS|SP
O CNPJ não consta da carga disponível.||||
` + "CNPJ inválido: o número de posições está errado. Envie as que o endereço pede, 8 da empresa ou 14 do estabelecimento.||||" + `
ESTRELA PARTICIPAÇÕES S.A.|Ativa|Holdings de instituições não-financeiras|SAO PAULO|SP
`
	if err != nil || got != want {
		t.Errorf("%v: %s\ngot\n%s\nwant\n%s", err, failure, got, want)
	}
	from, to := redirecting(t)
	if out, failure, err := try(t, "", "node", runner, script, from, s.key, "12345678"); err == nil || !strings.Contains(failure, "redireciona para "+to+",") {
		t.Errorf("a redirect: %v: %s%s", err, out, failure)
	}
}
