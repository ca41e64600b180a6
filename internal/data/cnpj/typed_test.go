package cnpj

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		given, masked string // masked is "" for what has not the form
		number        bool
	}{
		{"12.345.678/0001-95", "12.345.678/0001-95", true},
		{"12345678000100", "12.345.678/0001-00", true}, // wrong check digits
		{" 12abc345/01de-35 ", "12.ABC.345/01DE-35", true},
		{"12.345.678", "12.345.678", true},
		{"padarias", "PA.DAR.IAS", false},
		{"supermercados1", "SU.PER.MER/CADO-S1", false},
		{"SUPERME1234567", "SU.PER.ME1/2345-67", true},
		{"padaria", "", false},
		{"padaria estrela", "PA.DAR.IAE/STRE-LA", false}, // blanks are of the mask
		{"1234567", "", false},
		{"123456789012345", "", false},
		{"pãodeça", "", false},
		{"12345678?00195", "", false},
		{"", "", false},

		// Separators, and what comes with a number that was copied.
		{"12 345 678 0001 95", "12.345.678/0001-95", true},
		{"12,345,678,0001,95", "12.345.678/0001-95", true},
		{"12_345_678_0001_95", "12.345.678/0001-95", true},
		{"12/345/678/0001/95", "12.345.678/0001-95", true},
		{"12\u00a0345\u00a0678/0001\u201195", "12.345.678/0001-95", true}, // no-break space and hyphen
		{"12.345.678\u20440001\u201395", "12.345.678/0001-95", true},      // fraction slash, en dash
		{"12.345.678/\n\t0001-95\r\n", "12.345.678/0001-95", true},
		{"\ufeff12.345.678/0001\u00ad-95\u200b", "12.345.678/0001-95", true}, // marks that nobody sees
		{"１２．３４５．６７８／０００１－９５", "12.345.678/0001-95", true},
		{"１２ＡＢＣ３４５０１ｄｅ３５", "12.ABC.345/01DE-35", true},
		{"12–ABC–345–01DE–35", "12.ABC.345/01DE-35", true},
		{"12 abc 345 01de 35", "12.ABC.345/01DE-35", true},
		{"“12.345.678/0001-95”,", "12.345.678/0001-95", true},
		{"12,345,678", "12.345.678", true},
		{"12²345.678", "", false},
		{"1٢345678", "", false},
		{"H&M12.345-6", "", false},     // more probably a name
		{"SUPERME!1234567", "", false}, // so without right check digits

		// The label that forms have before it.
		{"CNPJ: 12.345.678/0001-95", "12.345.678/0001-95", true},
		{"CNPJ/MF nº 12.345.678/0001-95", "12.345.678/0001-95", true},
		{"C.N.P.J. 12.345.678/0001-95", "12.345.678/0001-95", true},
		{"cnpj12345678000195", "12.345.678/0001-95", true},
		{"CNPJ\u00a0no. 12abc345", "12.ABC.345", true},
		{"CNPJ no.bcd.345/01de-37", "NO.BCD.345/01DE-37", true},
		{"CNPJ1234", "CN.PJ1.234", true}, // a root may begin so
		{"CNPJ 1234", "", false},
		{"CNPJ", "", false},

		// Leading zeros that a spreadsheet took for granted.
		{"7654321000159", "07.654.321/0001-59", true},
		{"7.654.321/0001-59", "07.654.321/0001-59", true},
		{"360305000104", "00.360.305/0001-04", true},
		{"CNPJ 360.305/0001-04", "00.360.305/0001-04", true},
		{"360,305,000,104", "00.360.305/0001-04", true},
		{"7654321000158", "", false}, // wrong check digits
		{"360305000105", "", false},
		{"12345000165", "", false}, // eleven: as many as a CPF has
		{"191", "", false},
		{"A654321000159", "", false},
	}
	for _, tt := range tests {
		got, ok := Read(tt.given)
		if ok != (tt.masked != "") {
			t.Errorf("Read(%q) = %+v, %v", tt.given, got, ok)
			continue
		}
		if ok && (got.Masked() != tt.masked || got.MeansNumber() != tt.number) {
			t.Errorf("Read(%q): %s, number %v", tt.given, got.Masked(), got.MeansNumber())
		}
	}
}

// separated writes a number with each separator of a text between its positions, after a label, and
// without its leading zeros: it is read all the same.
func separated(t *testing.T, full Full, text string) {
	t.Helper()
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == utf8.RuneError {
			continue
		}
		written := strings.Join(strings.Split(full.String(), ""), string(r))
		for _, given := range []string{written, "CNPJ: " + written, written + string(r)} {
			if typed, ok := Read(given); !ok || typed.Text != full.String() {
				t.Errorf("%q is read as %+v, %t", given, typed, ok)
			}
		}
	}
	for short := range 3 {
		given, zeros := strings.CutPrefix(full.String(), "00"[:min(short, 2)])
		typed, ok := Read(given)
		if digits := strings.Trim(full.String(), "0123456789") == ""; zeros && digits && (!ok || typed.Text != full.String()) {
			t.Errorf("%q is read as %+v, %t", given, typed, ok)
		}
	}
}

// FuzzRead checks that a text that Read accepts has the form of a CNPJ, reads the same after masking
// and with other separators.
func FuzzRead(f *testing.F) {
	f.Add("12.345.678/0001-95")
	f.Add("ct.sb3.xpr")
	f.Add("１２３45678")
	f.Add("CNPJ nº 7.654.321/0001-59")
	f.Add("12–abc–345–01de–35")
	f.Fuzz(func(t *testing.T, text string) {
		typed, ok := Read(text)
		if part, whole := ReadPart(text); whole && (len(part.Text) == 0 || len(part.Text) > 14) || ok && !strings.HasSuffix(typed.Text, part.Text) {
			t.Errorf("%q: %+v, a part of a number %+v, %t", text, typed, part, whole)
		}
		if !ok {
			return
		}
		if full, err := ParseFull(typed.Text); err == nil {
			separated(t, full, text)
		}
		if again, ok := Read(typed.Masked()); !ok || again.Text != typed.Text {
			t.Errorf("%q: %+v, masked %q is %+v", text, typed, typed.Masked(), again)
		}
		if typed.Digits < 0 || typed.Digits > len(typed.Text) {
			t.Errorf("%q: %d digits", text, typed.Digits)
		}
		if root, err := ParseRoot(typed.Text); err == nil && root.String() != typed.Text {
			t.Errorf("%q: root %s", text, root)
		}
	})
}
