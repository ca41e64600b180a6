package index

import (
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/indextest"
	"razao/index/term"
)

// family is a registry of companies whose partners share words of their names, in rank order. Everybody in it is invented.
func family(t testing.TB) []build.Doc {
	t.Helper()
	var docs []build.Doc
	add := func(name string, partners ...string) {
		d := build.Doc{
			CNPJ: number(t, fmt.Sprintf("%08d", 40_000_000+16*len(docs)), "0001"), HeadOffice: true, RazaoSocial: name,
			UF: "SP", Municipio: "6291", SituacaoCadastral: "02", PorteEmpresa: "01", Branches: 1,
		}
		for _, p := range partners {
			d.Partners = append(d.Partners, build.Partner{Name: p})
		}
		docs = append(docs, d)
	}
	var crowd []string
	for i := range 2 * term.PartnerSlots {
		crowd = append(crowd, fmt.Sprintf("COTISTA%02d MARIA", i))
	}
	add("MARIA SILVA SOUZA 12345678901")                                                 // 0
	add("ARMARINHO LTDA", "PEDRO LIMA", "MARIA SILVA SOUZA")                             // 1
	add("ATACADO LTDA", "MARIA SILVA", "MARIA SOUZA", "JOAO SILVA SOUZA")                // 2
	add("FAZENDA LTDA", "ANTONIA FERRO LACERDA", "ANTONIA FERRO MENDES", "PEDRO MENDES") // 3
	add("COOPERATIVA LTDA", append(crowd, "MARIA DO CARMO SILVA", "CARLOS DE SOUZA")...) // 4
	return docs
}

func TestScope(t *testing.T) {
	t.Parallel()
	docs := family(t)
	ix := open(t, indextest.Build(t, docs, build.Options{BucketBytes: 1 << 10, ShardDocs: 2}))
	for _, c := range []struct {
		text  string
		scope Scope
		want  []string
	}{
		{"maria silva souza", InAll, []string{"0 exact", "1 partner"}},
		{"maria silva souza", InNames, []string{"0 exact"}},
		{"maria silva souza", InPartners, []string{"1 partner"}},
		{"souza maria silva", InPartners, []string{"1 partner"}},
		{"silva souza", InPartners, []string{"1 partner", "2 partner"}},
		{"antonia mendes", InPartners, []string{"3 partner"}},
		{"pedro mendes", InPartners, []string{"3 partner"}},
		{"pedro lima campinas", InPartners, []string{"1 partner"}},
		{"cotista09 maria", InPartners, []string{"4 partner"}},
		{"maria do carmo silva", InPartners, []string{"4 partner"}},
		{"armarinho", InPartners, []string{}},
		{"40000016", InPartners, []string{"1 cnpj"}},
	} {
		r, err := ix.Search(t.Context(), Query{Text: c.text, Scope: c.scope, Limit: 20})
		if diff := gocmp.Diff(c.want, answered(docs, r.Hits)); err != nil || diff != "" {
			t.Errorf("%q in %d: %v %s", c.text, c.scope, err, diff)
		}
	}
}
