package site_test

import (
	"net/http"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/site/sitetest"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	w := h.Get(t, "/health")
	want := `{"status":"ok","versao":"1.2.3","competencia":"2026-09","fotografia":"1","partes":{"banco":"ok","indice":"ok"}}`
	if got := strings.TrimSpace(w.Body.String()); w.Code != http.StatusOK || got != want {
		t.Errorf("got %d %s\nwant %s", w.Code, got, want)
	}
}

// Without a load, nothing may look like a 404.
func TestNothingPublished(t *testing.T) {
	t.Parallel()
	h := sitetest.Nothing(t)
	for _, path := range []string{
		"/", "/busca?q=x", "/12345678000195", "/12345678", "/empresas", "/uf/sp", "/uf/sp/campinas", "/estados", "/municipios", "/municipios.csv", "/municipios/comparar",
		"/socio/456789/marta-figueira-inventada", "/fontes", "/fontes/pgfn",
	} {
		w := h.Get(t, path, "Accept", sitetest.HTML)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: status %d, %v", path, w.Code, w.Header())
		}
		sitetest.Golden(t, "trouble/nothing-published", w)
	}
	if w := h.Get(t, "/sugestoes?q=x"); w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("suggestions: %d %v", w.Code, w.Header())
	}
	w := h.Get(t, "/sugestoes/valores?filtro=cnae&q=4721102") // is built in
	if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-store" || !strings.Contains(w.Body.String(), "4721-1/02 Padaria") {
		t.Errorf("values: %d %v %s", w.Code, w.Header(), w.Body)
	}
	w = h.Get(t, "/health")
	want := `{"status":"indisponivel","versao":"1.2.3","competencia":null,"fotografia":null,"partes":{"banco":"ok","indice":"indisponivel"}}`
	if got := strings.TrimSpace(w.Body.String()); w.Code != http.StatusServiceUnavailable || got != want {
		t.Errorf("health: %d %s\nwant %s", w.Code, got, want)
	}
}

// A database that does not answer is a 503, never a 404.
func TestDatabaseLost(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	h := sitetest.New(t, l)
	l.Pool.Close()
	for path, name := range map[string]string{
		"/12345678000195": "company", "/11444777000161": "absent-company", "/12345678": "root", "/busca?q=estrela": "search",
		"/busca?q=12345678000195": "search-of-a-cnpj", "/empresas": "companies", "/uf/sp/campinas": "city", "/socio/456789/marta-figueira-inventada": "partner",
		"/fontes/pgfn": "source", "/fontes/receita": "source",
	} {
		w := h.Get(t, path, "Accept", sitetest.HTML)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: status %d, %v", path, w.Code, w.Header())
		}
		sitetest.Golden(t, "trouble/"+name, w)
	}
	if w := h.Get(t, "/"); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "Por exemplo") {
		t.Errorf("the first page, which needs no record: %d", w.Code)
	}
	for _, path := range []string{"/estados", "/municipios", "/municipios.csv", "/municipios/comparar?m=3509502&m=3550308", "/fontes"} {
		h.Status(t, http.StatusOK, path)
	}
	if w := h.Get(t, "/sugestoes?q=estrela"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"itens":[]`) {
		t.Errorf("suggestions: %d %s", w.Code, w.Body)
	}
	w := h.Get(t, "/health")
	if !strings.Contains(w.Body.String(), `"status":"indisponivel"`) || !strings.Contains(w.Body.String(), `"partes":{"banco":"indisponivel","indice":"ok"}`) || w.Code != http.StatusServiceUnavailable {
		t.Errorf("health: %d %s", w.Code, w.Body)
	}
}
