package browser

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// printed prints the page of a company: links elsewhere are omitted, records folded on screen are
// printed, and what explains sources without records is not, so that an ordinary company is one page.
func (w *website) printed(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.open("/" + chain)
	v.do(emulation.SetEmulatedMedia().WithMedia("print"))
	// What was folded is laid out with the next frame.
	v.until(`document.querySelector(".listed .twin :is(li, tr)").checkVisibility({ contentVisibilityAuto: true })`)
	for selector, want := range map[string]string{
		"header.site .wrap": "none", "nav.top": "none", ".search": "none", "footer.site nav": "none", ".pager": "none", "button": "none", ".switch": "none", ".sources details > p ~ p": "none",
		"h1": "shown", ".facts": "shown", "#registros": "shown", "#procedencia": "shown", ".printed": "shown", "#resumo": "shown", ".sources summary": "shown",
	} {
		state := `(() => {
			const element = document.querySelector("` + selector + `");
			return element ? element.checkVisibility({ contentVisibilityAuto: true }) ? "shown" : "none" : "missing";
		})()`
		if got := eval[string](v, state); got != want {
			t.Errorf("%s is %s on paper, want %s", selector, got, want)
		}
	}
	if n := v.sheets(); n < 2 {
		t.Errorf("a company with records of three sources is %d pages", n)
	}
	v.open("/empresas?natureza=2062&situacao=02")
	ordinary := 0
	for _, path := range eval[[]string](v, `[...document.querySelectorAll(".results h2 a")].map((a) => a.getAttribute("href"))`) {
		v.open(path)
		if eval[bool](v, `document.querySelector(".theme, #estabelecimentos") !== null`) {
			continue
		}
		ordinary++
		if n := v.sheets(); n != 1 {
			t.Errorf("%s, without records and branches, is %d pages", path, n)
		}
	}
	if ordinary < 3 {
		t.Fatalf("only %d companies are without records and branches", ordinary)
	}
}

// sheets returns how many pages the page is on paper of its own size.
func (v *visitor) sheets() int {
	v.t.Helper()
	sheet, _, err := page.PrintToPDF().WithPreferCSSPageSize(true).Do(v.inPage())
	if err != nil || !bytes.HasPrefix(sheet, []byte("%PDF-")) {
		v.t.Fatalf("%d bytes of PDF that begin with %.20q, %v", len(sheet), sheet, err)
	}
	return bytes.Count(sheet, []byte("/Type /Page\n"))
}

// cites copies the citation of a page. The date of access comes from the reader's clock; without
// scripts it is left blank.
func (w *website) cites(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.do(page.Enable())
	if _, err := page.AddScriptToEvaluateOnNewDocument(`Date = class extends Date { constructor() { super(2027, 4, 1, 23, 59) } }`).Do(v.inPage()); err != nil {
		t.Fatal(err)
	}
	v.open("/" + chain)
	v.do(chromedp.Click(".tools summary", chromedp.ByQuery))
	cited := eval[string](v, `document.querySelector("[data-cited]").innerText`)
	if !strings.HasPrefix(cited, "RAZÃO. ") || !strings.HasSuffix(cited, "/"+chain+". Acesso em: 1 maio 2027.") {
		t.Errorf("the page says %q", cited)
	}
	v.copies("[data-cited] + button", cited)
	v.do(emulation.SetScriptExecutionDisabled(true))
	v.open("/" + chain)
	if cited := eval[string](v, `document.querySelector("[data-cited]").textContent`); !strings.HasSuffix(cited, "Acesso em: [dia, mês e ano em que você leu].") {
		t.Errorf("without a script the page says %q", cited)
	}
}
