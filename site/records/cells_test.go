package records

import (
	"strings"
	"testing"
)

func TestShortened(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("palavra é ", 30)
	cases := []struct{ name, text, begin string }{
		{"short", "curto", "curto"},
		{"as long as a cell", strings.Repeat("é", longText), strings.Repeat("é", longText)},
		{"without blanks", strings.Repeat("é", longText+1), strings.Repeat("é", longBegin)},
		{"long", long, strings.TrimSpace(strings.Repeat("palavra é ", 9))},
	}
	for _, c := range cases {
		p := shortened(c.text)
		if p.Text != c.begin {
			t.Errorf("%s: begins %q", c.name, p.Text)
		}
		if got := strings.ReplaceAll(p.Text+p.Rest, " ", ""); got != strings.ReplaceAll(c.text, " ", "") {
			t.Errorf("%s: %q is lost", c.name, got)
		}
	}
}
