package ptbr

import (
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

func TestUnlinked(t *testing.T) {
	t.Parallel()
	for published, want := range map[string]string{
		"SUA CONTA FOI BLOQUEADA ACESSE https://evil.example": "SUA CONTA FOI BLOQUEADA ACESSE https: //evil. example",
		"ACESSE HTTP://WWW.EVIL.COM.BR/X?Y=1":                 "ACESSE HTTP: //WWW. EVIL. COM. BR/X?Y=1",
		"www.evil.example":                                    "www. evil. example",
		"evil.example":                                        "evil. example",
		"evil.com.br/x":                                       "evil. com. br/x",
		"bit.ly/2x":                                           "bit. ly/2x",
		"t.co/x":                                              "t. co/x",
		"ana@evil.example":                                    "ana@ evil. example",
		"@evilbot":                                            "@ evilbot",
		"mailto:ana":                                          "mailto: ana",
		"tel:08001234567":                                     "tel: 08001234567",
		"s3://x":                                              "s3: //x",
		"http://8.8.8.8/":                                     "http: //8. 8. 8. 8/",
		"8.8.8.8":                                             "8. 8. 8. 8",
		"xn--evil-1na.xn--p1ai":                               "xn--evil-1na. xn--p1ai",
		"пример.рф":                                           "пример. рф",
		"ｅｖｉｌ．ｃｏｍ":                                            "ｅｖｉｌ． ｃｏｍ",
		"例え。テスト":                                              "例え。 テスト",
		"evil｡com evil․com evil﹒com":                          "evil｡ com evil․ com evil﹒ com",
		"evil.\u200bcom e\u202evil\u2060.com":                 "evil. com evil. com",
		"https：//evil＠x":                                      "https： //evil＠ x",
		"https:\u00a0//x":                                     "https:\u00a0//x",

		"J.M. COMERCIO LTDA":                           "J.M. COMERCIO LTDA",
		"ESTRELA PARTICIPAÇÕES S.A.":                   "ESTRELA PARTICIPAÇÕES S.A.",
		"COMERCIAL S.A":                                "COMERCIAL S.A",
		"J.\u00c9. SILVA & CIA. LTDA.":                 "J.\u00c9. SILVA & CIA. LTDA.",
		"J.E\u0301. SILVA":                             "J.E\u0301. SILVA",
		"MERCADO.COM LTDA":                             "MERCADO. COM LTDA",
		"DR.CONSULTA":                                  "DR. CONSULTA",
		"PADARIA: PÃES E DOCES":                        "PADARIA: PÃES E DOCES",
		"24:00 HORAS, MOTOR 2.0L":                      "24:00 HORAS, MOTOR 2.0L",
		"R$ 1.100.200.100,00 → R$\u00a01.234.567,89":   "R$ 1.100.200.100,00 → R$\u00a01.234.567,89",
		"CNPJ 12.345.678/0001-95, (11) 91234-5678":     "CNPJ 12.345.678/0001-95, (11) 91234-5678",
		"12.345.678 MARIA DAS DORES":                   "12.345.678 MARIA DAS DORES",
		"Natureza jurídica: 206-2 → 213-5. Capital: 1": "Natureza jurídica: 206-2 → 213-5. Capital: 1",
		"": "",
	} {
		if got := Unlinked(published); got != want {
			t.Errorf("%q: %q, want %q", published, got, want)
		}
	}
}

// What programs make links of, wider than any of them: a domain is letters behind any full stop.
var linked = []*regexp.Regexp{
	regexp.MustCompile(`[\p{L}\p{N}][:：﹕][^\s\p{N}]`),
	regexp.MustCompile(`\p{L}[:：﹕]\S`),
	regexp.MustCompile(`[^\s][.．。｡․﹒]\p{L}\p{M}*[\p{L}\p{Nd}]`),
	regexp.MustCompile(`[@＠﹫]\S`),
	regexp.MustCompile(`\p{Cf}`),
}

var fourNumbers = regexp.MustCompile(`(?:R\$[ \x{a0}]?)?\d+(?:\.\d+)+`)

// FuzzUnlinked: no program finds an address, what is read is unchanged but for blanks, and again changes nothing.
func FuzzUnlinked(f *testing.F) {
	for _, seed := range []string{
		"SUA CONTA FOI BLOQUEADA ACESSE https://evil.example", "a@b.com.br 8.8.8.8:80", "ｅｖｉｌ．ｃｏｍ", "J.M. S.A.", "R$ 1.1.1.1", "a.\u0301bc", "1.1.1.1.1.1.1.1", "\xff.com",
	} {
		f.Add(seed)
	}
	letters := func(text string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
				return -1
			}
			return r
		}, text)
	}
	f.Fuzz(func(t *testing.T, published string) {
		got := Unlinked(published)
		for _, pattern := range linked {
			if found := pattern.FindString(got); found != "" {
				t.Errorf("%q: %q has %q", published, got, found)
			}
		}
		for _, number := range fourNumbers.FindAllString(got, -1) {
			if _, err := netip.ParseAddr(number); err == nil {
				t.Errorf("%q: %q has %q", published, got, number)
			}
		}
		if letters(got) != letters(published) {
			t.Errorf("%q: %q", published, got)
		}
		if again := Unlinked(got); again != got {
			t.Errorf("%q: %q, and then %q", published, got, again)
		}
	})
}
