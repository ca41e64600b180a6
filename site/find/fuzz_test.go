package find

import (
	"html"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"razao/index"
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

// FuzzMark checks that a marked name holds no tag but <mark>, whatever was published and typed (XSS),
// and that it is the name otherwise.
func FuzzMark(f *testing.F) {
	f.Add("Padaria <b>Estrela</b> & Cia", "estrela b cia")
	f.Add("<mark>", "mark")
	f.Add("R&amp;B \"Música\" d'Água +", "amp musica agua")
	f.Fuzz(func(t *testing.T, name, typed string) {
		h := newHighlighter(typed, index.Understood{})
		var b strings.Builder
		if err := highlighted(name, h.split(name)).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		marked := b.String()
		plain := strings.NewReplacer("<mark>", "", "</mark>", "").Replace(marked)
		if strings.ContainsAny(plain, `<>"`) || strings.Count(marked, "<mark>") != strings.Count(marked, "</mark>") {
			t.Errorf("%q, typed %q: %s", name, typed, marked)
		}
		if html.UnescapeString(plain) != name {
			t.Errorf("%q, typed %q: %s", name, typed, marked)
		}
	})
}
