package find

import (
	"testing"
)

func TestWithout(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"padaria central Campinas, SP", "campinas sp", "padaria central"},
		{"São Paulo padaria", "sao paulo", "padaria"},
		{"padaria São Paulo em são paulo", "sao paulo", "padaria São Paulo em"},
		{"padaria", "campinas", "padaria"},
		{"campinas", "campinas", ""},
		{"padaria", "", "padaria"},
	} {
		if got := without(c[0], c[1]); got != c[2] {
			t.Errorf("%q without %q: got %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
