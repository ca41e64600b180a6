package cnpj

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"
)

func TestMaskCPFs(t *testing.T) {
	t.Parallel()
	cases := []struct{ in, want string }{
		{"", ""},
		{"FULANO 52998224725", "FULANO ***982247**"},
		{"CPF 529.982.247-25, e 111.444.777-35.", "CPF ***982247**, e ***444777**."},
		{"CPF:529982247-25", "CPF:***982247**"},
		{"529.982.24725 fim", "***982247** fim"},
		{"52998224725", "***982247**"},
		{"JOSE SILVA 52998224725 ME", "JOSE SILVA ***982247** ME"},
		{"JOSE SILVA (52998224725)", "JOSE SILVA (***982247**)"},
		{"52998224725 JOSE SILVA", "***982247** JOSE SILVA"},
		{"JOSE 12345678909 - BAIXADA", "JOSE ***456789** - BAIXADA"},
		{"JOSE 123 456 789 09", "JOSE ***456789**"},
		{"RUA 5 529.982.247-25", "RUA 5 ***982247**"},
		{"RUA 5 529 982 247 25", "RUA 5 ***982247**"},
		{"529..982.247--25", "***982247**"},
		{"529.982.247–25", "***982247**"},
		{"529\u00a0982\u00a0247\u00a025", "***982247**"},
		{"529\u200b982\u200b247\u200b25", "***982247**"},
		{"52.998.224.725", "***982247**"},
		{"5 2 9 9 8 2 2 4 7 2 5", "***982247**"},
		{"５２９９８２２４７２５", "***982247**"},
		{"52998224725@exemplo.com.br", "***982247**@exemplo.com.br"},
		{"JOSÉ-12345678909", "JOSÉ-***456789**"},
		{"MARIA 12345678909 EXEMPLO", "MARIA ***456789** EXEMPLO"},
		{"PESSOA SINTETICA 000.000.001-91", "PESSOA SINTETICA ***000001**"},
		{"12.529.982.247-25", "12.***982247**"}, // a paragraph's number before it
		{"Nº 1529 DE 52998224725/2020 à", "Nº 1529 DE ***982247**/2020 à"},

		{"52998224724", "52998224724"},         // wrong check digits
		{"152998224725", "152998224725"},       // part of a longer number
		{"529982247251", "529982247251"},       // likewise
		{"529.982.247-251", "529.982.247-251"}, // likewise
		{"1529.982.247-25", "1529.982.247-25"}, // likewise
		{"529/982/247/25/1", "529/982/247/25/1"},
		{"529982247 A 25", "529982247 A 25"},
		{"529 ..... 98224725", "529 ..... 98224725"},
		{"MARIA EXEMPLO 12345678900", "MARIA EXEMPLO 12345678900"},   // likewise
		{"MARIA EXEMPLO 012345678909", "MARIA EXEMPLO 012345678909"}, // twelve digits
		{"41.330.504 MARIA EXEMPLO", "41.330.504 MARIA EXEMPLO"},
		{"11222333000181", "11222333000181"}, // a CNPJ
		{"11.222.333/0001-81", "11.222.333/0001-81"},
		{"(11) 98765-0034", "(11) 98765-0034"}, // telephones whose check digits are right
		{"11 98765-0034", "11 98765-0034"},
		{"11 9 8765-0034", "11 9 8765-0034"},
		{"11 987650034", "11 987650034"},
		{"(011) 3456-0001", "(011) 3456-0001"},
		{"(011) 34560001", "(011) 34560001"},
		{"011 3456 0001", "011 3456 0001"},
		{"0800 123 0007", "0800 123 0007"},
		{"R$ 529.982.247,25", "R$ 529.982.247,25"},
		{"PROC. 5299822/4725", "PROC. ***982247**"},
		{"PROC. 5291035/2005", "PROC. 5291035/2005"}, // proceedings whose check digits are right
		{"PROC. 2018/2071480", "PROC. 2018/2071480"},
		{"***.982.247-**", "***.982.247-**"},
		{"529.982.247-", "529.982.247-"},
	}
	for _, c := range cases {
		if got := MaskCPFs(c.in); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestMaskPerson(t *testing.T) {
	t.Parallel()
	cases := []struct{ in, want string }{
		{"JOSE DA SILVA", "JOSE DA SILVA"},
		{"JOSE DA SILVA 52998224725", "JOSE DA SILVA ***982247**"},
		{"JOSE DA SILVA 52998224724", "JOSE DA SILVA ***982247**"}, // mistyped
		{"JOSE DA SILVA 529 982 247-24", "JOSE DA SILVA ***982247**"},
		{"52998224724", "***982247**"},
		{"***982247**", "***982247**"},
		{"41.330.504 JOSE DA SILVA", "41.330.504 JOSE DA SILVA"},
		{"11222333000181", "11222333000181"},
	}
	for _, c := range cases {
		if got := MaskPerson(c.in); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

// TestMaskingErrors counts both kinds of error over two hundred texts of each kind: CPFs that stay
// visible, and other numbers that are masked. All numbers are invented. Of numbers of eleven digits
// without any punctuation one in a hundred passes for a CPF by chance.
func TestMaskingErrors(t *testing.T) {
	t.Parallel()
	var missed []string
	for _, line := range lines(t, "cpf") {
		digits, text, _ := strings.Cut(line, "\t")
		if got := MaskCPFs(text); !strings.Contains(got, "***"+digits[3:9]+"**") || strings.Contains(onlyDigits(got), digits) {
			missed = append(missed, fmt.Sprintf("%q: %q", text, got))
		}
	}
	t.Logf("cpf: %d of 200 stay visible", len(missed))
	if len(missed) > 0 {
		t.Errorf("visible:\n%s", strings.Join(missed, "\n"))
	}
	for _, kind := range []string{"cnpj", "telephone", "process", "contract"} {
		var masked []string
		for _, text := range lines(t, kind) {
			if got := MaskCPFs(text); got != text {
				masked = append(masked, fmt.Sprintf("%q: %q", text, got))
			}
		}
		t.Logf("%s: %d of 200 are masked", kind, len(masked))
		if len(masked) > 0 {
			t.Errorf("%s:\n%s", kind, strings.Join(masked, "\n"))
		}
	}
}

func lines(t *testing.T, kind string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/cpf/" + kind + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) != 200 {
		t.Fatalf("%s: %d texts", kind, len(lines))
	}
	return lines
}

// onlyDigits returns the digits of a text as ASCII.
func onlyDigits(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '０' && r <= '９':
			return r - '０' + '0'
		case unicode.IsDigit(r):
			return r
		}
		return -1
	}, text)
}

// FuzzMaskCPFs checks that masking twice changes nothing more, that nothing but digits and what
// divides them is lost, and that no plain CPF stays.
func FuzzMaskCPFs(f *testing.F) {
	f.Add("x 52998224725 y 111.444.777-35")
	f.Add("152998224725;11144477735")
	f.Add("5 2 9 9 8 2 2 4 7 2 5 529 982 247 25")
	f.Add("５２９.982\xff247-25")
	letters := func(text string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) {
				return r
			}
			return -1
		}, text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, mask := range []func(string) string{MaskCPFs, MaskPerson} {
			got := mask(text)
			if again := mask(got); again != got {
				t.Fatalf("%q becomes %q, and then %q", text, got, again)
			}
			if letters(got) != letters(text) {
				t.Fatalf("%q becomes %q, with other letters", text, got)
			}
			for _, run := range strings.FieldsFunc(got, func(r rune) bool { return r < '0' || r > '9' }) {
				if len(run) == cpfLength && validCPF([]byte(run)) {
					t.Fatalf("%q becomes %q, with a CPF in it", text, got)
				}
			}
		}
	})
}

// TestMaskingKeepsNothing: a text of digits that hide nothing, such as the bytes of a picture in hexadecimal, costs no memory.
func TestMaskingKeepsNothing(t *testing.T) {
	for _, text := range []string{strings.Repeat("0f1e2d3c", 1<<17), strings.Repeat("1 ", 1<<19), strings.Repeat("1", 1<<20)} {
		if n := testing.AllocsPerRun(1, func() { MaskCPFs(text) }); n > 0 {
			t.Errorf("%.10s…: %v allocations", text, n)
		}
	}
}
