package browser

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
)

// asked are the questions of a check of a supplier, by the words that the first screen answers them under.
var asked = []string{"Dívida ativa", "Sanções", "Contratos", "Empréstimos do BNDES"}

// nothingThere is the answer where the loads in service have no record.
const nothingThere = "nada nesta carga"

// firstScreen opens companies and reads, without scrolling on a large screen and within one and a half on a phone, whether they owe, how
// much, and whether they are sanctioned.
func (w *website) firstScreen(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.loadFont()
	// What is known of companies, as regular expressions: a count and a sum, in either order.
	both := func(count string) string { return `\b` + count + `\b.*R\$\s\d|R\$\s\d.*\b` + count + `\b` }
	known := map[string]map[string]string{
		debtor:     {"Dívida ativa": both("40"), "Sanções": nothingThere, "Contratos": nothingThere, "Empréstimos do BNDES": both("24")},
		sanctioned: {"Dívida ativa": both("1"), "Sanções": `\d`, "Empréstimos do BNDES": nothingThere},
		chain:      {"Dívida ativa": both("35"), "Sanções": nothingThere, "Contratos": both("40"), "Empréstimos do BNDES": both("39")},
	}
	for _, screen := range screens {
		bottom := screen.height
		if screen.width == phone {
			bottom *= 1.5
		}
		v.size(int64(screen.width))
		for _, number := range []string{chain, debtor, sanctioned, closed, entrepreneur} {
			v.open("/" + number)
			v.within(bottom, "#resumo")
			said := v.answers()
			for _, question := range asked {
				if want := regexp.MustCompile(cmp.Or(known[number][question], nothingThere+`|\d`)); !want.MatchString(said[question]) {
					t.Errorf("%s: %s is answered with %q, want %s", number, question, said[question], want)
				}
			}
		}
	}
}

// screens are the windows of a large screen and of a phone.
var screens = []struct{ width, height float64 }{{wide, 900}, {phone, 844}}

// firstResults opens the home page and lists: the first screen has the search box and the beginning of the map, or what was asked for, three
// results and on a phone one.
func (w *website) firstResults(t *testing.T) {
	t.Parallel()
	v := w.visit(t)
	v.loadFont()
	for _, screen := range screens {
		v.size(int64(screen.width))
		v.open("/")
		v.within(screen.height, `main input[name=q]`)
		results := 1
		if screen.width == wide {
			results = 3
			if top := eval[float64](v, `document.querySelector("main svg")?.getBoundingClientRect().top ?? 1e9`); top > screen.height {
				t.Errorf("the map of the home page begins at %.0f px", top)
			}
		}
		for _, path := range []string{"/busca?q=comercio", "/busca?q=silva&em=socios", "/busca?uf=SP&agrupar=nao&situacao=02", "/empresas", "/empresas?ordem=nome"} {
			v.open(path)
			if n := eval[int](v, `document.querySelectorAll(".results > li").length`); n != 20 {
				t.Fatalf("%s has %d results", path, n)
			}
			v.within(screen.height, `.results > li:nth-child(`+strconv.Itoa(results)+`)`)
		}
	}
}

// within checks that an element ends above a height of the page.
func (v *visitor) within(height float64, selector string) {
	v.t.Helper()
	if bottom := eval[float64](v, `document.querySelector(`+strconv.Quote(selector)+`)?.getBoundingClientRect().bottom ?? 0`); bottom <= 0 || bottom > height {
		v.t.Errorf("%s: %s ends at %.0f px, want %.0f at most", v.path(), selector, bottom, height)
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

// answers returns what the summary says after each of the words.
func (v *visitor) answers() map[string]string {
	v.t.Helper()
	read := v.reads("#resumo")
	var words []string
	for _, question := range asked {
		words = append(words, regexp.QuoteMeta(question))
	}
	at := regexp.MustCompile(`(?i)`+strings.Join(words, "|")).FindAllStringIndex(read, -1)
	said := map[string]string{}
	for i, begin := range at {
		end := len(read)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		for _, question := range asked {
			if strings.EqualFold(read[begin[0]:begin[1]], question) {
				said[question] += read[begin[1]:end]
			}
		}
	}
	if len(said) != len(asked) {
		v.t.Errorf("the summary lacks some of %s: %s", strconv.Quote(strings.Join(asked, ", ")), read)
	}
	return said
}
