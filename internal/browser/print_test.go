package browser

import (
	"bytes"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
)

// printed prints the page of a company: what leads elsewhere stays out, what is folded on the screen is there.
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
