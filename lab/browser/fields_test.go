package browser

import (
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// fills writes the beginning of a value into a field with a datalist and takes the first option, which must be want. The text arrives as a
// whole: key by key, a busy machine would show options for a shorter beginning.
func (v *visitor) fills(field, typed, want string) {
	v.t.Helper()
	list := `document.querySelector(` + strconv.Quote(field) + `).list`
	v.do(chromedp.Focus(field, chromedp.ByQuery), chromedp.KeyEvent(kb.End), input.InsertText(typed))
	v.until(list + `.options[0]?.value === ` + strconv.Quote(want))
	if offered := eval[int](v, list+`.options.length`); offered > 10 {
		v.t.Errorf("%q in %s is offered %d values", typed, field, offered)
	}
	v.do(chromedp.SetValue(field, want, chromedp.ByQuery))
}

// completesTheForm completes two municipalities and an activity in the form with all filters.
func (w *website) completesTheForm(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.open("/busca/avancada")
	v.fills("#f-municipio", "campin", "Campinas/SP")
	v.click(`.advanced > button`)
	v.at("/busca?municipio=6291")
	v.shows("Município: Campinas/SP")
	if where := eval[[]string](v, `[...document.querySelectorAll(".results li")].map((one) => one.innerText)`); len(where) == 0 {
		t.Error("nothing is found in Campinas")
	}
	v.open("/busca/avancada?municipio=6291")
	v.fills("#f-municipio", "; -sao pau", "Campinas/SP; -São Paulo/SP")
	// Browsers offer what has the typed letters: accents must not hide it.
	if label := eval[string](v, `document.querySelector("#f-municipio").list.options[0].label`); label != "Campinas/SP; -sao pau" {
		t.Errorf("an option with accents is called %q", label)
	}
	v.fills("#f-cnae", "padaria revenda", "4721-1/02 Padaria e confeitaria com predominância de revenda")
	v.click(`.advanced > button`)
	v.at("/busca?cnae=4721102&municipio=6291&municipio=-7107")
}

// completesAFacet completes a municipality beside results, and an activity beside those of a state.
func (w *website) completesAFacet(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.size(wide)
	v.open("/busca?q=comercio")
	before := v.total()
	v.fills(".facet [name=municipio]", "campin", "Campinas/SP")
	v.click(`.facet form:has([name=municipio]) button`)
	v.at("/busca?q=comercio&municipio=Campinas%2FSP")
	v.shows("Município: Campinas/SP")
	if after := v.total(); after == 0 || after >= before {
		t.Errorf("%d companies in the country, %d in Campinas", before, after)
	}
	v.open("/uf/sp?situacao=02")
	v.fills(".facet [name=cnae]", "comercio v", "47 Comércio varejista")
	v.click(`.facet form:has([name=cnae]) button`)
	v.at("/uf/sp?situacao=02&cnae=47+Com%C3%A9rcio+varejista")
	v.shows("Atividade principal: 47 Comércio varejista", "Situação: Ativa")
}
