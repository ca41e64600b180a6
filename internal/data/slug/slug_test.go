package slug

import "testing"

func TestMake(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, want string }{
		{"Campinas", "campinas"},
		{"SÃO PAULO", "sao-paulo"},
		{"São João d'Aliança", "sao-joao-d-alianca"},
		{"Sa\u0303o Joa\u0303o", "sao-joao"}, // decomposed
		{"  Embu-Guaçu  ", "embu-guacu"},
		{"A & B -- C.", "a-b-c"},
		{"Nº 1 ½", "no-1-1-2"},
		{"中文", ""},
		{"...", ""},
		{"", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := Make(c.name); got != c.want {
				t.Errorf("Make(%q) = %q, want %q", c.name, got, c.want)
			}
		})
	}
}
