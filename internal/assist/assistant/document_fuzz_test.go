package assistant

import (
	"errors"
	"testing"

	"razao/internal/data/cnpj"
)

// FuzzParseDocument checks that an argument is either refused with a reason or parsed to the given
// number.
func FuzzParseDocument(f *testing.F) {
	f.Add("12.345.678/0001-95")
	f.Add("12345678")
	f.Add(" ")
	f.Fuzz(func(t *testing.T, given string) {
		d, err := parseDocument(given)
		var refused *Refusal
		if err != nil && !errors.As(err, &refused) || err == nil && d.text != cnpj.Unmask(given) {
			t.Errorf("%q: %+v, %v", given, d, err)
		}
	})
}
