package filter

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2/search/query"
)

func TestEqualSets(t *testing.T) {
	t.Parallel()
	a := Of(UF, "SP", UF, "RJ", CNAE, "-47", Simples, "")
	b := Of(CNAE, "-47", UF, "RJ").Add(UF, "SP").Add(UF, "RJ")
	if a != b || a.String() != "uf=RJ&uf=SP&cnae=-47" {
		t.Errorf("%q and %q, want the same", a, b)
	}
	if got := a.Without(UF).Without(CNAE); got != (Set{}) || !got.Empty() {
		t.Errorf("nothing is left but %q", got)
	}
	if a.Value(UF) != "" || a.Value(CNAE) != "" || a.With(UF, "AC").Value(UF) != "AC" {
		t.Error("a value is what stands alone and is not excluded")
	}
}

// TestValuesAreNoConditions tries parameter injection: a condition smuggled into a value stays part
// of that value, which is invalid.
func TestValuesAreNoConditions(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"SP&socio_digitos=123456", "SP=", "-SP%26", "-", "--SP", "\x00", "+", " "} {
		s := Of(UF, value)
		var wrong *Error
		if err := s.Validate(); !errors.As(err, &wrong) || wrong.Field != UF || s.Has(PartnerDigits) {
			t.Errorf("%q is %q: %v", value, s, err)
		}
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	tooMany := Set{}
	for i := range MaxValues + 1 {
		tooMany = tooMany.Add(Municipio, string([]byte{'0' + byte(i/100), '0' + byte(i/10%10), '0' + byte(i%10), '0'}))
	}
	for _, s := range []Set{
		Of(YearFrom, "1990", YearFrom, "1991"), Of(YearTo, "-1990"), Of(YearFrom, "2001", YearTo, "2000"), Of(UF, "SP", UF, "-XX"), Of("cep", "1"), tooMany,
	} {
		if s.Validate() == nil {
			t.Errorf("%q is valid", s)
		}
	}
	if s := Of(UF, "SP", UF, "-RJ", Simples, "sim", Simples, "nao", Source, "-pncp", YearFrom, "1990", YearTo, "1990"); s.Validate() != nil {
		t.Errorf("%q: %v", s, s.Validate())
	}
}

// TestCombinedTerms checks that a listing by place and situação is one precomputed term.
func TestCombinedTerms(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]int{
		"uf=SP&situacao=02": 1, "municipio=7107&situacao=02": 1, "uf=SP&uf=RJ&situacao=02": 1, "uf=-SP&situacao=02": 2, "uf=SP&situacao=-02": 2,
		"uf=SP&municipio=7107&situacao=02": 2, "mei=sim&mei=nao": 0, "mei=sim&mei=-sim": 2, "ano_de=1990&ano_ate=2000": 1,
	} {
		v, err := url.ParseQuery(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(ofParameters(v).Queries()); got != want {
			t.Errorf("%s: %d queries, want %d", address, got, want)
		}
	}
}

// TestInvalidSetsMatchNothing: what Validate would have refused must not widen a search, nor crash
// it.
func TestInvalidSetsMatchNothing(t *testing.T) {
	t.Parallel()
	for _, s := range []Set{
		Of(MEI, "-x"), Of(HeadOffice, "-sim"), Of(MEI, "x"), Of(YearTo, "-1990"), Of(YearFrom, "1990", YearFrom, "1991"), Of(CEP, "1"),
		Of(SourceAll, "-pgfn"), Of("unknown", "x"), Of(UF, "SP", Situacao, "x"),
	} {
		got := s.Queries()
		if len(got) != 1 {
			t.Errorf("%s: %d queries, want one that matches nothing", s, len(got))
			continue
		}
		if q, ok := got[0].(*query.DisjunctionQuery); !ok || len(q.Disjuncts) > 0 || q.Min < 1 {
			t.Errorf("%s: %#v, want a disjunction of nothing", s, got[0])
		}
	}
}

func ofParameters(v url.Values) Set {
	var s Set
	for name, values := range v {
		for _, value := range values {
			s = s.Add(name, value)
		}
	}
	return s
}

// FuzzAddress parses any query string: the Set is a fixed point of its own parameters in any order,
// and can be turned into queries.
func FuzzAddress(f *testing.F) {
	for _, address := range []string{"", "uf=SP&uf=-RJ", "ano_de=1990&ano_ate=x", "cnae=--47&tipo=-filial", "fonte=pgfn&x=%00", "mei=-&capital=-0"} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		v, err := url.ParseQuery(address)
		if err != nil {
			return
		}
		s := ofParameters(v)
		for _, values := range v {
			slices.Reverse(values)
		}
		if again := ofParameters(s.Parameters()); again != s || ofParameters(v) != s {
			t.Errorf("%q became %q", s, again)
		}
		s.Queries()
	})
}

func TestActivity(t *testing.T) {
	t.Parallel()
	for chosen, want := range map[string]string{
		"": "", "G": "", "47": "47", "472": "472", "47211": "47211", "4721102": "47", "-47": "", "47 -4721102": "47",
		"4721102 4721104": "47", "472 4711302": "47", "47 10": "", "4721102 1091102": "", "47 G": "",
	} {
		var s Set
		for value := range strings.FieldsSeq(chosen) {
			s = s.Add(CNAE, value)
		}
		if got := s.Activity(); got != want {
			t.Errorf("%q is about %q, want %q", chosen, got, want)
		}
	}
}
