package cnpj

import "testing"

func TestRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		given, masked string // masked is "" for what has not the form
		number        bool
	}{
		{"12.345.678/0001-95", "12.345.678/0001-95", true},
		{"12345678000100", "12.345.678/0001-00", true}, // wrong check digits
		{" 12abc345/01de-35 ", "12.ABC.345/01DE-35", true},
		{"12.345.678", "12.345.678", true},
		{"padarias", "PA.DAR.IAS", false},
		{"supermercados1", "SU.PER.MER/CADO-S1", false},
		{"SUPERME1234567", "SU.PER.ME1/2345-67", true},
		{"padaria", "", false},
		{"padaria estrela", "PA.DAR.IAE/STRE-LA", false}, // blanks are of the mask
		{"1234567", "", false},
		{"123456789012345", "", false},
		{"pãodeça", "", false},
		{"12345678?00195", "", false},
		{"", "", false},
	}
	for _, tt := range tests {
		got, ok := Read(tt.given)
		if ok != (tt.masked != "") {
			t.Errorf("Read(%q) = %+v, %v", tt.given, got, ok)
			continue
		}
		if ok && (got.Masked() != tt.masked || got.MeansNumber() != tt.number) {
			t.Errorf("Read(%q): %s, number %v", tt.given, got.Masked(), got.MeansNumber())
		}
	}
}

// FuzzRead checks that a text that Read accepts has the form of a CNPJ and reads the same after
// masking.
func FuzzRead(f *testing.F) {
	f.Add("12.345.678/0001-95")
	f.Add("ct.sb3.xpr")
	f.Add("１２３45678")
	f.Fuzz(func(t *testing.T, text string) {
		typed, ok := Read(text)
		if !ok {
			return
		}
		if again, ok := Read(typed.Masked()); !ok || again != typed {
			t.Errorf("%q: %+v, masked %q is %+v", text, typed, typed.Masked(), again)
		}
		if typed.Digits < 0 || typed.Digits > len(typed.Text) {
			t.Errorf("%q: %d digits", text, typed.Digits)
		}
		if root, err := ParseRoot(typed.Text); err == nil && root.String() != typed.Text {
			t.Errorf("%q: root %s", text, root)
		}
	})
}
