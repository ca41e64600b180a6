package slug

import (
	"strings"
	"testing"
)

// FuzzMake checks that a slug needs no escaping in a URL and that Make is idempotent.
func FuzzMake(f *testing.F) {
	f.Add("São José d'Oeste")
	f.Add("Ｆ\u0301 -- \xff")
	f.Fuzz(func(t *testing.T, name string) {
		got := Make(name)
		if strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.Trim(got, "-") != got {
			t.Errorf("%q: %q", name, got)
		}
		if again := Make(got); again != got {
			t.Errorf("%q: %q, and then %q", name, got, again)
		}
	})
}
