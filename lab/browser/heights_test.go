package browser

import (
	"slices"
	"testing"

	"github.com/chromedp/cdproto/network"
)

// heights measures the home page, which fits a large screen with its map, and the pages of individual entrepreneurs without
// public records or changes: most companies are like that.
func (w *website) heights(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.size(wide)
	v.loadFont()
	v.open("/")
	if height := eval[int64](v, `document.documentElement.scrollHeight`); height > 1100 {
		t.Errorf("the home page is %d px high at %d", height, wide)
	}
	const individuals = "/empresas?natureza=2135"
	var found []string
	for _, page := range []string{individuals, individuals + "&pagina=2"} {
		v.open(page)
		found = append(found, eval[[]string](v, `[...document.querySelectorAll(".results h2 a")].map((a) => a.getAttribute("href"))`)...)
	}
	for _, bar := range []struct{ width, height int64 }{{wide, 1400}, {phone, 2600}} {
		v.size(bar.width)
		var measured []int64
		for _, path := range found {
			v.open(path)
			if eval[bool](v, `document.querySelector(".holds, .theme") !== null || document.getElementById("mudancas").parentElement.className !== "line"`) {
				continue
			}
			height := eval[int64](v, `document.documentElement.scrollHeight`)
			if measured = append(measured, height); height > bar.height {
				t.Errorf("%s is %d px high at %d, want %d at most", path, height, bar.width, bar.height)
			}
		}
		if len(measured) < 10 {
			t.Fatalf("only %d of %d pages are of individuals without records", len(measured), len(found))
		}
		t.Logf("at %d px: %d pages of %d to %d px", bar.width, len(measured), slices.Min(measured), slices.Max(measured))
	}
}

// loadFont fetches the font and lets the browser keep it. On a busy machine it may come too late for the first page, which
// then has another font (font-display: optional), in which texts are longer.
func (v *visitor) loadFont() {
	v.t.Helper()
	v.do(network.SetCacheDisabled(false))
	v.open("/")
	v.until(`document.fonts.check('1em "Public Sans"')`)
}

// heightsOfLists measures pages of twenty results, with their filters.
func (w *website) heightsOfLists(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.loadFont()
	for _, bar := range []struct{ width, height int64 }{{wide, 2000}, {phone, 3600}} {
		v.size(bar.width)
		for _, path := range []string{"/busca?q=comercio", "/busca?q=silva&em=socios", "/busca?uf=SP&agrupar=nao&situacao=02", "/empresas", "/empresas?ordem=nome"} {
			v.open(path)
			if n := eval[int](v, `document.querySelectorAll(".results > li").length`); n != 20 {
				t.Fatalf("%s has %d results", path, n)
			}
			height := eval[int64](v, `document.documentElement.scrollHeight`)
			if t.Logf("at %d px: %s has %d px", bar.width, path, height); height > bar.height {
				t.Errorf("%s is %d px high at %d, want %d at most", path, height, bar.width, bar.height)
			}
		}
	}
}
