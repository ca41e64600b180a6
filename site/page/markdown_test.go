package page

import (
	"strings"
	"testing"
	"unicode"
)

func TestPlainText(t *testing.T) {
	t.Parallel()
	for published, want := range map[string]string{
		"PADARIA & CIA":                    `PADARIA \& CIA`,
		"***456789**":                      `\*\*\*456789\*\*`,
		"<b>[a](b)</b> `x` | _y_ ~z~ \\ #": "\\<b\\>\\[a\\](b)\\</b\\> \\`x\\` \\| \\_y\\_ \\~z\\~ \\\\ \\#",
		"  two\n lines\t\x00 ":             "two lines",
		"R$\u00a01,00":                     "R$\u00a01,00",
		"veja https://x.exemplo":           `veja https\://x.exemplo`,
		"WWW.x.exemplo, aWww.":             `WWW\.x.exemplo, aWww\.`,
		"12:30 ou 1/2":                     "12:30 ou 1/2",
	} {
		if got := PlainText(published); got != want {
			t.Errorf("%q becomes %q, want %q", published, got, want)
		}
	}
	if got, want := linkText("[x]", "https://x.exemplo/a b(c)|<d>"), `[\[x\]](https://x.exemplo/a%20b%28c%29%7C%3Cd%3E)`; got != want {
		t.Errorf("link %s, want %s", got, want)
	}
}

func TestCodeSpan(t *testing.T) {
	t.Parallel()
	for published, want := range map[string]string{
		"sem_ocorrencia":  "`sem_ocorrencia`",
		`*_b_ \\ <c> [d]`: "`*_b_ \\\\ <c> [d]`",
		"":                "",
		" two\n lines ":   "`two lines`",
		"a`b":             "``a`b``",
		"a``b`":           "``` a``b` ```",
		"`":               "`` ` ``",
		"a|b_c":           `a\|b\_c`,
	} {
		if got := codeSpan(published); got != want {
			t.Errorf("%q becomes %q, want %q", published, got, want)
		}
	}
}

// FuzzCodeSpan: any text without a bar is read as one code span that has the whole text.
func FuzzCodeSpan(f *testing.F) {
	for _, seed := range []string{"", "sem_ocorrencia", "`", "a``b", "` `", `\`, "\u00a0", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, published string) {
		line := oneLine(published)
		if line == "" || strings.Contains(line, "|") {
			return
		}
		span := codeSpan(published)
		fence := span[:len(span)-len(strings.TrimLeft(span, "`"))]
		inner, closed := strings.CutSuffix(span[len(fence):], fence)
		if strings.HasPrefix(inner, " ") && strings.HasSuffix(inner, " ") {
			inner = inner[1 : len(inner)-1]
		}
		if !closed || strings.Contains(inner, fence) || inner != line {
			t.Fatalf("%q becomes %q", published, span)
		}
	})
}

// FuzzPlainText: any text stays on one line, keeps its words and has no active character.
func FuzzPlainText(f *testing.F) {
	for _, seed := range []string{"", "A & B", `\*`, "<script>", "a\nb", "www.a", "https://", "|", "\u00a0", "\xff\u202e"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, published string) {
		text := PlainText(published)
		if strings.ContainsAny(text, "\n\r\t") {
			t.Fatalf("%q has several lines", text)
		}
		var shown strings.Builder
		for i := 0; i < len(text); i++ {
			if text[i] == '\\' {
				if i++; i == len(text) || !strings.ContainsRune("\\`*_[]<>|~&#:.", rune(text[i])) {
					t.Fatalf("%q escapes what is no punctuation", text)
				}
			} else if strings.IndexByte("`*_[]<>|~&#", text[i]) >= 0 {
				t.Fatalf("%q leaves %q alone", text, text[i])
			}
			shown.WriteByte(text[i])
		}
		if strings.IndexFunc(published, unicode.IsLetter) >= 0 && shown.Len() == 0 {
			t.Fatalf("%q is not shown", published)
		}
	})
}
