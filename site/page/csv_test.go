package page

import (
	"testing"
)

func TestInert(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "PADARIA": "PADARIA", "=1+1": "'=1+1", "+55": "'+55", "-X": "'-X", "@a": "'@a", "\tx": "'\tx", "A=1": "A=1"} {
		if got := Inert(text); got != want {
			t.Errorf("inert(%q) = %q, want %q", text, got, want)
		}
	}
}
