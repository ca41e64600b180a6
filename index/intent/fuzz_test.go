package intent

import "testing"

// FuzzParse checks that words are in the order of their phrases, and none is empty.
func FuzzParse(f *testing.F) {
	f.Add(`padaria "estrela do sul" d.j.`)
	f.Add("\"“\xff«»\"")
	f.Fuzz(func(t *testing.T, typed string) {
		phrase := 0
		for _, w := range Parse(typed) {
			if w.Text == "" || w.Phrase != 0 && w.Phrase < phrase {
				t.Errorf("%q: %+v", typed, w)
			}
			phrase = max(phrase, w.Phrase)
		}
	})
}
