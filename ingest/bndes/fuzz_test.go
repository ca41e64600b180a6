package bndes

import (
	"strings"
	"testing"
)

// FuzzClient checks that splitting a client's name and parsing a masked document survive any text.
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
