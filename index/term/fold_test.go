package term

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestFold(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"":                    "",
		"PÃO & CAFÉ":          "pao & cafe",
		"Ação":                "acao",
		"A\u0301gua":          "agua",
		"ÆØßœ ĐŁ":             "aeossoe dl",
		"ＦＵＬＬ４":               "full4",
		"nº 1ª":               "no 1a",
		"quebra\xffdo":        "quebra do",
		"ŞİŐ":                 "sio",
		"Ελλάδα":              "ελλαδα",
		"tab\tand\x00nothing": "tab\tand\x00nothing",
	}
	for in, want := range cases {
		if got := Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	cases := map[string][]string{
		"":                                nil,
		" ,;!? ***":                       nil,
		"PADARIA PÃO-DE-MEL":              {"padaria", "pao", "de", "mel"},
		"COMPANHIA X S/A":                 {"companhia", "x", "sa"},
		"COMPANHIA S.A.":                  {"companhia", "sa"},
		"S. A.":                           {"sa"},
		"S A":                             {"sa"},
		"J. C. SILVA":                     {"jc", "silva"},
		"J C SILVA":                       {"jc", "silva"},
		"JC SILVA":                        {"jc", "silva"},
		"J.C. E SILVA":                    {"jc", "e", "silva"},
		"C & A":                           {"c", "a"},
		"C E A":                           {"c", "e", "a"},
		"J.E. SOUZA":                      {"je", "souza"},
		"J, C":                            {"j", "c"},
		"CASA 3":                          {"casa", "3"},
		"24 HORAS 7":                      {"24", "horas", "7"},
		"ANO 2000 E 12345":                {"ano", "2000", "e"},
		"456 789 MARIA":                   {"maria"},
		"MARIA ***456**":                  {"maria"},
		"MARIA 123.456.789-09":            {"maria"},
		"123 456 789 09":                  nil,
		"*A1*":                            nil,
		"E.I.R.E.L.I.":                    {"eireli"},
		"J.C. SILVA":                      {"jc", "silva"},
		"A.B1.C":                          {"a", "b1", "c"},
		"A./B":                            {"ab"},
		"D'ÁGUA D’OURO":                   {"dagua", "douro"},
		"M & M":                           {"m", "m"},
		"3M 24H 2000 POSTO7":              {"3m", "24h", "2000", "posto7"},
		"41.330.504 MARIA EXEMPLO":        {"maria", "exemplo"},
		"MARIA EXEMPLO ***456789**":       {"maria", "exemplo"},
		"MARIA EXEMPLO 12345678909":       {"maria", "exemplo"},
		"MARIA12345678909":                nil,
		"X123456":                         nil,
		"X12345":                          {"x12345"},
		"a\u0301gua":                      {"agua"},
		"caf\xc3\xa9\xff\xfebar":          {"cafe", "bar"},
		"🙂PÃO🙂":                           {"pao"},
		strings.Repeat("A", 100) + " FIM": {strings.Repeat("a", maxTokenBytes), "fim"},
		strings.Repeat("É", 100):          {strings.Repeat("e", maxTokenBytes)},
	}
	for in, want := range cases {
		var got []string
		for _, token := range Tokens(in) {
			got = append(got, token.Text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Tokens(%q): %s", in, diff)
		}
	}
}

func TestTokenPositions(t *testing.T) {
	t.Parallel()
	text := "  Pão D'Água S.A. 12345 fim"
	var got []string
	for _, token := range Tokens(text) {
		got = append(got, text[token.Start:token.End])
	}
	if diff := cmp.Diff([]string{"Pão", "D'Água", "S.A", "fim"}, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzTokens(f *testing.F) {
	for _, seed := range []string{"S/A", "D'ÁGUA", "***456789**", "a\u0301\xff", "A.B.C.D", "４２Ⅷ½", "ﷺﷺﷺ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, token := range Tokens(text) {
			if token.Start < end || token.End <= token.Start || token.End > len(text) {
				t.Fatalf("%q: token %q stands at %d to %d after %d", text, token.Text, token.Start, token.End, end)
			}
			end = token.End
			digits := 0
			for _, r := range token.Text {
				if r >= '0' && r <= '9' {
					digits++
				}
			}
			if token.Text == "" || len(token.Text) > maxTokenBytes || digits > maxTokenDigits || digits == len(token.Text) && digits > maxNumberDigits {
				t.Fatalf("%q has the token %q", text, token.Text)
			}
			if utf8.ValidString(text) && !utf8.ValidString(token.Text) {
				t.Fatalf("%q has the token %q, which is not UTF-8", text, token.Text)
			}
		}
	})
}

// TestAppendWords: what dst already has stays, and limit bounds what is added to it.
func TestAppendWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, dst string
		limit     int
		want      string
	}{
		{"Padaria São João", "", 100, "padaria sao joao"},
		{"Padaria São João", "", 9, "padaria s"},
		{"Padaria São João", "0123456789", 9, "0123456789padaria s"},
		{"Padaria São João", "0123456789", 0, "0123456789"},
		{"", "0123456789", 3, "0123456789"},
	} {
		var tok Tokenizer
		tok.Scan(c.text)
		if got := string(tok.AppendWords([]byte(c.dst), c.limit)); got != c.want {
			t.Errorf("%q after %q, at most %d: %q, want %q", c.text, c.dst, c.limit, got, c.want)
		}
	}
}
