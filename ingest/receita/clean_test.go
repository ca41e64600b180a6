package receita

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"razao/internal/data/record"
	"razao/internal/data/territory"
)

func TestText(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"":                              "",
		"  PADARIA  ESTRELA ":           "PADARIA  ESTRELA",
		"S\xe3o Jos\xe9":                "São José",
		"A\nB":                          "A B",
		"\nA":                           "A",
		"A\x00B\x1f\x7f":                "A B",
		"RUA DO SOL\rFUNDOS":            "RUA DO SOL FUNDOS",
		"\x80BAR\x9fDO\x85ZE\x00\t":     "BAR DO ZE",
		"DOS\x00  IPES":                 "DOS  IPES",
		"DOS  \x00IPES":                 "DOS  IPES",
		"QUADRA 10\r20 ANDAR":           "QUADRA 10 20 ANDAR",
		"S\xe3o\x92Jos\xe9":             "São José",
		"LONG ENOUGH FOR EIGHT \xc7 AT": "LONG ENOUGH FOR EIGHT Ç AT",
		"12345678\x01":                  "12345678",
		"1234567\x7f":                   "1234567",
		`S\N ends in \`:                 `S\N ends in \`,
	}
	c := newCleaner(2026, nil)
	for in, want := range cases {
		if got := c.text([]byte(in)); got != want {
			t.Errorf("text(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestEveryControlByteIsABlank: words that one divides stay apart, and a CPF that one divides is masked.
func TestEveryControlByteIsABlank(t *testing.T) {
	t.Parallel()
	for b := range 0x100 {
		if control := b < 0x20 || b >= 0x7f && b < 0xa0; !control {
			continue
		}
		c := newCleaner(2026, nil)
		if got := c.text([]byte("PADARIA" + string([]byte{byte(b)}) + "ESTRELA")); got != "PADARIA ESTRELA" {
			t.Errorf("%#02x: %q", b, got)
		}
		const cpf = "52998224725"
		for at := range len(cpf) + 1 {
			for _, around := range []string{"%s", "JOSE %s", "10 %s 20"} {
				if b == '\n' {
					continue // what stands on two lines are two numbers
				}
				raw := strings.Replace(around, "%s", cpf[:at]+string([]byte{byte(b)})+cpf[at:], 1)
				if got := c.text([]byte(raw)); !strings.Contains(got, "***982247**") {
					t.Errorf("text(%q) = %q", raw, got)
				}
				mistyped := strings.NewReplacer("25", "26", "2"+string([]byte{byte(b)})+"5", "2"+string([]byte{byte(b)})+"6").Replace(raw)
				if got := c.person([]byte(mistyped)); around != "10 %s 20" && !strings.Contains(got, "***982247**") {
					t.Errorf("person(%q) = %q", mistyped, got)
				}
			}
		}
	}
}

func TestEmail(t *testing.T) {
	t.Parallel()
	c := newCleaner(2026, nil)
	for in, want := range map[string]string{
		"": "", " A@B.EXEMPLO ": "A@B.EXEMPLO", "X@\x8fEXEMPLO": "X@EXEMPLO", "JO\xc3O@\x00B\r\n": "JOÃO@B", "A@B C@D": "A@B C@D",
		"52998\x8f224725@B": "***982247**@B",
	} {
		if got := c.email([]byte(in)); got != want {
			t.Errorf("email(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("S\xe3o\n\x00 "))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := newCleaner(2026, nil)
		got := c.text(bytes.Clone(raw))
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return r < 0x20 || r >= 0x7f && r <= 0x9f }) {
			t.Fatalf("text(%q) = %q", raw, got)
		}
		if got != strings.Trim(got, " ") {
			t.Fatalf("text(%q) = %q is not trimmed", raw, got)
		}
		// Cleaning what is clean changes nothing.
		var again []byte
		for _, r := range got {
			again = append(again, byte(r))
		}
		if twice := newCleaner(2026, nil).text(again); twice != got {
			t.Fatalf("text(%q) = %q, cleaned again %q", raw, got, twice)
		}
	})
}

func TestDates(t *testing.T) {
	t.Parallel()
	cases := []struct {
		in, want string
		repaired int64
	}{
		{"20040522", "2004-05-22", 0},
		{" 20040522 ", "2004-05-22", 0},
		{"20271231", "2027-12-31", 0},
		{"", "", 0},
		{"0", "", 0},
		{"00000000", "", 0},
		{"2021221", "", 1},
		{"20210230", "", 1},
		{"11940101", "", 1},
		{"20280101", "", 1},
		{"2004052A", "", 1},
		{"99999999", "", 1},
	}
	for _, c := range cases {
		cl := newCleaner(2026, nil)
		if got := cl.date([]byte(c.in)).String(); got != c.want || cl.repaired["data"] != c.repaired {
			t.Errorf("date(%q) = %q with %d repaired, want %q with %d", c.in, got, cl.repaired["data"], c.want, c.repaired)
		}
	}
}

func TestCapital(t *testing.T) {
	t.Parallel()
	cases := []struct {
		in       string
		want     record.Cents
		repaired int64
	}{
		{"0,00", 0, 0},
		{"1061004829,23", 106100482923, 0},
		{"999999999999,00", 99999999999900, 0},
		{"1.234.567,89", 123456789, 0},
		{"10", 1000, 0},
		{"10,5", 1050, 0},
		{"", record.NoCents, 0},
		{" 7,01 ", 701, 0},
		{"-5,00", record.NoCents, 1},
		{"1,234", record.NoCents, 1},
		{"1,2,3", record.NoCents, 1},
		{",50", record.NoCents, 1},
		{"abc", record.NoCents, 1},
		{"9999999999999999999999,00", record.NoCents, 1},
		{"1,2.3", record.NoCents, 1},
	}
	for _, c := range cases {
		cl := newCleaner(2026, nil)
		if got := cl.capital([]byte(c.in)); got != c.want || cl.repaired["capital_social"] != c.repaired {
			t.Errorf("capital(%q) = %d with %d repaired, want %d with %d", c.in, got, cl.repaired["capital_social"], c.want, c.repaired)
		}
	}
}

func TestCodes(t *testing.T) {
	t.Parallel()
	c := newCleaner(2026, nil)
	for in, want := range map[string]string{"70836900": "70836900", "1310100": "01310100", "": "", "0": "0", "       0": "0", "131010A": "131010A"} {
		if got := c.cep([]byte(in)); got != want {
			t.Errorf("cep(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"105": "105", "": "", "0": "", "00": "", "000": "", "13": "013", "8": "008", "9999": "9999", "AB": "AB"} {
		if got := c.country([]byte(in)); got != want {
			t.Errorf("country(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]record.Flag{"S": record.Yes, "N": record.No, "": record.Unknown, "X": record.Unknown, " S ": record.Yes} {
		if got := flag([]byte(in)); got != want {
			t.Errorf("flag(%q) = %d, want %d", in, got, want)
		}
	}
}

// TestStates: what is no state, as a name that leads out of a folder (path traversal), is no UF.
func TestStates(t *testing.T) {
	t.Parallel()
	atlas, err := territory.Open()
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]struct {
		uf       string
		repaired int64
	}{
		"SP": {"SP", 0}, "EX": {"EX", 0}, " RJ ": {"RJ", 0}, "sp": {"SP", 0}, "": {"", 0}, "  ": {"", 0},
		"XX": {"", 1}, "BR": {"", 1}, "../../pwn2": {"", 1}, "S": {"", 1}, "SPX": {"", 1}, "S/": {"", 1}, "S\x00P": {"", 1}, "S\xc3": {"", 1},
	} {
		c := newCleaner(2026, atlas)
		if got := c.state([]byte(in)); got != want.uf || c.repaired["uf"] != want.repaired {
			t.Errorf("state(%q) = %q with %d repaired, want %+v", in, got, c.repaired["uf"], want)
		}
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	c := newCleaner(2026, nil)
	for in, want := range map[string]string{
		"": "", "5611201": "5611201", "5611201,5611203": "5611201,5611203", "5611201, 5611203": "5611201,5611203",
		" 5611201 ,\t5611203 ,": "5611201,5611203", "5611201;5611203": "5611201,5611203", "5611201 5611203": "5611201,5611203",
		"5611201,,5611203": "5611201,5611203", ",5611201": "5611201", ",": "", "5611201\r5611203\n4721102": "5611201,5611203,4721102",
		"5611-2/01, 56.11-2-03": "5611-2/01,56.11-2-03", "X": "X",
	} {
		if got := c.list([]byte(in)); got != want {
			t.Errorf("list(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCapitalNeedsAtLeastOneDigit(t *testing.T) {
	t.Parallel()
	for _, in := range []string{".", "..", ","} {
		if got := newCleaner(2026, nil).capital([]byte(in)); got != record.NoCents {
			t.Errorf("capital(%q) = %d", in, got)
		}
	}
}
