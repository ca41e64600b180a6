package browser

import (
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Expressions about the combobox.
const (
	isOpen   = `document.getElementById("q").getAttribute("aria-expanded") === "true" && !document.getElementById("sugestoes").hidden`
	isClosed = `document.getElementById("q").getAttribute("aria-expanded") === "false" && document.getElementById("sugestoes").hidden`
	options  = `document.querySelectorAll("#sugestoes [role=option]").length`
	said     = `document.querySelector(".field [role=status]").textContent`
	written  = `document.getElementById("q").value`
	// active is the option named by aria-activedescendant, which must be the one that looks selected.
	active = `(() => {
		const id = document.getElementById("q").getAttribute("aria-activedescendant") || "";
		const marked = [...document.querySelectorAll("#sugestoes [aria-selected=true]")].map((option) => option.id).join();
		return id === marked ? id : "told " + id + ", marked " + marked;
	})()`
)

// enter presses Enter as a keyboard does: a page that handles the key keeps the form from being sent.
var enter = chromedp.Tasks{
	input.DispatchKeyEvent(input.KeyDown).WithKey("Enter").WithCode("Enter").WithText("\r").WithWindowsVirtualKeyCode(13),
	input.DispatchKeyEvent(input.KeyUp).WithKey("Enter").WithCode("Enter").WithWindowsVirtualKeyCode(13),
}

// openHome opens the first page and waits until the search box has the focus and its suggestions.
func (v *visitor) openHome() {
	v.t.Helper()
	v.open("/")
	v.until(`document.activeElement.id === "q" && document.activeElement.getAttribute("role") === "combobox"`)
}

// combobox operates the suggestions by keyboard as in the combobox pattern of WAI-ARIA 1.2. Where
// requests are counted it types a single letter: between two, a slow machine may already send a
// request.
func (w *website) combobox(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.openHome()
	v.do(chromedp.KeyEvent("c"))
	v.until(isOpen)
	n := eval[int](v, options)
	if n < 3 {
		t.Fatalf("%d suggestions, the script needs three", n)
	}
	if got := eval[string](v, said); got != strconv.Itoa(n-1)+" sugestões" { // the last line searches for what was typed
		t.Errorf("%d suggestions are announced as %q", n-1, got)
	}
	if !eval[bool](v, `(() => {
		const list = document.getElementById("sugestoes");
		list.style.maxHeight = "8rem"; // fewer lines than there are
		const shown = list.lastElementChild.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom;
		return shown && list.scrollHeight > list.clientHeight && list.lastElementChild.innerText.startsWith("Buscar por");
	})()`) {
		t.Error("a long list does not end with the search itself")
	}
	first, second, last := "sugestao-0", "sugestao-1", "sugestao-"+strconv.Itoa(n-1)
	for _, step := range []struct{ name, key, want string }{
		{"nothing is chosen at first", "", ""},
		{"down to the first", kb.ArrowDown, first},
		{"down to the second", kb.ArrowDown, second},
		{"up to the first", kb.ArrowUp, first},
		{"up to the box", kb.ArrowUp, ""},
		{"up to the last", kb.ArrowUp, last},
		{"home", kb.Home, first},
		{"end", kb.End, last},
		{"down past the last to the box", kb.ArrowDown, ""},
		{"up to the last", kb.ArrowUp, last},
	} {
		if step.key != "" {
			v.do(chromedp.KeyEvent(step.key))
		}
		if got := eval[string](v, active); got != step.want {
			t.Errorf("%s: %q is active, want %q", step.name, got, step.want)
		}
	}
	v.do(chromedp.KeyEvent(kb.Escape))
	v.until(isClosed)
	if got := eval[string](v, written+` + " " + document.activeElement.id + `+active); got != "c q" {
		t.Errorf("Esc leaves %q", got)
	}
	v.do(chromedp.KeyEvent(kb.ArrowDown)) // opens again
	v.until(isOpen)
	v.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	name := eval[string](v, `document.getElementById("sugestao-1").innerText.split("\n")[0]`)
	v.follow(200, enter)
	if path := v.path(); len(path) != len("/"+chain) {
		t.Errorf("Enter on %q leads to %s", name, path)
	}
	v.shows(name)
}

// comboboxNothing types a text that has no suggestions.
func (w *website) comboboxNothing(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.openHome()
	v.do(chromedp.KeyEvent("xqzxqz"))
	v.until(said + ` === "Nenhuma sugestão"`)
	if !eval[bool](v, isClosed) {
		t.Error("an empty list is shown")
	}
	v.follow(200, enter)
	v.at("/busca?q=xqzxqz")
}

// question is an intercepted request for suggestions.
type question struct {
	id      fetch.RequestID
	network network.RequestID
}

// hold intercepts requests for suggestions and returns them in order.
func (v *visitor) hold() <-chan question {
	v.t.Helper()
	held := make(chan question, 10)
	chromedp.ListenTarget(v.ctx, func(event any) {
		if e, ok := event.(*fetch.EventRequestPaused); ok {
			held <- question{e.RequestID, e.NetworkID}
		}
	})
	v.do(fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: "*/sugestoes*"}}))
	return held
}

// next returns the next request that is held.
func (v *visitor) next(held <-chan question) question {
	v.t.Helper()
	select {
	case q := <-held:
		return q
	case <-v.ctx.Done():
		v.t.Fatal("no request for suggestions")
		return question{}
	}
}

// comboboxStale delivers the suggestions of an earlier text after those of a later one
// (out-of-order responses).
func (w *website) comboboxStale(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.openHome()
	held, over := v.hold(), v.ends()
	v.do(chromedp.KeyEvent("s"))
	early := v.next(held)
	v.do(chromedp.KeyEvent("x"))
	late := v.next(held)
	v.do(fetch.ContinueRequest(late.id))
	v.until(said + ` === "Nenhuma sugestão"`)
	_ = fetch.ContinueRequest(early.id).Do(v.inPage()) // fails when the page gave it up
	v.waitFor(over, early.network)
	if got := eval[string](v, said); got != "Nenhuma sugestão" || !eval[bool](v, isClosed) {
		t.Errorf("the answer to an earlier question is shown: %q", got)
	}
}

// ends returns the ids of requests as they finish or fail.
func (v *visitor) ends() <-chan network.RequestID {
	over := make(chan network.RequestID, 100)
	chromedp.ListenTarget(v.ctx, func(event any) {
		switch e := event.(type) {
		case *network.EventLoadingFailed:
			over <- e.RequestID
		case *network.EventLoadingFinished:
			over <- e.RequestID
		}
	})
	return over
}

// waitFor waits until a request has ended and the page's handlers have run.
func (v *visitor) waitFor(over <-chan network.RequestID, id network.RequestID) {
	v.t.Helper()
	for got := network.RequestID(""); got != id; {
		select {
		case got = <-over:
		case <-v.ctx.Done():
			v.t.Fatal("a request does not end")
		}
	}
	v.do(chromedp.Evaluate(`new Promise((done) => setTimeout(done))`, nil, wait))
}

// comboboxFails makes a request for suggestions fail: search works all the same, and nothing is
// announced.
func (w *website) comboboxFails(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.openHome()
	held, over := v.hold(), v.ends()
	v.do(chromedp.KeyEvent("c"))
	v.expect(v.base + "/sugestoes?q=c")
	asked := v.next(held)
	v.do(fetch.FailRequest(asked.id, network.ErrorReasonConnectionReset))
	v.waitFor(over, asked.network)
	if got := eval[string](v, said); got != "" || !eval[bool](v, isClosed) {
		t.Errorf("what failed is announced as %q", got)
	}
	v.follow(200, enter)
	v.at("/busca?q=c")
}
