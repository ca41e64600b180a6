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
		{"SIEMENS AG", "SIEMENS AKTIENGESELLSCHAFT", "SIEMENS GMBH"},
		{"CONSTRUTORA AB LTDA", "CONSTRUTORA AB", "CONSTRUTORA AG LTDA"},
		{"PADARIA TRES IRMAOS", "PADARIA 3 IRMAOS", "PADARIA 2 IRMAOS"},
		{"LOJA TRINTA E DOIS", "LOJA 32", "LOJA 30"},
		{"HOLDING PEDRO II", "HOLDING PEDRO 2", "HOLDING PEDRO III"},
		{"SILVA & SOUZA", "SILVA E SOUZA", "SILVA SOUZA"},
		{"DREXMOOR AND PYLE", "DREXMOOR & PYLE", "DREXMOOR PYLE"},
		{"BANCO LAPATIEF", "BANCO LAPATIFE", "BANCO LAPADIFE"},
		{"MERCADO LAPATIFE", "SUPERMERCADO LAPATIFE", "PADARIA LAPATIFE"},
		{"RESIDENCIAL IPE", "RESIDENCIAL IPE ROXO", "RESIDENCIAL IPE 2"},
		{"PADARIA AURORA SUL", "PADARIA AURORA", "PADARIA AURORA NORTE"},
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

// TestSameName: what two ways of writing one name have beside each other is nothing.
func TestSameName(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"Vodafone Ltd", "VODAFONE LIMITED"},
		{"Volkswagen Gesellschaft mit beschränkter Haftung", "Volkswagen G.m.b.H."},
		{"OAO Gazprom", "Gazprom JSC"},
		{"PADARIA AURORA LIMITADA", "Padaria Aurora Ltda."},
		{"AT&T Inc.", "AT and T Incorporated"},
		{"AUTO PECAS VISTA ALEGRE", "AUTOPEÇAS VISTA ALEGRE"},
		{"First Third Bank", "1st 3rd Bank"},
		{"EDIFICIO VINTE E UM", "EDIFICIO 21"},
	} {
		if got := Likeness(c[0], c[1]); got != 1 {
			t.Errorf("%s, %s: %.3f", c[0], c[1], got)
		}
	}
}

// TestShortNamesAreNotCutOff: a short name that another begins with is another name.
func TestShortNamesAreNotCutOff(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{{"Padaria Sol", "PADARIA SOLEVONORTE LTDA"}, {"Padaria Rio", "RIONONIPAN PADARIA LTDA"}, {"Farmacia Itapa", "FARMACIA ITAPADESUL S.A."}} {
		if got := Likeness(c[0], c[1]); got >= likeName+0.1 {
			t.Errorf("%s, %s: %.3f", c[0], c[1], got)
		}
	}
}

// FuzzLikeness fails if a likeness is not between 0 and 1, or a name is not wholly like itself.
func FuzzLikeness(f *testing.F) {
	f.Add("PADARIA E CONFEITARIA CENTRAL LTDA", "PADARIA CENTRAL S/A", "central")
	f.Add("D'ÁGUA 24 H", "", "d")
	f.Add("LTDA ME", "DE DA", "\xff")
	f.Add("VINTE E UM AG LTDA", "21 AKTIENGESELLSCHAFT & CO", "ag")
	f.Add("JOINT STOCK COMPANY X DO", "X II S.A. DE C.V.", "x")
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
