package browser

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// signIn signs in by a mailed link and ends at next.
func (v *visitor) signIn(email, next string) {
	v.t.Helper()
	v.open("/login?next=" + next)
	v.send(200, "#email", email)
	v.shows("a mensagem com o link chega em instantes")
	v.open(v.mails.Link(v.ctx, v.t, email))
	v.shows("Confirmar entrada", email)
	v.click(`main form button`)
	v.at(next)
}

// createKey makes a key and returns it.
func (v *visitor) createKey(name string) string {
	v.t.Helper()
	v.open("/conta")
	v.send(200, "#nome", name)
	v.shows("Chave criada.", name)
	return eval[string](v, `document.querySelector('[aria-label="Chave nova"] code').innerText`)
}

// call calls the API with a key, as a program does, and returns the status.
func (v *visitor) call(key string) int {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.ctx, http.MethodGet, v.base+"/v1/cnpj/"+chain, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// calls reloads the account page until its usage shows n calls. They are written with a short
// delay.
func (v *visitor) calls(n string) {
	v.t.Helper()
	for v.ctx.Err() == nil {
		v.open("/conta")
		if eval[string](v, `document.querySelector("[aria-labelledby=uso] .figures b").innerText`) == n {
			return
		}
	}
	v.t.Fatalf("the usage never shows %s calls", n)
}

// key makes a key, calls the API with it and revokes it.
func (w *website) key(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.open("/conta")
	v.at("/login?next=%2Fconta")
	v.signIn("ana@exemplo.com.br", "/conta")
	v.shows("ana@exemplo.com.br", "Ainda não há chaves", "0 chamadas admitidas")
	key := v.createKey("planilha de fornecedores")
	if !strings.HasPrefix(key, "rz_") {
		t.Fatalf("the key is %q", key)
	}
	v.copies(`button[data-copied="Chave copiada"]`, key)
	v.open("/conta")
	if text := eval[string](v, `document.documentElement.outerHTML`); strings.Contains(text, key) {
		t.Error("the key is shown again")
	}
	if status := v.call(key); status != http.StatusOK {
		t.Errorf("the first call: %d", status)
	}
	v.calls("1")
	v.shows("planilha de fornecedores", "/v1/cnpj/", "chamada admitida")
	v.click(`form[action$="/revogar"] button`)
	v.at("/conta")
	v.shows("Chave revogada: novas chamadas com ela são recusadas.", "Revogada em")
	if status := v.call(key); status != http.StatusUnauthorized {
		t.Errorf("a call with the revoked key: %d", status)
	}
}

// copies clicks a button that copies and checks what the clipboard has then.
func (v *visitor) copies(button, want string) {
	v.t.Helper()
	executor := cdp.WithExecutor(v.ctx, chromedp.FromContext(v.ctx).Browser)
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		permission := &browser.PermissionDescriptor{Name: name}
		if err := browser.SetPermission(permission, browser.PermissionSettingGranted).WithBrowserContextID(v.profile).Do(executor); err != nil {
			v.t.Fatal(err)
		}
	}
	v.do(chromedp.Click(button, chromedp.ByQuery))
	v.until(`document.querySelector('` + button + `').textContent === "Copiado"`)
	var got string
	v.do(chromedp.Evaluate(`navigator.clipboard.readText()`, &got, wait))
	if got != want {
		v.t.Errorf("the clipboard has %q, want %q", got, want)
	}
}

// wait makes an evaluation wait for a promise.
func wait(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// sessions signs in with two browsers, ends the session of one in the other, signs out and deletes the account.
func (w *website) sessions(t *testing.T) {
	t.Parallel()
	const email = "bia@exemplo.com.br"
	here, there := w.visit(t), w.visit(t)
	here.signIn(email, "/conta")
	there.signIn(email, "/conta")
	here.open("/conta")
	const rows = `document.querySelectorAll("[aria-labelledby=sessoes] tbody tr").length`
	if n := eval[int](here, rows); n != 2 {
		t.Fatalf("%d sessions, want two", n)
	}
	here.shows("Chrome em ", "este")
	here.click(`[aria-labelledby=sessoes] tbody tr:not(:has(.badge)) button`)
	here.shows("Sessão encerrada.")
	if n := eval[int](here, rows); n != 1 {
		t.Errorf("%d sessions are left, want one", n)
	}
	there.open("/conta")
	there.at("/login?next=%2Fconta")

	here.click(`form[action="/conta/sair"] button`)
	here.shows("Você saiu da conta neste navegador.")
	here.open("/conta")
	here.at("/login?next=%2Fconta")

	here.signIn(email, "/conta")
	key := here.createKey("planilha")
	here.send(422, "#confirmar", "outra@exemplo.com.br")
	here.shows("Este não é o e-mail da conta. Nada foi excluído.")
	here.send(200, "#confirmar", email)
	here.shows("A conta foi excluída")
	here.open("/conta")
	here.at("/login?next=%2Fconta")
	if status := here.call(key); status != http.StatusUnauthorized {
		t.Errorf("a call with the key of the account that was deleted: %d", status)
	}
}

// links checks that a sign-in link cannot redirect to another site (open redirect), and that used
// and forged links do not sign in.
func (w *website) links(t *testing.T) {
	t.Parallel()
	const email = "caio@exemplo.com.br"
	v := w.visit(t)
	v.open("/login?next=//evil.example/")
	v.send(200, "#email", email)
	link := v.mails.Link(v.ctx, t, email)
	v.open(link)
	v.click(`main form button`)
	v.at("/")
	v.open(link)
	v.at("/login?error=link")
	v.shows("já foi usado ou venceu")
	v.open("/auth/callback?token=inventado")
	v.shows("já foi usado ou venceu")
}
