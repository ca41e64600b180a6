package index

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
	"razao/internal/data/cnpj"
)

// docsOfBlock is how many documents a container of a Roaring bitmap covers.
const docsOfBlock = 1 << 16

// country is an index whose first shard spans two containers, as real shards span many, with its
// documents in rank order.
type country struct {
	*Index
	docs   []build.Doc
	oracle *oracle
	rng    *rand.Rand
}

// TestManyBlocksEqualTheOracle compares answers with a scan of all documents, in an index whose
// sets cross the borders of containers and shards.
func TestManyBlocksEqualTheOracle(t *testing.T) {
	notShort(t)
	t.Parallel()
	const inFirst = docsOfBlock + 20_000
	docs := indextest.Varied(inFirst + 6_000)
	ix := openFlagged(t, docs, build.Options{ShardDocs: inFirst, Workers: 2})
	if shards := ix.Manifest().Shards; len(shards) != 2 || shards[0].Docs != inFirst {
		t.Fatalf("shards %+v", shards)
	}
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	c := &country{ix, docs, newOracle(docs), rand.New(rand.NewPCG(16, 16))}
	c.oracle.hashed = true
	t.Run("search", c.checkSearch)
	t.Run("suggestions", c.checkSuggestions)
	t.Run("listings", c.checkListings)
	t.Run("facets", c.checkFacets)
}

// borders are ranks at which a new container or shard begins.
func (c *country) borders() []int {
	return []int{docsOfBlock, int(c.Manifest().Shards[0].Docs)}
}

// texts returns queries that many documents match and queries that few match, among these the
// documents around the borders.
func (c *country) texts() []string {
	texts := []string{"comercio", "servicos ltda", "transportes s", "de alimentos", "ltda"}
	for _, border := range c.borders() {
		for rank := border - 2; rank < border+2; rank++ {
			d := &c.docs[rank]
			words := strings.Fields(d.RazaoSocial)
			texts = append(texts, d.RazaoSocial, words[len(words)-2], words[1][:len(words[1])-1])
			if len(d.Partners) > 0 {
				texts = append(texts, d.Partners[0].Name)
			}
		}
	}
	return slices.DeleteFunc(texts, func(text string) bool { return len(wordsOf(text)) == 0 })
}

func (c *country) checkSearch(t *testing.T) {
	for _, text := range c.texts() {
		want := c.oracle.search(text)
		if len(want) == 0 {
			checkRescue(t, c.Index, text)
			continue
		}
		for _, from := range c.windows(len(want)) {
			c.checkHits(t, Query{Text: text, Offset: from, Limit: 50}, want)
		}
		c.checkHits(t, Query{Text: text, Limit: MaxTotal}, want)
		c.checkCompanies(t, text, want)
	}
}

// checkCompanies compares the results that have each company once, in every order, with those that have all establishments.
func (c *country) checkCompanies(t *testing.T, text string, all []Hit) {
	t.Helper()
	companies, stands := byCompany(all), representativesOf(all)
	first := map[Hit]bool{}
	for _, h := range firsts(all) {
		first[h] = true
	}
	for _, from := range c.windows(len(companies)) {
		c.checkHits(t, Query{Text: text, ByCompany: true, Offset: from, Limit: 50}, companies)
	}
	for order := ByCapital; order <= ByOldest; order++ {
		q := Query{Text: text, Order: order, Limit: len(all)}
		ordered, err := c.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.DeleteFunc(ordered.Hits, func(h Hit) bool { return !first[h] })
		for i := range want {
			want[i].CNPJ = stands[want[i].CNPJ.Root()]
		}
		q.ByCompany = true
		c.checkHits(t, q, want)
	}
	r, err := c.Search(t.Context(), Query{Text: text, ByCompany: true})
	if err != nil || r.Total <= MaxTotal && !r.TotalIsFloor && r.Establishments != len(all) {
		t.Errorf("%q: %d establishments of %d companies, want %d: %v", text, r.Establishments, r.Total, len(all), err)
	}
}

// firsts keeps the first hit of each company.
func firsts(hits []Hit) []Hit {
	seen := map[cnpj.Root]bool{}
	out := []Hit{}
	for _, h := range hits {
		if !seen[h.CNPJ.Root()] {
			seen[h.CNPJ.Root()] = true
			out = append(out, h)
		}
	}
	return out
}

// representativesOf returns the establishment that represents each company: the head office if its
// names have the words, else the first hit. The head offices of this index have the order 0001.
func representativesOf(hits []Hit) map[cnpj.Root]cnpj.Full {
	out := map[cnpj.Root]cnpj.Full{}
	for _, h := range slices.Backward(hits) {
		out[h.CNPJ.Root()] = h.CNPJ
	}
	for _, h := range hits {
		if h.Why <= WhyName && h.CNPJ.Order() == 1 {
			out[h.CNPJ.Root()] = h.CNPJ
		}
	}
	return out
}

// byCompany collapses hits by company as Search does.
func byCompany(hits []Hit) []Hit {
	out, stands := firsts(hits), representativesOf(hits)
	for i := range out {
		out[i].CNPJ = stands[out[i].CNPJ.Root()]
	}
	return out
}

// checkHits compares a page and its total with the complete list of hits.
func (c *country) checkHits(t *testing.T, q Query, all []Hit) {
	t.Helper()
	got, err := c.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	want := all[min(q.Offset, len(all)):min(q.Offset+q.Limit, len(all))]
	if diff := gocmp.Diff(want, got.Hits); diff != "" {
		t.Errorf("%+v of %d: %.500s", q, len(all), diff)
	}
	if got.Total != min(len(all), MaxTotal) || got.TotalIsFloor != (len(all) > MaxTotal) {
		t.Errorf("%+v: total %d (floor %t), want %d", q, got.Total, got.TotalIsFloor, len(all))
	}
}

// windows returns where pages of a result begin: at its ends, around the borders and anywhere.
func (c *country) windows(total int) []int {
	from := []int{0, max(0, total-30), c.rng.IntN(total)}
	for _, border := range c.borders() {
		if border < total {
			from = append(from, border-25)
		}
	}
	return from
}

func (c *country) checkSuggestions(t *testing.T) {
	asked, withPeople := 0, 0
	texts := c.texts()
	for _, text := range texts { // and unfinished
		if text = text[:len(text)-1]; len(wordsOf(text)) > 0 {
			texts = append(texts, text)
		}
	}
	for _, text := range texts {
		want := byCompany(c.oracle.suggest(text))
		known := len(heavy(wordsOf(text))) > 1 && slices.ContainsFunc(c.oracle.docs, func(d oracleDoc) bool { return c.oracle.knows(&d, text) })
		if len(want) == 0 && !known {
			continue // a beginning that only inactive ones have
		}
		asked++
		for _, n := range []int{8, 200} {
			got, err := c.Suggest(t.Context(), text, n)
			names := slices.DeleteFunc(slices.Clone(got), func(h Hit) bool { return h.Why == WhyPartner })
			people := got[len(names):]
			if diff := gocmp.Diff(want[:min(n-len(people), len(want))], names); err != nil || diff != "" || len(people) > max(n/3, n-len(want)) || known && len(people) == 0 {
				t.Errorf("%q, %d of %d and %d people: %v %.500s", text, n, len(want), len(people), err, diff)
			}
			for _, h := range people {
				of := slices.IndexFunc(c.oracle.docs, func(d oracleDoc) bool { return d.number == h.CNPJ })
				if !c.oracle.knows(&c.oracle.docs[of], text) {
					t.Errorf("%q is no partner of %s", text, h.CNPJ)
				}
				withPeople++
			}
		}
	}
	if asked < 20 || withPeople == 0 {
		t.Errorf("%d texts suggest anything, with %d partners", asked, withPeople)
	}
}

// knows says whether a partner has all the words of a text, the last one whole or as a beginning.
func (o *oracle) knows(d *oracleDoc, text string) bool {
	words := heavy(wordsOf(text))
	last := len(words) - 1
	return slices.ContainsFunc(slices.Concat(d.partners...), func(word string) bool {
		return strings.HasPrefix(word, words[last]) && o.hasPartner(d, append(slices.Clone(words[:last]), word))
	})
}

// suggest completes a text by looking at every document.
func (o *oracle) suggest(text string) []Hit {
	all := wordsOf(text)
	query := heavy(all)
	last := all[len(all)-1]
	whole := query // the words that must be there as they are
	if query[len(query)-1] == last {
		whole = query[:len(query)-1]
	}
	var exact, begun, typed []Hit
	for i := range o.docs {
		d := &o.docs[i]
		switch {
		case o.isNamed(d, query):
			exact = append(exact, Hit{d.number, WhyExactName})
		case d.begins(last) && containsAll(d.names, whole):
			begun = append(begun, Hit{d.number, WhyPrefix})
		case len(whole) == len(query) && containsAll(d.names, query):
			typed = append(typed, Hit{d.number, WhyName})
		}
	}
	return slices.Concat(exact, begun, typed)
}

func (c *country) checkListings(t *testing.T) {
	filters := []filter.Set{
		{},
		narrowed("situacao=08"), narrowed("tipo=matriz"), narrowed("uf=SP&mei=nao"), narrowed("ano_de=1980&ano_ate=2001"),
		filter.Of(filter.Capital, filter.CapitalBands()[2]),
	}
	for range 14 {
		filters = append(filters, randomFilters(c.rng, &c.docs[c.rng.IntN(len(c.docs))], &c.docs[c.rng.IntN(len(c.docs))]))
	}
	for i, f := range filters {
		left := passing(c.docs, f)
		if len(left) == 0 {
			c.checkHits(t, Query{Filters: f, Limit: 1}, []Hit{})
			continue
		}
		for _, order := range []Order{ByRank, Order(1 + i%4)} {
			want := []Hit{}
			for _, d := range inOrder(left, order) {
				want = append(want, Hit{d.CNPJ, WhyListed})
			}
			for _, from := range c.windows(len(want)) {
				c.checkHits(t, Query{Filters: f, Order: order, Offset: from, Limit: 50}, want)
			}
			c.checkExport(t, Query{Filters: f, Order: order}, want)
		}
	}
}

// checkExport compares an export with the complete list of hits.
func (c *country) checkExport(t *testing.T, q Query, all []Hit) {
	t.Helper()
	numbers, err := c.Numbers(t.Context(), q, len(all))
	if err != nil || !slices.EqualFunc(numbers, all, func(number cnpj.Full, hit Hit) bool { return number == hit.CNPJ }) {
		t.Errorf("export of %+v: %d of %d: %v", q, len(numbers), len(all), err)
	}
}

func (c *country) checkFacets(t *testing.T) {
	queries := []Query{{}, {Filters: narrowed("situacao=02")}, {Text: "comercio"}, {Text: "comercio", Filters: narrowed("uf=SP")}}
	for range 4 {
		queries = append(queries, Query{Filters: randomFilters(c.rng, &c.docs[c.rng.IntN(len(c.docs))], &c.docs[c.rng.IntN(len(c.docs))])})
	}
	for _, q := range queries {
		got, err := c.Facets(t.Context(), q)
		if diff := gocmp.Diff(facetsOf(c.docs, &q), got); err != nil || diff != "" {
			t.Errorf("%+v: %v %.800s", q, err, diff)
		}
	}
}
