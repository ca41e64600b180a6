package find

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzCutQuery checks that the text is valid UTF-8, bounded, free of control and bidi characters,
// and that cutQuery is idempotent.
func FuzzCutQuery(f *testing.F) {
	f.Add("padaria \u202eestrela\x00 ")
	f.Add("\xff\xfe")
	f.Fuzz(func(t *testing.T, typed string) {
		text, _ := cutQuery(typed)
		if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxQuery {
			t.Errorf("%q: %q", typed, text)
		}
		for _, r := range text {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Errorf("%q: %q", typed, text)
			}
		}
		if again, cut := cutQuery(text); again != text || cut {
			t.Errorf("%q: %q, and then %q", typed, text, again)
		}
	})
}
