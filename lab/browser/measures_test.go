package browser

import (
	"slices"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// measured are the states whose heights, weights and shifts are logged.
var measured = []string{
	"home", "busca", "busca-filtros", "empresa-ibama", "empresa", "empresa-individual", "uf", "cidade", "estados", "municipios", "comparar", "socio",
}

// observed collects layout shifts from the beginning of a page on, each with what has moved: also those that the browser excuses because
// the window has just got its size. Below a thousandth nobody sees one, a hundredth of what web.dev calls good: a line moves by parts of a pixel.
const observed = `
	const moved = [];
	const note = (entries) => moved.push(...entries.filter(({ value }) => value >= .001).map(({ value, sources }) =>
		value.toFixed(4) + ": " + sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? node?.textContent).join(" | ")));
	const observer = new PerformanceObserver((list) => note(list.getEntries()));
	observer.observe({ type: "layout-shift" });
	window.shifts = () => { note(observer.takeRecords()); return moved; };`

// shifts returns them, once the font is there and two frames are drawn.
const shifts = `document.fonts.ready
	.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))))
	.then(() => window.shifts())`

// measures opens pages wide and narrow. Nothing in them moves, also where style sheet, scripts and at last the font are late.
func (w *website) measures(t *testing.T) {
	t.Parallel()
	for _, name := range measured {
		s := states[slices.IndexFunc(states, func(s state) bool { return s.name == name })]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := w.visit(t)
			if s.before != nil {
				s.before(v)
				s.path = v.path()
			}
			if _, err := page.AddScriptToEvaluateOnNewDocument(observed).Do(v.inPage()); err != nil {
				t.Fatal(err)
			}
			for _, width := range []int64{wide, phone} {
				v.size(width)
				v.late(0, 0)
				v.open(s.path)
				v.still(width)
				l := v.loaded()
				t.Logf("| %s | %d px | %d px high | %d bytes, document %d | %d requests |", name, width,
					eval[int](v, `document.documentElement.scrollHeight`), l.total(), l.bytes[network.ResourceTypeDocument], l.requests)
				if l.total() > maxBytes {
					t.Errorf("the page takes %d bytes, the bar is %d", l.total(), maxBytes)
				}
				v.late(150, 1000)
				v.open(s.path)
				v.still(width)
			}
		})
	}
}

// late delays all answers to the page, and those that are fonts, by milliseconds.
func (v *visitor) late(all, fonts float64) {
	v.t.Helper()
	late := func(pattern string, latency float64) *network.Conditions {
		return &network.Conditions{URLPattern: pattern, Latency: latency, DownloadThroughput: -1, UploadThroughput: -1}
	}
	conditions := []*network.Conditions{late("http://*:*/static/*.woff2", fonts), late("", all)}
	if _, err := network.EmulateNetworkConditionsByRule(false, conditions).Do(v.inPage()); err != nil {
		v.t.Fatal(err)
	}
}

// still checks that nothing of the page has moved.
func (v *visitor) still(width int64) {
	v.t.Helper()
	var moved []string
	v.do(chromedp.Evaluate(shifts, &moved, wait))
	for _, shift := range moved {
		v.t.Errorf("at %d px the page moves by %s", width, shift)
	}
}
