package index

import (
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/indextest"
)

// openTrades opens an index of one bakery, and of farms of which each has a word of its own. All are invented.
func openTrades(t *testing.T) *Index {
	t.Helper()
	names := []string{"PADARIA LAPATIFE EPP"}
	for i := range 9 {
		names = append(names, fmt.Sprintf("AGROPECUARIA TRUVELO%c LTDA", 'A'+rune(i)))
	}
	var docs []build.Doc
	for i, name := range names {
		docs = append(docs, build.Doc{
			CNPJ: number(t, fmt.Sprintf("%08d", 50_000_000+16*i), "0001"), HeadOffice: true, RazaoSocial: name, UF: "PE", Municipio: "2531", SituacaoCadastral: "02", Branches: 1,
		})
	}
	return open(t, indextest.Build(t, docs, build.Options{BucketBytes: 1 << 10, ShardDocs: 4}))
}

// TestRarity: the more names have a word, the less it says.
func TestRarity(t *testing.T) {
	t.Parallel()
	got, err := openTrades(t).Rarity(t.Context(), []string{"lapatife", "agropecuaria", "nenhures", "padaria"})
	if err != nil {
		t.Fatal(err)
	}
	if got[0] != 1 || got[2] != 1 || got[3] != 1 || got[1] <= 0 || got[1] > 0.1 {
		t.Errorf("%v", got)
	}
}

// TestRareWordsStay: of words that no company has together, the common one is left out.
func TestRareWordsStay(t *testing.T) {
	t.Parallel()
	ix := openTrades(t)
	for text, dropped := range map[string][]string{
		"agropecuaria lapatife epp": {"agropecuaria"},
		"lapatife agropecuaria":     {"agropecuaria"},
		"padaria gronvulsta":        {"gronvulsta"}, // which no company has
	} {
		r, err := ix.Search(t.Context(), Query{Text: text, Scope: InNames, Limit: 2})
		if err != nil {
			t.Fatal(err)
		}
		if r.Total != 1 || r.Hits[0].CNPJ.Root().String() != "50000000" || r.Hits[0].Why != WhyPartial {
			t.Errorf("%s: %+v", text, r.Hits)
		}
		if diff := gocmp.Diff(dropped, r.Understood.Dropped); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
