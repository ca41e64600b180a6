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

// sought holds the words to highlight, in the form in which the index compares them.
type sought struct {
	words []string
	last  string // last typed word, matched as a prefix; "" when it is weightless, such as "ltda"
}

// soughtIn returns the words of the text and of the corrections that were searched in their place.
func soughtIn(typed string, u index.Understood) sought {
	var s sought
	for _, c := range u.Corrections {
		typed += " " + c.To
	}
	for _, token := range text.Tokens(typed) {
		if s.last = ""; !text.IsWeightless([]byte(token.Text)) {
			s.words = append(s.words, text.Canonical([]byte(token.Text)))
			s.last = token.Text
		}
	}
	return s
}

// in splits a name at the words that match.
func (s *sought) in(name string) []segment {
	var parts []segment
	done := 0
	for _, token := range text.Tokens(name) {
		found := slices.Contains(s.words, text.Canonical([]byte(token.Text))) || s.last != "" && strings.HasPrefix(token.Text, s.last)
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
