package intent_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"razao/index/filter"
	"razao/index/intent"
)

// conditionCases are texts with the filters that they express and what is left. Expectations were
// decided by hand, before the rules were written.
var conditionCases = []struct{ typed, conditions, rest string }{
	// Opening.
	{"padarias em BH abertas depois de 2020", "abertura_de=2021-01-01", "padarias em BH"},
	{
		"padarias em belo horizonte abertas depois de 2020 e capital acima de R$ 100 mil",
		"abertura_de=2021-01-01 capital_de=100000", "padarias em belo horizonte",
	},
	{"restaurantes abertos a partir de 2019", "abertura_de=2019-01-01", "restaurantes"},
	{"padaria aberta desde 2020", "abertura_de=2020-01-01", "padaria"},
	{"farmácias fundadas antes de 2020 em recife", "abertura_ate=2019-12-31", "farmácias em recife"},
	{"escolas criadas até 2020", "abertura_ate=2020-12-31", "escolas"},
	{"empresas constituídas em 2020", "abertura_de=2020-01-01 abertura_ate=2020-12-31", ""},
	{"hotéis criados entre 2015 e 2018 em natal", "abertura_de=2015-01-01 abertura_ate=2018-12-31", "hotéis em natal"},
	{"hotéis abertos de 2015 a 2018", "abertura_de=2015-01-01 abertura_ate=2018-12-31", "hotéis"},
	{"padarias com abertura após 03/2020", "abertura_de=2020-04-01", "padarias"},
	{"padarias abertas depois de 15/03/2020", "abertura_de=2020-03-16", "padarias"},
	{"padarias abertas antes de março de 2020", "abertura_ate=2020-02-29", "padarias"},
	{"PADARIAS ABERTAS EM MARÇO DE 2020", "abertura_de=2020-03-01 abertura_ate=2020-03-31", "PADARIAS"},
	{"padarias abertas a partir de 1º de março de 2020", "abertura_de=2020-03-01", "padarias"},
	{"padarias que foram abertas depois de 2015 e antes de 2020", "abertura_de=2016-01-01 abertura_ate=2019-12-31", "padarias"},
	{"padarias em campinas desde 2019", "abertura_de=2019-01-01", "padarias em campinas"},
	{"empresas em curitiba abertas depois do ano 2000", "abertura_de=2001-01-01", "em curitiba"},
	{"padarias abertas em 2021 ou depois", "abertura_de=2021-01-01", "padarias"},
	{"padarias abertas em 2020 ou 2021", "", "padarias abertas em 2020 ou 2021"},
	{"padarias abertas em 2020 e 2021", "", "padarias abertas em 2020 e 2021"},
	{"padarias abertas depois de 31/02/2020", "", "padarias abertas depois de 31/02/2020"},
	{"padarias abertas depois de 2020 e antes de 2010", "", "padarias abertas depois de 2020 e antes de 2010"},
	{"padarias abertas entre 2020 e 2010", "", "padarias abertas entre 2020 e 2010"},
	// Capital.
	{"padarias com capital social acima de 100 mil reais", "capital_de=100000", "padarias"},
	{"padarias com capital maior que R$ 100.000", "capital_de=100000", "padarias"},
	{"padarias com capital maior do que R$100.000,50", "capital_de=100000.50", "padarias"},
	{"padarias com capital de mais de 1,5 milhão de reais em bh", "capital_de=1500000", "padarias em bh"},
	{"bancos com capital superior a 2 bilhões", "capital_de=2000000000", "bancos"},
	{"padarias capital a partir de 100k", "capital_de=100000", "padarias"},
	{"padarias com capital abaixo de 1 mi", "capital_ate=1000000", "padarias"},
	{"padarias com capital até R$ 50000", "capital_ate=50000", "padarias"},
	{"padarias de capital menor que 10mil", "capital_ate=10000", "padarias"},
	{"capital entre 100 mil e 1 milhão", "capital_de=100000 capital_ate=1000000", ""},
	{"padarias com capital entre 100 e 500 mil em bh", "capital_de=100000 capital_ate=500000", "padarias em bh"},
	{"padarias com capital de R$ 1.000,00", "capital_de=1000 capital_ate=1000", "padarias"},
	{"padarias com capital acima de um milhão", "capital_de=1000000", "padarias"},
	{"padarias com capital acima de 1 milhão e meio", "capital_de=1500000", "padarias"},
	{"padarias com capital acima de 100 mil e abaixo de 1 milhão", "capital_de=100000 capital_ate=1000000", "padarias"},
	{"padarias com capital de 100 mil ou mais em bh", "capital_de=100000", "padarias em bh"},
	{"ativas com capital acima de 1 milhão", "situacao=02 capital_de=1000000", ""},
	{"padarias com capital acima de 100,000", "", "padarias com capital acima de 100,000"},
	{"padarias com capital acima de 100 mil e capital acima de 200 mil", "", "padarias com capital acima de 100 mil e capital acima de 200 mil"},
	// Situação.
	{"padarias ativas em bh", "situacao=02", "padarias em bh"},
	{"restaurantes ativos", "situacao=02", "restaurantes"},
	{"empresas baixadas em belo horizonte", "situacao=08", "em belo horizonte"},
	{"padarias baixadas em 2023", "situacao=08 situacao_de=2023-01-01 situacao_ate=2023-12-31", "padarias"},
	{"padarias fechadas depois de 2022 em recife", "situacao=08 situacao_de=2023-01-01", "padarias em recife"},
	{"padarias inaptas", "situacao=04", "padarias"},
	{"padarias suspensas ou inaptas em natal", "situacao=03 situacao=04", "padarias em natal"},
	{"empresas nulas em natal", "situacao=01", "em natal"},
	{"padarias em situação cadastral ativa", "situacao=02", "padarias"},
	{"padarias que estão ativas", "situacao=02", "padarias"},
	{"empresa ativa em natal", "situacao=02", "empresa em natal"},
	{"padarias não baixadas", "situacao=-08", "padarias"},
	{"padarias ativas e baixadas em 2023", "", "padarias ativas e baixadas em 2023"},
	{"padarias ativas desde 2019", "", "padarias ativas desde 2019"},
	// Kind and size.
	{"matrizes em são paulo", "tipo=matriz", "em são paulo"},
	{"filiais do torolux em recife", "tipo=filial", "torolux em recife"},
	{"torolux só matriz", "tipo=matriz", "torolux"},
	{"padarias que são MEI em bh", "mei=sim", "padarias em bh"},
	{"padarias mei em bh", "mei=sim", "padarias em bh"},
	{"padarias optantes pelo simples", "simples=sim", "padarias"},
	{"padarias do simples nacional em bh", "simples=sim", "padarias em bh"},
	{"padarias não optantes pelo simples", "simples=nao", "padarias"},
	{"padarias optantes pelo mei", "mei=sim", "padarias"},
	{"microempresas em bh abertas em 2021", "porte=01 abertura_de=2021-01-01 abertura_ate=2021-12-31", "em bh"},
	{"empresas de pequeno porte em bh", "porte=03", "em bh"},
	{"matrizes e filiais em bh", "", "matrizes e filiais em bh"},
	// Records.
	{"padarias com dívida ativa", "fonte=pgfn", "padarias"},
	{"padarias com dívidas na União em bh", "fonte=pgfn", "padarias em bh"},
	{"padarias sem dívida ativa", "fonte=-pgfn", "padarias"},
	{"padarias com dívida acima de 1 milhão", "divida_de=1000000", "padarias"},
	{"padarias com dívida ativa acima de R$ 10 mil", "divida_de=10000", "padarias"},
	{"construtoras com sanções", "sancao=sim", "construtoras"},
	{"construtoras sancionadas em bh", "sancao=sim", "construtoras em bh"},
	{"construtoras sem sanção", "sancao=nao", "construtoras"},
	{"construtoras com contratos públicos", "fonte=pncp", "construtoras"},
	{"construtoras com contratos públicos acima de 5 milhões", "contratos_de=5000000", "construtoras"},
	{"usinas com empréstimo do BNDES", "fonte=bndes", "usinas"},
	{"usinas com empréstimos do BNDES acima de 1 bi", "emprestimos_de=1000000000", "usinas"},
	{"madeireiras com multa do Ibama", "fonte=ibama_autos", "madeireiras"},
	{"madeireiras com multas do Ibama e embargos do Ibama", "fonte_todas=ibama_autos fonte_todas=ibama_embargos", "madeireiras"},
	{"transportadoras com registro na ANTT em natal", "fonte=rntrc", "transportadoras em natal"},
	// Contacts, establishments, partners.
	{"padarias com telefone em bh", "telefone=sim", "padarias em bh"},
	{"padarias com telefone e e-mail", "telefone=sim email=sim", "padarias"},
	{"padarias sem telefone nem email", "telefone=nao email=nao", "padarias"},
	{"padarias com telefone e sem telefone", "", "padarias com telefone e sem telefone"},
	{"padarias com telefone ou e-mail", "", "padarias com telefone ou e-mail"},
	{"padarias com filiais", "estabelecimentos_de=2", "padarias"},
	{"padarias com mais de 10 filiais", "estabelecimentos_de=12", "padarias"},
	{"padarias com mais de 10 estabelecimentos em bh", "estabelecimentos_de=11", "padarias em bh"},
	{"padarias com pelo menos 3 sócios", "socios_de=3", "padarias"},
	{"padarias com até 2 sócios", "socios_ate=2", "padarias"},
	// Regions.
	{"padarias na região sul", "regiao=sul", "padarias"},
	{"hotéis no nordeste abertos em 2020", "regiao=nordeste abertura_de=2020-01-01 abertura_ate=2020-12-31", "hotéis"},
	{"hotéis da região centro-oeste com telefone", "regiao=centro-oeste telefone=sim", "hotéis"},
	// Negation, and what goes on in a way that changes the meaning.
	{"padarias que não são MEI", "mei=nao", "padarias"},
	{"padarias que não estão baixadas em bh", "situacao=-08", "padarias em bh"},
	{"padarias que não foram abertas em 2020", "", "padarias que não foram abertas em 2020"},
	{"padarias sem dívida acima de 1 milhão", "", "padarias sem dívida acima de 1 milhão"},
	{"padarias que não têm mais de 10 filiais", "", "padarias que não têm mais de 10 filiais"},
	{"padarias sem filiais", "estabelecimentos_ate=1", "padarias"},
	{"padarias exceto ativas", "", "padarias exceto ativas"},
	{"padarias com dívida ativa desde 2020", "", "padarias com dívida ativa desde 2020"},
	{"padarias ativas em 2020", "", "padarias ativas em 2020"},
	{"padarias com telefone entre 2015 e 2020", "", "padarias com telefone entre 2015 e 2020"},
	{"padarias com capital acima de 1 milhão de dólares", "", "padarias com capital acima de 1 milhão de dólares"},
	{"padarias optantes pelo simples desde 2020", "simples=sim simples_de=2020-01-01", "padarias"},
	{"construtoras com contratos públicos em 2023", "contratos_ano=2023", "construtoras"},
	{"construtoras com contratos públicos depois de 2022", "", "construtoras com contratos públicos depois de 2022"},
	{
		"padarias com capital acima de 1 milhão ou dívida acima de 2 milhões", "",
		"padarias com capital acima de 1 milhão ou dívida acima de 2 milhões",
	},
	{"padarias com telefone ou e-mail ou filiais", "", "padarias com telefone ou e-mail ou filiais"},
	{"padarias ou ativas", "", "padarias ou ativas"},
	{"padarias abertas em 2020, ativas ou com telefone", "abertura_de=2020-01-01 abertura_ate=2020-12-31", "padarias ativas ou com telefone"},
	// Other ways to say the same.
	{"padarias em sp com mais de R$ 1 milhão de capital", "capital_de=1000000", "padarias em sp"},
	{"padarias que tenham telefone e e-mail", "telefone=sim email=sim", "padarias"},
	{"padarias de bh (abertas depois de 2020)", "abertura_de=2021-01-01", "padarias de bh"},
	{"padarias abertas de 2019 para cá", "abertura_de=2019-01-01", "padarias"},
	{"padarias abertas em agosto de 2019", "abertura_de=2019-08-01 abertura_ate=2019-08-31", "padarias"},
	{"padarias abertas entre fev/2019 e dezembro de 2020", "abertura_de=2019-02-01 abertura_ate=2020-12-31", "padarias"},
	{"padarias abertas de 2019", "", "padarias abertas de 2019"},
	{"padarias com 3 sócios ou mais", "socios_de=3", "padarias"},
	{"mei ativos em campinas", "mei=sim situacao=02", "em campinas"},
	{"empresas multadas pelo ibama", "fonte=ibama_autos", ""},
	{"empresas inscritas na dívida ativa em bh", "fonte=pgfn", "em bh"},
	{"micro empresas em bh", "porte=01", "em bh"},
	// Quotation marks and other words stay as they are.
	{`"aurora" abertas em 2020 "pão d'água"`, "abertura_de=2020-01-01 abertura_ate=2020-12-31", `"aurora" "pão d'água"`},
	// Nothing: names of companies, and what may be something else.
	{"", "", ""},
	{"padaria aurora", "", "padaria aurora"},
	{"Nova Ativa Contabilidade", "", "Nova Ativa Contabilidade"},
	{"Ativa", "", "Ativa"},
	{"ativas", "", "ativas"},
	{"MEI", "", "MEI"},
	{"João da Silva MEI", "", "João da Silva MEI"},
	{"Mei Ling Restaurante", "", "Mei Ling Restaurante"},
	{"Desde 1980 Alfaiataria", "", "Desde 1980 Alfaiataria"},
	{"Capital Veículos", "", "Capital Veículos"},
	{"Capital Social Contabilidade", "", "Capital Social Contabilidade"},
	{"Nova Capital 2000", "", "Nova Capital 2000"},
	{"padaria 2020", "", "padaria 2020"},
	{"Restaurante Século 21 Aberto", "", "Restaurante Século 21 Aberto"},
	{"Baixada Santista Turismo", "", "Baixada Santista Turismo"},
	{"Transportes Baixada Fluminense", "", "Transportes Baixada Fluminense"},
	{"Banco do Nordeste", "", "Banco do Nordeste"},
	{"Região Sul Transportes", "", "Região Sul Transportes"},
	{"hotéis no sul de Minas", "", "hotéis no sul de Minas"},
	{"Rio Grande do Sul", "", "Rio Grande do Sul"},
	{"Igreja Matriz de Santo Antônio", "", "Igreja Matriz de Santo Antônio"},
	{"Dívida Ativa Cobranças", "", "Dívida Ativa Cobranças"},
	{"Contratos Públicos Consultoria", "", "Contratos Públicos Consultoria"},
	{"Gestão de Ativos", "", "Gestão de Ativos"},
	{"Ativos Securitizadora", "", "Ativos Securitizadora"},
	{"fábrica de matrizes", "", "fábrica de matrizes"},
	{"Bar do Simples", "", "Bar do Simples"},
	{"clínica de animais de pequeno porte", "", "clínica de animais de pequeno porte"},
	{"Telefone Certo Assistência", "", "Telefone Certo Assistência"},
	{"3 Sócios Burger", "", "3 Sócios Burger"},
	{"lojas novas em bh", "", "lojas novas em bh"},
	{"Depois das 18 Bar", "", "Depois das 18 Bar"},
	{"Mar Aberto em 2 Rodas", "", "Mar Aberto em 2 Rodas"},
	{`"padarias abertas depois de 2020"`, "", `"padarias abertas depois de 2020"`},
	{`padarias "ativas com telefone"`, "", `padarias "ativas com telefone"`},
}

func TestConditions(t *testing.T) {
	t.Parallel()
	for _, c := range conditionCases {
		found, rest := intent.Conditions(c.typed)
		if got := written(found); got != c.conditions || rest != c.rest {
			t.Errorf("%q: %q and %q, want %q and %q", c.typed, got, rest, c.conditions, c.rest)
		}
	}
}

func written(found []intent.Condition) string {
	var all []string
	for _, c := range found {
		all = append(all, c.Name+"="+c.Value)
	}
	return strings.Join(all, " ")
}

func TestConditionsTellTheirWords(t *testing.T) {
	t.Parallel()
	found, _ := intent.Conditions("padarias que foram ABERTAS entre 2015 e 2018, ativas e com capital de mais de R$ 1.000,00 em bh")
	var words []string
	for _, c := range found {
		words = append(words, c.Words)
	}
	const want = "ABERTAS entre 2015 e 2018;ABERTAS entre 2015 e 2018;ativas;capital de mais de R$ 1.000,00"
	if got := strings.Join(words, ";"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// FuzzConditions checks that a text loses nothing but connecting words, that quoted phrases stay,
// and that the filters are valid together.
func FuzzConditions(f *testing.F) {
	for _, c := range conditionCases {
		f.Add(c.typed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		found, rest := intent.Conditions(typed)
		if len(found) == 0 {
			if rest != typed {
				t.Errorf("%q: nothing found, and %q is left", typed, rest)
			}
			return
		}
		intent.CheckWords(t, typed, found, rest)
		checkValues(t, typed, found)
		if before, after := intent.Quoted(typed), intent.Quoted(rest); !slices.Equal(before, after) {
			t.Errorf("%q: the phrases %q became %q", typed, before, after)
		}
	})
}

var valueForms = map[string]*regexp.Regexp{
	"abertura": regexp.MustCompile(`^\d{4}-\d\d-\d\d$`), "situacao": regexp.MustCompile(`^\d{4}-\d\d-\d\d$`),
	"capital": regexp.MustCompile(`^\d+(\.\d\d)?$`), "divida": regexp.MustCompile(`^\d+(\.\d\d)?$`),
	"contratos": regexp.MustCompile(`^\d+(\.\d\d)?$`), "emprestimos": regexp.MustCompile(`^\d+(\.\d\d)?$`),
	"simples": regexp.MustCompile(`^\d{4}-\d\d-\d\d$`), "mei": regexp.MustCompile(`^\d{4}-\d\d-\d\d$`),
	"contratos_ano": regexp.MustCompile(`^\d{4}$`), "emprestimos_ano": regexp.MustCompile(`^\d{4}$`),
	"estabelecimentos": regexp.MustCompile(`^\d+$`), "socios": regexp.MustCompile(`^\d+$`),
	"telefone": regexp.MustCompile(`^(sim|nao)$`), "email": regexp.MustCompile(`^(sim|nao)$`), "sancao": regexp.MustCompile(`^(sim|nao)$`),
	"regiao": regexp.MustCompile(`^(norte|nordeste|centro-oeste|sudeste|sul)$`),
}

// checkValues checks that all values are valid, and that no bound is given twice or crosses its
// other end.
func checkValues(t *testing.T, typed string, found []intent.Condition) {
	t.Helper()
	set := filter.Of()
	values := map[string]string{}
	for _, c := range found {
		base := strings.TrimSuffix(strings.TrimSuffix(c.Name, "_de"), "_ate")
		form := valueForms[base]
		if c.Name == base && (form == nil || filter.KindOf(c.Name) == filter.Choice || c.Name == filter.Situacao) {
			set = set.Add(strings.TrimSuffix(c.Name, "_todas"), c.Value)
			continue
		}
		if before, twice := values[c.Name]; form == nil || !form.MatchString(c.Value) || twice && before != c.Value && c.Name != "regiao" {
			t.Errorf("%q: %s=%s", typed, c.Name, c.Value)
		}
		values[c.Name] = c.Value
		if from, ok := values[base+"_de"]; ok && values[base+"_ate"] != "" && intent.IsLess(values[base+"_ate"], from) {
			t.Errorf("%q: %s from %s to %s", typed, base, from, values[base+"_ate"])
		}
	}
	if err := set.Validate(); err != nil {
		t.Errorf("%q: %v", typed, err)
	}
}
