package rows

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"

	"razao/internal/data/cnpj"
)

func owner(t *testing.T, full, published string) Owner {
	t.Helper()
	root, err := cnpj.ParseRoot(full[:8])
	if err != nil {
		t.Fatal(err)
	}
	order, err := cnpj.ParseOrder(full[8:12])
	if err != nil {
		t.Fatal(err)
	}
	return Owner{Root: root, Order: order, Published: published}
}

func TestParseOwner(t *testing.T) {
	t.Parallel()
	cases := []struct{ in, full, published string }{
		{"11.222.333/0001-81", "11222333000181", ""},
		{" 11222333000181 ", "11222333000181", ""},
		{"11.222.333/0001-82", "11222333000182", "11222333000182"},
		{"11.222.333/0000-00", "11222333000000", "11222333000000"},
		{"12.abc.345/01de-35", "12ABC34501DE35", ""},
		{"12ABC34501DE36", "12ABC34501DE36", "12ABC34501DE36"},
		{"191", "", ""},
		{"0000000000191", "00000000000191", ""}, // thirteen digits
		{"000000000191", "00000000000191", ""},  // twelve
		{"000000000192", "", ""},
		{"00000000191", "", ""}, // eleven may be a CPF
		{"529.982.247-25", "", ""},
		{"***.982.247-**", "", ""},
		{"XXX982.247XX", "", ""},
		{"00000000000000", "", ""},
		{"EXBILFINGER", "", ""},
		{"ABCDEFGHIJKLMN", "", ""},
		{"112223330001810", "", ""},
		{"1122233300018１", "", ""},
		{"", "", ""},
	}
	for _, c := range cases {
		got, ok := ParseOwner(c.in)
		if c.full == "" {
			if ok {
				t.Errorf("%q: got %+v", c.in, got)
			}
			continue
		}
		if want := owner(t, c.full, c.published); !ok || got != want {
			t.Errorf("%q: got %+v %v, want %+v", c.in, got, ok, want)
		}
	}
}

func TestDecimal(t *testing.T) {
	t.Parallel()
	cases := []struct{ in, want string }{
		{"", ""},
		{" ", ""},
		{"-", ""},
		{"----------", ""},
		{"1.234,56", "1234.56"},
		{"1234,56", "1234.56"},
		{"1234.56", "1234.56"},
		{"793945000.14", "793945000.14"},
		{"1.234.567", "1234567"},
		{"1.234.567,0000", "1234567.0000"},
		{"10003861,3", "10003861.3"},
		{"1.234", "1.234"},
		{".5", "0.5"},
		{",5", "0.5"},
		{".00", "0.00"},
		{"5.", "5"},
		{"5,", "5"},
		{"0", "0"},
		{"007", "7"},
		{"00,70", "0.70"},
		{"-1.234,56", "-1234.56"},
		{"-.5", "-0.5"},
		{" 12 ", "12"},
	}
	for _, c := range cases {
		if got, err := Decimal(c.in); err != nil || got != c.want {
			t.Errorf("%q: got %q, %v, want %q", c.in, got, err, c.want)
		}
	}
	for _, in := range []string{"x", "1,2,3", "1,234.56", "1.23,4", "1.2.3", "1234.567,8", ".123,4", "1 000", "1e5", "+1", "--1", "1-", ".", ",", "-.", "R$ 1", "１"} {
		if got, err := Decimal(in); err == nil {
			t.Errorf("%q: got %q", in, got)
		}
	}
}

// FuzzDecimal checks that accepted amounts are JSON numbers with the same digits.
func FuzzDecimal(f *testing.F) {
	for _, s := range []string{"1.234,56", "1234.56", ".5", "-", "0,00", "1.234.567"} {
		f.Add(s)
	}
	digits := func(s string) string {
		return strings.TrimLeft(strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, s), "0")
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := Decimal(s)
		if err != nil || got == "" {
			return
		}
		if !json.Valid([]byte(got)) || strings.ContainsAny(got, "eE") {
			t.Fatalf("%q gives %q, no JSON number", s, got)
		}
		if digits(got) != digits(s) {
			t.Fatalf("%q gives %q, other digits", s, got)
		}
		again, err := Decimal(got)
		before, _ := new(big.Rat).SetString(got)
		after, ok := new(big.Rat).SetString(again)
		if err != nil || !ok || before.Cmp(after) != 0 {
			t.Fatalf("%q gives %q, which gives %q, %v", s, got, again, err)
		}
	})
}

func TestDate(t *testing.T) {
	t.Parallel()
	cases := []struct{ in, want string }{
		{"", ""}, {" ", ""}, {"07/11/2019", "20191107"}, {" 29/02/2024 ", "20240229"}, {"01/01/1000", "10000101"},
	}
	for _, c := range cases {
		if got, err := Date(c.in); err != nil || got != c.want {
			t.Errorf("%q: got %q, %v, want %q", c.in, got, err, c.want)
		}
	}
	for _, in := range []string{"31/02/2024", "29/02/2023", "00/01/2024", "01/13/2024", "1/1/2024", "01/01/24", "2024-01-01", "01/01/0000", "01/01/2024 10:00", "x"} {
		if got, err := Date(in); err == nil {
			t.Errorf("%q: got %q", in, got)
		}
	}
}

func TestDescending(t *testing.T) {
	t.Parallel()
	want := []string{"20241231", "20240102", "202401", "2024", "20231231", "10000101", ""}
	got := slices.Clone(want)
	slices.SortFunc(got, func(a, b string) int { return strings.Compare(Descending(a), Descending(b)) })
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if Descending("2024-03-18 10:42") <= Descending("2024-03-18 10:43") {
		t.Error("times rise")
	}
}
