package bndes

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/ingest/rows"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/registry/pack"
)

// company is a company of the Receita load. Without places it has a head office in São Paulo only.
type company struct {
	root, name string
	places     []place
}

type place struct{ branch, tom, uf, status string }

// The tax authority's codes of some municipalities.
const (
	saoPaulo = "7107"
	salvador = "3849"
	betim    = "4133"
)

// base returns a Scan over companies, packed as a load keeps them.
func base(companies ...company) Scan {
	return func(_ context.Context, visit func(*pack.Head, *pack.EstablishmentCursor) error) error {
		for _, c := range companies {
			h, err := c.head()
			if err != nil {
				return err
			}
			establishments := h.FirstEstablishments()
			if err := visit(&h, &establishments); err != nil {
				return err
			}
		}
		return nil
	}
}

func (c company) head() (pack.Head, error) {
	root, err := cnpj.ParseRoot(c.root)
	if err != nil {
		return pack.Head{}, err
	}
	places := c.places
	if places == nil {
		places = []place{{"0001", saoPaulo, "SP", "02"}}
	}
	var parts pack.Parts
	if c.name != "" {
		parts.Company = pack.AppendCompany(nil, &record.Company{RazaoSocial: c.name})
	}
	for _, p := range places {
		order, err := cnpj.ParseOrder(p.branch)
		if err != nil {
			return pack.Head{}, err
		}
		e := record.Establishment{CNPJ: cnpj.Join(root, order), Municipio: p.tom, UF: p.uf, SituacaoCadastral: p.status}
		parts.Establishments = append(parts.Establishments, pack.AppendEstablishment(nil, &e))
		parts.Orders = append(parts.Orders, order)
	}
	const before = 2 + 4 + 8 + 4 + 4 + 4 // of the record in a row of COPY
	return pack.DecodeHead(root, pack.AppendRows(nil, root, &parts)[before:])
}

func owner(t testing.TB, root, order string) rows.Owner {
	t.Helper()
	r, err := cnpj.ParseRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	o, err := cnpj.ParseOrder(order)
	if err != nil {
		t.Fatal(err)
	}
	return rows.Owner{Root: r, Order: o}
}

const (
	longName   = "INCORPORADORA IMAGINARIA DE CONJUNTOS HABITACIONAIS POPULARES SEGUNDA LTDA"
	brackets   = "CERAMICA DE MENTIRA LTDA                     (40516273)"
	cutAt55    = "INCORPORADORA IMAGINARIA DE CONJUNTOS HABITACIONAIS POP"
	shortOfIt  = "INCORPORADORA IMAGINARIA DE CONJUNTOS HABITAC(99916273)"
	noBrackets = "CERAMICA DE MENTIRA LTDA (40516273)"
)

func TestLinks(t *testing.T) {
	t.Parallel()
	rota := company{root: "10027182", name: "ROTA INVENTADA CARGAS LTDA"}
	cases := []struct {
		name   string
		edits  map[string]string // of the row of the indirect file
		base   []company
		cnpj   string // root and branch, "" when not linked
		method string
	}{
		{"mask, municipality and name", nil, []company{rota}, "100271820001", maskAndName},
		{
			"branch",
			map[string]string{"cpf_cnpj": "**.*27.182/0002-**", "uf": " BA", "municipio_codigo": "2927408"},
			[]company{{rota.root, rota.name, []place{{"0001", saoPaulo, "SP", "02"}, {"0002", salvador, "BA", "02"}}}},
			"100271820002", maskAndName,
		},
		{
			"branch elsewhere",
			map[string]string{"cpf_cnpj": "**.*27.182/0002-**"},
			[]company{{rota.root, rota.name, []place{{"0001", saoPaulo, "SP", "02"}, {"0002", salvador, "BA", "02"}}}},
			"", notLinked,
		},
		{"deregistered", nil, []company{{rota.root, rota.name, []place{{"0001", saoPaulo, "SP", "08"}}}}, "100271820001", maskAndName},
		{"name cut at 55 columns", map[string]string{"cliente": cutAt55}, []company{{root: rota.root, name: longName}}, "100271820001", maskAndName},
		{"name cut earlier is another name", map[string]string{"cliente": cutAt55[:40]}, []company{{root: rota.root, name: longName}}, "", notLinked},
		{"accents and points", map[string]string{"cliente": "ROTA-INVENTADA, CARGAS  LTDA."}, []company{{root: rota.root, name: "Rota Inventáda Cárgas/Ltda"}}, "100271820001", maskAndName},
		{"hidden number in the name", map[string]string{"cliente": "JOAO INVENTADO 12345678909"}, []company{{root: rota.root, name: "JOAO INVENTADO ***456789**"}}, "100271820001", maskAndName},
		{"two candidates", nil, []company{rota, {root: "98727182", name: rota.name}}, "", notLinked},
		{"two candidates, one deregistered", nil, []company{rota, {"98727182", rota.name, []place{{"0001", saoPaulo, "SP", "08"}}}}, "", notLinked},
		{"three candidates", nil, []company{rota, {root: "20027182", name: rota.name}, {root: "98727182", name: rota.name}}, "", notLinked},
		{"same mask, other name", nil, []company{{root: "98727182", name: "ROTA INVENTADA ENCOMENDAS LTDA"}}, "", notLinked},
		{"same mask, one of two names", nil, []company{{root: "98727182", name: "ROTA INVENTADA ENCOMENDAS LTDA"}, rota}, "100271820001", maskAndName},
		{"same name elsewhere does not count", nil, []company{rota, {"98727182", rota.name, []place{{"0001", betim, "MG", "02"}}}}, "100271820001", maskAndName},
		{"renamed company", nil, []company{{root: rota.root, name: "ROTA INVENTADA CARGAS EIRELI"}}, "", notLinked},
		{"other municipality", map[string]string{"uf": " RJ", "municipio_codigo": "3303302"}, []company{rota}, "", notLinked},
		{"other UF than the municipality's", map[string]string{"uf": " RJ"}, []company{rota}, "", notLinked},
		{"no UF", map[string]string{"uf": ""}, []company{rota}, "", notLinked},
		{"unknown municipality", map[string]string{"municipio_codigo": "9999999"}, []company{rota}, "", notLinked},
		{"no municipality", map[string]string{"municipio_codigo": "0"}, []company{rota}, "", notLinked},
		{"municipality as decimal", map[string]string{"municipio_codigo": "3550308.0"}, []company{rota}, "100271820001", maskAndName},
		{"letters", map[string]string{"cpf_cnpj": "**.*C3.45D/0A1B-**"}, []company{{"12BC345D", rota.name, []place{{"0A1B", saoPaulo, "SP", "02"}}}}, "12BC345D0A1B", maskAndName},
		{"letters are not digits", map[string]string{"cpf_cnpj": "**.*C3.45D/0001-**"}, []company{rota}, "", notLinked},
		{"establishment without a company", nil, []company{{root: rota.root}}, "", notLinked},
		{"no name", map[string]string{"cliente": ""}, []company{{root: rota.root}}, "", notLinked},
		{"a name of points", map[string]string{"cliente": "..."}, []company{{root: rota.root, name: "///"}}, "", notLinked},
		{"nobody", nil, nil, "", notLinked},

		{
			"root in brackets",
			map[string]string{"cliente": brackets, "cpf_cnpj": "**.*16.273/0001-**", "municipio_codigo": "9999999"},
			[]company{{root: "40516273", name: "OUTRO NOME HOJE LTDA"}},
			"405162730001", rootInName,
		},
		{
			"root in brackets, branch",
			map[string]string{"cliente": brackets, "cpf_cnpj": "**.*16.273/0002-**"},
			[]company{{"40516273", "CERAMICA DE MENTIRA LTDA", []place{{"0001", saoPaulo, "SP", "02"}, {"0002", betim, "MG", "08"}}}},
			"405162730002", rootInName,
		},
		{
			"root in brackets, no such branch",
			map[string]string{"cliente": brackets, "cpf_cnpj": "**.*16.273/0002-**"},
			[]company{{root: "40516273", name: "CERAMICA DE MENTIRA LTDA"}},
			"", notLinked,
		},
		{"root in brackets, not that of the mask", map[string]string{"cliente": brackets}, []company{{root: "40516273", name: "CERAMICA DE MENTIRA LTDA"}, rota}, "", notLinked},
		{"brackets elsewhere", map[string]string{"cliente": noBrackets, "cpf_cnpj": "**.*16.273/0001-**"}, []company{{root: "40516273", name: "CERAMICA DE MENTIRA LTDA"}}, "", notLinked},
		{
			"letters in brackets",
			map[string]string{"cliente": strings.Replace(brackets, "40516273", "4ABC6273", 1), "cpf_cnpj": "**.*C6.273/0001-**"},
			[]company{{root: "4ABC6273", name: "CERAMICA DE MENTIRA LTDA"}},
			"4ABC62730001", rootInName,
		},
		{"root in brackets of nobody, name cut at 45 columns", map[string]string{"cliente": shortOfIt}, []company{{root: rota.root, name: longName}}, "100271820001", maskAndName},

		{"published in the indirect file", map[string]string{"cpf_cnpj": "31.415.926/0001-71"}, nil, "314159260001", published},
		{"wrong check digits", map[string]string{"cpf_cnpj": "31.415.926/0001-17"}, []company{{root: "31415926", name: rota.name}}, "", notLinked},
		{"order of nobody", map[string]string{"cpf_cnpj": "**.*27.182/0000-**"}, []company{rota}, "", notLinked},
		{"another mask", map[string]string{"cpf_cnpj": "10.0**.***/0001-**"}, []company{rota}, "", notLinked},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := publish(t, []map[string]string{direct(nil)}, []map[string]string{indirect(c.edits)})
			got := mustLoad(t, dir, base(c.base...))
			marked := map[string]int64{"operacoes": 2, published: 1}
			marked[c.method]++
			if diff := gocmp.Diff(marked, got.figures.Marked); diff != "" {
				t.Error(diff)
			}
			var want []rows.Owner
			if c.cnpj != "" {
				want = append(want, owner(t, c.cnpj[:8], c.cnpj[8:]))
			}
			var owners []rows.Owner
			for _, r := range got.records {
				if r.Values[tipoOperacao] == "indireta_automatica" {
					owners = append(owners, r.Owner)
					if r.Values[metodoVinculo] != c.method {
						t.Errorf("metodo_vinculo is %s, want %s", r.Values[metodoVinculo], c.method)
					}
				}
			}
			if diff := gocmp.Diff(want, owners); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWrongCheckDigitsAreNotLinked(t *testing.T) {
	t.Parallel()
	rows := []map[string]string{direct(nil), direct(map[string]string{"cnpj": "31.415.926/0001-99"}), direct(map[string]string{"cnpj": ""})}
	c := mustLoad(t, publish(t, rows, []map[string]string{indirect(nil)}), base())
	want := map[string]int64{"operacoes": 4, published: 1, notLinked: 3}
	if diff := gocmp.Diff(want, c.figures.Marked); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutReceitaOnlyPublishedNumbersAreLinked(t *testing.T) {
	t.Parallel()
	c := mustLoad(t, publish(t, []map[string]string{direct(nil)}, []map[string]string{indirect(nil)}), nil)
	want := map[string]int64{"operacoes": 2, published: 1, notLinked: 1}
	if diff := gocmp.Diff(want, c.figures.Marked); diff != "" {
		t.Error(diff)
	}
	if n := len(c.facts.Notes); n != 2 || !strings.Contains(c.facts.Notes[n-1], "Receita Federal") {
		t.Errorf("got notes %q", c.facts.Notes)
	}
}

func TestRelink(t *testing.T) {
	t.Parallel()
	var rows []map[string]string
	for i := range 3000 { // several blobs
		rows = append(rows, indirect(map[string]string{
			"cliente": fmt.Sprintf("ROTA %d LTDA", i), "cpf_cnpj": fmt.Sprintf("**.*%02d.%03d/0001-**", i/1000, i%1000),
			"data_da_contratacao": fmt.Sprintf("20%02d-05-14", i%25),
		}))
	}
	dir := publish(t, []map[string]string{direct(nil), direct(nil)}, rows)
	first := base(company{root: "10000007", name: "ROTA 7 LTDA"}, company{root: "10002999", name: "ROTA 2999 LTDA"})
	loaded := mustLoad(t, dir, first)
	if len(loaded.blobs) < 2 || len(loaded.records) != 4 || loaded.figures.Marked[notLinked] != 2998 {
		t.Fatalf("got %d blobs, %d records, %v", len(loaded.blobs), len(loaded.records), loaded.figures.Marked)
	}
	again, err := relink(t, loaded, first)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(loaded.records, again.records); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff(loaded.figures, again.figures); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff(loaded.facts, again.facts); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff(loaded.blobs, again.blobs); diff != "" {
		t.Error("the archive of the second load differs: " + diff)
	}

	second := base(company{root: "10000007", name: "ROTA 7 TRANSPORTES LTDA"}, company{root: "55500008", name: "ROTA 8 LTDA"}, company{root: "10002999", name: "ROTA 2999 LTDA"})
	changed, err := relink(t, again, second)
	if err != nil {
		t.Fatal(err)
	}
	var owners []string
	for _, r := range changed.records {
		owners = append(owners, r.Owner.Root.String())
	}
	if diff := gocmp.Diff([]string{"10002999", "31415926", "31415926", "55500008"}, owners); diff != "" {
		t.Error(diff)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	broken := errors.New("no more room")
	dir := publish(t, []map[string]string{direct(nil)}, []map[string]string{indirect(nil)})
	if _, err := load(t, dir, func(context.Context, func(*pack.Head, *pack.EstablishmentCursor) error) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("a scan that fails: got %v", err)
	}
	c := &collection{blobs: [][]byte{{codecVersion + 1}}}
	if _, err := relink(t, c, nil); !errors.Is(err, errCorrupt) {
		t.Errorf("an archive of another version: got %v", err)
	}
	in, err := rows.Find(context.Background(), dir, t.TempDir(), rows.FindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	if err := c.run(t, Operacoes(nil, func([]byte) error { return broken }), in); !errors.Is(err, broken) {
		t.Errorf("an archive that fails: got %v", err)
	}
}

// BenchmarkVisit measures an establishment that nobody asked about, with a million queries.
func BenchmarkVisit(b *testing.B) {
	atlas, err := territory.Open()
	if err != nil {
		b.Fatal(err)
	}
	l := newLinker(atlas)
	var municipalities []territory.Municipality
	for _, m := range atlas.Municipalities() {
		if m.IBGE != "" {
			municipalities = append(municipalities, m)
		}
	}
	for i := range 1_000_000 {
		m := municipalities[i%len(municipalities)]
		var o operation
		o.values[documentoFonte] = fmt.Sprintf("**.*%02d.%03d/0001-**", i*7919%100000/1000, i*7919%1000)
		o.values[cliente] = fmt.Sprintf("EMPRESA %d LTDA", i)
		o.values[municipioCodigo], o.values[uf] = m.IBGE, m.UF
		l.ask(&o)
	}
	var heads []pack.Head
	for i := range 10_000 {
		m := municipalities[i*31%len(municipalities)]
		h, err := company{fmt.Sprintf("%08d", i*6007), "COMERCIO FICTICIO DE ALIMENTOS LTDA", []place{{"0001", m.RFB, m.UF, "02"}}}.head()
		if err != nil {
			b.Fatal(err)
		}
		heads = append(heads, h)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		h := &heads[i%len(heads)]
		establishments := h.FirstEstablishments()
		if err := l.visit(h, &establishments); err != nil {
			b.Fatal(err)
		}
	}
}
