package find

import (
	"html/template"
	"slices"
	"strings"

	"razao/index"
	"razao/index/term"
)

// highlighter holds the words to highlight, in the form in which the index compares them.
type highlighter struct {
	words []string
	last  string // last typed word, matched as a prefix; "" when it is weightless, such as "ltda"
}

// newHighlighter returns one for the words of the text and of the corrections that were searched in their place.
func newHighlighter(typed string, u index.Understood) highlighter {
	var h highlighter
	for _, c := range u.Corrections {
		typed += " " + c.To
	}
	for _, token := range term.Tokens(typed) {
		if h.last = ""; !term.IsWeightless([]byte(token.Text)) {
			h.words = append(h.words, term.Canonical([]byte(token.Text)))
			h.last = token.Text
		}
	}
	return h
}

// mark returns a name as HTML, with the words that match in <mark>.
func (h *highlighter) mark(name string) template.HTML {
	var b strings.Builder
	done := 0
	for _, token := range term.Tokens(name) {
		found := slices.Contains(h.words, term.Canonical([]byte(token.Text))) || h.last != "" && strings.HasPrefix(token.Text, h.last)
		if !found {
			continue
		}
		b.WriteString(template.HTMLEscapeString(name[done:token.Start]))
		b.WriteString("<mark>" + template.HTMLEscapeString(name[token.Start:token.End]) + "</mark>")
		done = token.End
	}
	b.WriteString(template.HTMLEscapeString(name[done:]))
	return template.HTML(b.String())
}
