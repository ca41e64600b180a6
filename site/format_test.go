package site

import (
	"math"
	"strings"
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

		{"period of a month", formatPeriod("2026-06"), "06/2026"},
		{"period of a day", formatPeriod("2026-09-30"), "30/09/2026"},
		{"period of a label", formatPeriod("2026_0012"), "2026_0012"},

		{"note with a day", formatNote("Contratação mais recente: 2026-10-07."), "Contratação mais recente: 07/10/2026."},
		{"note with two days", formatNote("De 2026-05-02 a 2026-05-03."), "De 02/05/2026 a 03/05/2026."},
		{"note with a month", formatNote("Dados de 2026-10."), "Dados de 10/2026."},
		{"note with no date", formatNote("Processo 50000-12, item 2026-13, 2026-02-31."), "Processo 50000-12, item 2026-13, 2026-02-31."},

		{"day of CGU", formatPublishedDay("31/12/2026"), "31/12/2026"},
		{"day of PGFN", formatPublishedDay("20191107"), "07/11/2019"},
		{"day of IBAMA", formatPublishedDay("2024-03-18 10:42:00"), "18/03/2024"},
		{"day of BNDES", formatPublishedDay("2024-05-14"), "14/05/2024"},
		{"day of PNCP", formatPublishedDay("2024-08-14T09:49:03"), "14/08/2024"},
		{"no day", formatPublishedDay(""), ""},
		{"impossible day", formatPublishedDay("20230230"), "20230230"},
		{"words for a day", formatPublishedDay("Sem informação"), "Sem informação"},

		{"published amount", formatAmount("R$", "8208.15"), "R$\u00a08.208,15"},
		{"published reais", formatAmount("R$", "420000"), "R$\u00a0420.000,00"},
		{"one decimal", formatAmount("R$", "10003861.3"), "R$\u00a010.003.861,30"},
		{"four decimals", formatAmount("R$", "1234.5678"), "R$\u00a01.234,5678"},
		{"debit", formatAmount("R$", "-1234.5"), "R$\u00a0-1.234,50"},
		{"more digits than a float holds", formatAmount("R$", "12345678901234567890.01"), "R$\u00a012.345.678.901.234.567.890,01"},
		{"no published amount", formatAmount("R$", ""), ""},
		{"exponent", formatAmount("R$", "1.0E7"), "1.0E7"},
		{"published number", formatNumber("1234.35"), "1.234,35"},

		{"JSON text", jsonText(`"a \u00e9 "`), "a é"},
		{"JSON number", jsonText("7056"), "7056"},
		{"JSON null", jsonText("null"), ""},
		{"JSON object", jsonText(`{"a":1}`), ""},
		{"broken JSON", jsonText(`"a`), ""},

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

func TestShortened(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("palavra é ", 30)
	cases := []struct{ name, text, begin string }{
		{"short", "curto", "curto"},
		{"as long as a cell", strings.Repeat("é", longText), strings.Repeat("é", longText)},
		{"without blanks", strings.Repeat("é", longText+1), strings.Repeat("é", longBegin)},
		{"long", long, strings.TrimSpace(strings.Repeat("palavra é ", 9))},
	}
	for _, c := range cases {
		p := shortened(c.text)
		if p.Text != c.begin {
			t.Errorf("%s: begins %q", c.name, p.Text)
		}
		if got := strings.ReplaceAll(p.Text+p.Rest, " ", ""); got != strings.ReplaceAll(c.text, " ", "") {
			t.Errorf("%s: %q is lost", c.name, got)
		}
	}
}
