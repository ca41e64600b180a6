package pncp

import (
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
)

// said returns, for each role, the company that gets a record and its participation, "-" for none.
func said(records []rows.Record) map[string]string {
	roles := map[string]string{}
	for _, r := range records {
		_, role, _ := strings.Cut(r.Identity, " ")
		roles[role] = "-"
		if r.Values != nil {
			roles[role] = r.Owner.Root.String() + r.Owner.Order.String() + " " + r.Values[2]
		}
	}
	return roles
}

func TestSides(t *testing.T) {
	t.Parallel()
	const (
		carrier    = "112223330001"
		branch     = "112223330002"
		body       = "990001110001"
		asSupplier = ` ["fornecedor"]`
		asSub      = ` ["subcontratado"]`
		asBoth     = ` ["fornecedor","subcontratado"]`
	)
	cases := map[string]struct {
		changes  changes
		supplier string // the role of the supplier; "" is the carrier
		sub      string // "" is none
		body     string // "" is the body
		dropped  string
		marked   string
		ni       string // ni_fornecedor, "" is the carrier's
		niSub    string
	}{
		"supplier": {},
		"two companies": {
			changes: changes{"tipoPessoaSubContratada": `"PJ"`, "niFornecedorSubContratado": `"77888999000181"`},
			sub:     "778889990001" + asSub, niSub: `"77888999000181"`,
		},
		"two establishments of a company": {
			changes: changes{"tipoPessoaSubContratada": `"PJ"`, "niFornecedorSubContratado": `"11222333000262"`},
			sub:     branch + asSub, niSub: `"11222333000262"`,
		},
		"one company twice": {
			changes:  changes{"tipoPessoaSubContratada": `"PJ"`, "niFornecedorSubContratado": `"11.222.333/0001-81"`},
			supplier: carrier + asBoth, niSub: `"11.222.333/0001-81"`,
		},
		"natural person": {
			changes:  changes{"tipoPessoa": `"PF"`, "niFornecedor": `"12345678909"`},
			supplier: "-", marked: "fornecedor_pessoa_fisica", ni: `"***.456.789-**"`,
		},
		"natural person with wrong digits": {
			changes:  changes{"tipoPessoa": `"PF"`, "niFornecedor": `"123.456.789-00"`},
			supplier: "-", marked: "fornecedor_pessoa_fisica", ni: `"***.456.789-**"`,
		},
		"natural person whose zeros were lost": {
			changes:  changes{"tipoPessoa": `"PF"`, "niFornecedor": `"1234567"`},
			supplier: "-", marked: "fornecedor_pessoa_fisica", ni: `"***.012.345-**"`,
		},
		"natural person filled to the length of a company": {
			changes:  changes{"niFornecedor": `"00012345678909"`},
			supplier: "-", marked: "fornecedor_pessoa_fisica", ni: `"***.456.789-**"`,
		},
		"natural person whose number passes for a company's": {
			changes:  changes{"tipoPessoa": `"PF"`, "niFornecedor": `"00000000000191"`},
			supplier: "-", marked: "fornecedor_pessoa_fisica", ni: `"***.000.001-**"`,
		},
		"natural person called a company": {
			changes:  changes{"niFornecedor": `"12345678909"`},
			supplier: "-", marked: "fornecedor_pessoa_fisica", ni: `"***.456.789-**"`,
		},
		"natural person already hidden": {
			changes:  changes{"tipoPessoa": `"PF"`, "niFornecedor": `"***.456.789-**"`},
			supplier: "-", marked: "fornecedor_pessoa_fisica", ni: `"***.456.789-**"`,
		},
		"natural person half hidden": {
			changes:  changes{"tipoPessoa": `"PF"`, "niFornecedor": `"123.456.789-**"`},
			supplier: "-", marked: "fornecedor_pessoa_fisica", ni: "null",
		},
		"natural person with a company's number": {
			changes:  changes{"tipoPessoa": `"PF"`},
			supplier: "-", marked: "fornecedor_pessoa_fisica",
		},
		"natural person as subcontractor": {
			changes: changes{"tipoPessoaSubContratada": `"PF"`, "niFornecedorSubContratado": `"12345678909"`},
			marked:  "subcontratado_pessoa_fisica", niSub: `"***.456.789-**"`,
		},
		"foreigner": {
			changes:  changes{"tipoPessoa": `"PE"`, "niFornecedor": `"US-99-1234"`, "codigoPaisFornecedor": `"USA"`},
			supplier: "-", marked: "fornecedor_estrangeiro", ni: `"US-99-1234"`,
		},
		"kind not said": {changes: changes{"tipoPessoa": `null`}},
		"letters": {
			changes:  changes{"niFornecedor": `"12abc34501de35"`},
			supplier: "12ABC34501DE" + asSupplier, ni: `"12abc34501de35"`,
		},
		"zero lost": {
			changes:  changes{"niFornecedor": `"402552000126"`},
			supplier: "004025520001" + asSupplier, ni: `"402552000126"`,
		},
		"wrong digits": {
			changes:  changes{"niFornecedor": `"11222333000182"`},
			supplier: "-", marked: "fornecedor_documento_invalido", ni: `"11222333000182"`,
		},
		"zeros": {
			changes:  changes{"niFornecedor": `"00000000000000"`},
			supplier: "-", marked: "fornecedor_documento_invalido", ni: `"00000000000000"`,
		},
		"no number": {
			changes:  changes{"niFornecedor": `""`},
			supplier: "-", marked: "fornecedor_sem_documento", ni: `""`,
		},
		"body with wrong digits": {
			changes: changes{"orgaoEntidade": `{"cnpj":"99000111000166"}`},
			body:    "-", marked: "orgao_documento_invalido",
		},
		"no body": {
			changes: changes{"orgaoEntidade": `null`},
			body:    "-", marked: "orgao_sem_documento",
		},
		"body that is its own supplier": {
			changes:  changes{"niFornecedor": `"99000111000165"`},
			supplier: body + asSupplier, ni: `"99000111000165"`,
		},
		"nobody": {
			changes:  changes{"orgaoEntidade": `{"cnpj":null}`, "tipoPessoa": `"PF"`, "niFornecedor": `"12345678909"`},
			supplier: "-", body: "-", dropped: "pessoa_fisica",
		},
	}
	orElse := func(value, otherwise string) string {
		if value == "" {
			return otherwise
		}
		return value
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := lines(t, contractWith(tc.changes))
			want := map[string]string{
				"fornecedor": orElse(tc.supplier, carrier+asSupplier), "subcontratado": orElse(tc.sub, "-"), "orgao": orElse(tc.body, body+" "),
			}
			if diff := gocmp.Diff(want, said(slices.Concat(l.Records[suppliers], l.Records[bodies]))); diff != "" {
				t.Error(diff)
			}
			figures := &rows.Figures{Read: 1, Dropped: map[string]int64{}, Marked: map[string]int64{}}
			if tc.dropped != "" {
				figures.Dropped[tc.dropped] = 1
			}
			if tc.marked != "" {
				figures.Marked[tc.marked] = 1
			}
			if diff := gocmp.Diff(figures, l.Figures); diff != "" {
				t.Error(diff)
			}
			for _, r := range slices.Concat(l.Records[suppliers], l.Records[bodies]) {
				if r.Values == nil {
					continue
				}
				item := itemOf(t, r.Values)
				if got, want := orElse(item["ni_fornecedor"], "null"), orElse(tc.ni, `"11222333000181"`); got != want {
					t.Errorf("%s: ni_fornecedor %s, want %s", r.Identity, got, want)
				}
				if got := item["ni_fornecedor_sub_contratado"]; got != tc.niSub {
					t.Errorf("%s: ni_fornecedor_sub_contratado %s, want %s", r.Identity, got, tc.niSub)
				}
			}
		})
	}
}

// TestVersions checks the order of versions: global update, then update, then number of
// corrections.
func TestVersions(t *testing.T) {
	t.Parallel()
	rising := []changes{
		{"dataAtualizacaoGlobal": "", "dataAtualizacao": ""},
		{"dataAtualizacaoGlobal": `null`, "dataAtualizacao": `"2026-03-01T17:17:03"`},
		{"dataAtualizacaoGlobal": `"2026-02-01T17:17:03"`, "dataAtualizacao": `"2026-01-01T17:17:03"`},
		{"dataAtualizacaoGlobal": `"2026-02-01T17:17:03"`, "dataAtualizacao": `"2026-01-02T17:17:03"`, "numeroRetificacao": `null`},
		{"dataAtualizacaoGlobal": `"2026-02-01T17:17:03"`, "dataAtualizacao": `"2026-01-02T17:17:03"`, "numeroRetificacao": `9`},
		{"dataAtualizacaoGlobal": `"2026-02-01T17:17:03"`, "dataAtualizacao": `"2026-01-02T17:17:03"`, "numeroRetificacao": `10`},
		{"dataAtualizacaoGlobal": `"2026-02-01T17:17:03.5"`, "dataAtualizacao": `null`},
	}
	var documents []string
	for _, c := range rising {
		documents = append(documents, contractWith(c))
	}
	records := lines(t, documents...).Records[bodies]
	if len(records) != len(rising) {
		t.Fatalf("%d records, want %d", len(records), len(rising))
	}
	for i, r := range records {
		if r.Identity != records[0].Identity {
			t.Errorf("version %d is of %q", i, r.Identity)
		}
		if i == 0 {
			continue
		}
		if last := records[i-1]; last.Version >= r.Version {
			t.Errorf("%q does not follow %q", r.Version, last.Version)
		}
	}
}

// TestOrder checks the order in which a company's contracts are served: newest signature first.
func TestOrder(t *testing.T) {
	t.Parallel()
	l := lines(t,
		contractWith(changes{"dataAssinatura": `"2024-08-01"`, "numeroControlePNCP": `"99000111000165-2-000002/2024"`}),
		contractWith(changes{"dataAssinatura": `"2024-08-02"`, "numeroControlePNCP": `"99000111000165-2-000003/2024"`}),
		contractWith(changes{"dataAssinatura": `"2024-08-01"`, "numeroControlePNCP": `"99000111000165-2-000001/2024"`}),
		contractWith(changes{"dataAssinatura": `null`, "numeroControlePNCP": `"99000111000165-2-000004/2024"`}),
		contractWith(changes{"dataAssinatura": `"em breve"`, "numeroControlePNCP": `"99000111000165-2-000005/2024"`}),
		contractWith(changes{"dataAssinatura": `"1999-01-01T00:00:00"`, "numeroControlePNCP": `"99000111000165-2-000006/2024"`}),
	)
	records := l.Records[bodies]
	slices.SortFunc(records, func(a, b rows.Record) int { return strings.Compare(a.Order, b.Order) })
	var got []int64
	for _, r := range records {
		got = append(got, r.Where.Line)
	}
	if diff := gocmp.Diff([]int64{2, 3, 1, 6, 4, 5}, got); diff != "" {
		t.Error(diff)
	}
}
