package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/testing/program"
)

// TestContacts asks on the page of a running server to hide a contact, and hides it beside the server.
func TestContacts(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "RAZAO_CONTACT=contato@razao.exemplo")
	p.Must("migrate")
	p.Must("ingest", "receita", "--from", program.Sample(t, t.TempDir(), "2026-09", 3000))
	p.Start("serve")
	key := strings.TrimSpace(p.Must("keys", "create", "--account", "ana@exemplo.com.br", "--name", "teste"))
	var number string
	mail := func() string {
		status, body := p.Get("/v2/estabelecimentos/"+number+"/basic", key)
		var answer struct {
			Dados struct {
				Estabelecimento struct {
					Mail string `json:"correio_eletronico"`
				}
			}
		}
		if err := json.Unmarshal([]byte(body), &answer); status != 200 || err != nil {
			t.Fatalf("status %d, %v: %s", status, err, body)
		}
		return answer.Dados.Estabelecimento.Mail
	}
	var published string
	for _, number = range p.Suggestions() {
		if published = mail(); published != "" {
			break
		}
	}
	if published == "" {
		t.Fatal("no establishment has an e-mail address to hide")
	}
	if !strings.Contains(askTool(t, p, key, number), published) {
		t.Error("assistants are not told the address while it is shown")
	}
	form := url.Values{"cnpj": {number}, "email": {"rui@exemplo.com"}, "motivo": {"moro aqui"}}.Encode()
	asked, err := http.NewRequest(http.MethodPost, "http://"+p.Addr+"/privacidade/ocultar", strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	asked.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	asked.Header.Set("Origin", "http://"+p.Addr)
	resp, err := http.DefaultClient.Do(asked)
	if err != nil {
		t.Fatal(err)
	}
	if _ = resp.Body.Close(); resp.StatusCode != 200 {
		t.Errorf("the form: %s", resp.Status)
	}
	if out := p.Must("contacts", "requests"); !strings.Contains(out, number) || !strings.Contains(out, "rui@exemplo.com  moro aqui") {
		t.Errorf("requests: %s", out)
	}
	_, body := p.Get("/v2/empresas/"+number[:8]+"/basic", key)
	_, name, _ := strings.Cut(body, `"razao_social":"`)
	name, _, _ = strings.Cut(name, `"`)
	code, out, stderr := p.Run("contacts", "hide", number[:2]+"."+number[2:5]+"."+number[5:8]+"/"+number[8:12]+"-"+number[12:], "--reason", "pediu")
	if code != 0 || out != "rui@exemplo.com\n" || name == "" || !strings.Contains(stderr, number+" is hidden: "+name+"\n") {
		t.Errorf("hide: exit code %d, %q and %q", code, out, stderr)
	}
	for _, unknown := range []string{"00000000000191", number[:8] + cnpj.Join(root(t, number), 9876).String()[8:]} {
		if code, out, stderr := p.Run("contacts", "hide", unknown); code != 0 || out != "" || !strings.Contains(stderr, unknown+" is hidden: it is not in the load in service") {
			t.Errorf("hide %s: exit code %d, %q and %q", unknown, code, out, stderr)
		}
	}
	if got := mail(); got != "" {
		t.Errorf("the address is still served: %s", got)
	}
	if strings.Contains(askTool(t, p, key, number), published) {
		t.Error("assistants are still told the address")
	}
	if _, body := p.Get("/"+number, ""); strings.Contains(body, published) || !strings.Contains(body, "ocultados a pedido") {
		t.Error("the page still has the address")
	}
	if out := p.Must("contacts", "list"); !strings.Contains(out, number) || !strings.Contains(out, "pediu") {
		t.Errorf("list: %s", out)
	}
	if out := p.Must("contacts", "requests"); strings.Contains(out, number) {
		t.Errorf("the request is still open: %s", out)
	}
	if _, _, stderr := p.Run("contacts", "show", number); !strings.Contains(stderr, number+" is shown again") {
		t.Errorf("show said %q", stderr)
	}
	if got := mail(); got != published {
		t.Errorf("shown again it is %q, was %q", got, published)
	}
	for args, code := range map[string]int{"hide 12345678": 2, "hide": 2, "show " + number: 1, "requests --dismiss 99": 1, "requests --dismiss x": 2} {
		if got, _, stderr := p.Run(append([]string{"contacts"}, strings.Fields(args)...)...); got != code {
			t.Errorf("contacts %s: exit code %d, want %d: %s", args, got, code, stderr)
		}
	}
}

func root(t *testing.T, number string) cnpj.Root {
	t.Helper()
	full, err := cnpj.ParseFull(number)
	if err != nil {
		t.Fatal(err)
	}
	return full.Root()
}

// askTool asks a running server about an establishment as an assistant does.
func askTool(t *testing.T, p *program.Program, key, number string) string {
	t.Helper()
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_cnpj","arguments":{"cnpj":"` + number + `"}}}`
	asked, err := http.NewRequest(http.MethodPost, "http://"+p.Addr+"/mcp", strings.NewReader(call))
	if err != nil {
		t.Fatal(err)
	}
	asked.Header.Set("Authorization", "Bearer "+key)
	asked.Header.Set("Content-Type", "application/json")
	asked.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(asked)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 || !strings.Contains(string(body), number) {
		t.Fatalf("tool: %s, %v: %s", resp.Status, err, body)
	}
	return string(body)
}
