package mte

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPeriods(t *testing.T) {
	t.Parallel()
	cases := []struct{ cell, strict, loose string }{
		{"09/04/2025", "09/04/2025-", "09/04/2025-"},
		{" 09/04/2025 ", "09/04/2025-", "09/04/2025-"},
		{"05/04/2024 a 10/05/2024", "05/04/2024-10/05/2024", "05/04/2024-10/05/2024"},
		{"05/04/2024 a  10/05/2024, 09/04/2025", "05/04/2024-10/05/2024 09/04/2025-", "05/04/2024-10/05/2024 09/04/2025-"},
		{"01/01/2024, 02/01/2024 a 03/01/2024", "01/01/2024- 02/01/2024-03/01/2024", "01/01/2024- 02/01/2024-03/01/2024"},
		{"26/05/2025 07/04/2026", "", "26/05/2025- 07/04/2026-"},
		{"26/05/2025;07/04/2026", "", "26/05/2025- 07/04/2026-"},
		{"26/05/2025 e 07/04/2026", "", "26/05/2025- 07/04/2026-"},
		{"16/04/2026 a\n21/05/2026,14/08/2026", "", "16/04/2026-21/05/2026 14/08/2026-"},
		{"26/05/2025 até 07/04/2026", "", ""},
		{"26/05/2025 - 07/04/2026", "", ""},
		{"01/01/2024 a 02/01/2024 a 03/01/2024", "", ""},
		{"31/02/2025", "", ""},
		{"01/02/2025 a 31/02/2025", "", ""},
		{"1/2/2025", "", ""},
		{"126/05/20257", "", ""},
		{"06/10/2025 (liminar)", "", ""},
		{"D", "", ""},
		{"", "", ""},
	}
	text := func(periods []period) string {
		var all []string
		for _, p := range periods {
			end := ""
			if p.Fim != nil {
				end = *p.Fim
			}
			all = append(all, p.Inicio+"-"+end)
		}
		return strings.Join(all, " ")
	}
	for _, c := range cases {
		if got := text(parsePeriods(c.cell)); got != c.strict {
			t.Errorf("parsePeriods(%q) = %q, want %q", c.cell, got, c.strict)
		}
		if got := text(parseLoosePeriods(c.cell)); got != c.loose {
			t.Errorf("parseLoosePeriods(%q) = %q, want %q", c.cell, got, c.loose)
		}
	}
}

func FuzzPeriods(f *testing.F) {
	f.Add("05/04/2024 a 10/05/2024, 09/04/2025")
	f.Add("26/05/2025 07/04/2026")
	f.Fuzz(func(t *testing.T, cell string) {
		strict, loose := parsePeriods(cell), parseLoosePeriods(cell)
		if strict != nil && len(strict) != len(loose) {
			t.Fatalf("%q has %d periods, read loosely %d", cell, len(strict), len(loose))
		}
		for _, p := range loose {
			if !strings.Contains(cell, p.Inicio) || p.Fim != nil && !strings.Contains(cell, *p.Fim) {
				t.Fatalf("%q has no %v", cell, p)
			}
		}
		text, err := periodsJSON(loose)
		if err != nil {
			t.Fatal(err)
		}
		if (text == "") != (loose == nil) || text != "" && !json.Valid([]byte(text)) {
			t.Fatalf("%q becomes %q", cell, text)
		}
		if dates := strings.Count(cell, "/") / 2; len(loose) > dates {
			t.Fatalf("%q has %d periods", cell, len(loose))
		}
	})
}

func FuzzCompanion(f *testing.F) {
	f.Add([]byte("Atualiza\xe7\xe3o peri\xf3dica de 6 de abril de 2026. Cadastro atualizado em 04/09/2026.\n(*1), (*2) x"), "A (*1), (*2)")
	f.Fuzz(func(t *testing.T, raw []byte, published string) {
		text, err := decode(raw)
		if err != nil {
			t.Fatal(err)
		}
		c := parseCompanion(text)
		if p := c.period(); p != "" && len(p) != len("2026-09-04") {
			t.Fatalf("period %q", p)
		}
		name, _ := c.unmark(published)
		if !strings.HasPrefix(published, name) {
			t.Fatalf("unmark(%q) = %q", published, name)
		}
		if again, note := c.unmark(name); again != name || note != "" {
			t.Fatalf("unmark(%q) = %q, then %q", published, name, again)
		}
	})
}
