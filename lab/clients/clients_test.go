// Package clients runs what calls the API from elsewhere: clients that generators make of the served OpenAPI documents, with the lines
// that /api shows for them, and the script for Google Sheets.
package clients

import (
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
// with 409.
func start(t *testing.T) server {
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
	t.Cleanup(refusing.Close)
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

// try runs a program that may fail, and returns what it prints.
func try(t *testing.T, name string, args ...string) (out, failure string, err error) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("REQUIRE_POSTGRES") == "" {
			t.Skipf("make programs installs it: %v", err)
		}
		t.Fatalf("make programs installs it: %v", err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	printed, err := cmd.Output()
	return string(printed), stderr.String(), err
}

// TestSheets runs the script for Google Sheets in Node, whose services it is given.
func TestSheets(t *testing.T) {
	t.Parallel()
	s := start(t)
	runner, script := filepath.Join("testdata", "sheets.js"), shown("planilha/razao.gs")
	got, failure, err := try(t, "node", runner, script, s.url, s.key, "12.345.678/0001-95", "7654321000159", "00000001", "", "98765432")
	want := `Informe a chave no menu Razão → Chave…
2 2 5 5
PADARIA ESTRELA DO SUL LTDA|Ativa|Fabricação de produtos de padaria e confeitaria com predominância de produção própria|CAMPINAS|SP
TRANSPORTES ANTIGOS LTDA - ME|Baixada|Fabricação de produtos de padaria e confeitaria com predominância de produção própria|CAMPINAS|SP
O CNPJ não consta da carga disponível.||||
` + "CNPJ inválido: envie as posições que o endereço pede, 8 da empresa ou 14 do estabelecimento, sem pontos, barra ou hífen e com dígitos verificadores corretos.||||" + `
ESTRELA PARTICIPAÇÕES S.A.|Ativa|Holdings de instituições não-financeiras|SAO PAULO|SP
`
	if err != nil || got != want {
		t.Errorf("%v: %s\ngot\n%s\nwant\n%s", err, failure, got, want)
	}
	from, to := redirecting(t)
	if out, failure, err := try(t, "node", runner, script, from, s.key, "12345678"); err == nil || !strings.Contains(failure, "redireciona para "+to+",") {
		t.Errorf("a redirect: %v: %s%s", err, out, failure)
	}
}
