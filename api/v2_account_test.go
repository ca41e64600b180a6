package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"razao/internal/people/webhook"
	"razao/internal/testing/fixture"
)

// own is the answer to an operation on what belongs to the account.
type own struct {
	Dados struct {
		Itens []struct {
			Tipo, Valor string
			ID          int64
			URL         string
		}
		Criado *struct {
			ID      int64
			Segredo string
		}
		Entregas []struct{ Evento string }
	}
	Erro struct{ Codigo, Mensagem string }
}

// asked sends JSON and decodes the answer.
func (s *service) asked(t *testing.T, method, path, content string, header ...string) (int, own) {
	t.Helper()
	got := s.send(t, method, path, strings.NewReader(content), append([]string{"Content-Type", "application/json"}, header...)...)
	var o own
	if err := json.Unmarshal(got.body, &o); err != nil {
		t.Fatalf("%s %s: %d %s", method, path, got.status, got.body)
	}
	return got.status, o
}

// values lists what an account follows.
func (o *own) values() (all []string) {
	for _, f := range o.Dados.Itens {
		all = append(all, f.Tipo+" "+f.Valor)
	}
	slices.Sort(all)
	return all
}

// TestFollowingWithAKey follows, lists and ends following with a key, which reaches only its own account.
func TestFollowingWithAKey(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	other, _, err := s.keys.CreateKey(t.Context(), "bia@exemplo.com.br", "testes")
	if err != nil {
		t.Fatal(err)
	}
	if status, o := s.asked(t, http.MethodGet, followingPath, ""); status != 200 || len(o.Dados.Itens) != 0 || o.Dados.Itens == nil {
		t.Errorf("%d %+v", status, o)
	}
	for _, body := range []string{
		`{"tipo":"empresa","valores":["12.345.678/0001-95","98765432","12345678"]}`,
		`{"tipo":"socio","valores":["456789/Ana Lima"]}`,
		`{"tipo":"busca","valores":["porte=03&uf=sp","https://razao.exemplo/busca?q=padaria estrela&ordem=capital"]}`,
	} {
		if status, o := s.asked(t, http.MethodPost, followingPath, body); status != 200 {
			t.Errorf("%s: %d %+v", body, status, o.Erro)
		}
	}
	want := []string{"busca porte=03&uf=SP", "busca q=padaria+estrela", "empresa 12345678", "empresa 98765432", "socio 456789/ana-lima"}
	if _, o := s.asked(t, http.MethodGet, followingPath, ""); !slices.Equal(o.values(), want) {
		t.Errorf("%q", o.values())
	}
	for _, c := range []struct{ body, code, says string }{
		{`{"tipo":"empresa","valores":["11222333","12345678000100"]}`, "parametro_invalido", "12345678000100"},
		{`{"tipo":"marca","valores":["x"]}`, "parametro_invalido", "empresa, socio, busca"},
		{`{"tipo":"busca","valores":["uf=XX"]}`, "parametro_invalido", "uf=XX"},
		{`{"tipo":"busca","valores":["uf=AC&ud=SP"]}`, "parametro_invalido", "não ud"},
		{`{"tipo":"busca","valores":["q=maria silva&em=socios"]}`, "parametro_invalido", "não em"},
		{`{"tipo":"busca","valores":["capital_de=1.500"]}`, "parametro_invalido", "1500 ou como 1,5"},
		{`{"tipo":"busca","valores":["q=` + strings.Repeat("a", 201) + `"]}`, "parametro_invalido", "não q"},
		{`{"tipo":"busca","valores":[""]}`, "parametro_invalido", "filtros"},
		{`{"tipo":"empresa","valores":[]}`, "parametro_invalido", "de 1 a 1000"},
		{`{"tipo":"empresa","valor":"12345678"}`, "corpo_invalido", "JSON"},
		{`{`, "corpo_invalido", "JSON"},
	} {
		if _, o := s.asked(t, http.MethodPost, followingPath, c.body); o.Erro.Codigo != c.code || !strings.Contains(strings.ToLower(o.Erro.Mensagem), strings.ToLower(c.says)) {
			t.Errorf("%s: %+v", c.body, o.Erro)
		}
	}
	var twenty []string
	for i := range 20 {
		twenty = append(twenty, `"capital_de=`+string(rune('1'+i%9))+strings.Repeat("0", i/9)+`"`)
	}
	if status, o := s.asked(t, http.MethodPost, followingPath, `{"tipo":"busca","valores":[`+strings.Join(twenty, ",")+`]}`); status != 409 || o.Erro.Codigo != "limite_da_conta" {
		t.Errorf("more searches than an account may follow: %d %+v", status, o.Erro)
	}
	if _, o := s.asked(t, http.MethodGet, followingPath, ""); !slices.Equal(o.values(), want) {
		t.Errorf("after refusals: %q", o.values())
	}
	for _, target := range []string{"?tipo=empresa&valor=98.765.432", "?tipo=busca&valor=" + url.QueryEscape("uf=SP&porte=03"), "?tipo=socio&valor=456789-ana-lima", "?tipo=empresa&valor=98765432"} {
		if status, o := s.asked(t, http.MethodDelete, followingPath+target, ""); status != 200 {
			t.Errorf("%s: %d %+v", target, status, o.Erro)
		}
	}
	if _, o := s.asked(t, http.MethodGet, followingPath, ""); !slices.Equal(o.values(), []string{"busca q=padaria+estrela", "empresa 12345678"}) {
		t.Errorf("%q", o.values())
	}
	if _, o := s.asked(t, http.MethodGet, followingPath, "", "Authorization", "Bearer "+other); len(o.Dados.Itens) != 0 {
		t.Errorf("another account sees %q", o.values())
	}
	if status, _ := s.asked(t, http.MethodPost, followingPath, `{"tipo":"empresa","valores":["12345678"]}`, "Authorization", ""); status != 401 {
		t.Errorf("without a key: %d", status)
	}
	if status, _ := s.asked(t, http.MethodDelete, followingPath+"?tipo=empresa", ""); status != 400 {
		t.Errorf("nothing to end: %d", status)
	}
	if status, o := s.asked(t, http.MethodDelete, followingPath, ""); status != 400 || !strings.Contains(o.Erro.Mensagem, "tipo") {
		t.Errorf("%d %+v", status, o.Erro)
	}
}

// TestWebhooksWithAKey creates, tests, lists and deletes webhooks; the secret is in one answer alone, and the numbers of another
// account's are those of none.
func TestWebhooksWithAKey(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	other, _, err := s.keys.CreateKey(t.Context(), "bia@exemplo.com.br", "testes")
	if err != nil {
		t.Fatal(err)
	}
	status, o := s.asked(t, http.MethodPost, webhooksPath, `{"url":"https://exemplo.com/razao"}`)
	if status != 200 || o.Dados.Criado == nil || !strings.HasPrefix(o.Dados.Criado.Segredo, "whsec_") || len(o.Dados.Itens) != 1 || o.Dados.Itens[0].ID != o.Dados.Criado.ID {
		t.Fatalf("%d %+v", status, o)
	}
	one := webhooksPath + "/" + jsonOf(t, o.Dados.Criado.ID)
	if status, o := s.asked(t, http.MethodPost, one+"/teste", ""); status != 200 || len(o.Dados.Entregas) != 1 || o.Dados.Entregas[0].Evento != webhook.TestEvent || o.Dados.Criado != nil {
		t.Errorf("%d %+v", status, o)
	}
	if status, _ := s.asked(t, http.MethodPost, one+"/ligar", ""); status != 200 {
		t.Errorf("ligar: %d", status)
	}
	for _, c := range []struct{ method, path, body, code string }{
		{http.MethodPost, webhooksPath, `{"url":"http://exemplo.com/"}`, "parametro_invalido"},
		{http.MethodPost, webhooksPath, `{"url":"https://EXEMPLO.com:443/razao"}`, "webhook_repetido"},
		{http.MethodPost, webhooksPath, `{"endereco":"https://exemplo.com/"}`, "corpo_invalido"},
		{http.MethodDelete, webhooksPath + "/0", "", "webhook_nao_encontrado"},
		{http.MethodDelete, webhooksPath + "/x", "", "webhook_nao_encontrado"},
		{http.MethodPost, webhooksPath + "/99999/teste", "", "webhook_nao_encontrado"},
		{http.MethodGet, webhooksPath + "?limite=1", "", "parametro_invalido"},
	} {
		if _, o := s.asked(t, c.method, c.path, c.body); o.Erro.Codigo != c.code {
			t.Errorf("%s %s %s: %+v", c.method, c.path, c.body, o.Erro)
		}
	}
	for _, path := range []string{one, one + "/teste", one + "/ligar"} {
		method := http.MethodPost
		if path == one {
			method = http.MethodDelete
		}
		if status, _ := s.asked(t, method, path, "", "Authorization", "Bearer "+other); status != 404 {
			t.Errorf("of another account: %s %d", path, status)
		}
	}
	if status, o := s.asked(t, http.MethodDelete, one, ""); status != 200 || len(o.Dados.Itens) != 0 {
		t.Errorf("%d %+v", status, o)
	}
	for i := range webhook.AskedAtOnce + 1 {
		if status, o := s.asked(t, http.MethodPost, one+"/ligar", ""); status == http.StatusTooManyRequests {
			if o.Erro.Codigo != "limite_excedido" || !strings.Contains(o.Erro.Mensagem, "webhooks") {
				t.Errorf("%+v", o.Erro)
			}
			return
		} else if i == webhook.AskedAtOnce {
			t.Error("an account asks of its webhooks without limit")
		}
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
