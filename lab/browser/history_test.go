package browser

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// recent is an expression for the recent searches on the home page, or the text shown instead.
const recent = `(() => {
	const place = document.getElementById("recentes");
	const links = [...place.querySelectorAll("a")].map((link) => link.textContent);
	return place.hidden ? "" : links.length ? links.join("|") : place.textContent;
})()`

func (v *visitor) searchTwice() {
	v.openHome()
	v.send(200, "#q", "comercio")
	v.open("/empresas") // the box in the header counts too
	v.send(200, "#q", "padaria & filhos")
	v.openHome()
}

// history keeps searches, shows them on the first page, and forgets them when it is told to.
func (w *website) history(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.openHome()
	if got := eval[string](v, recent); got != "" {
		t.Errorf("before any search: %q", got)
	}
	v.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(`addEventListener("load", () => { window.atLoad = document.getElementById("recentes") && ` + recent + ` })`).Do(ctx)
		return err
	}))
	v.searchTwice()
	v.recent("padaria & filhos|comercio")
	if got := eval[string](v, "window.atLoad"); got != "padaria & filhos|comercio" {
		t.Errorf("when the page has loaded it shows %q; what comes later moves what is read", got)
	}
	v.send(200, "#q", "COMERCIO")
	v.openHome()
	v.recent("COMERCIO|padaria & filhos")
	v.click(`#recentes a:nth-of-type(2)`)
	v.at("/busca?q=padaria%20%26%20filhos")
	for _, q := range strings.Fields("um dois tres quatro cinco seis sete") {
		v.open("/empresas")
		v.send(200, "#q", q)
	}
	v.openHome()
	v.recent("sete|seis|cinco|quatro|tres|dois|um|COMERCIO")

	const status, focused = `document.querySelector("#recentes + [role=status]").textContent`, `document.activeElement.id`
	v.do(chromedp.Click(`#recentes button:nth-of-type(1)`, chromedp.ByQuery))
	if got := eval[string](v, recent+` + "," + `+status+` + "," + `+focused); got != ",Buscas apagadas.,q" {
		t.Errorf("cleared: %q", got)
	}
	v.openHome()
	v.recent("")

	v.searchTwice()
	v.do(chromedp.Click(`#recentes button:nth-of-type(2)`, chromedp.ByQuery))
	v.send(200, "#q", "segredo")
	v.openHome()
	v.recent("As suas buscas não são guardadas. Guardar neste navegador")
	if kept := eval[string](v, `JSON.stringify({ ...localStorage })`); kept != `{"buscas":"desligadas"}` {
		t.Errorf("the browser keeps %s", kept)
	}
	v.do(chromedp.Click(`#recentes button`, chromedp.ByQuery))
	v.send(200, "#q", "comercio")
	v.openHome()
	v.recent("comercio")
}

func (v *visitor) recent(want string) {
	v.t.Helper()
	if got := eval[string](v, recent); got != want {
		v.t.Errorf("the first page shows %q, want %q", got, want)
	}
}

// historyWithoutStorage searches in browsers that deny localStorage, or that have something else
// under its key.
func (w *website) historyWithoutStorage(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	var script page.ScriptIdentifier
	v.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		script, err = page.AddScriptToEvaluateOnNewDocument(
			`Object.defineProperty(window, "localStorage", { get() { throw new DOMException("denied", "SecurityError"); } })`,
		).Do(ctx)
		return err
	}))
	v.searchTwice()
	v.recent("")
	v.do(page.RemoveScriptToEvaluateOnNewDocument(script))
	v.openHome()
	for _, kept := range []string{"{", `{"length":1}`, `[1,null,{"a":2}]`} {
		v.do(chromedp.Evaluate("localStorage.setItem(\"buscas\", "+strconv.Quote(kept)+")", nil))
		v.openHome()
		v.recent("")
	}
	v.send(200, "#q", "comercio")
	v.openHome()
	v.recent("comercio")
}
