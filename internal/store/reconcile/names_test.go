package reconcile

import (
	"testing"
)

// TestLikeness compares names pair by pair: the first is more like the wanted one than the second.
func TestLikeness(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ wanted, nearer, farther string }{
		{"PADARIA AURORA", "PADARIA AURORA LTDA", "PADARIA AURORA DO CAMBUI LTDA"},
		{"PADARIA AURORA LTDA", "PADARIA AURORA LTDA", "PADARIA AURORA S/A"},
		{"PADARIA AURORRA", "PADARIA AURORA", "PADARIA AUREA"},
		{"AUTO POSTO KM 47", "AUTO POSTO KM 47 LTDA", "AUTO POSTO KM 74 LTDA"},
		{"SOUZA TRANSPORTES", "SOUSA TRANSPORTES", "SUZANA TRANSPORTES"},
		{"COM DE PARAFUSOS", "COMERCIO DE PARAFUSOS", "COMPANHIA DE PARAFUSOS"},
		{"J C SILVESTRE", "J. C. SILVESTRE LTDA", "J. R. SILVESTRE LTDA"},
		{"PETSHOP RABO TORTO", "PET SHOP RABO TORTO", "PET RABO TORTO"},
		{"COOPERATIVA MISTA DOS PRODUT", "COOPERATIVA MISTA DOS PRODUTORES", "COOPERATIVA MISTA DOS PESCADORES"},
		{"SILVA E SOUZA", "SOUZA E SILVA", "SOUZA E SALES"},
	} {
		wanted := nameOf(c.wanted)
		near, far := likeness(wanted, nameOf(c.nearer), nil), likeness(wanted, nameOf(c.farther), nil)
		if near <= far {
			t.Errorf("%q: %q has %.3f, %q has %.3f", c.wanted, c.nearer, near, c.farther, far)
		}
	}
	place := map[string]bool{"campinas": true, "sp": true}
	if got := likeness(nameOf("PADARIA AURORA CAMPINAS SP"), nameOf("PADARIA AURORA"), place); got != 1 {
		t.Errorf("with the words of the place: %.3f", got)
	}
}

// FuzzLikeness fails if a likeness is not between 0 and 1, or a name is not wholly like itself.
func FuzzLikeness(f *testing.F) {
	f.Add("PADARIA E CONFEITARIA CENTRAL LTDA", "PADARIA CENTRAL S/A", "central")
	f.Add("D'ÁGUA 24 H", "", "d")
	f.Add("LTDA ME", "DE DA", "\xff")
	f.Fuzz(func(t *testing.T, a, b, place string) {
		if len(a)+len(b) > 1000 { // names have 200 characters
			return
		}
		words := map[string]bool{place: true}
		x, y := nameOf(a), nameOf(b)
		if l := likeness(x, y, words); l < 0 || l > 1.0000001 {
			t.Errorf("%q, %q: %f", a, b, l)
		}
		if l := likeness(x, x, words); len(x) > 0 && l != 1 {
			t.Errorf("%q: %f like itself", a, l)
		}
	})
}
