package intent

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"
)

func openActivities(t testing.TB) *Activities {
	t.Helper()
	a, err := OpenActivities()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestActivitiesInQueries(t *testing.T) {
	t.Parallel()
	a := openActivities(t)
	cases := map[string]string{ // what was typed; the codes, and the name behind a colon
		"padaria":                   "1091102 4721101 4721102: padaria",
		"padarias":                  "1091102 4721101 4721102: padarias",
		"padaria e confeitaria":     "1091102 4721101 4721102: padaria e confeitaria",
		"oficina mecânica":          "4520001: Serviços de manutenção e reparação mecânica de veículos automotores",
		"oficinas mecanicas":        "4520001: Serviços de manutenção e reparação mecânica de veículos automotores",
		"salao de beleza":           "9602501 9602502: salão de beleza",
		"advogado":                  "6911701: Serviços advocatícios",
		"advogada":                  "6911701: Serviços advocatícios",
		"ADVOCACIA":                 "6911701: Serviços advocatícios",
		"dentistas":                 "8630504 8630505: dentista",
		"mercadinho":                "4712100: " + a.names["4712100"],
		"restaurante":               "5611201: Restaurantes e similares",
		"bar e restaurante":         "5611201 5611202 5611204 5611205: bar e restaurante",
		"hotel":                     "5510801 5510802: hotel",
		"creches":                   "8511200: Educação infantil - creche",
		"açougue":                   "4722901: Comércio varejista de carnes - açougues",
		"cabeleireira":              "9602501: Cabeleireiros, manicure e pedicure",
		"loja de móveis":            "4754701: Comércio varejista de móveis",
		"fábrica de sorvete":        "1053800: Fabricação de sorvetes e outros gelados comestíveis",
		"loja":                      "",
		"comercio":                  "",
		"comércio varejista":        "",
		"servicos":                  "",
		"geral":                     "",
		"outros produtos":           "",
		"maquinas e equipamentos":   "",
		"de":                        "",
		"":                          "",
		`"padaria"`:                 "",
		"padaria estrela do sul":    "",
		"torolux":                   "",
		"souza e silva":             "",
		"4721102":                   "", // that is ParseCode's
		"lava-jato":                 "4520005: Serviços de lavagem, lubrificação e polimento de veículos automotores",
		"petshop":                   "4789004 9609208: pet shop",
		"auto peças":                "4530703 4530704: autopeças",
		"lavajato":                  "4520005: Serviços de lavagem, lubrificação e polimento de veículos automotores",
		"clínica veterinária":       "7500100: Atividades veterinárias",
		"clinica":                   "",
		"consultorio":               "",
		"carro novo":                "4511101 4511103: carro novo",
		"auto posto":                "4731800: Comércio varejista de combustíveis para veículos automotores",
		"pedro":                     "",
		"nova":                      "",
		"advocacia e consultoria":   "6204000 6621502 6911701 6920602 7020400 7319004 7490103: advocacia e consultoria",
		"distribuidora":             "",
		"distribuidora de bebidas":  "4635403 4635499: distribuidora de bebidas",
		"loja de roupas":            "4781400: Comércio varejista de artigos do vestuário e acessórios",
		"comércio de roupas":        "4781400: Comércio varejista de artigos do vestuário e acessórios",
		"doces":                     "4721104: Comércio varejista de doces, balas, bombons e semelhantes",
		"pet shops":                 "4789004 9609208: pet shop",
		"consultório odontológico":  "8630504 8630505: odontológico",
		"transporte de mudanças":    "4930204: Transporte rodoviário de mudanças", // not "exceto … mudanças"
		"serviços de contabilidade": "6920601: Atividades de contabilidade",
		"CONFECCOES":                "1411801 1412601 1412602 1413401 1413402 2599301: confecções",
		"confecção de roupas":       "1411801 1413401 1413402: confecção de roupas",
		"imoveis":                   "6810201 6810202 6810203 6821801 6821802: imóveis",
	}
	for typed, want := range cases {
		got := ""
		if found, ok := a.Find(Parse(typed)); ok {
			got = strings.Join(found.Codes, " ") + ": " + found.Name
		}
		if got != want {
			t.Errorf("%q is %q, want %q", typed, got, want)
		}
	}
}

func TestActivityCodesInQueries(t *testing.T) {
	t.Parallel()
	a := openActivities(t)
	const bakery = "4721102: Padaria e confeitaria com predominância de revenda"
	cases := map[string]string{ // what was typed; the codes, the name, and the rest behind a bar
		"4721-1/02":                  bakery + "|",
		"4721102":                    bakery + "|",
		"47.21-1-02":                 bakery + "|",
		"47.21-1/02":                 bakery + "|",
		" 4721-1/02 em Campinas.":    bakery + "|em Campinas.",
		"padarias, CNAE: 4721-1/02.": bakery + "|padarias, .",
		"cnae 4721102":               bakery + "|",
		"47.21-1":                    "47211: CNAE 47.21-1|",
		"4721-1":                     "47211: CNAE 4721-1|",
		"cnae 47":                    "47: Comércio varejista|",
		"cnae 472":                   "472: CNAE 472|",
		"4721-1/02 4721-1/01":        "4721101 4721102: CNAE 4721-1/02, 4721-1/01|",
		"":                           "",
		"47":                         "",
		"472":                        "",
		"4721":                       "",
		"47211":                      "",
		"4721-9":                     "", // no such class
		"4721-1/99":                  "",
		"4721109":                    "",
		"cnae 99999":                 "",
		"cnae":                       "",
		"11.222.333/0001-81":         "",
		"11222333000181":             "",
		"3333-4444":                  "",
		"30140-071":                  "",
		"31 4721-1022":               "",
		"x4721102":                   "",
		"1.4721102":                  "",
		"padaria " + strings.Repeat("x", 600) + " 4721102": "",
	}
	for typed, want := range cases {
		got := ""
		found, rest, ok := a.ParseCode(typed)
		if ok {
			got = strings.Join(found.Codes, " ") + ": " + found.Name + "|" + rest
		} else if rest != typed {
			t.Errorf("%q without a code leaves %q", typed, rest)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", typed, got, want)
		}
	}
}

// TestEverydayActivities checks the table against the classification: its codes exist, and the
// official wording alone would not find the same.
func TestEverydayActivities(t *testing.T) {
	t.Parallel()
	a := openActivities(t)
	rows, err := csv.NewReader(strings.NewReader(everydayTable)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) > 61 {
		t.Errorf("%d lines", len(rows))
	}
	for _, row := range rows[1:] {
		codes := strings.Fields(row[1])
		if !slices.IsSorted(codes) {
			t.Errorf("%s: %s", row[0], row[1])
		}
		for _, code := range codes {
			if len(code) != 7 || a.names[code] == "" {
				t.Errorf("%s: there is no subclass %s", row[0], code)
			}
		}
		found, ok := a.Find(Parse(row[0]))
		if !ok || !slices.Equal(found.Codes, codes) {
			t.Errorf("%s is %v", row[0], found)
		}
		if slices.Equal(a.having(stems(Parse(row[0]))), codes) {
			t.Errorf("%s is found without the table", row[0])
		}
	}
}

// FuzzActivities checks that every code found is in the classification, that codes are sorted, and
// that the activity has a name.
func FuzzActivities(f *testing.F) {
	for _, seed := range []string{"padaria e bar", "cnae nº 47", "4721-1/02", "loja de e", "não", "ões", "\xff4721102\xff"} {
		f.Add(seed)
	}
	a := openActivities(f)
	f.Fuzz(func(t *testing.T, typed string) {
		words, ok := a.Find(Parse(typed))
		coded, rest, also := a.ParseCode(typed)
		if len(rest) > len(typed) {
			t.Errorf("%q leaves %q", typed, rest)
		}
		for i, found := range []Activity{words, coded} {
			if understood := []bool{ok, also}[i]; understood != (len(found.Codes) > 0) || understood != (found.Name != "") {
				t.Errorf("%q is %+v, %t", typed, found, understood)
			}
			for j, code := range found.Codes {
				if !a.isCode(code) || j > 0 && code <= found.Codes[j-1] {
					t.Errorf("%q is %+v", typed, found)
				}
			}
		}
	})
}
