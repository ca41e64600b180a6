package index

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
	"razao/index/term"
	"razao/internal/data/cnpj"
	"razao/internal/data/source"
)

// TestFacetsAreRemembered asks twice: counts that visited many documents come from the cache,
// others are counted again.
func TestFacetsAreRemembered(t *testing.T) {
	t.Parallel()
	ix := open(t, indextest.Build(t, indextest.Synthetic(3*worthRemembering), build.Options{}))
	same := func(q Query) bool {
		first, err := ix.Facets(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		second, err := ix.Facets(t.Context(), q)
		return err == nil && reflect.ValueOf(first).Pointer() == reflect.ValueOf(second).Pointer()
	}
	for _, q := range []Query{{}, {Filters: narrowed("tipo=matriz")}, {Text: "ltda"}} {
		if !same(q) {
			t.Errorf("facets of %+v were counted twice", q)
		}
	}
	for _, q := range []Query{{Filters: narrowed("uf=AP&situacao=03")}, {Text: "nobody has this"}} {
		if same(q) {
			t.Errorf("facets of %+v are remembered", q)
		}
	}
	text, err := ix.Facets(t.Context(), Query{Text: "ltda", Filters: narrowed("tipo=matriz")})
	if whole, _ := ix.Facets(t.Context(), Query{}); err != nil || reflect.DeepEqual(text, whole) {
		t.Errorf("facets of a text with a filter are those of everything, %v", err)
	}
}

// TestWarmCountsEveryChoice warms an index and expects the facets of single filters to be known.
func TestWarmCountsEveryChoice(t *testing.T) {
	notShort(t)
	t.Parallel()
	ix := open(t, indextest.Build(t, indextest.Synthetic(3*worthRemembering), build.Options{}))
	if err := ix.WarmFacets(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, f := range []filter.Set{{}, narrowed("situacao=02"), narrowed("tipo=matriz"), narrowed("mei=nao"), narrowed("natureza=2135")} {
		if _, ok := ix.facetCache.Get(facetKey{filters: f}); !ok {
			t.Errorf("facets of %+v are not known", f)
		}
	}
}

// facetsOf counts the facets of a query by a scan of the documents. A text is matched as a part of
// the legal name.
func facetsOf(docs []build.Doc, q *Query) Facets {
	of := knowledge(known)
	if q.asksOfCompanies() {
		of = ofCompanies(docs)
	}
	values := facetValues(of)
	left := map[filter.Set][]*build.Doc{} // most facets leave the filters as they are
	facets := Facets{}
	for _, f := range allFacets() {
		open := q.Filters.Without(f.filters...)
		if _, known := left[open]; !known {
			passes := passerOf(open, of)
			for i := range docs {
				if d := &docs[i]; (q.Text == "" || strings.Contains(d.RazaoSocial, strings.ToUpper(q.Text))) && passes(d) {
					left[open] = append(left[open], d)
				}
			}
		}
		counts := map[string]int64{}
		for _, d := range left[open] {
			count(counts, values[f.name](d))
		}
		list := []FacetValue{}
		for value, n := range counts {
			list = append(list, FacetValue{Value: value, Count: n})
		}
		facets[f.name] = topValues(list)
	}
	if activity := q.Filters.Activity(); activity != "" {
		facets[facetBelow] = below(docs, q, activity, of)
	}
	return facets
}

// below counts the subclasses of an activity over the documents.
func below(docs []build.Doc, q *Query, activity string, of knowledge) []FacetValue {
	passes, counts := passerOf(q.Filters.With(filter.CNAE, activity), of), map[string]int64{}
	for i := range docs {
		if d := &docs[i]; (q.Text == "" || strings.Contains(d.RazaoSocial, strings.ToUpper(q.Text))) && passes(d) {
			counts[d.CNAE]++
		}
	}
	list := []FacetValue{}
	for value, n := range counts {
		list = append(list, FacetValue{Value: value, Count: n})
	}
	return topValues(list)
}

// topValues returns the first fifty values by count, then by value.
func topValues(list []FacetValue) []FacetValue {
	slices.SortFunc(list, func(a, b FacetValue) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
	})
	return list[:min(len(list), 50)]
}

// TestFacetsOfTextsEqualTheirHits compares facets of texts with counts over the hits of the same
// text, searched with the filters that each facet is counted under.
func TestFacetsOfTextsEqualTheirHits(t *testing.T) {
	notShort(t)
	t.Parallel()
	docs := indextest.Varied(3000)
	ix := openFlagged(t, docs, build.Options{BucketBytes: 64 << 10, ShardDocs: 700})
	byNumber := map[cnpj.Full]*build.Doc{}
	for i := range docs {
		byNumber[docs[i].CNPJ] = &docs[i]
	}
	rng := rand.New(rand.NewPCG(12, 12))
	values := facetValues(known)
	found, nothing := 0, 0
	for round := range 200 {
		d := &docs[rng.IntN(len(docs))]
		words := strings.Fields(d.RazaoSocial)
		q := Query{Text: indextest.Pick(rng, d.RazaoSocial, words[1], words[1]+" "+words[2], words[1][:2], words[2][1:], words[1]+" sao paulo",
			words[1]+" acre", d.CNPJ.String(), d.CNPJ.String()[:5], d.NomeFantasia+" xq", "comercio nobodyhasthis", "zzzz yyyy")}
		if len(d.Partners) > 0 && round%5 == 0 {
			q.Text = d.Partners[0].Name
		}
		if round%3 > 0 {
			q.Filters = randomFilters(rng, &docs[rng.IntN(len(docs))], &docs[rng.IntN(len(docs))])
		}
		got, err := ix.Facets(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range allFacets() {
			open := q
			open.Filters = open.Filters.Without(f.filters...)
			counts := map[string]int64{}
			numbers, err := ix.Numbers(t.Context(), open, len(docs))
			for _, number := range numbers {
				count(counts, values[f.name](byNumber[number]))
			}
			list := []FacetValue{}
			for value, n := range counts {
				list = append(list, FacetValue{Value: value, Count: n})
			}
			if diff := gocmp.Diff(topValues(list), got[f.name]); err != nil || diff != "" {
				t.Errorf("%s of %+v: %v %.500s", f.name, q, err, diff)
			}
			if len(list) == 0 {
				nothing++
			} else {
				found++
			}
		}
	}
	if found < 300 || nothing < 100 {
		t.Errorf("%d facets with values, %d without: the texts are too much alike", found, nothing)
	}
}

// count adds the values of a document; those it lacks are "".
func count(counts map[string]int64, values string) {
	for value := range strings.FieldsSeq(values) {
		counts[value]++
	}
}

// facetValues says what values a document has in each facet, with blanks between them.
func facetValues(of knowledge) map[string]func(*build.Doc) string {
	yes := func(is bool) string { return map[bool]string{true: "sim", false: "nao"}[is] }
	return map[string]func(*build.Doc) string{
		"uf":           func(d *build.Doc) string { return d.UF },
		"municipio":    func(d *build.Doc) string { return d.Municipio },
		"situacao":     func(d *build.Doc) string { return d.SituacaoCadastral },
		"porte":        func(d *build.Doc) string { return d.PorteEmpresa },
		"cnae_divisao": func(d *build.Doc) string { return d.CNAE[:2] },
		"natureza":     func(d *build.Doc) string { return d.NaturezaJuridica },
		"mei":          func(d *build.Doc) string { return yes(d.MEI) },
		"simples":      func(d *build.Doc) string { return yes(d.Simples) },
		"tipo":         func(d *build.Doc) string { return map[bool]string{true: "matriz", false: "filial"}[d.HeadOffice] },
		"ano": func(d *build.Doc) string {
			if d.Opening == 0 {
				return ""
			}
			return fmt.Sprint(d.Opening / 10_000)
		},
		"fonte": func(d *build.Doc) string {
			var ids []string
			for _, id := range source.IDs() {
				if records, _ := of(d, id); records {
					ids = append(ids, id)
				}
			}
			return strings.Join(ids, " ")
		},
		"capital": func(d *build.Doc) string {
			if d.Capital < 0 {
				return ""
			}
			return filter.CapitalBands()[term.CapitalBand(d.Capital)]
		},
	}
}
