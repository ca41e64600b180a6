package index

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
	"razao/index/term"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
)

// trust is the first sort key of the order by capital: 0 plausible, 1 implausible, 2 unknown.
func trust(d *build.Doc) int {
	switch {
	case d.Capital < 0:
		return 2
	case record.ImplausibleCapital(record.Cents(d.Capital)):
		return 1
	}
	return 0
}

// inOrder sorts documents, given in rank order.
func inOrder(docs []*build.Doc, o Order) []*build.Doc {
	day := func(d *build.Doc, unknown int) int { return cmp.Or(d.Opening, unknown) }
	names := map[*build.Doc]string{}
	if o == ByName {
		for _, d := range docs {
			names[d] = strings.Join(wordsOf(d.RazaoSocial), " ")
		}
	}
	compare := func(a, b *build.Doc) int {
		switch o {
		case ByCapital:
			return cmp.Or(cmp.Compare(trust(a), trust(b)), cmp.Compare(b.Capital, a.Capital))
		case ByName:
			return strings.Compare(names[a], names[b])
		case ByNewest:
			return cmp.Compare(day(b, -1), day(a, -1))
		case ByOldest:
			return cmp.Compare(day(a, 1<<60), day(b, 1<<60))
		}
		return 0
	}
	out := slices.Clone(docs)
	slices.SortStableFunc(out, compare)
	if o == ByOldest { // of one day the less important first; those without a day stay by rank
		for i, j := 0, 0; i < len(out); i = j {
			for j = i; j < len(out) && out[j].Opening == out[i].Opening; j++ {
			}
			if out[i].Opening > 0 {
				slices.Reverse(out[i:j])
			}
		}
	}
	return out
}

// TestTextsInOtherOrders compares a text's hits by rank with the same hits in an order of their own.
func TestTextsInOtherOrders(t *testing.T) {
	t.Parallel()
	docs := indextest.Varied(3000)
	ix := openFlagged(t, docs, build.Options{BucketBytes: 64 << 10, ShardDocs: 500})
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	byNumber := map[cnpj.Full]*build.Doc{}
	for i := range docs {
		byNumber[docs[i].CNPJ] = &docs[i]
	}
	rng := rand.New(rand.NewPCG(25, 11))
	for _, text := range []string{"comercio", "servicos ltda", "001", strings.Fields(docs[5].RazaoSocial)[0]} {
		for _, filters := range []string{"", "abertura_de=1990-01-01", "abertura_ate=2015-06-30", "capital_de=5000&capital_ate=900000"} {
			ranked, err := ix.Search(t.Context(), Query{Text: text, Filters: narrowed(filters), Limit: MaxTotal})
			if err != nil || ranked.Total == 0 {
				t.Fatalf("%q with %s: %d hits, %v", text, filters, ranked.Total, err)
			}
			why := map[cnpj.Full]Why{}
			var found []*build.Doc
			for _, hit := range ranked.Hits {
				why[hit.CNPJ] = hit.Why
				found = append(found, byNumber[hit.CNPJ])
			}
			slices.SortFunc(found, indextest.CompareRank)
			for _, o := range []Order{ByCapital, ByName, ByNewest, ByOldest} {
				want := []Hit{}
				for _, d := range inOrder(found, o) {
					want = append(want, Hit{d.CNPJ, why[d.CNPJ]})
				}
				from := rng.IntN(len(want))
				for _, page := range [][2]int{{0, MaxTotal}, {0, 3}, {from, 7}} {
					got, err := ix.Search(t.Context(), Query{Text: text, Filters: narrowed(filters), Order: o, Offset: page[0], Limit: page[1]})
					if err != nil {
						t.Fatal(err)
					}
					hits := want[page[0]:min(page[0]+page[1], len(want))]
					if diff := gocmp.Diff(hits, got.Hits); diff != "" || got.Total != ranked.Total {
						t.Errorf("%q with %s in order %d from %d: total %d, %.800s", text, filters, o, page[0], got.Total, diff)
					}
				}
			}
		}
	}
}

func TestFiltersAreValidated(t *testing.T) {
	t.Parallel()
	good := []filter.Set{
		{},
		narrowed("uf=SP&municipio=7107&situacao=08&porte=00&natureza=2062&cnae=G&cnae_todos=4721102&mei=sim&simples=nao&tipo=matriz&ano_de=1990&ano_ate=1990&capital=100m&fonte=pncp_orgao"),
		narrowed("uf=EX&cnae=47&cnae_todos=472"),
	}
	for _, f := range good {
		if err := f.Validate(); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
	}
	bad := map[string]filter.Set{
		"uf": narrowed("uf=XX"), "municipio": narrowed("municipio=71O7"), "situacao": narrowed("situacao=05"), "porte": narrowed("porte=02"), "natureza": narrowed("natureza=20627"),
		"cnae": narrowed("cnae=4721"), "cnae_todos": narrowed("cnae_todos=W"), "mei": narrowed("mei=talvez"), "simples": narrowed("simples=s"), "tipo": narrowed("tipo=sede"),
		"ano_de": narrowed("ano_de=90"), "ano_ate": narrowed("ano_de=2001&ano_ate=2000"), "capital": narrowed("capital=1-10"), "fonte": narrowed("fonte=receita"),
		"socio_digitos": narrowed("socio_digitos=12345"), "socio_raiz": narrowed("socio_raiz=1122233"),
	}
	ix := openTown(t)
	for field, f := range bad {
		var invalid *filter.Error
		if _, err := ix.Search(t.Context(), Query{Filters: f}); !errors.As(err, &invalid) || invalid.Field != field {
			t.Errorf("Search with bad %s: %v", field, err)
		}
		if _, err := ix.Facets(t.Context(), Query{Filters: f}); !errors.As(err, &invalid) {
			t.Errorf("Facets with bad %s: %v", field, err)
		}
	}
}

func TestCapitalBand(t *testing.T) {
	t.Parallel()
	cases := map[int64]string{
		0: "0", 99: "0", 100: "1-10k", 999_999: "1-10k", 1_000_000: "10k-100k", 9_999_999: "10k-100k", 10_000_000: "100k-1m",
		100_000_000: "1m-10m", 1_000_000_000: "10m-100m", 9_999_999_999: "10m-100m", 10_000_000_000: "100m", 1<<63 - 1: "100m",
	}
	for cents, want := range cases {
		if got := filter.CapitalBands()[term.CapitalBand(cents)]; got != want {
			t.Errorf("band of %d cents: %s, want %s", cents, got, want)
		}
	}
}
