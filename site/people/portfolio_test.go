package people

import (
	"slices"
	"testing"

	"razao/internal/data/cnpj"
)

// FuzzPastedList fails if a list gives anything that is not the root of a company, or gives one twice.
func FuzzPastedList(f *testing.F) {
	f.Add("CNPJ;nome\r\n12.345.678/0001-95;Padaria\n98765432")
	f.Fuzz(func(t *testing.T, text string) {
		values, _ := readList(text)
		for i, value := range values {
			if root, err := cnpj.ParseRoot(value); err != nil || root.String() != value || slices.Contains(values[:i], value) {
				t.Errorf("%q in %q", value, text)
			}
		}
	})
}
