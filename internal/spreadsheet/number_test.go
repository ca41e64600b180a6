package spreadsheet

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
		"31/12/2021":             {"", false, NoNumber},
		"1/7/1986 10:30":         {"", false, NoNumber},
		"31.12.2021":             {"", false, NoNumber},
		"2021-12-31":             {"", false, NoNumber},
		" CNPJ: 12345678000195 ": {"12345678000195", false, ""},
		"12345678000195.0":       {"12345678000195", false, ""},
		"12345678000195,00":      {"12345678000195", false, ""},
		"00.000.000/0001-91":     {"00000000000191", false, ""},
		"１２３４５６７８０００１９５": {"12345678000195", false, ""}, // full width
		"191":                           {"00000000000191", true, ""}, // what Excel leaves of it
		"7654321000159":                 {"07654321000159", true, ""}, // thirteen digits
		"360305000104":                  {"00360305000104", true, ""}, // twelve
		"12.abc.345/01de-35":            {"12ABC34501DE35", false, ""},
		"12345678":                      {"", false, ""},
		"12.345.678":                    {"", false, ""},
		"12345678000190":                {"", false, Misread},
		"7654321000150":                 {"", false, Misread},
		"192":                           {"", false, Misread},
		"1,23457E+13":                   {"", false, Rounded},
		"1.2345678000195E+13":           {"", false, Rounded},
		"":                              {"", false, NoNumber},
		"PADARIA ESTRELA":               {"", false, NoNumber},
		"123.456.789-09":                {"", false, Person},
		"52998224725":                   {"", false, Person},
		"***.982.247-**":                {"", false, Person},
		"529.982.247-24":                {"", false, Person}, // mistyped
		"TIAGO PASSOS 52998224725":      {"", false, Person},
		"12345678000195 e 11222333":     {"12345678000195", false, ""},
		"12.345.678/0001-95 BAR":        {"12345678000195", false, ""},
		"12.345.678/0001-90 BAR":        {"", false, Misread},
		"12345678000195/11222333000181": {"", false, Several},
	} {
		got := readNumber(cell, wholeRoots)
		text := ""
		if got.Full != 0 {
			text = got.Full.String()
		}
		if text != want.number || got.Padded != want.padded || got.Wrong != want.wrong || got.Full != 0 && got.Root != got.Full.Root() {
			t.Errorf("%q: %+v (%s), want %+v", cell, got, text, want)
		}
		if want.number+want.wrong == "" && got.Root.String() != "12345678" {
			t.Errorf("%q: root %s", cell, got.Root)
		}
	}
}

// FuzzReadNumber: a number is valid, and a cell is read the same however often its blanks are repeated.
func FuzzReadNumber(f *testing.F) {
	for _, seed := range []string{"12.345.678/0001-95", "191", "1,2E+13", "12345678", "x", "１２３４５６７８０００１９５"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		n := readNumber(cell, wholeRoots)
		if n.Wrong == "" && n.Root == 0 && n.Full == 0 && cnpj.Root(0).String() != "00000000" {
			t.Errorf("%q is nothing", cell)
		}
		if n.Full != 0 {
			if full, err := cnpj.ParseFull(n.Full.String()); err != nil || full != n.Full || full.Root() != n.Root || n.Wrong != "" {
				t.Errorf("%q: %+v, %v", cell, n, err)
			}
		}
		if again := readNumber(" "+oneLine(cell)+"\t", wholeRoots); again != n {
			t.Errorf("%q: %+v, with blanks %+v", cell, n, again)
		}
	})
}
