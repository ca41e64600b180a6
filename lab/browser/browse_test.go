package browser

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browse goes from a search to a company, to one of its partners, and back.
func (w *website) browse(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.open("/" + chain)
	name := eval[string](v, `document.querySelector("h1").innerText`)
	v.begin("/")
	v.send(200, "#q", name)
	if !strings.HasPrefix(v.path(), "/busca?q=") {
		t.Fatalf("the search is at %s", v.path())
	}
	results := v.path()
	v.click(`.results a[href="/` + chain + `"]`)
	v.at("/" + chain)
	v.shows(name, "22.667.159/0001-05")
	partner := eval[string](v, `document.querySelector('a[href^="/socio/"]').innerText`)
	v.reads(`section:has(a[href^="/socio/"])`, partner)
	v.click(`a[href^="/socio/"]`)
	if !strings.HasPrefix(v.path(), "/socio/") {
		t.Fatalf("the partner is at %s", v.path())
	}
	v.reads("main", partner, "Pessoas diferentes podem ter o mesmo nome", name)
	v.took(3)
	v.follow(200, chromedp.NavigateBack())
	v.at("/" + chain)
	v.follow(200, chromedp.NavigateBack())
	v.at(results)
	if got := eval[string](v, `document.getElementById("q").value`); got != name {
		t.Errorf("the search box has %q, want %q", got, name)
	}
}

// pasted puts a CNPJ into the search box, however it was copied, which leads straight to its page.
func (w *website) pasted(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	for text, number := range map[string]string{
		"22.667.159/0001-05": chain, chain: chain, debtor: debtor,
		"CNPJ: 22.667.159/0001-05": chain, "22,667,159,0001,05": chain, "22 667 159\u2044 0001\u201305": chain, "5369470000140": entrepreneur, "5.369.470/0001-40": entrepreneur,
	} {
		v.open("/")
		v.send(200, "#q", text)
		v.at("/" + number)
	}
}

// paging goes to the second page of every kind of list, and back.
func (w *website) paging(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	for _, list := range []struct{ name, path, in, item, second string }{
		{"results", "/busca?q=comercio", `main`, `.results h2`, "21 a "},
		{"companies", "/empresas", `main`, `.results h2`, "21 a "},
		{"branches", "/" + chain, `[aria-labelledby=estabelecimentos]`, `tbody tr`, "21 a "},
		{"debts", "/" + debtor, `#pgfn`, `.records tbody tr`, "11 a "},
		{"loans", "/" + borrower, `#bndes`, `.records tbody tr`, "11 a "},
		{"records of IBAMA", "/" + polluter + "/ibama/autos/1", `main`, `tbody tr`, "21 a "},
	} {
		v.open(list.path)
		items := `[...document.querySelectorAll("` + list.in + ` ` + list.item + `")].map((item) => item.innerText).join("|")`
		first := eval[string](v, items)
		v.click(list.in + ` .pager [rel=next]`)
		second := eval[string](v, items)
		if first == "" || second == "" || second == first {
			t.Errorf("%s: the second page has %.200q, the first %.200q", list.name, second, first)
		}
		if said := eval[string](v, `document.querySelector("`+list.in+` .pager").innerText`); !strings.Contains(said, list.second) {
			t.Errorf("%s: the second page is announced as %q", list.name, said)
		}
		v.click(list.in + ` .pager [rel=prev]`)
		if again := eval[string](v, items); again != first {
			t.Errorf("%s: back on the first page there is %.200q, want %.200q", list.name, again, first)
		}
	}
}

// filters narrows a search and a listing by links, and widens them again.
func (w *website) filters(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	for path, facet := range map[string]string{"/busca?q=comercio": "Situação", "/empresas": "Porte"} {
		v.open(path)
		all := v.total()
		v.size(phone)
		v.do(chromedp.Click(`.sheet`, chromedp.ByQuery))
		value := `//details[summary/h2="` + facet + `"]//li[1]/a`
		var count string
		v.do(chromedp.Text(value+`/span[2]`, &count, chromedp.BySearch))
		v.follow(200, chromedp.Click(value, chromedp.BySearch))
		if got, promised := v.total(), number(t, count); got != promised || got >= all {
			t.Errorf("%s: the filter leads to %d of %d, it promised %d", path, got, all, promised)
		}
		v.click(`.chips a`)
		if got := v.total(); got != all {
			t.Errorf("%s: %d without the filter, %d before", path, got, all)
		}
	}
}

// orders orders results by a menu: the mouse chooses, arrow keys choose and the button sends.
func (w *website) orders(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	const path, chosen = "/busca?em=nomes&q=comercio", `document.querySelector("#ordem").value`
	v.open(path)
	v.click(`[aria-label="Um resultado por"] a:not([aria-current])`)
	v.at("/busca?agrupar=nao&em=nomes&q=comercio")
	v.open(path)
	v.do(chromedp.Focus("#q", chromedp.ByQuery))
	for range 200 {
		if v.do(chromedp.KeyEvent(kb.Tab)); eval[bool](v, `document.activeElement.id === "ordem"`) {
			break
		}
	}
	v.do(chromedp.KeyEvent(kb.ArrowDown))
	v.at(path)
	if got := eval[string](v, chosen); got != "capital" {
		t.Fatalf("the arrow key chose %q", got)
	}
	v.do(chromedp.KeyEvent(kb.Tab))
	v.follow(200, enter)
	v.at(path + "&ordem=capital")
	if got := eval[string](v, chosen); got != "capital" {
		t.Errorf("the results are ordered by %q", got)
	}
	// The browser draws an open menu outside of the page: what it reports is made up.
	const byMouse = `(() => { const menu = document.querySelector("#ordem"); menu.value = "nome"; menu.dispatchEvent(new Event("change", { bubbles: true })); })()`
	v.follow(200, chromedp.Evaluate(byMouse, nil))
	v.at(path + "&ordem=nome")
}

// total reads how many establishments a page has found.
func (v *visitor) total() int {
	v.t.Helper()
	lead := eval[string](v, `document.querySelector(".lead").innerText`)
	counts := regexp.MustCompile(`[0-9.]*[0-9]`).FindAllString(lead, -1)
	if len(counts) == 0 {
		v.t.Fatalf("no total in %q", lead)
	}
	if strings.Contains(lead, " com ") {
		return number(v.t, counts[1]) // of a search that has each company once
	}
	return number(v.t, counts[0])
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.ReplaceAll(text, ".", ""))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
