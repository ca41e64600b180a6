package site_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/internal/testing/outline"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// needIndex lists the routes that need the index, with their OpenAPI paths.
var needIndex = map[string]string{
	"/busca": "/busca", "/busca?q=estrela": "/busca", "/empresas": "/empresas", "/uf/sp": "/uf/{uf}", "/uf/sp/campinas": "/uf/{uf}/{cidade}",
	"/estados": "/estados", "/municipios": "/municipios", "/municipios.csv": "/municipios.csv",
	"/municipios/comparar": "/municipios/comparar", "/municipios/comparar?m=3509502&m=3550308": "/municipios/comparar", "/municipios?uf=SP&q=sao": "/municipios",
	"/socio/456789/marta-figueira-inventada": "/socio/{d6}/{sl}", "/sitemap.xml": "/sitemap.xml",
	"/sitemaps/0001.xml.gz": "/sitemaps/{arquivo}", "/sitemaps/0002.xml.gz": "/sitemaps/{arquivo}",
}

func TestPagesWithoutTheIndex(t *testing.T) {
	t.Parallel()
	l, back := fixture.WithoutIndex(t)
	h := sitetest.New(t, l)
	check := sitetest.NewAnswerCheck(t)
	for path, template := range needIndex {
		w := h.Get(t, path, "Accept", sitetest.HTML)
		if w.Code != 503 || w.Header().Get("Retry-After") == "" || w.Header().Get("Cache-Control") != "no-store" ||
			!strings.Contains(w.Body.String(), "índice") {
			t.Errorf("%s: status %d, %v", path, w.Code, w.Header())
		}
		w = h.Get(t, path)
		var body struct {
			Erro struct{ Codigo, Mensagem string }
			ID   string `json:"requisicao_id"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != 503 || body.Erro.Codigo != "indice_indisponivel" ||
			!strings.Contains(body.Erro.Mensagem, "CNPJ") || body.ID != w.Header().Get("X-Request-ID") || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s, asked by a program: %d %s, %v", path, w.Code, w.Body, err)
		}
		check.Answer(t, template, w)
	}
	sitetest.Golden(t, "degraded/search", h.Get(t, "/busca?q=estrela", "Accept", sitetest.HTML))
	h.Status(t, 503, "/empresas.csv", "Cookie", h.Session(t, "ana@exemplo.com"), "Accept", sitetest.HTML)
	for path, want := range map[string]int{
		"/": 200, "/12345678000195": 200, "/12345678000195.md": 200, "/12345678": 302, "/11444777000161": 404, "/busca?q=12.345.678/0001-95": 302, "/busca?q=11444777000161": 302, "/busca?q=12345678": 302,
		"/12345678/ibama/autos/1": 200, "/empresas?pagina=0": 422, "/uf/xx": 404, "/robots.txt": 200, "/llms.txt": 200, "/privacidade": 200,
		"/api": 200, "/openapi.json": 200, "/metodologia/bndes": 200, "/login": 200,
	} {
		h.Status(t, want, path, "Accept", sitetest.HTML)
	}
	w := h.Get(t, "/health")
	want := `{"status":"degradado","versao":"1.2.3","competencia":"2026-09","fotografia":"1","partes":{"banco":"ok","indice":"indisponivel"}}`
	if got := strings.TrimSpace(w.Body.String()); w.Code != 200 || got != want {
		t.Errorf("health: %d %s\nwant %s", w.Code, got, want)
	}
	w = h.Get(t, "/sugestoes?q=campinas")
	if w.Code != 200 || strings.TrimSpace(w.Body.String()) != `{"q":"campinas","itens":[]}` || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("suggestions: %d %s, %v", w.Code, w.Body, w.Header())
	}
	degraded := h.Body(t, "/98765432000198", "Accept", sitetest.HTML)
	const unmapped = "O mapa não pôde ser montado agora"
	needing := []string{"Por exemplo", "estabelecimentos abertos em 09/2026", `href="/estados#meses"`, "Perguntas que os dados respondem"}
	pagetest.Texts(t, h.Body(t, "/"), []string{unmapped, "estabelecimentos ativos", "Cargas mais recentes"}, needing)

	back()
	for path := range needIndex {
		h.Status(t, 200, path, "Accept", sitetest.HTML)
	}
	if w := h.Get(t, "/health"); !strings.Contains(w.Body.String(), `"status":"ok"`) {
		t.Errorf("health: %s", w.Body)
	}
	if w := h.Get(t, "/sugestoes?q=campinas"); !strings.Contains(w.Body.String(), "Campinas") {
		t.Errorf("suggestions: %s", w.Body)
	}
	// Only the sections that need the index differ.
	sitetest.Golden(t, "degraded/company", h.Get(t, "/98765432000198", "Accept", sitetest.HTML), outline.Against(strings.NewReader(degraded)))
	pagetest.Texts(t, h.Body(t, "/"), needing, []string{unmapped})
}

// If the index of a new month is unusable, the previous snapshot is served whole and /health is
// degraded.
func TestHealthOfAFormerSnapshot(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	h := sitetest.New(t, l)
	l.Ingest(t)
	if err := os.RemoveAll(filepath.Join(l.IndexDir, "000002")); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err == nil {
		t.Fatal("the index is missing")
	}
	w := h.Get(t, "/health")
	want := `{"status":"degradado","versao":"1.2.3","competencia":"2026-09","fotografia":"1","partes":{"banco":"ok","indice":"degradado"}}`
	if got := strings.TrimSpace(w.Body.String()); w.Code != 200 || got != want {
		t.Errorf("health: %d %s\nwant %s", w.Code, got, want)
	}
	h.Status(t, 200, "/busca?q=estrela")
}
