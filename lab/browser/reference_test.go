package browser

import (
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// fetched counts what the page has loaded of Swagger UI.
const fetched = `performance.getEntriesByType("resource").filter((one) => one.name.includes("/static/swagger-ui")).length`

// reference opens the interactive reference, first while its script cannot be had, then by keyboard.
func (w *website) reference(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.open("/api/docs")
	if n := eval[int](v, fetched); n != 0 {
		t.Errorf("%d files of Swagger UI are loaded before anybody asked for it", n)
	}
	v.expect(eval[string](v, `new URL(document.getElementById("abrir").dataset.script, location).href`))
	v.do(network.SetBlockedURLs().WithURLPatterns([]*network.BlockPattern{{URLPattern: "http://*:*/static/swagger-ui-bundle*", Block: true}}))
	const said = `document.querySelector("#interativa [role=status]").textContent`
	v.do(chromedp.Click("#abrir", chromedp.ByQuery))
	v.until(said + ` === "Não foi possível carregar a referência agora. Tente de novo." && !document.getElementById("abrir").disabled`)
	v.do(network.SetBlockedURLs().WithURLPatterns([]*network.BlockPattern{}))
	v.do(chromedp.Focus("#abrir", chromedp.ByQuery), enter)
	v.until(`document.querySelectorAll("#swagger-ui .opblock").length > 10`)
	if got := eval[string](v, said+` + document.activeElement.dataset.document`); got != "/v2/openapi.json" {
		t.Errorf("the focus is on %q", got)
	}
	if eval[bool](v, `document.getElementById("abrir").checkVisibility()`) {
		t.Error("the button is still shown")
	}
	v.do(chromedp.Click(`button[data-document="/v1/openapi.json"]`, chromedp.ByQuery))
	v.until(`document.querySelectorAll("#swagger-ui .opblock").length === 1`)
}
