package site_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/site/sitetest"
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
	h := sitetest.Released(t)
	w := h.Get(t, "/sugestoes?q=padaria+estrela")
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
	if many := h.Get(t, "/sugestoes?q=exemplo"); strings.Count(many.Body.String(), `"tipo"`) > maxSuggestions {
		t.Errorf("too many suggestions: %s", many.Body)
	}
	for _, q := range []string{"", "+", "xyzzyxqqq", url.QueryEscape("\xff\xfe"), strings.Repeat("x", 5000)} {
		w := h.Get(t, "/sugestoes?q="+q)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"itens":[]`) {
			t.Errorf("%.20q: %d %s", q, w.Code, w.Body)
		}
	}
}

func TestSuggestedMunicipality(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	suggested := func(q string) []suggestion {
		var body suggestionsBody
		w := h.Get(t, "/sugestoes?q="+q)
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

// A partner whose name is being typed is named in the suggestion.
func TestSuggestedPartner(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for _, q := range []string{"marta figueira", "marta fig", "Marta Figueira In", "inventada mart", "figueira marta campinas"} {
		var body suggestionsBody
		w := h.Get(t, "/sugestoes?q="+url.QueryEscape(q))
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatal(err)
		}
		if len(body.Items) == 0 || !strings.HasPrefix(body.Items[0].Detail, "Sócio: Marta Figueira Inventada · ") {
			t.Errorf("%s suggests %+v", q, body.Items)
		}
	}
}

// TestSuggestedNumber writes a CNPJ as people copy it, one without its leading zero.
func TestSuggestedNumber(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for q, want := range map[string]string{
		"12.345.678/0001-95": "/12345678000195", "CNPJ: 12.345.678/0001-95": "/12345678000195", "12,345,678,0001,95": "/12345678000195",
		"12.345.678⁄0001–95": "/12345678000195", "7654321000159": "/07654321000159", "7.654.321/0001-59": "/07654321000159", "1234567800": "/12345678000195",
	} {
		var body suggestionsBody
		w := h.Get(t, "/sugestoes?q="+url.QueryEscape(q))
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatal(err)
		}
		if len(body.Items) == 0 || body.Items[0].URL != want || body.Q != q {
			t.Errorf("%s suggests %s", q, w.Body)
		}
	}
}

// TestSuggestedValues tests /sugestoes/valores; package filter tests the look-up itself.
func TestSuggestedValues(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for query, want := range map[string]string{
		"filtro=municipio&q=campin":                       `{"itens":[{"valor":"Campinas/SP","texto":"São Paulo"},`,
		"filtro=cnae&q=1091102":                           `{"itens":[{"valor":"1091-1/02 Fabricação`,
		"filtro=natureza&q=anonima+f":                     `{"itens":[{"valor":"205-4 Sociedade Anônima Fechada","texto":""}]}`,
		"filtro=cnae":                                     `{"itens":[]}`,
		"filtro=cnae&q=%ff%00":                            `{"itens":[]}`,
		"filtro=municipio&q=%3Cscript%3E":                 `{"itens":[]}`,
		"filtro=municipio&q=" + strings.Repeat("x", 5000): `{"itens":[]}`,
	} {
		w := h.Get(t, "/sugestoes/valores?"+query)
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Body.String(), want) || w.Header().Get("Cache-Control") != "public, max-age=300" {
			t.Errorf("%s: %d %v %s", query, w.Code, w.Header(), w.Body)
		}
		if n := strings.Count(w.Body.String(), `"valor"`); n > maxSuggestions {
			t.Errorf("%s: %d values", query, n)
		}
	}
	for _, query := range []string{"", "q=campinas", "filtro=bairro&q=centro", "filtro=socio_digitos&q=1", "filtro=uf", "filtro=xyz"} {
		w := h.Get(t, "/sugestoes/valores?"+query)
		if w.Code != http.StatusUnprocessableEntity || !strings.HasPrefix(w.Body.String(), `{"detail":[{"loc":["query","filtro"],"msg":"Deve ser cnae, `) {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}
