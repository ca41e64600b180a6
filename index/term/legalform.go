package term

import (
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/search"
)

// legalForms has the legal forms of Brazil and of partners and parent companies abroad, each with all ways of
// writing it in words joined by hyphens, the shortest first. Behind a question mark are those that are also other words
// or initials.
var legalForms = readLegalForms(`
	ltda limitada sociedade-limitada
	sa sociedade-anonima sociedad-anonima societe-anonyme
	epp empresa-de-pequeno-porte
	me microempresa
	eireli
	?ab aktiebolag
	?ag aktiengesellschaft akg
	?as aktieselskab aksjeselskap
	?bv besloten-vennootschap
	bvba
	?co company
	co-ltd company-ltd company-limited co-limited
	corp corporation
	gmbh gesellschaft-mit-beschrankter-haftung
	gmbh-co-kg
	inc incorporated
	jsc joint-stock-company open-joint-stock-company public-joint-stock-company oao ojsc pjsc
	?kg kommanditgesellschaft
	llc limited-liability-company ooo
	llp limited-liability-partnership
	?lp limited-partnership
	ltd limited
	?nv naamloze-vennootschap
	plc public-limited-company
	pte-ltd pte-limited private-limited pvt-ltd
	pty-ltd pty-limited proprietary-limited
	sa-de-cv
	sarl societe-a-responsabilite-limitee
	?sas
	?se
	?sl sociedad-limitada
	?spa societa-per-azioni
	sp-zoo
	srl societatea-cu-raspundere-limitata societa-a-responsabilita-limitata
`)

// LegalForm is a legal form in its shortest writing.
type LegalForm struct {
	Text string
	// Certain is false for writings that are also words or initials: AB, SPA.
	Certain bool
}

// wayOfWriting is a way of writing a legal form.
type wayOfWriting struct {
	LegalForm
	words  []string
	joined string
}

// minMisspelt is the fewest letters of a form in which one may be wrong.
const minMisspelt = 12

// readLegalForms returns all ways of writing legal forms, those of most words first.
func readLegalForms(table string) (ways []wayOfWriting) {
	for line := range strings.Lines(strings.TrimSpace(table)) {
		short := ""
		for i, text := range strings.Fields(line) {
			text, uncertain := strings.CutPrefix(text, "?")
			words := strings.Split(text, "-")
			joined := strings.Join(words, " ")
			if i == 0 {
				short = joined
			}
			ways = append(ways, wayOfWriting{LegalForm{short, !uncertain}, words, joined})
		}
	}
	slices.SortStableFunc(ways, func(a, b wayOfWriting) int { return len(b.words) - len(a.words) })
	return ways
}

// LegalFormAtEnd returns the legal form that folded words end with, and of how many of them it consists; 0 if
// they end with none. One letter of a long one may be wrong.
func LegalFormAtEnd(words []string) (form LegalForm, n int) {
	for i := range legalForms {
		w := &legalForms[i]
		if n := len(w.words); n <= len(words) && w.is(words[len(words)-n:]) {
			return w.LegalForm, n
		}
	}
	return LegalForm{}, 0
}

// LegalFormAtStart is LegalFormAtEnd for the first words. What may be another word is none there.
func LegalFormAtStart(words []string) (form LegalForm, n int) {
	for i := range legalForms {
		w := &legalForms[i]
		if n := len(w.words); w.Certain && n <= len(words) && w.is(words[:n]) {
			return w.LegalForm, n
		}
	}
	return LegalForm{}, 0
}

// is reports whether as many words are this way of writing the form.
func (w *wayOfWriting) is(words []string) bool {
	last := len(words) - 1
	if words[last] == "" || words[last][0] != w.words[last][0] {
		return false
	}
	if len(w.joined) < minMisspelt {
		return slices.Equal(words, w.words)
	}
	_, more := search.LevenshteinDistanceMax(strings.Join(words, " "), w.joined, 1)
	return !more
}
