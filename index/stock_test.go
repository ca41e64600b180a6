package index

import (
	"encoding/binary"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
	"razao/index/intent"
	"razao/internal/data/cnpj"
)

// stock is an index folder opened with Bleve alone, without any of our code.
type stock []bleve.Index

func openStock(t *testing.T, dir string) stock {
	t.Helper()
	shards, err := filepath.Glob(filepath.Join(dir, "shard-*"))
	if err != nil || len(shards) < 2 {
		t.Fatalf("shards %v, %v", shards, err)
	}
	var all stock
	for _, shard := range shards {
		ix, err := bleve.OpenUsing(shard, map[string]any{"read_only": true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := ix.Close(); err != nil {
				t.Error(err)
			}
		})
		all = append(all, ix)
	}
	return all
}

// find returns what a query matches, in no order.
func (all stock) find(t *testing.T, q query.Query) []cnpj.Full {
	t.Helper()
	var out []cnpj.Full
	for _, ix := range all {
		docs, err := ix.DocCount()
		if err != nil {
			t.Fatal(err)
		}
		request := bleve.NewSearchRequestOptions(q, int(docs), 0, false)
		request.Score = "none"
		r, err := ix.SearchInContext(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range r.Hits {
			out = append(out, cnpj.Full(binary.BigEndian.Uint64([]byte(hit.ID))))
		}
	}
	slices.Sort(out)
	return out
}

// evaluated returns the documents of a query by package eval.
func (ix *Index) evaluated(t *testing.T, q query.Query) []cnpj.Full {
	t.Helper()
	s := ix.begin(&Query{}, &page{}, boundless())
	defer s.end()
	var out []cnpj.Full
	for i := range s.shards {
		docs, err := s.shard(i).evaluate(q, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := visitPart(docs, 0, sizeOf(docs), func(doc uint32) error {
			number, err := ix.shards[i].CNPJ(doc)
			out = append(out, number)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(out)
	return out
}

// TestStockBleveAgrees compares package eval with stock Bleve on the queries of all tiers and of
// all filters that are not columns.
func TestStockBleveAgrees(t *testing.T) {
	notShort(t)
	t.Parallel()
	docs := indextest.Varied(6000)
	dir := indextest.Build(t, docs, build.Options{ShardDocs: 2500, Workers: 2})
	ix, other := open(t, dir), openStock(t, dir)
	compare := func(about string, q query.Query) {
		t.Helper()
		if got, want := ix.evaluated(t, q), other.find(t, q); !slices.Equal(got, want) {
			t.Errorf("%s: %d documents, stock Bleve finds %d", about, len(got), len(want))
		}
	}
	tiers := map[string]tier{
		"exact": exactTier, "name": nameTier, "prefix": prefixTier, "partner": partnerTier, "typing": typingTier,
		"typed": typedTier, "rare prefix": rarePrefixTier, "sound": soundTiers[0], "sound of partners": soundTiers[1],
		"meant": meantTiers[0], "meant partners": meantTiers[1],
	}
	found := map[string]int{}
	for i := 0; i < len(docs); i += 60 {
		d := &docs[i]
		texts := []string{d.RazaoSocial, d.RazaoSocial[:len(d.RazaoSocial)-2], `"` + d.NomeFantasia + `"`}
		for _, p := range d.Partners {
			texts = append(texts, p.Name)
		}
		filters := filter.Of(filter.UF, d.UF, filter.CNAE, d.CNAE[:2],
			filter.Motivo, "-99", filter.CEP, d.CEP[:min(len(d.CEP), 3+i/60%6)], filter.Bairro, d.Bairro, filter.DDD, d.DDDs[0], filter.Telephone, "sim",
			filter.MEI, [...]string{"sim", "nao"}[i%2])
		compare("filters", allOf(filters.Queries()...))
		contact := filter.Of(filter.Address, strings.ToLower(d.Email), filter.House, d.HouseNumber, filter.Street, d.Street)
		if contact.Validate() == nil && d.DDDs[0] != "" {
			compare("contact", allOf(contact.Add(filter.Phone, d.DDDs[0]+d.Telephones[0]).Queries()...))
		}
		several := narrowed("uf=RJ&uf=MG&situacao=02&cnae=-47&cnae=-G&porte=-05&tipo=-filial&regiao=sul&regiao=sudeste&socio_faixa=-3&email=nao").Add(filter.UF, d.UF).
			Add(filter.Regiao, "norte").Add(filter.Situacao, d.SituacaoCadastral)
		compare("several values and exclusions", allOf(several.Queries()...))
		compare("exclusion alone", allOf(narrowed("uf=-"+d.UF+"&natureza=-"+d.NaturezaJuridica).Queries()...))
		for _, text := range texts {
			words := intent.NewWords(intent.Parse(text))
			if len(words.All) == 0 {
				continue
			}
			for name, tier := range tiers {
				q := tier.query(&words)
				if q == nil {
					continue
				}
				compare(name+" "+text, q)
				compare(name+" and filters "+text, allOf(append([]query.Query{q}, filters.Queries()...)...))
				found[name] += len(ix.evaluated(t, q))
			}
		}
	}
	for name := range tiers {
		if found[name] == 0 {
			t.Errorf("tier %s found nothing", name)
		}
	}
}
