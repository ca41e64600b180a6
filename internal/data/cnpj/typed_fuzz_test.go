package cnpj

import "testing"

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
