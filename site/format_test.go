package site

import (
	"math"
	"testing"
	"time"

	"razao/internal/registry"
)

func TestFormat(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, got, want string }{
		{"no amount", formatMoney(registry.NoCents), ""},
		{"zero", formatMoney(0), "R$\u00a00,00"},
		{"one cent", formatMoney(1), "R$\u00a00,01"},
		{"under a thousand", formatMoney(99999), "R$\u00a0999,99"},
		{"thousand", formatMoney(100000), "R$\u00a01.000,00"},
		{"millions", formatMoney(123456789), "R$\u00a01.234.567,89"},
		{"every cent of a large capital", formatMoney(math.MaxInt64), "R$\u00a092.233.720.368.547.758,07"},

		{"count zero", formatCount(0), "0"},
		{"count hundreds", formatCount(999), "999"},
		{"count thousands", formatCount(1000), "1.000"},
		{"count millions", formatCount(69062850), "69.062.850"},
		{"count negative", formatCount(-123456), "-123.456"},

		{"date", formatDate(registry.MakeDate(2019, 3, 12)), "12/03/2019"},
		{"no date", formatDate(0), ""},
		{"old date", formatDate(registry.MakeDate(1808, 10, 12)), "12/10/1808"},
		{"day is Brasília's", formatDay(time.Date(2026, 11, 2, 1, 30, 0, 0, time.UTC)), "01/11/2026"},
		{"month", formatMonth("2026-10"), "10/2026"},
		{"not a month", formatMonth("2026/12ª edição"), "2026/12ª edição"},

		{"landline", formatPhone("19", "32334455"), "(19) 3233-4455"},
		{"mobile", formatPhone("11", "987654321"), "(11) 98765-4321"},
		{"short phone", formatPhone("11", "190"), "(11) 190"},
		{"phone without area", formatPhone("", "32334455"), "3233-4455"},
		{"no phone", formatPhone("19", ""), ""},

		{"CEP", formatCEP("13024100"), "13024-100"},
		{"odd CEP", formatCEP("1302"), "1302"},
		{"CNAE", formatCNAE("1091102"), "1091-1/02"},
		{"odd CNAE", formatCNAE("10911"), "10911"},
		{"natureza", formatNatureza("2062"), "206-2"},

		{"company as partner", formatDocument("33683111000280"), "33.683.111/0002-80"},
		{"masked person", formatDocument("***456789**"), "***456789**"},
		{"no document", formatDocument(""), ""},
		{"wrong check digits stay", formatDocument("33683111000281"), "33683111000281"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.got != c.want {
				t.Errorf("got %q, want %q", c.got, c.want)
			}
		})
	}
}
