package lists

import (
	"testing"

	"razao/internal/data/cnpj"
)

func TestReadNumber(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]struct {
		number string
		padded bool
		wrong  string
	}{
		"12.345.678/0001-95":     {"12345678000195", false, ""},
		"12345678000195":         {"12345678000195", false, ""},
		"31/12/2021":             {"", false, noNumber},
		"1/7/1986 10:30":         {"", false, noNumber},
		"31.12.2021":             {"", false, noNumber},
		"2021-12-31":             {"", false, noNumber},
		" CNPJ: 12345678000195 ": {"12345678000195", false, ""},
		"12345678000195.0":       {"12345678000195", false, ""},
		"12345678000195,00":      {"12345678000195", false, ""},
		"00.000.000/0001-91":     {"00000000000191", false, ""},
		"１２３４５６７８０００１９５": {"12345678000195", false, ""}, // full width
		"191":                       {"00000000000191", true, ""}, // what Excel leaves of it
		"7654321000159":             {"07654321000159", true, ""}, // thirteen digits
		"360305000104":              {"00360305000104", true, ""}, // twelve
		"12.abc.345/01de-35":        {"12ABC34501DE35", false, ""},
		"12345678":                  {"", false, ""},
		"12.345.678":                {"", false, ""},
		"12345678000190":            {"", false, misread},
		"7654321000150":             {"", false, misread},
		"192":                       {"", false, misread},
		"1,23457E+13":               {"", false, rounded},
		"1.2345678000195E+13":       {"", false, rounded},
		"":                          {"", false, noNumber},
		"PADARIA ESTRELA":           {"", false, noNumber},
		"123.456.789-09":            {"", false, noNumber}, // a CPF
		"12345678000195 e 11222333": {"", false, noNumber},
	} {
		got := readNumber(cell)
		text := ""
		if got.full != 0 {
			text = got.full.String()
		}
		if text != want.number || got.padded != want.padded || got.wrong != want.wrong || got.full != 0 && got.root != got.full.Root() {
			t.Errorf("%q: %+v (%s), want %+v", cell, got, text, want)
		}
		if want.number+want.wrong == "" && got.root.String() != "12345678" {
			t.Errorf("%q: root %s", cell, got.root)
		}
	}
}

// FuzzReadNumber: a number is valid, and a cell is read the same however often its blanks are repeated.
func FuzzReadNumber(f *testing.F) {
	for _, seed := range []string{"12.345.678/0001-95", "191", "1,2E+13", "12345678", "x", "１２３４５６７８０００１９５"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		n := readNumber(cell)
		if n.wrong == "" && n.root == 0 && n.full == 0 && cnpj.Root(0).String() != "00000000" {
			t.Errorf("%q is nothing", cell)
		}
		if n.full != 0 {
			if full, err := cnpj.ParseFull(n.full.String()); err != nil || full != n.full || full.Root() != n.root || n.wrong != "" {
				t.Errorf("%q: %+v, %v", cell, n, err)
			}
		}
		if again := readNumber(" " + oneLine(cell) + "\t"); again != n {
			t.Errorf("%q: %+v, with blanks %+v", cell, n, again)
		}
	})
}
