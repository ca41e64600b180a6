package messenger

import "testing"

// FuzzSigned checks that no body passes without the signature of the secret.
func FuzzSigned(f *testing.F) {
	f.Add([]byte(`{}`), "sha256=00")
	f.Add([]byte{}, "sha256=")
	f.Fuzz(func(t *testing.T, body []byte, header string) {
		if signed(body, header, "segredo") {
			t.Errorf("%q is accepted with %q", body, header)
		}
	})
}
