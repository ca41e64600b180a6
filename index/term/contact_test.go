package term

import (
	"strings"
	"testing"
)

func TestContactCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, got, want string }{
		{"telephone", PhoneCode("43", "15467271"), "4315467271"},
		{"DDD with zeros", PhoneCode("0043", "15467271"), "4315467271"},
		{"mobile telephone", PhoneCode("43", "915467271"), "43915467271"},
		{"eleven digits that are no telephone", PhoneCode("52", "998224725"), "52998224725"},
		{"a CPF", PhoneCode("12", "345678909"), ""},
		{"a masked CPF", PhoneCode("11", "***456789**"), ""},
		{"no DDD", PhoneCode("", "15467271"), ""},
		{"190", PhoneCode("11", "190"), ""},
		{"without the ninth digit", OtherPhoneCode("11987654321"), "1187654321"},
		{"with it", OtherPhoneCode("1187654321"), "11987654321"},
		{"a mobile telephone of later", OtherPhoneCode("11912345678"), ""},
		{"a landline telephone", OtherPhoneCode("1132334455"), ""},
		{"address", EmailCode(" CONTATO@Padaria.exemplo"), "contato@padaria.exemplo"},
		{"address with a masked CPF", EmailCode("***456789**@exemplo.com"), ""},
		{"two addresses", EmailCode("a@exemplo.com b@exemplo.com"), ""},
		{"no address", EmailCode("NAO TEM"), ""},
		{"street", StreetCode("RUA  DUQUE DE CAXIAS"), "rua duque caxias"},
		{"street, abbreviated", StreetCode("r.  Dr. José da Silva"), "rua jose silva"},
		{"type twice", StreetCode("RUA R DAS FLORES"), "rua flores"},
		{"initial", StreetCode("R. D. PEDRO II"), "rua dom pedro ii"},
		{"day in words", StreetCode("AV. QUINZE DE NOVEMBRO"), "avenida 15 novembro"},
		{"first day", StreetCode("RUA 1º DE MAIO"), "rua 1 maio"},
		{"street of a title", StreetCode("RUA DO CORONEL"), "rua coronel"},
		{"street of one letter", StreetCode("RUA D"), "rua d"},
		{"street of a number", StreetCode("AV 7"), "avenida 7"},
		{"no type", StreetCode(" SQS 308"), "sqs 308"},
		{"type alone", StreetCode("RUA "), "rua"},
		{"street with a masked CPF", StreetCode("RUA ***456789**"), "rua"},
		{"number", HouseNumberCode("00589-A"), "589"},
		{"number behind letters", HouseNumberCode("KM 12,5"), "12"},
		{"no number", HouseNumberCode("S/N"), ""},
		{"zero", HouseNumberCode("0"), ""},
		{"long number", HouseNumberCode("123456"), ""},
		{"masked CPF", HouseNumberCode("***45678**"), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.what, c.got, c.want)
		}
	}
}

// FuzzContactCodes checks that codes are stable and that no number of a person becomes one.
func FuzzContactCodes(f *testing.F) {
	f.Add("R. DR. RUA 15 de Novembro ***456789**")
	f.Add("0019-A")
	f.Add("A@b@c")
	f.Fuzz(func(t *testing.T, text string) {
		email, house := EmailCode(text), HouseNumberCode(text)
		if EmailCode(email) != email || HouseNumberCode(house) != house || strings.Contains(email+house, "*") || len(house) > maxHouseDigits {
			t.Errorf("%q: %q, %q", text, email, house)
		}
		digits := 0
		for _, r := range StreetCode(text) {
			if r < '0' || r > '9' {
				digits = -1
			}
			if digits++; digits > maxNumberDigits+1 {
				t.Errorf("%q: %q", text, StreetCode(text))
			}
		}
	})
}
