package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// stacked checks the tables that are shown: all that is in them is on the screen, and assistive technology finds tables with headings.
func (v *visitor) stacked(width int64) {
	v.t.Helper()
	const outside = `[...document.querySelectorAll("main table:not(.bars, .narrow, #swagger-ui table) *")]
		.filter((e) => { const box = e.getBoundingClientRect(); return e.checkVisibility() && !e.closest("thead") && box.width > 0 && (box.left < 0 || box.right > innerWidth + .5) })
		.slice(0, 5).map((e) => e.outerHTML.slice(0, 120)).join("\n")`
	if got := eval[string](v, outside); got != "" {
		v.t.Errorf("at %d px this of a table is off the screen:\n%s", width, got)
	}
	shown := eval[int](v, `[...document.querySelectorAll("table")].filter((one) => one.checkVisibility()).length`)
	nodes, err := accessibility.GetFullAXTree().Do(v.inPage())
	if err != nil {
		v.t.Fatal(err)
	}
	roles := map[string]int{}
	for _, node := range nodes {
		if node.Role != nil {
			roles[strings.Trim(string(node.Role.Value), `"`)]++
		}
	}
	if roles["table"] != shown || shown > 0 && (roles["row"] == 0 || roles["columnheader"] == 0 || roles["rowheader"] == 0) {
		v.t.Errorf("at %d px %d tables are shown; assistive technology is told of %d, with %d rows and %d and %d headings", width, shown,
			roles["table"], roles["row"], roles["columnheader"], roles["rowheader"])
	}
}

// inOrder goes through the header with the key Tab: what comes next is further right in its line, or below.
func (v *visitor) inOrder(width int64) {
	v.t.Helper()
	const stops = `(() => {
		const boxes = [...document.querySelectorAll("header.site :is(a, button, input, summary)")].filter((e) => e.checkVisibility() && e.type !== "hidden")
			.map((e) => [e.textContent || e.name, e.getBoundingClientRect()]);
		return boxes.slice(1).filter(([, b], i) => { const a = boxes[i][1]; return b.top < a.bottom - 4 && b.left < a.right - 4 })
			.map(([name]) => name).join(", ");
	})()`
	if got := eval[string](v, stops); got != "" {
		v.t.Errorf("at %d px the header is not in the order of its tab stops: %s", width, got)
	}
}

// focus names what has the focus.
const focus = `(() => { const e = document.activeElement; return (e.id && "#" + e.id) || e.innerText || e.tagName })()`

// phoneByKeyboard opens the menu and the filters of a phone with the keyboard, with and without scripts.
func (w *website) phoneByKeyboard(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	for _, scripts := range []bool{true, false} {
		v.do(emulation.SetScriptExecutionDisabled(!scripts))
		v.size(phone)
		v.open("/busca?q=comercio&situacao=02")
		v.do(chromedp.Focus(`.menu summary`, chromedp.ByQuery))
		if eval[bool](v, `document.querySelector(".top").checkVisibility({ contentVisibilityAuto: true })`) {
			t.Error("the menu is open from the beginning")
		}
		v.do(enter)
		v.soon(`document.querySelector(".menu").open`)
		v.inOrder(phone)
		v.do(chromedp.KeyEvent(kb.Tab))
		v.focused("Empresas")
		v.openSheet(scripts)
	}
}

// openSheet opens the filters, looks whether they keep what they promise, closes them and follows one.
func (v *visitor) openSheet(scripts bool) {
	v.t.Helper()
	const open = `document.querySelector("#filtros").matches(":popover-open")`
	if eval[bool](v, `document.querySelector("#filtros").checkVisibility()`) {
		v.t.Error("the filters are shown before they are asked for")
	}
	before := v.total()
	v.do(chromedp.Focus(`.sheet`, chromedp.ByQuery))
	v.focused("Filtrar (1 em uso)")
	v.do(enter)
	v.soon(open)
	v.soon(`document.activeElement.closest("#filtros") !== null`)
	if got := eval[bool](v, `document.querySelector(".results a").checkVisibility({ visibilityProperty: true })`); got {
		v.t.Error("results behind the filters can be reached")
	}
	if scripts {
		v.examine("filters open")
	}
	for range 200 { // to the last filter and on
		v.do(chromedp.KeyEvent(kb.Tab))
		if !eval[bool](v, `document.activeElement === document.body || document.activeElement.closest("#filtros") !== null`) {
			v.t.Fatalf("the focus went behind the filters: %s", eval[string](v, focus))
		}
		if eval[bool](v, `document.activeElement === [...document.querySelectorAll("#filtros :is(a, button, summary, input)")].filter((e) => e.checkVisibility()).at(-1)`) {
			break
		}
	}
	v.do(chromedp.KeyEvent(kb.Escape))
	v.soon(`!` + open)
	v.focused("Filtrar (1 em uso)")
	v.do(enter)
	v.soon(open)
	v.follow(200, chromedp.Focus(`#filtros .facet a:not([aria-current])`, chromedp.ByQuery), enter)
	if after := v.total(); after >= before {
		v.t.Errorf("a filter of the sheet leads from %d to %d", before, after)
	}
	if eval[bool](v, open) {
		v.t.Error("the filters cover the new results")
	}
}

// soon is until for pages without scripts, where there are no timers to wait with.
func (v *visitor) soon(expression string) {
	v.t.Helper()
	for !eval[bool](v, expression) {
		v.do(chromedp.Sleep(20 * time.Millisecond))
	}
}

func (v *visitor) focused(want string) {
	v.t.Helper()
	if got := eval[string](v, focus); got != want {
		v.t.Errorf("the focus is on %q, want %q", got, want)
	}
}

// back follows a suggestion and returns by the browser's history: the list is closed, and the box
// has the text of its page.
func (w *website) back(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	for _, width := range []int64{phone, wide} { // where the page is loaded again
		v.size(width)
		v.open("/busca?q=comercio")
		v.do(chromedp.Click("#q", chromedp.ByQuery), input.InsertText(" s")) // as a whole: a busy machine would open the list of " "
		v.until(isOpen)
		const widths = `[document.getElementById("sugestoes"), document.querySelector(".search")].map((e) => Math.round(e.getBoundingClientRect().width))`
		if got := eval[[]int](v, widths); got[0] != got[1] {
			t.Errorf("at %d px the suggestions are %d px wide, the form %d", width, got[0], got[1])
		}
		v.do(chromedp.KeyEvent(kb.ArrowDown))
		v.follow(200, enter)
		v.follow(200, chromedp.NavigateBack())
		v.at("/busca?q=comercio")
		v.until(`document.getElementById("q").getAttribute("role") === "combobox"`)
		if got := eval[string](v, written); got != "comercio" || !eval[bool](v, isClosed) {
			t.Errorf("back at %d px the box has %q, and no open list: %t", width, got, eval[bool](v, isClosed))
		}
	}
}

// backToKept returns to a page from the back/forward cache, which was left with typed text and an
// open list.
func (w *website) backToKept(t *testing.T) {
	t.Parallel()
	v := (&website{base: w.base, empty: w.empty, chromium: startChromium(t, true)}).visit(t)
	v.openHome()
	v.do(chromedp.Evaluate(`addEventListener("pageshow", (event) => { window.kept = event.persisted })`, nil))
	v.do(chromedp.KeyEvent("c"))
	v.until(isOpen)
	v.do(chromedp.KeyEvent(kb.ArrowDown))
	v.follow(200, enter)
	v.do(chromedp.Evaluate(`history.back()`, nil))
	for kept := false; !kept; { // asking fails while one page makes room for the other
		if err := chromedp.Run(v.ctx, chromedp.Sleep(20*time.Millisecond), chromedp.Evaluate(`window.kept === true`, &kept)); v.ctx.Err() != nil {
			t.Fatalf("no page that was kept: %v", err)
		}
	}
	if got := eval[string](v, written); got != "" || !eval[bool](v, isClosed) {
		t.Errorf("the page that was kept has %q in the box, and no open list: %t", got, eval[bool](v, isClosed))
	}
}
