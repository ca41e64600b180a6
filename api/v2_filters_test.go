package api

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/index/filter"
	"razao/internal/testing/fixture"
)

// recordJSON is the record of an establishment, field by field.
type recordJSON struct{ Empresa, Estabelecimento map[string]json.RawMessage }

func (s *service) record(t testing.TB, number string) recordJSON {
	t.Helper()
	var b struct{ Dados recordJSON }
	if err := json.Unmarshal(s.do(t, "GET", "/v2/estabelecimentos/"+number+"/basic").body, &b); err != nil {
		t.Fatal(err)
	}
	return b.Dados
}

// text returns a field of a record as it stands in JSON, a text without its quotes.
func (r *recordJSON) text(name string) string {
	raw := r.Estabelecimento[name]
	if raw == nil {
		raw = r.Empresa[name]
	}
	return strings.Trim(string(raw), `"`)
}

// A condition is the meaning of a filter, restated as a predicate on a record.
type condition func(*recordJSON) bool

func is(field string, values ...string) condition {
	return func(r *recordJSON) bool { return slices.Contains(values, r.text(field)) }
}

func begins(field, prefix string) condition {
	return func(r *recordJSON) bool { return strings.HasPrefix(r.text(field), prefix) }
}

func between(field, from, to string) condition {
	return func(r *recordJSON) bool {
		v := r.text(field)
		return v != "null" && v[:len(from)] >= from && v[:len(to)] <= to
	}
}

func opted(name string) condition {
	return func(r *recordJSON) bool {
		var simples map[string]json.RawMessage
		return json.Unmarshal(r.Empresa["simples"], &simples) == nil && string(simples[name]) == "true"
	}
}

func roots(all ...string) condition { return is("cnpj_basico", all...) }

func nothing(*recordJSON) bool { return false }

func (c condition) not() condition { return func(r *recordJSON) bool { return !c(r) } }

func (c condition) and(d condition) condition {
	return func(r *recordJSON) bool { return c(r) && d(r) }
}

// ofHeads restricts c to head offices, for what is known of companies only there.
func (c condition) ofHeads() condition { return is("identificador_matriz_filial", "1").and(c) }

// public excludes individual entrepreneurs from c: nobody is found by a field that pages hide.
func (c condition) public() condition {
	return is("natureza_juridica", "2135").not().and(opted("opcao_pelo_mei").not()).and(c)
}

// conditions are filters as query strings, with their meaning.
var conditions = map[string]condition{
	"uf=SP":  is("uf", "SP"),
	"uf=-SP": is("uf", "SP").not(),
	"uf=EX":  is("uf", "EX"),

	"regiao=sudeste":                is("uf", "SP"),
	"regiao=-sudeste":               is("uf", "EX"),
	"pais=845":                      is("pais", "845"),
	"municipio=7107&municipio=9707": is("municipio", "7107", "9707"),
	"bairro=Cambu%C3%AD":            is("bairro", "CAMBUI").public(),
	"bairro=-Cambu%C3%AD":           is("bairro", "CAMBUI").not().public(),
	"cep=-13024100&ddd=-11":         is("cep", "13024100").not().and(is("ddd_1", "11").not()).public(),
	"cep=130":                       begins("cep", "130").public(),
	"cep=13024100&cep=1310100":      is("cep", "13024100", "1310100").public(),
	"ddd=19":                        is("ddd_1", "19").public(),
	"telefone=sim":                  is("telefone_1", "").not().public(),
	"telefone=-sim":                 is("telefone_1", "").not().public().not(),
	"email=sim":                     is("correio_eletronico", "").not().public(),
	"email_dominio=padaria.exemplo": is("correio_eletronico", "contato@padaria.exemplo").public(),

	"telefone_numero=(19)+3233-4455":         is("telefone_1", "32334455").public(),
	"telefone_numero=-1932334455":            is("telefone_1", "32334455").not().public(),
	"telefone_numero=1999887766":             nothing,
	"email_endereco=Contato@padaria.exemplo": is("correio_eletronico", "contato@padaria.exemplo").public(),
	"logradouro=r.+das+palmeiras&numero=214": is("logradouro", "DAS PALMEIRAS").and(is("tipo_logradouro", "RUA")).and(is("numero", "214")).public(),
	"logradouro=Rua+Segredo":                 nothing,
	"numero=1000":                            is("numero", "1000").public(),

	"situacao=08":  is("situacao_cadastral", "08"),
	"situacao=-08": is("situacao_cadastral", "02"),
	"situacao_de=2015-06-30&situacao_ate=2018-12-31": between("data_situacao_cadastral", "2015-06-30", "2018-12-31"),
	"motivo=01":  is("motivo_situacao_cadastral", "01"),
	"motivo=-00": is("motivo_situacao_cadastral", "00").not(),
	"abertura_de=2009-03-14&abertura_ate=2009-03-14": is("data_inicio_atividade", "2009-03-14"),
	"abertura_de=2009-03-15":                         is("data_inicio_atividade", "2026-08-03"),
	"ano_de=2009&ano_ate=2009":                       between("data_inicio_atividade", "2009", "2009"),
	"ano_de=2010":                                    between("data_inicio_atividade", "2010", "9999"),
	"ano_ate=2010":                                   between("data_inicio_atividade", "0001", "2010"),

	"cnae=10":                    begins("cnae_fiscal_principal", "10"),
	"cnae=109&cnae=-1091102":     nothing,
	"cnae=4711302":               is("cnae_fiscal_principal", "4711302"),
	"cnae=K":                     begins("cnae_fiscal_principal", "64"),
	"cnae_todos=5611203":         func(r *recordJSON) bool { return strings.Contains(r.text("cnae_fiscal_secundaria"), "5611203") },
	"cnae_secundario=5611203":    func(r *recordJSON) bool { return strings.Contains(r.text("cnae_fiscal_secundaria"), "5611203") },
	"cnae_secundario=1091102":    nothing,
	"tipo=filial":                is("identificador_matriz_filial", "2"),
	"tipo=-filial":               is("identificador_matriz_filial", "1"),
	"natureza=2062":              is("natureza_juridica", "2062"),
	"porte=05&porte=01":          is("porte_empresa", "05", "01"),
	"capital=100k-1m":            is("capital_social", "480000.00"),
	"capital_ate=0.10":           is("capital_social", "0.00", "0.10"),
	"simples=sim":                opted("opcao_pelo_simples"),
	"simples_de=2012-01-02":      roots(fixture.MEI),
	"simples_ate=2012-01-01":     roots(fixture.Bakery),
	"mei=nao":                    opted("opcao_pelo_mei").not(),
	"mei_de=2021-04-02":          nothing,
	"estabelecimentos_de=5":      roots(fixture.Chain),
	"socios_de=3":                roots(fixture.Chain),
	"socio_tipo=pessoa":          roots(fixture.Bakery, fixture.Holding, fixture.Chain).ofHeads(),
	"socio_tipo=empresa":         roots(fixture.Bakery).ofHeads(),
	"socio_tipo=estrangeiro":     roots(fixture.Holding).ofHeads(),
	"socio_qualificacao=37":      roots(fixture.Holding).ofHeads(),
	"socio_faixa=6":              roots(fixture.Chain).ofHeads(),
	"socios_de=1&socios_ate=2":   roots(fixture.Bakery, fixture.Holding),
	"uf=SP&cnae=64&porte=05":     roots(fixture.Holding),
	"mei_de=2021-04-01&mei=sim":  roots(fixture.MEI),
	"mei_ate=2021-04-01&mei=sim": roots(fixture.MEI),

	"capital_de=480000&capital_ate=12500000.50":      is("capital_social", "480000.00", "12500000.50"),
	"estabelecimentos_de=4&estabelecimentos_ate=119": roots(fixture.Bakery),
}

// TestSearchFilters compares the results of each filter with a scan of all records.
func TestSearchFilters(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	records := map[string]recordJSON{}
	inCEIS := map[string]bool{} // a head office stands for its company, any other establishment for itself
	for _, number := range s.numbersOf(t, everyEstablishment) {
		record := s.record(t, number)
		path := "/v2/estabelecimentos/" + number
		if is("identificador_matriz_filial", "1")(&record) {
			path = "/v2/empresas/" + number[:8]
		}
		records[number], inCEIS[number] = record, *s.collection(t, path+"/fontes/ceis").Total > 0
	}
	tried := map[string]bool{}
	try := func(query string, holds condition) {
		t.Helper()
		want := []string{}
		for number, record := range records {
			if holds(&record) {
				want = append(want, number)
			}
		}
		got := s.numbersOf(t, "agrupar=nao&"+query)
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
		asked, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		for name := range asked {
			tried[name] = true
		}
	}
	for query, holds := range conditions {
		try(query, holds)
	}
	listed := func(r *recordJSON) bool { return inCEIS[r.text("cnpj")] }
	try("fonte=ceis", listed)
	try("fonte=-ceis", condition(listed).not())
	try("fonte_todas=ceis", listed)
	for _, name := range filter.Names() {
		if _, ofRecords := aboutRecords[name]; !tried[name] && !ofRecords {
			t.Errorf("filter %s is not tried", name)
		}
	}
}

// TestUnsoughtAreCounted compares the count of those whose contact is not searched with a scan of all records.
func TestUnsoughtAreCounted(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	unsought := condition(func(*recordJSON) bool { return true }).public().not()
	for query, others := range map[string]condition{
		"bairro=Cambu%C3%AD": unsought, "bairro=-Cambu%C3%AD": unsought, "cep=130&uf=SP": unsought.and(is("uf", "SP")), "ddd=19&mei=nao": unsought.and(opted("opcao_pelo_mei").not()),
		"q=rua+das+palmeiras+214": unsought, "uf=SP": nothing, "telefone=nao": nothing, "numero=214&natureza=2062": nothing,
	} {
		want := 0
		for _, number := range s.numbersOf(t, everyEstablishment) {
			if record := s.record(t, number); others(&record) {
				want++
			}
		}
		if got := s.search(t, query+"&agrupar=nao"); got.Others == nil || *got.Others != want {
			t.Errorf("%s: %v others, want %d", query, got.Others, want)
		}
	}
}

// TestNumbersAreNotGuessed sends what is no number, no CEP and no DDD, or may be two numbers: the parameter is named.
func TestNumbersAreNotGuessed(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	for query, also := range map[string]string{
		"estabelecimentos_de=1.5": "", "ddd=1-1": "", "cep=2026-11-28": "", "numero=99.999.999/0001-91": "", "capital_de=1.500": "1500 ou como 1,5",
		"divida_ate=1,000": "1000 ou como 1:", "socios_de=2.000": "2000 ou como 2:",
		"capital_de=.5": "", "capital_de=,05": "", "capital_de=.5+mil": "", "capital_de=R$+-1500": "", "capital_de=R$+−1500": "", "capital_de=(1500)": "", "capital_de=<1500": "",
		"capital_de=1500½": "", "capital_de=5²": "", "capital_de=1.500.": "", "capital_de=1.500+mil": "1500 mil ou como 1,5 mil", "capital_de=1,500+mil": "1500 mil ou como 1,5 mil",
		"divida_de=€+5": "", "numero=(5)": "", "numero=%2B5": "", "logradouro=Avenida+Brasil+99999": "",
	} {
		name, _, _ := strings.Cut(query, "=")
		got := s.do(t, "GET", searchPath+"?"+query)
		if got.status != 400 || !strings.Contains(string(got.body), `"parametro_invalido"`) || !strings.Contains(string(got.body), name) || !strings.Contains(string(got.body), also) {
			t.Errorf("%s: %d %s", query, got.status, got.body)
		}
	}
	for _, same := range [][2]string{
		{"capital_de=1.5", "capital_de=1.50"},
		{"capital_ate=R$+1.500.000,00", "capital_ate=1500000"},
		{"capital_ate=R$+1.500", "capital_ate=1500"},
		{"capital_ate=100+mil+reais", "capital_ate=100000"},
		{"capital_ate=1,5+milhão", "capital_ate=1500000"},
		{"estabelecimentos_de=05", "estabelecimentos_de=5"},
	} {
		if one, other := s.numbersOf(t, same[0]), s.numbersOf(t, same[1]); !slices.Equal(one, other) || len(one) == 0 {
			t.Errorf("%v: %v and %v", same, one, other)
		}
	}
}

// numbersOf returns the numbers of all results.
func (s *service) numbersOf(t testing.TB, query string) []string {
	t.Helper()
	page := found{}
	for _, raw := range s.walkSearch(t, query, maxLimit) {
		page.Itens = append(page.Itens, json.RawMessage(raw))
	}
	return page.numbers(t)
}

// aboutRecords are a value of each filter that looks at the records of sources, but for those that name sources.
var aboutRecords = map[string]string{
	filter.DebtFrom: "1", filter.DebtTo: "1000000.50", filter.Sanction: "sim", filter.ContractsFrom: "1", filter.ContractsTo: "1",
	filter.ContractsYear: "2025", filter.LoansFrom: "1", filter.LoansTo: "1", filter.LoansYear: "2020",
}

// TestSearchKnowsWhichFiltersLookAtSources filters while no source has a load: an empty result is
// then partial, not a finding.
func TestSearchKnowsWhichFiltersLookAtSources(t *testing.T) {
	t.Parallel()
	without, with := read(t, fixture.Shared(t)), read(t, fixture.SharedRecords(t))
	for name, value := range aboutRecords {
		path := "/v2/busca?" + name + "=" + value
		if got := without.availability(t, path); got != "parcial" {
			t.Errorf("%s: %s", path, got)
		}
		if got := with.availability(t, path); got != "completa" {
			t.Errorf("%s with all sources: %s", path, got)
		}
	}
}
