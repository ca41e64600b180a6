package site

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/testing/fixture"
)

// suggestion is an item of /sugestoes.
type suggestion struct {
	Kind   string  `json:"tipo"`
	CNPJ   *string `json:"cnpj"`
	Title  string  `json:"titulo"`
	Detail string  `json:"detalhe"`
	URL    string  `json:"url"`
}

// suggestionsBody is the response of /sugestoes, with at most maxSuggestions items.
type suggestionsBody struct {
	Q     string       `json:"q"`
	Items []suggestion `json:"itens"`
}

const maxSuggestions = 10

func TestSuggestions(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	w := get(t, h, "/sugestoes?q=padaria+estrela")
	number := "12345678000195"
	want := suggestion{
		Kind: "empresa", CNPJ: &number, Title: "Padaria Estrela do Sul Ltda.", URL: "/12345678000195",
		Detail: "Estrela do Sul Pães e Doces · Campinas/SP · 12.345.678/0001-95 · Ativa",
	}
	var got suggestionsBody
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
		t.Fatalf("status %d, %v: %s", w.Code, err, w.Body)
	}
	if got.Q != "padaria estrela" || len(got.Items) == 0 || len(got.Items) > maxSuggestions {
		t.Fatalf("got %s", w.Body)
	}
	if diff := cmp.Diff(want, got.Items[0]); diff != "" {
		t.Errorf("first suggestion (-want +got):\n%s", diff)
	}
	if caching := w.Header().Get("Cache-Control"); caching != "public, max-age=300" {
		t.Errorf("caching %q", caching)
	}
	if many := get(t, h, "/sugestoes?q=exemplo"); strings.Count(many.Body.String(), `"tipo"`) > maxSuggestions {
		t.Errorf("too many suggestions: %s", many.Body)
	}
	for _, q := range []string{"", "+", "xyzzyxqqq", url.QueryEscape("\xff\xfe"), strings.Repeat("x", 5000)} {
		w := get(t, h, "/sugestoes?q="+q)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"itens":[]`) {
			t.Errorf("%.20q: %d %s", q, w.Code, w.Body)
		}
	}
}

func TestSuggestedMunicipality(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	suggested := func(q string) []suggestion {
		var body suggestionsBody
		w := get(t, h, "/sugestoes?q="+q)
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatal(err)
		}
		return body.Items
	}
	want := suggestion{Kind: "municipio", Title: "Campinas", Detail: "Município · SP", URL: "/uf/sp/campinas"}
	items := suggested("campinas")
	if len(items) == 0 {
		t.Fatal("nothing suggested for a whole name")
	}
	if diff := cmp.Diff(want, items[0]); diff != "" {
		t.Errorf("first suggestion (-want +got):\n%s", diff)
	}
	items = suggested("e") // companies and municipalities have words with it
	if len(items) < 4 || items[0].Kind != "empresa" || items[len(items)-1].Kind != "municipio" {
		t.Errorf("suggestions for one letter: %+v", items)
	}
}

// TestSuggestedValues tests /sugestoes/valores; package filter tests the look-up itself.
func TestSuggestedValues(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	for query, want := range map[string]string{
		"filtro=municipio&q=campin":                       `{"itens":[{"valor":"Campinas/SP","texto":"São Paulo"},`,
		"filtro=cnae&q=1091102":                           `{"itens":[{"valor":"1091-1/02 Fabricação`,
		"filtro=natureza&q=anonima+f":                     `{"itens":[{"valor":"205-4 Sociedade Anônima Fechada","texto":""}]}`,
		"filtro=cnae":                                     `{"itens":[]}`,
		"filtro=cnae&q=%ff%00":                            `{"itens":[]}`,
		"filtro=municipio&q=%3Cscript%3E":                 `{"itens":[]}`,
		"filtro=municipio&q=" + strings.Repeat("x", 5000): `{"itens":[]}`,
	} {
		w := get(t, h, "/sugestoes/valores?"+query)
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Body.String(), want) || w.Header().Get("Cache-Control") != "public, max-age=300" {
			t.Errorf("%s: %d %v %s", query, w.Code, w.Header(), w.Body)
		}
		if n := strings.Count(w.Body.String(), `"valor"`); n > maxSuggestions {
			t.Errorf("%s: %d values", query, n)
		}
	}
	for _, query := range []string{"", "q=campinas", "filtro=bairro&q=centro", "filtro=socio_digitos&q=1", "filtro=uf", "filtro=xyz"} {
		w := get(t, h, "/sugestoes/valores?"+query)
		if w.Code != http.StatusUnprocessableEntity || !strings.HasPrefix(w.Body.String(), `{"detail":[{"loc":["query","filtro"],"msg":"Deve ser cnae, `) {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	w := get(t, h, "/health")
	want := `{"status":"ok","versao":"1.2.3","competencia":"2026-09","fotografia":"1","partes":{"banco":"ok","indice":"ok"}}`
	if got := strings.TrimSpace(w.Body.String()); w.Code != http.StatusOK || got != want {
		t.Errorf("got %d %s\nwant %s", w.Code, got, want)
	}
}

// Without a load, nothing may look like a 404.
func TestNothingPublished(t *testing.T) {
	t.Parallel()
	h, _ := nothingLoaded.open(t)
	for _, path := range []string{
		"/", "/busca?q=x", "/12345678000195", "/12345678", "/empresas", "/uf/sp", "/uf/sp/campinas", "/estados", "/municipios", "/municipios.csv", "/municipios/comparar",
		"/socio/456789/marta-figueira-inventada", "/fontes", "/fontes/pgfn",
	} {
		w := get(t, h, path, "Accept", browser)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: status %d, %v", path, w.Code, w.Header())
		}
		golden(t, "trouble/nothing-published", w)
	}
	if w := get(t, h, "/sugestoes?q=x"); w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("suggestions: %d %v", w.Code, w.Header())
	}
	w := get(t, h, "/sugestoes/valores?filtro=cnae&q=4721102") // is built in
	if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-store" || !strings.Contains(w.Body.String(), "4721-1/02 Padaria") {
		t.Errorf("values: %d %v %s", w.Code, w.Header(), w.Body)
	}
	w = get(t, h, "/health")
	want := `{"status":"indisponivel","versao":"1.2.3","competencia":null,"fotografia":null,"partes":{"banco":"ok","indice":"indisponivel"}}`
	if got := strings.TrimSpace(w.Body.String()); w.Code != http.StatusServiceUnavailable || got != want {
		t.Errorf("health: %d %s\nwant %s", w.Code, got, want)
	}
}

// A database that does not answer is a 503, never a 404.
func TestDatabaseLost(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	h, _ := newHandler(t, l)
	l.Pool.Close()
	for path, name := range map[string]string{
		"/12345678000195": "company", "/11444777000161": "absent-company", "/12345678": "root", "/busca?q=estrela": "search",
		"/busca?q=12345678000195": "search-of-a-cnpj", "/empresas": "companies", "/uf/sp/campinas": "city", "/socio/456789/marta-figueira-inventada": "partner",
		"/fontes/pgfn": "source", "/fontes/receita": "source",
	} {
		w := get(t, h, path, "Accept", browser)
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: status %d, %v", path, w.Code, w.Header())
		}
		golden(t, "trouble/"+name, w)
	}
	if w := get(t, h, "/"); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "Por exemplo") {
		t.Errorf("the first page, which needs no record: %d", w.Code)
	}
	for _, path := range []string{"/estados", "/municipios", "/municipios.csv", "/municipios/comparar?m=3509502&m=3550308", "/fontes"} {
		if w := get(t, h, path); w.Code != http.StatusOK {
			t.Errorf("%s, which needs no record: %d", path, w.Code)
		}
	}
	if w := get(t, h, "/sugestoes?q=estrela"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"itens":[]`) {
		t.Errorf("suggestions: %d %s", w.Code, w.Body)
	}
	w := get(t, h, "/health")
	if !strings.Contains(w.Body.String(), `"status":"indisponivel"`) || !strings.Contains(w.Body.String(), `"partes":{"banco":"indisponivel","indice":"ok"}`) || w.Code != http.StatusServiceUnavailable {
		t.Errorf("health: %d %s", w.Code, w.Body)
	}
}
