package browser

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"testing"
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
	// What is known of companies, as regular expressions: a count and a sum, in either order.
	both := func(count string) string { return `\b` + count + `\b.*R\$\s\d|R\$\s\d.*\b` + count + `\b` }
	known := map[string]map[string]string{
		debtor:     {"Dívida ativa": both("40"), "Sanções": nothingThere, "Contratos": nothingThere, "Empréstimos do BNDES": both("24")},
		sanctioned: {"Dívida ativa": both("1"), "Sanções": `\d`, "Empréstimos do BNDES": nothingThere},
		chain:      {"Dívida ativa": both("35"), "Sanções": nothingThere, "Contratos": both("40"), "Empréstimos do BNDES": both("39")},
	}
	for _, window := range []struct{ width, bottom int64 }{{wide, 900}, {phone, 1266}} {
		v.size(window.width)
		for _, number := range []string{chain, debtor, sanctioned, closed, entrepreneur} {
			v.open("/" + number)
			bottom := eval[float64](v, `document.querySelector("#resumo")?.getBoundingClientRect().bottom ?? 0`)
			if t.Logf("at %d px the summary of %s ends at %.0f px", window.width, number, bottom); bottom <= 0 || bottom > float64(window.bottom) {
				t.Errorf("at %d px the summary of %s ends at %.0f px, want %d at most", window.width, number, bottom, window.bottom)
			}
			said := v.answers()
			for _, question := range asked {
				if want := regexp.MustCompile(cmp.Or(known[number][question], nothingThere+`|\d`)); !want.MatchString(said[question]) {
					t.Errorf("%s: %s is answered with %q, want %s", number, question, said[question], want)
				}
			}
		}
	}
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
