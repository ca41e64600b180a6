package browser

import (
	"net/http"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// withoutScript does everything that matters in a browser that runs no JavaScript.
func (w *website) withoutScript(t *testing.T) {
	t.Parallel()
	const email = "fabio@exemplo.com.br"
	v := w.visit(t)
	v.do(emulation.SetScriptExecutionDisabled(true))
	v.open("/")
	if eval[bool](v, `document.getElementById("q").hasAttribute("role")`) {
		t.Fatal("scripts run")
	}
	v.send(200, "#q", "comercio")
	v.at("/busca?q=comercio")
	v.do(chromedp.SetValue("#ordem", "nome", chromedp.ByQuery))
	v.click(`.order button`)
	v.at("/busca?q=comercio&ordem=nome")
	v.open("/busca?q=comercio")
	v.click(`.pager [rel=next]`)
	v.at("/busca?pagina=2&q=comercio")
	v.click(`.results h2 a`)
	v.shows("Natureza jurídica", "Registros públicos", "Procedência")
	if n := eval[int](v, `[...document.querySelectorAll("button[data-copy]")].filter((button) => button.checkVisibility()).length`); n > 0 {
		t.Errorf("%d buttons are shown that need a script", n)
	}
	v.open("/api/docs")
	v.shows("A referência interativa precisa de JavaScript.", "/v2/openapi.json")
	if eval[bool](v, `document.getElementById("abrir").checkVisibility()`) {
		t.Error("the button of the reference is shown")
	}
	v.signIn(email, "/conta")
	key := v.createKey("sem script")
	if status := v.call(key); status != http.StatusOK {
		t.Errorf("a call with the key: %d", status)
	}
	v.calls("1")
	v.click(`form[action$="/revogar"] button`)
	v.shows("Chave revogada")
	v.send(200, "#confirmar", email)
	v.shows("A conta foi excluída")
}
