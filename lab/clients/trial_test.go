package clients

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
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
	razao "razao/clients/go"
	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
	"razao/internal/web"
)

// said is what each trial prints.
const said = `PADARIA ESTRELA DO SUL LTDA 480000.00
120 120 EXEMPLO LOJA 120
3
4 12345678000195
5
2
12345678 dados
00000001 erro
12345678000195 True
1
404 cnpj_nao_encontrado True
`

// server is the API with an account of its own, behind a proxy that answers some calls with 429 and 503, and the first
// further page with 409.
type server struct{ url, key string }

func start(t *testing.T, name string) server { t.Helper(); return startFor(t, name, 3) }

// startFor is start for a program that asks for at least so many further pages.
func startFor(t *testing.T, name string, pages int32) server {
	t.Helper()
	pool, secret := pgtest.Pool(t), seal.New("secret of the tests")
	store := account.NewStore(pool, secret)
	key, _, err := store.CreateKey(t.Context(), name+"@exemplo.com.br", "clients")
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
	var asked, further atomic.Int32
	refused := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := asked.Add(1)
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
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"erro":{"codigo":"`+code+`","mensagem":"x"},"requisicao_id":"1"}`)
	}))
	t.Cleanup(func() {
		refused.Close()
		if further.Load() < pages {
			t.Errorf("%d further pages", further.Load())
		}
	})
	return server{refused.URL, key}
}

// same compares what a trial printed.
func same(t *testing.T, got string) {
	t.Helper()
	if got != said {
		t.Errorf("got\n%s\nwant\n%s", got, said)
	}
}

func TestPython(t *testing.T) {
	t.Parallel()
	s := start(t, "python")
	folder := filepath.Join("..", "..", "clients", "python")
	trial := filepath.Join("testdata", "trial.py")
	run(t, "mypy", "--config-file", filepath.Join(folder, "pyproject.toml"), "--cache-dir", t.TempDir(), filepath.Join(folder, "razao"), trial)
	same(t, run(t, "python3", trial, s.url, s.key))
	from, to := redirecting(t)
	if _, failure, err := try(t, "python3", trial, from, s.key); err == nil || !strings.Contains(failure, "redirects to "+to+",") {
		t.Errorf("a redirect: %v: %s", err, failure)
	}
}

func TestTypeScript(t *testing.T) {
	t.Parallel()
	s := start(t, "typescript")
	folder := filepath.Join("..", "..", "clients", "typescript")
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "src"), os.DirFS(filepath.Join(folder, "src"))); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		filepath.Join("testdata", "trial.ts"): filepath.Join("src", "trial.ts"), filepath.Join(folder, "package.json"): "package.json", filepath.Join(folder, "tsconfig.json"): "tsconfig.json",
	} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, to), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run(t, "tsc", "-p", dir)
	same(t, run(t, "node", filepath.Join(dir, "dist", "trial.js"), s.url, s.key))
	from, to := redirecting(t)
	if _, failure, err := try(t, "node", filepath.Join(dir, "dist", "trial.js"), from, s.key); err == nil || !strings.Contains(failure, "redirects to "+to+",") {
		t.Errorf("a redirect: %v: %s", err, failure)
	}
}

// run runs a program and returns what it prints.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, stderr, err := try(t, name, args...)
	if err != nil {
		t.Fatalf("%s %v: %v\n%s%s", name, args, err, out, stderr)
	}
	return out
}

// try is run of a program that may fail.
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
	cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join("..", "..", "clients", "python"), "MYPYPATH="+filepath.Join("..", "..", "clients", "python"), "PYTHONDONTWRITEBYTECODE=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	printed, err := cmd.Output()
	return string(printed), stderr.String(), err
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

func TestGo(t *testing.T) {
	t.Parallel()
	s := start(t, "go")
	c := razao.New(s.url, s.key)
	ctx := t.Context()
	var out strings.Builder
	basic := must(c.EmpresaBasic(ctx, fixture.Bakery, razao.EmpresaBasicParametros{}))(t)
	fmt.Fprintln(&out, basic.Dados.Empresa.RazaoSocial, *basic.Dados.Empresa.CapitalSocial)

	fifty := razao.EmpresaEstabelecimentosParametros{Limite: 50}
	all := must(razao.All(func() iter.Seq2[razao.Estabelecimento, error] {
		return c.EmpresaEstabelecimentosItens(ctx, fixture.Chain, fifty)
	}))(t)
	numbers := map[string]bool{}
	for i := range all {
		numbers[all[i].Cnpj] = true
	}
	fmt.Fprintln(&out, len(all), len(numbers), all[119].NomeFantasia)
	fmt.Fprintln(&out, count(t, c.EmpresaEstabelecimentosPaginas(ctx, fixture.Chain, fifty)))

	var hits []string
	for hit, err := range c.BuscarItens(ctx, razao.BuscarParametros{Q: "estrela do sul", Uf: []string{"SP", "RJ"}, Agrupar: "nao", Limite: 2}) {
		if err != nil {
			t.Fatal(err)
		}
		hits = append(hits, hit.Cnpj)
	}
	fmt.Fprintln(&out, len(hits), hits[0])
	fmt.Fprintln(&out, count(t, c.EmpresaFonteItens(ctx, fixture.Bakery, "pgfn", razao.EmpresaFonteParametros{Limite: 1})))
	fmt.Fprintln(&out, count(t, c.ListarMudancasPaginas(ctx, razao.ListarMudancasParametros{Uf: []string{"SP"}})))

	batch := must(c.Lote(ctx, razao.LoteCorpo{Cnpjs: []string{fixture.Bakery, "00000001"}, Campos: []string{"razao_social"}}))(t)
	for _, raw := range batch.Dados.Itens {
		var item struct {
			CNPJ string
			Erro struct{ Codigo string }
		}
		if err := json.Unmarshal(raw, &item); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, item.CNPJ, map[bool]string{true: "erro", false: "dados"}[item.Erro.Codigo == "cnpj_nao_encontrado"])
	}

	questions := razao.ReconciliarCorpo{Queries: map[string]razao.Pergunta{"a": {Query: "PADARIA ESTRELLA DO SUL", Properties: []razao.PerguntaPropertiesItem{{Pid: "uf", V: "SP"}}}}}
	first := (*must(c.Reconciliar(ctx, questions))(t))["a"].Result[0]
	fmt.Fprintln(&out, first.Id, map[bool]string{true: "True", false: "False"}[first.Match])

	fmt.Fprintln(&out, len(must(c.Caminho(ctx, razao.CaminhoParametros{De: fixture.Bakery, Para: fixture.Holding}))(t).Dados.Caminhos))
	_, err := c.EmpresaFull(ctx, "00000001", razao.EmpresaFullParametros{})
	refused, ok := errors.AsType[*razao.Error](err)
	if !ok {
		t.Fatal(err)
	}
	fmt.Fprintln(&out, refused.Status, refused.Code, map[bool]string{true: "True", false: "False"}[refused.RequestID != ""])
	same(t, out.String())

	from, to := redirecting(t)
	if _, err := razao.New(from, s.key).EmpresaFull(ctx, fixture.Bakery, razao.EmpresaFullParametros{}); err == nil || !strings.Contains(err.Error(), "redirects to "+to+",") {
		t.Errorf("a redirect: %v", err)
	}
	late, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := c.EmpresaFull(late, fixture.Bakery, razao.EmpresaFullParametros{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func count[T any](t *testing.T, items iter.Seq2[T, error]) (n int) {
	t.Helper()
	for _, err := range items {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// TestSheets runs the script for Google Sheets in Node, whose services it is given.
func TestSheets(t *testing.T) {
	t.Parallel()
	s := startFor(t, "sheets", 0)
	got := run(t, "node", filepath.Join("testdata", "sheets.js"), filepath.Join("..", "..", "clients", "spreadsheets", "razao.gs"), s.url, s.key,
		"12.345.678/0001-95", "7654321000159", "00000001", "", "98765432")
	want := `Informe a chave no menu Razão → Chave…
2 2 5 5
PADARIA ESTRELA DO SUL LTDA|Ativa|Fabricação de produtos de padaria e confeitaria com predominância de produção própria|CAMPINAS|SP
TRANSPORTES ANTIGOS LTDA - ME|Baixada|Fabricação de produtos de padaria e confeitaria com predominância de produção própria|CAMPINAS|SP
O CNPJ não consta da carga disponível.||||
` + "CNPJ inválido: envie as posições que o endereço pede, 8 da empresa ou 14 do estabelecimento, sem pontos, barra ou hífen e com dígitos verificadores corretos.||||" + `
ESTRELA PARTICIPAÇÕES S.A.|Ativa|Holdings de instituições não-financeiras|SAO PAULO|SP
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	from, to := redirecting(t)
	if out, failure, err := try(t, "node", filepath.Join("testdata", "sheets.js"), filepath.Join("..", "..", "clients", "spreadsheets", "razao.gs"), from, s.key, "12345678"); err == nil || !strings.Contains(failure, "redireciona para "+to+",") {
		t.Errorf("a redirect: %v: %s%s", err, out, failure)
	}
}
