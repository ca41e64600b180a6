package index

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/indextest"
	"razao/index/term"
	"razao/internal/data/cnpj"
)

// oracle answers a query of words by looking at every document.
type oracle struct {
	docs []oracleDoc // in rank order

	// hashed compares whole names and words of one partner by 16-bit hashes, as the index does:
	// among many documents some collide.
	hashed bool
}

type oracleDoc struct {
	number              cnpj.Full
	active              bool
	legal, trade, names []string
	partners            [][]string
}

func newOracle(docs []build.Doc) *oracle {
	o := &oracle{docs: make([]oracleDoc, len(docs))}
	for i := range docs {
		d := &docs[i]
		o.docs[i] = oracleDoc{
			number: d.CNPJ, active: d.SituacaoCadastral == term.SituacaoAtiva,
			legal: heavy(wordsOf(d.RazaoSocial)), trade: heavy(wordsOf(d.NomeFantasia)), names: wordsOf(d.RazaoSocial, d.NomeFantasia),
		}
		partners := slices.SortedFunc(slices.Values(d.Partners), func(a, b build.Partner) int { return strings.Compare(a.Name, b.Name) })
		partners = slices.CompactFunc(partners, func(a, b build.Partner) bool { return a.Name == b.Name })
		for _, p := range partners {
			o.docs[i].partners = append(o.docs[i].partners, wordsOf(p.Name))
		}
	}
	return o
}

func wordsOf(texts ...string) []string {
	var out []string
	for _, one := range texts {
		out = append(out, term.Words(one)...)
	}
	return out
}

func heavy(words []string) []string {
	kept := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return term.IsWeightless([]byte(w)) })
	if len(kept) == 0 {
		return words
	}
	return kept
}

func containsAll(have, want []string) bool {
	return !slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(have, w) })
}

// isNamed says whether one of the names is made of these words.
func (o *oracle) isNamed(d *oracleDoc, query []string) bool {
	if !o.hashed {
		return slices.Equal(d.legal, query) || slices.Equal(d.trade, query)
	}
	return containsAll(d.names, query) && slices.Contains([]string{nameTerm(d.legal), nameTerm(d.trade)}, nameTerm(query))
}

func nameTerm(words []string) string {
	hash := term.NoWords
	for _, word := range words {
		hash = hash.With(word)
	}
	return hash.Term('x')
}

// hasPartner says whether one of the partners has all the words.
func (o *oracle) hasPartner(d *oracleDoc, query []string) bool {
	if !o.hashed {
		return slices.ContainsFunc(d.partners, func(one []string) bool { return containsAll(one, query) })
	}
	if !containsAll(slices.Concat(d.partners...), query) {
		return false
	}
	if len(query) == 1 {
		return true
	}
	hashes := map[string]bool{}
	for i, one := range d.partners {
		for _, word := range heavy(one) {
			hashes[term.PartnerHash(i, word).Term(term.PartnerWord)] = true
		}
	}
	for i := range term.PartnerSlots {
		if !slices.ContainsFunc(query, func(word string) bool { return !hashes[term.PartnerHash(i, word).Term(term.PartnerWord)] }) {
			return true
		}
	}
	return false
}

func (o *oracle) reason(d *oracleDoc, query []string, lastHasWeight bool) (Why, bool) {
	switch {
	case o.isNamed(d, query):
		return WhyExactName, true
	case containsAll(d.names, query):
		return WhyName, true
	case lastHasWeight && d.begins(query[len(query)-1]) && containsAll(d.names, query[:len(query)-1]):
		return WhyPrefix, true
	case o.hasPartner(d, query):
		return WhyPartner, true
	}
	return 0, false
}

// begins says whether a word of a name begins so: for up to five letters, one of an active establishment that has weight.
func (d *oracleDoc) begins(beginning string) bool {
	if !d.active && len(beginning) <= term.MaxPrefixRunes {
		return false
	}
	return slices.ContainsFunc(d.names, func(w string) bool {
		return strings.HasPrefix(w, beginning) && (len(beginning) > term.MaxPrefixRunes || !term.IsWeightless([]byte(w)))
	})
}

func (o *oracle) search(text string) []Hit {
	all := wordsOf(text)
	query := heavy(all)
	lastHasWeight := query[len(query)-1] == all[len(all)-1]
	hits := []Hit{}
	for i := range o.docs {
		if why, ok := o.reason(&o.docs[i], query, lastHasWeight); ok {
			hits = append(hits, Hit{o.docs[i].number, why})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return int(a.Why - b.Why) })
	return hits
}

// TestPagesEqualTheOracle reads every result page by page and compares the whole with a scan of the documents: the
// same hits for the same reasons in the same order, none twice, none missing, and the exact total.
func TestPagesEqualTheOracle(t *testing.T) {
	t.Parallel()
	docs := indextest.Synthetic(8000)
	ix := open(t, indextest.Build(t, docs, build.Options{BucketBytes: 64 << 10, ShardDocs: 2000}))
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	o := newOracle(docs)
	rng := rand.New(rand.NewPCG(5, 5))
	texts := []string{"comercio", "servicos ltda", "transportes s", "de alimentos", "ltda", "construcoes eireli m"}
	for range 150 {
		d := &docs[rng.IntN(len(docs))]
		words := strings.Fields(d.RazaoSocial)
		texts = append(texts, d.RazaoSocial, strings.Join(words[1:], " "))
		if d.NomeFantasia != "" {
			texts = append(texts, d.NomeFantasia, d.NomeFantasia[:len(d.NomeFantasia)-1])
		}
		if len(d.Partners) > 0 {
			texts = append(texts, d.Partners[0].Name, strings.Fields(d.Partners[0].Name)[0])
		}
	}
	for _, text := range texts {
		if len(wordsOf(text)) == 0 {
			continue
		}
		want := o.search(text)
		if len(want) == 0 {
			checkRescue(t, ix, text)
			continue
		}
		got := []Hit{}
		limit := 1 + rng.IntN(40) + len(want)/20
		for len(got) <= len(want) { // one page too many is a difference, and the end
			r, err := ix.Search(t.Context(), Query{Text: text, Offset: len(got), Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			if r.Total != len(want) || r.TotalIsFloor {
				t.Errorf("%q from %d: total %d, want %d", text, len(got), r.Total, len(want))
			}
			if len(r.Hits) == 0 {
				break
			}
			got = append(got, r.Hits...)
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %.1500s", text, diff)
		}
	}
}

// checkRescue asks for what no document matches: hits must say that the words were changed.
func checkRescue(t *testing.T, ix *Index, text string) {
	t.Helper()
	r, err := ix.Search(t.Context(), Query{Text: text, Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	typed := wordsOf(text)
	last := typed[len(typed)-1]
	for _, hit := range r.Hits {
		if hit.Why == WhyPrefix && len(last) >= minRarePrefix && len(last) <= term.MaxPrefixRunes {
			continue // a beginning that only inactive ones have
		}
		corrected := hit.Why == WhyCorrected && len(r.Understood.Corrections) > 0
		partial := hit.Why == WhyPartial && len(r.Understood.Dropped) == 1
		if !corrected && !partial {
			t.Errorf("%q finds %v, understood as %+v", text, hit, r.Understood)
		}
	}
}
