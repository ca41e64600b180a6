package totals

import "testing"

func TestJSONText(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, got, want string }{
		{"JSON text", jsonText(`"a \u00e9 "`), "a é"},
		{"JSON number", jsonText("7056"), "7056"},
		{"JSON null", jsonText("null"), ""},
		{"JSON object", jsonText(`{"a":1}`), ""},
		{"broken JSON", jsonText(`"a`), ""},
	}
	for _, c := range cases {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
		}
	}
}
