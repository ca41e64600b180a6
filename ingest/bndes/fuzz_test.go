package bndes

import (
	"strings"
	"testing"
)

// FuzzClient splits what BNDES writes of a client, and reads hidden numbers.
func FuzzClient(f *testing.F) {
	f.Add("PADARIA ESTRELA LTDA", "12.345.***/****-95")
	f.Add("12345678 MEI", "***")
	f.Fuzz(func(t *testing.T, client, document string) {
		if name, _, ok := splitClient(client); ok && !strings.Contains(client, strings.TrimSpace(name)) {
			t.Errorf("%q: %q", client, name)
		}
		parseMask(document)
		sumName(client)
	})
}
