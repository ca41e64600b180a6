package filter_test

import (
	"errors"
	"net/url"
	"slices"
	"testing"

	"razao/index/filter"
	"razao/internal/data/record"
)

// tables returns the domains of a load, with a few codes.
func tables() record.Domains {
	all := record.LayoutDomains()
	all[record.DomainCNAE] = map[string]string{"4721102": "Padaria e confeitaria com predominância de revenda"}
	all[record.DomainMunicipio] = map[string]string{"6291": "CAMPINAS"}
	all[record.DomainNatureza] = map[string]string{"2062": "Sociedade Empresária Limitada"}
	all[record.DomainPais] = map[string]string{"249": "ESTADOS UNIDOS"}
	all[record.DomainMotivo] = map[string]string{"01": "EXTINCAO POR ENCERRAMENTO LIQUIDACAO VOLUNTARIA"}
	all[record.DomainQualificacao] = map[string]string{"49": "Sócio-Administrador"}
	return all
}

func reader(t testing.TB) *filter.Reader {
	t.Helper()
	r, err := filter.NewReader()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestDeclared checks that the table is complete, and that everything but internal filters is in one
// group.
func TestDeclared(t *testing.T) {
	t.Parallel()
	var names []string
	for _, f := range filter.All() {
		names = append(names, f.Name)
		if f.Label == "" || f.About == "" || f.Form == filter.OneOf && f.Options == nil && f.Domain == "" {
			t.Errorf("%s: %+v", f.Name, f)
		}
		for _, o := range f.Options {
			if err := filter.Of(f.Name, o.Value).Validate(); err != nil || o.Text == "" {
				t.Errorf("%s=%s %q: %v", f.Name, o.Value, o.Text, err)
			}
		}
		if f.Kind == filter.Choice && len(f.Options) != 2 {
			t.Errorf("%s is a choice between %d values", f.Name, len(f.Options))
		}
		if lower, upper, ok := filter.Bounds(f.Name); ok && (filter.Named(lower).Label != f.Label || filter.Named(upper).Form != f.Form) {
			t.Errorf("%s and %s are called or written otherwise", lower, upper)
		}
	}
	want := filter.Names()
	slices.Sort(want)
	slices.Sort(names)
	if !slices.Equal(names, want) {
		t.Errorf("in groups %v, offered %v", names, want)
	}
	for _, name := range []string{filter.PartnerDigits, filter.PartnerRoot} {
		if filter.Named(name) != nil || slices.Contains(names, name) {
			t.Errorf("%s is offered", name)
		}
	}
}

// TestRead reads what people write.
func TestRead(t *testing.T) {
	t.Parallel()
	r := reader(t)
	for given, want := range map[string]string{
		"uf=sp": "uf=SP", "uf=São Paulo": "uf=SP", "uf=-RJ": "uf=-RJ", "uf=": "", "uf= ": "", "outro=1": "",
		"municipio=6291": "municipio=6291", "municipio=3509502": "municipio=6291", "municipio=Campinas/SP": "municipio=6291", "municipio=campinas": "municipio=6291",
		"municipio=Bom Jesus&uf=RS": "municipio=8545&uf=RS", "municipio=Bom Jesus/rs": "municipio=8545",
		"municipio=Parati": "municipio=5875", "municipio=Santa Bárbara d Oeste/SP": "municipio=7017", "municipio=santa barbara doeste": "municipio=7017",
		"municipio=Santarém": "municipio=0535", "municipio=Santarém/PB": "municipio=0514",
		"cnae=4721-1/02": "cnae=4721102", "cnae=4721-1/02 Padaria e confeitaria": "cnae=4721102", "cnae=g": "cnae=G", "cnae=-47": "cnae=-47",
		"cnae_todos=47.21-1": "cnae_todos=47211", "natureza=206-2": "natureza=2062", "natureza=206-2 Sociedade Empresária Limitada": "natureza=2062",
		"situacao=ativa": "situacao=02", "situacao=-baixada": "situacao=-08", "porte=micro": "porte=01", "porte=Microempresa": "porte=01",
		"mei=Sim": "mei=sim", "mei=-sim": "mei=nao", "mei=-sim&mei=": "mei=nao", "mei=-sim&mei=-nao": "mei=-nao&mei=-sim", "tipo=matriz&tipo=-matriz": "tipo=-matriz&tipo=matriz",
		"telefone=sim&telefone=nao&telefone=-sim": "telefone=-sim&telefone=nao&telefone=sim", "tipo=-filial": "tipo=matriz", "mei=Optante": "mei=sim", "tipo=Filial": "tipo=filial", "regiao=Centro-Oeste": "regiao=centro-oeste", "capital=1-10K": "capital=1-10k",
		"capital_de=R$ 100 mil": "capital_de=100000", "capital_ate=1,5 milhão": "capital_ate=1500000", "capital_de=1500.50": "capital_de=1500.50",
		"capital_de=1.500,50": "capital_de=1500.50", "capital_de=R$ 100.000": "capital_de=100000", "capital_de=1.500 reais": "capital_de=1500",
		"capital_de=1.5": "capital_de=1.50", "capital_de=1500,5": "capital_de=1500.50", "capital_de=1.000.000": "capital_de=1000000", "capital_de=007,10": "capital_de=7.10",
		"abertura_de=2020": "abertura_de=2020-01-01", "abertura_ate=2020": "abertura_ate=2020-12-31", "abertura_de=15/03/2020": "abertura_de=2020-03-15",
		"abertura_ate=fevereiro de 2020": "abertura_ate=2020-02-29", "abertura_de=2020-03-15": "abertura_de=2020-03-15",
		"cep=13.024-100": "cep=13024100", "cep=13024-1": "cep=130241", "cep=13.0": "cep=130", "cep=130": "cep=130", "ddd=-19": "ddd=-19", "bairro=Vila Mariana": "bairro=Vila+Mariana", "email_dominio=contato@Exemplo.com.br": "email_dominio=exemplo.com.br",
		"telefone_numero=019 9 8765-4321":    "telefone_numero=19987654321",
		"telefone_numero=+55 (19) 3233-4455": "telefone_numero=1932334455", "telefone_numero=-19 3233.4455": "telefone_numero=-1932334455",
		"email_endereco= Contato@Exemplo.com.br": "email_endereco=contato%40exemplo.com.br", "logradouro=R. das Flores": "logradouro=R.+das+Flores", "numero=10-A": "numero=10-A",
		"fonte=pgfn&fonte=ceis": "fonte=ceis&fonte=pgfn", "fonte_todas=pgfn&fonte_todas=ceis": "fonte_todas=ceis&fonte_todas=pgfn",
		"socio_faixa=21 a 30 anos": "socio_faixa=3", "socio_qualificacao=49": "socio_qualificacao=49", "pais=249": "pais=249", "motivo=01": "motivo=01",
		"estabelecimentos_de=1.000.000": "estabelecimentos_de=1000000", "numero=nº 0010 A": "numero=n%C2%BA+0010+A", "cnae=47.21-1-02": "cnae=4721102", "uf=SP&uf=sp": "uf=SP",
	} {
		values, err := url.ParseQuery(given)
		if err != nil {
			t.Fatal(err)
		}
		all, set, err := r.Read(tables(), values)
		if err != nil || set.String() != want {
			t.Errorf("%s is %q, want %q: %v", given, set, want, err)
		}
		for _, g := range all {
			if g.Text == "" {
				t.Errorf("%s has no text", given)
			}
		}
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	r := reader(t)
	for given, must := range map[string]string{
		"uf=XX":                        "Deve ser a sigla de um estado, ou EX para o exterior.",
		"municipio=Bom Jesus":          "Há mais de um: Bom Jesus/PB, Bom Jesus/PI, Bom Jesus/RN, Bom Jesus/RS ou Bom Jesus/SC.",
		"mei=-talvez":                  "Deve ser sim ou nao.",
		"fonte_todas=-pgfn":            "Deve ser o identificador de uma fonte: quem tem registros em todas elas.",
		"abertura_de=31/02/2020":       "Deve ser uma data, AAAA-MM-DD: a primeira de abertura.",
		"capital_de=muito":             "Deve ser um valor em reais, como 1500.50: o menor capital social.",
		"capital_de=2&capital_ate=1":   "Deve ser maior ou igual a capital_de.",
		"ano_de=2000&ano_de=2001":      "Envie até 1 valor.",
		"telefone_numero=3233-4455":    "Deve ser um número com DDD, como (19) 3233-4455.",
		"telefone_numero=2026-11-2812": "Deve ser um número com DDD, como (19) 3233-4455.",
		"telefone_numero=12345678909":  "Deve ser um número com DDD, como (19) 3233-4455.",
		"email_endereco=exemplo.com":   "Deve ser um endereço inteiro.",
		"numero=S/N":                   "Deve ser o do endereço, de até 5 dígitos.",
		"socio_faixa=0":                "Deve ser um código de 1 a 9; vale para a matriz.",
		"capital_de=1.500":             "Pode ser lido como 1500 ou como 1,5: escreva os milhares sem ponto.",
		"capital_ate=100,000":          "Pode ser lido como 100000 ou como 100: escreva os milhares sem ponto.",
		"divida_de=2.050":              "Pode ser lido como 2050 ou como 2,05: escreva os milhares sem ponto.",
		"estabelecimentos_de=1.000":    "Pode ser lido como 1000 ou como 1: escreva os milhares sem ponto.",
		"estabelecimentos_de=1.5":      "Deve ser um número: o menor de estabelecimentos da empresa.",
		"socios_ate=1-5":               "Deve ser um número: o maior de sócios da empresa.",
		"socios_ate=1.00.000":          "Deve ser um número: o maior de sócios da empresa.",
		"capital_de=0.500":             "Deve ser um valor em reais, como 1500.50: o menor capital social.",
		"capital_de=1,000.50":          "Deve ser um valor em reais, como 1500.50: o menor capital social.",
		"ddd=1-1":                      "Deve ser um DDD, com dois dígitos.",
		"ddd=1 1":                      "Deve ser um DDD, com dois dígitos.",
		"cep=2026-11-28":               "Deve ser um CEP ou o começo de um, de 3 a 8 dígitos.",
		"cep=1.302-4100":               "Deve ser um CEP ou o começo de um, de 3 a 8 dígitos.",
		"numero=99.999.999/0001-91":    "Deve ser o do endereço, de até 5 dígitos.",
		"numero=1.500":                 "Deve ser o do endereço, de até 5 dígitos.",
		"telefone_numero=1932334455x":  "Deve ser um número com DDD, como (19) 3233-4455.",
		"telefone_numero=19/32334455":  "Deve ser um número com DDD, como (19) 3233-4455.",
		"natureza=2-0-6-2":             "Deve ser um código de quatro dígitos.",
		"situacao=0-2":                 "Deve ser o código de uma situação cadastral: 01 nula, 02 ativa, 03 suspensa, 04 inapta ou 08 baixada.",
		"cnae=4-7":                     "Deve ser a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Com estas palavras: 47 Comércio varejista; 471; 472; 473.",
		"cnae=4721/1-02":               "Deve ser a letra de uma seção ou os 2, 3, 5 ou 7 primeiros dígitos de uma subclasse. Com estas palavras: 4721-1/02 Padaria e confeitaria com predominância de revenda.",
	} {
		values, err := url.ParseQuery(given)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = r.Read(tables(), values)
		wrong := new(filter.ReadError)
		if !errors.As(err, &wrong) || wrong.Must != must {
			t.Errorf("%s: %v, must %q, want %q", given, err, wrong.Must, must)
		}
	}
}

func TestPhrases(t *testing.T) {
	t.Parallel()
	r := reader(t)
	values, err := url.ParseQuery("uf=SP&uf=-RJ&capital_de=100000&abertura_ate=2020&abertura_de=2010&estabelecimentos_de=2&socios_ate=1500&capital_ate=2000000.50")
	if err != nil {
		t.Fatal(err)
	}
	given, _, err := r.Read(tables(), values)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range filter.Phrases(given) {
		got = append(got, p.Label+": "+p.Text)
	}
	want := []string{
		"Estado: São Paulo", "Estado: exceto Rio de Janeiro", "Abertura: 01/01/2010 a 31/12/2020", "Capital social: R$\u00a0100.000 a R$\u00a02.000.000,50",
		"Estabelecimentos: a partir de 2", "Número de sócios: até 1.500",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// FuzzRead reads any text as a value of each filter: what it takes is valid, and read again is the same.
func FuzzRead(f *testing.F) {
	for _, given := range []string{"1.500", "1.5", "R$ 1.500,50", "100 mil", "-00,7", "2026-11-28", "13.024-100", "99.999.999/0001-91", "4721-1/02", "+55 (19) 3233-4455"} {
		f.Add(given)
	}
	r := reader(f)
	f.Fuzz(func(t *testing.T, given string) {
		for _, c := range filter.All() {
			g, ok := r.Value(tables(), c.Name, given)
			if !ok {
				continue
			}
			again, ok := r.Value(tables(), c.Name, g.Value)
			if err := filter.Of(c.Name, g.Value).Validate(); err != nil || !ok || again.Value != g.Value {
				t.Errorf("%s of %q is %q (%v), and that %q, %v", c.Name, given, g.Value, err, again.Value, ok)
			}
		}
	})
}
