package find

import (
	"slices"
	"strings"

	"razao/index"
	"razao/index/text"
)

// segment is a part of a name; Found says that it is a word that was searched.
type segment struct {
	Text  string
	Found bool
}

// sought are the words of a search, as the index compares them.
type sought struct {
	words []string
	last  string // which names may go on from; "" when it has no weight
}

// soughtIn returns the words of a text, and of what was searched instead of them.
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

// in parts a name where words that were sought begin and end.
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
