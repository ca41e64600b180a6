package find

import (
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

// piece is a part of a name, between two places where highlighting begins or ends.
type piece struct {
	Text   string
	Marked bool
}

// split cuts a name before and after the words that match. The pieces together are the name. It
// returns nil when no word matches.
func (h *highlighter) split(name string) []piece {
	var pieces []piece
	done := 0
	for _, token := range term.Tokens(name) {
		found := slices.Contains(h.words, term.Canonical([]byte(token.Text))) || h.last != "" && strings.HasPrefix(token.Text, h.last)
		if !found {
			continue
		}
		pieces = append(pieces, piece{Text: name[done:token.Start]}, piece{Text: name[token.Start:token.End], Marked: true})
		done = token.End
	}
	if pieces == nil {
		return nil
	}
	return append(pieces, piece{Text: name[done:]})
}
