package load

import (
	"strings"
	"testing"

	"razao/internal/data/cnpj"
)

// TestRelease reads a release that it has invented.
func TestRelease(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := Invent(t.Context(), dir, 2000, true, 0); err != nil {
		t.Fatal(err)
	}
	r, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Companies) < 1900 || len(r.Establishments) < len(r.Companies) || len(r.Partners) == 0 || len(r.Largest) == 0 || len(r.Sources) < 10 {
		t.Errorf("%d companies, %d establishments, %d partners, %d large companies and %d sources",
			len(r.Companies), len(r.Establishments), len(r.Partners), len(r.Largest), len(r.Sources))
	}
	for _, e := range r.Establishments {
		if _, err := cnpj.ParseFull(e.CNPJ); err != nil || len(e.UF) != 2 || len(e.Municipality) != 4 || len(e.Situation) != 2 {
			t.Fatalf("establishment %+v: %v", e, err)
		}
	}
	for _, c := range r.Companies {
		if len(c.Root) != 8 || c.Name == "" || strings.Contains(c.Name, "\ufffd") {
			t.Fatalf("company %+v", c)
		}
	}
}
