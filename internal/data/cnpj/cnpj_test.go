package cnpj

import (
	"errors"
	"sort"
	"strings"
	"testing"
)

func TestParseFull(t *testing.T) {
	t.Parallel()
	valid := []string{
		"12ABC34501DE35", "19131243000197", "33683111000280", "00000000000191", "11222333000181",
		"1345C3A5000106", "R55231B3000757", "A1B2C3D4000193", "ZZZZZZZZ000191", "93ZB0VRYV6KA67", "00000000E08G12",
	}
	for _, s := range valid {
		f, err := ParseFull(s)
		if err != nil {
			t.Errorf("ParseFull(%q): %v", s, err)
			continue
		}
		if f.String() != s {
			t.Errorf("ParseFull(%q).String() = %q", s, f)
		}
		if f.Root().String() != s[:8] || f.Order().String() != s[8:12] || f.CheckDigits() != s[12:] {
			t.Errorf("%q falls apart into %s %s %s", s, f.Root(), f.Order(), f.CheckDigits())
		}
		if Join(f.Root(), f.Order()) != f {
			t.Errorf("%q does not join again", s)
		}
		if lower, err := ParseFull(strings.ToLower(s)); err != nil || lower != f {
			t.Errorf("lower case of %q: %v, %v", s, lower, err)
		}
		if got, err := ParseFull(Unmask(" " + f.Masked())); err != nil || got != f {
			t.Errorf("%q unmasks to %v, %v", f.Masked(), got, err)
		}
	}
	invalid := []string{
		"", "12ABC34501DE42", "11111111111111", "00000000000000", "ABCDEFGHIJKLMN", "12ABC34501DE3", "93ZB0VRYV6KA66",
		"19.131.243/0001-97", "1913124300019", "191312430001977", "1913124300019Z", "1913124300é19", "19131243 00197",
	}
	for _, s := range invalid {
		if f, err := ParseFull(s); !errors.Is(err, ErrInvalid) {
			t.Errorf("ParseFull(%q) = %v, %v; want ErrInvalid", s, f, err)
		}
	}
}

// TestErrorsSayWhatIsWrong has texts that are wrong in one way, and some in two: the first to mend is named.
func TestErrorsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]error{
		"1913124300019": ErrLength, "191312430001977": ErrLength, "": ErrLength, "1913124300019200019": ErrLength,
		"19.131.243/0001-97": ErrCharacters, "1913124300é19": ErrCharacters, "1913124300019Z": ErrCharacters, "1913124 000197": ErrCharacters,
		"19131243 00019": ErrCharacters, "19131243000198": ErrCheckDigits, "12ABC34501DE42": ErrCheckDigits, "00000000000000": ErrCheckDigits,
	} {
		if _, err := ParseFull(s); err != want {
			t.Errorf("ParseFull(%q): %v, want %v", s, err, want)
		}
	}
	for s, want := range map[string]error{"1234567": ErrLength, "123456789": ErrLength, "12.345.678": ErrCharacters, "1234567Á": ErrCharacters, "1234567-": ErrCharacters} {
		if _, err := ParseRoot(s); err != want {
			t.Errorf("ParseRoot(%q): %v, want %v", s, err, want)
		}
	}
}

func TestParseRoot(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"00000000", "33683111", "12ABC345", "ZZZZZZZZ"} {
		r, err := ParseRoot(s)
		if err != nil || r.String() != s {
			t.Errorf("ParseRoot(%q) = %v, %v", s, r, err)
		}
	}
	for _, s := range []string{"", "1234567", "123456789", "1234-567", "1234567Á"} {
		if _, err := ParseRoot(s); !errors.Is(err, ErrInvalid) {
			t.Errorf("ParseRoot(%q): %v, want ErrInvalid", s, err)
		}
	}
}

func TestMasked(t *testing.T) {
	t.Parallel()
	f, _ := ParseFull("12ABC34501DE35")
	if got, want := f.Masked(), "12.ABC.345/01DE-35"; got != want {
		t.Errorf("Masked() = %q, want %q", got, want)
	}
	if got, want := f.Root().Masked(), "12.ABC.345"; got != want {
		t.Errorf("Root().Masked() = %q, want %q", got, want)
	}
}

func TestNumbersSortLikeText(t *testing.T) {
	t.Parallel()
	texts := []string{"ZZZZZZZZ", "0000000A", "00000009", "12ABC345", "12345678", "A0000000", "99999999"}
	sort.Strings(texts)
	last := Root(-1)
	for _, s := range texts {
		r, err := ParseRoot(s)
		if err != nil || r <= last {
			t.Errorf("%q (%d) does not follow %d: %v", s, r, last, err)
		}
		last = r
	}
}

func FuzzParseFull(f *testing.F) {
	f.Add("12ABC34501DE35")
	f.Add("00000000000191")
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseFull(s)
		if err != nil {
			return
		}
		if got := n.String(); got != strings.ToUpper(s) {
			t.Fatalf("ParseFull(%q).String() = %q", s, got)
		}
	})
}
