package find

import (
	"slices"
	"strings"

	"razao/index"
	"razao/index/text"
)

// segment is a part of a name; Found marks a word that matches the search.
type segment struct {
	Text  string
	Found bool
}

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
	for _, token := range text.Tokens(typed) {
		if h.last = ""; !text.IsWeightless([]byte(token.Text)) {
			h.words = append(h.words, text.Canonical([]byte(token.Text)))
			h.last = token.Text
		}
	}
	return h
}

// split splits a name at the words that match.
func (h *highlighter) split(name string) []segment {
	var parts []segment
	done := 0
	for _, token := range text.Tokens(name) {
		found := slices.Contains(h.words, text.Canonical([]byte(token.Text))) || h.last != "" && strings.HasPrefix(token.Text, h.last)
		if !found {
			continue
		}
		if token.Start > done {
			parts = append(parts, segment{name[done:token.Start], false})
		}
		parts = append(parts, segment{name[token.Start:token.End], true})
		done = token.End
	}
	if done < len(name) {
		parts = append(parts, segment{name[done:], false})
	}
	return parts
}
