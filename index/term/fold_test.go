package term

import (
	"bytes"
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

// TestElide: an apostrophe, a hyphen and a blank after a particle are one; parts are shown with a bar.
func TestElide(t *testing.T) {
	t.Parallel()
	cases := map[string][]string{
		"CAIXA D'ÁGUA":           {"caixa", "d|agua"},
		"CAIXA D’AGUA":           {"caixa", "d|agua"},
		"CAIXA D AGUA":           {"caixa", "d|agua"},
		"CAIXA D-AGUA":           {"caixa", "d|agua"},
		"CAIXA D - AGUA":         {"caixa", "d|agua"},
		"CAIXA D' AGUA":          {"caixa", "d|agua"},
		"CAIXA D  ´AGUA":         {"caixa", "d|agua"},
		"CAIXA DAGUA":            {"caixa", "dagua"},
		"OLHO D\u2011HORA":       {"olho", "d|hora"},
		"SANT ANA":               {"sant|ana"},
		"DALL AGNOL DELL'ANNA":   {"dall|agnol", "dell|anna"},
		"BOB'S O'BRIEN":          {"bob|s", "o|brien"},
		"D. AGUA":                {"d", "agua"},
		"D, AGUA":                {"d", "agua"},
		"D/AGUA":                 {"d", "agua"},
		"J D AGUA":               {"jd", "agua"},
		"D A":                    {"da"},
		"D SILVA":                {"d", "silva"},
		"SANT":                   {"sant"},
		"D'1234 D'A12345 D A1":   {"d1234", "da12345", "da1"},
		"D'" + longest:           {"d|" + longest[1:]},
		"D " + longest:           {"d", longest},
		"'D'":                    {"d"},
		"D''AGUA":                {"d|agua"},
		"ROCK 'N' ROLL D'AGUA D": {"rock", "n", "roll", "d|agua", "d"},
	}
	for in, want := range cases {
		var tok Tokenizer
		tok.Scan(in)
		tok.Elide()
		var got []string
		for i := range tok.Len() {
			word := string(tok.Word(i))
			if cut := tok.Cut(i); cut > 0 {
				word = word[:cut] + "|" + word[cut:]
			}
			got = append(got, word)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", in, diff)
		}
	}
}

var longest = strings.Repeat("a", maxTokenBytes)

func TestSpoken(t *testing.T) {
	t.Parallel()
	text := "AÇUNÇÃO, d’Açu M.Ç. c\u0327a pão"
	var tok Tokenizer
	tok.Scan(text)
	var got []string
	for i := range tok.Len() {
		got = append(got, tok.Spoken(text, i))
	}
	if diff := cmp.Diff([]string{"açunçao", "daçu", "mç", "ça", "pao"}, got); diff != "" {
		t.Error(diff)
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
		var tok Tokenizer
		tok.Scan(text)
		tok.Elide()
		for i := range tok.Len() {
			word, cut := tok.Word(i), tok.Cut(i)
			if len(word) == 0 || len(word) > maxTokenBytes || cut >= len(word) || cut > 0 && bytes.ContainsAny(word, "0123456789") {
				t.Fatalf("%q has the word %q, cut at %d", text, word, cut)
			}
			tok.Spoken(text, i)
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
