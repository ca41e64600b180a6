package browser

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// printed prints the page of a company: links elsewhere are omitted, sections folded on screen are
// printed.
func (w *website) printed(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.open("/" + chain)
	v.do(emulation.SetEmulatedMedia().WithMedia("print"))
	// What was folded is laid out with the next frame.
	v.until(`document.querySelector(".sources details > p ~ p").checkVisibility({ contentVisibilityAuto: true })`)
	for selector, want := range map[string]string{
		"header.site .wrap": "none", "nav.top": "none", ".search": "none", "footer.site nav": "none", ".pager": "none", "button": "none",
		"h1": "shown", ".facts": "shown", "#registros": "shown", "#procedencia": "shown", ".printed": "shown",
	} {
		state := `(() => {
			const element = document.querySelector("` + selector + `");
			return element ? element.checkVisibility({ contentVisibilityAuto: true }) ? "shown" : "none" : "missing";
		})()`
		if got := eval[string](v, state); got != want {
			t.Errorf("%s is %s on paper, want %s", selector, got, want)
		}
	}
	sheet, _, err := page.PrintToPDF().Do(v.inPage())
	if err != nil || !bytes.HasPrefix(sheet, []byte("%PDF-")) || bytes.Count(sheet, []byte("/Type /Page\n")) < 2 {
		t.Errorf("%d bytes of PDF that begin with %.20q, %d pages, %v", len(sheet), sheet, bytes.Count(sheet, []byte("/Type /Page\n")), err)
	}
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
