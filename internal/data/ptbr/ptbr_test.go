package ptbr

import (
	"math"
	"math/big"
	"testing"
	"time"

	"razao/internal/data/record"
)

func TestWriting(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, got, want string }{
		{"no amount", Money[int64](-1), ""},
		{"zero", Money(int64(0)), "R$\u00a00,00"},
		{"one cent", Money(int64(1)), "R$\u00a00,01"},
		{"under a thousand", Money(int64(99999)), "R$\u00a0999,99"},
		{"thousand", Money(int64(100000)), "R$\u00a01.000,00"},
		{"millions", Money(int64(123456789)), "R$\u00a01.234.567,89"},
		{"every cent of a large capital", Money(int64(math.MaxInt64)), "R$\u00a092.233.720.368.547.758,07"},
		{"no capital", Capital(record.NoCents), ""},
		{"capital", Capital(123456789), "R$\u00a01.234.567,89"},
		{"implausible capital", Capital(99999999999999), "R$\u00a0999.999.999.999,99 (valor publicado, improvável)"},
		{"nothing left out", LeftOut(0, big.NewInt(5)), ""},
		{"one left out", LeftOut(1, big.NewInt(100000000000000)), "sem 1 empresa de capital improvável; com ela R$\u00a01,0\u00a0trilhão"},
		{"several left out", LeftOut(1234, big.NewInt(250000000000000)), "sem 1.234 empresas de capital improvável; com elas R$\u00a02,5\u00a0trilhões"},

		{"count zero", Count(0), "0"},
		{"count hundreds", Count(999), "999"},
		{"count thousands", Count(1000), "1.000"},
		{"count millions", Count(69062850), "69.062.850"},
		{"count negative", Count(-123456), "-123.456"},

		{"date", Date(time.Date(2019, 3, 12, 0, 0, 0, 0, time.UTC)), "12/03/2019"},
		{"no date", Date(time.Time{}), ""},
		{"old date", Date(time.Date(1808, 10, 12, 0, 0, 0, 0, time.UTC)), "12/10/1808"},
		{"since a day", Since("Ativa", time.Date(2019, 3, 12, 0, 0, 0, 0, time.UTC)), "Ativa desde 12/03/2019"},
		{"since nobody knows when", Since("Ativa", time.Time{}), "Ativa"},
		{"day is Brasília's", Day(time.Date(2026, 11, 2, 1, 30, 0, 0, time.UTC)), "01/11/2026"},
		{"month", Month("2026-10"), "10/2026"},
		{"not a month", Month("2026/12ª edição"), "2026/12ª edição"},

		{"period of a month", Period("2026-06"), "06/2026"},
		{"period of a day", Period("2026-09-30"), "30/09/2026"},
		{"period of an edition", Period("2026_0010"), "2026, 10ª edição"},
		{"period of a label", Period("2026_x"), "2026_x"},
		{"period of no edition", Period("2026_0000"), "2026_0000"},

		{"note with a day", Note("Contratação mais recente: 2026-10-07."), "Contratação mais recente: 07/10/2026."},
		{"note with two days", Note("De 2026-05-02 a 2026-05-03."), "De 02/05/2026 a 03/05/2026."},
		{"note with a month", Note("Dados de 2026-10."), "Dados de 10/2026."},
		{"note with no date", Note("Processo 50000-12, item 2026-13, 2026-02-31."), "Processo 50000-12, item 2026-13, 2026-02-31."},

		{"day of CGU", PublishedDay("31/12/2026"), "31/12/2026"},
		{"day of PGFN", PublishedDay("20191107"), "07/11/2019"},
		{"day of IBAMA", PublishedDay("2024-03-18 10:42:00"), "18/03/2024"},
		{"day of BNDES", PublishedDay("2024-05-14"), "14/05/2024"},
		{"day of PNCP", PublishedDay("2024-08-14T09:49:03"), "14/08/2024"},
		{"no day", PublishedDay(""), ""},
		{"impossible day", PublishedDay("20230230"), "20230230"},
		{"words for a day", PublishedDay("Sem informação"), "Sem informação"},

		{"published amount", Amount("R$", "8208.15"), "R$\u00a08.208,15"},
		{"published reais", Amount("R$", "420000"), "R$\u00a0420.000,00"},
		{"one decimal", Amount("R$", "10003861.3"), "R$\u00a010.003.861,30"},
		{"four decimals", Amount("R$", "1234.5678"), "R$\u00a01.234,57"},
		{"half a cent", Amount("R$", "0.995"), "R$\u00a01,00"},
		{"four decimals of a debit", Amount("R$", "-1234.5678"), "R$\u00a0-1.234,57"},
		{"debit", Amount("R$", "-1234.5"), "R$\u00a0-1.234,50"},
		{"more digits than a float holds", Amount("R$", "12345678901234567890.01"), "R$\u00a012.345.678.901.234.567.890,01"},
		{"no published amount", Amount("R$", ""), ""},
		{"exponent", Amount("R$", "1.0E7"), "1.0E7"},
		{"published number", Number("1234.35"), "1.234,35"},

		{"landline", Phone("19", "32334455"), "(19) 3233-4455"},
		{"mobile", Phone("11", "987654321"), "(11) 98765-4321"},
		{"short phone", Phone("11", "190"), "(11) 190"},
		{"phone without area", Phone("", "32334455"), "3233-4455"},
		{"no phone", Phone("19", ""), ""},

		{"CEP", CEP("13024100"), "13024-100"},
		{"odd CEP", CEP("1302"), "1302"},
		{"CNAE", CNAE("1091102"), "1091-1/02"},
		{"odd CNAE", CNAE("10911"), "10911"},
		{"natureza", Natureza("2062"), "206-2"},

		{"establishment", CNPJ("33683111000280"), "33.683.111/0002-80"},
		{"company", CNPJ("33683111"), "33.683.111"},
		{"no number", CNPJ("***456789**"), "***456789**"},
		{"ordinary spaces", Plain(Money(int64(100000))), "R$ 1.000,00"},

		{"company as partner", Document("33683111000280"), "33.683.111/0002-80"},
		{"masked person", Document("***456789**"), "***456789**"},
		{"no document", Document(""), ""},
		{"wrong check digits stay", Document("33683111000281"), "33683111000281"},

		{"slug", Slug("Campinas"), "campinas"},
		{"slug of capitals and accents", Slug("SÃO PAULO"), "sao-paulo"},
		{"slug with an apostrophe", Slug("São João d'Aliança"), "sao-joao-d-alianca"},
		{"slug of decomposed letters", Slug("Sa\u0303o Joa\u0303o"), "sao-joao"},
		{"slug between blanks", Slug("  Embu-Guaçu  "), "embu-guacu"},
		{"slug of punctuation inside", Slug("A & B -- C."), "a-b-c"},
		{"slug of compatibility characters", Slug("Nº 1 ½"), "no-1-1-2"},
		{"slug of another script", Slug("中文"), ""},
		{"slug of points", Slug("..."), ""},
		{"slug of nothing", Slug(""), ""},
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
