package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
)

// BenchmarkFilters asks for 2, 5 and 10 random filters of all kinds at once, in random orders, each of which some establishment passes;
// companies are results, as on pages. Flags and -index are those of BenchmarkIndex:
//
//	go test ./index -run '^$' -bench Filters -benchtime 1x -docs 5000000 -index DIR
func BenchmarkFilters(b *testing.B) {
	dir := *benchIndex
	if dir == "" {
		dir = filepath.Join(b.TempDir(), "index")
	}
	if _, err := os.Stat(dir); err != nil {
		b.Run("build", func(b *testing.B) { benchmarkBuild(b, dir) })
	}
	ix, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer ix.Close()
	if err := errors.Join(ix.Warm(b.Context()), ix.WarmFacets(b.Context())); err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, 2, 5, 10} {
		queries := filterQuestions(n, 2000)
		ask := func(name string, ask func(Query) (cut bool, err error)) {
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				cuts, worst, slowest := 0, Query{}, time.Duration(0)
				benchmarkQueries(b, queries, func(q Query) error {
					start := time.Now()
					cut, err := ask(q)
					if took := time.Since(start); took > slowest {
						worst, slowest = q, took
					}
					if cut {
						cuts++
					}
					return err
				})
				b.ReportMetric(float64(cuts), "cut")
				b.Logf("slowest %v: %v, order %d", slowest, worst.Filters, worst.Order)
			})
		}
		ask("page", func(q Query) (bool, error) {
			r, err := ix.Search(context.Background(), q)
			return r.TotalIsFloor && r.Total < MaxTotal, err
		})
		queries = queries[:200]
		ask("facets", func(q Query) (bool, error) {
			_, err := ix.Facets(context.Background(), q)
			return false, err
		})
	}
}

func filterQuestions(n, questions int) []Query {
	g, rng := indextest.NewGenerator(1), rand.New(rand.NewPCG(uint64(n), 2))
	var d build.Doc
	var out []Query
	for i := 0; len(out) < questions && i < *benchDocs; i++ {
		g.Next(&d)
		if i%50 > 0 {
			continue
		}
		pairs := passed(rng, &d)
		rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		set := filter.Set{}
		for _, p := range pairs[:min(n, len(pairs))] {
			set = set.Add(p[0], strings.Clone(p[1]))
		}
		out = append(out, Query{Filters: set, Order: Order(rng.IntN(5)), Limit: 20, ByCompany: true})
	}
	return out
}

// passed returns filters that an establishment passes, one for each kind of question that somebody may have of it.
func passed(rng *rand.Rand, d *build.Doc) [][2]string {
	day := func(number, years int) string {
		return fmt.Sprintf("%04d-%02d-%02d", number/10_000+years, number/100%100, number%100)
	}
	reais := d.Capital / 100
	pairs := [][2]string{
		{filter.UF, d.UF},
		{filter.Municipio, d.Municipio},
		{filter.Situacao, d.SituacaoCadastral},
		{filter.Porte, d.PorteEmpresa},
		{filter.CNAE, d.CNAE[:indextest.Pick(rng, 2, 3, 5, 7)]},
		{filter.CNAEAny, d.CNAE[:indextest.Pick(rng, 2, 3, 5, 7)]},
		{filter.CNAE, "-01"},
		{filter.Natureza, d.NaturezaJuridica},
		{filter.CapitalFrom, strconv.FormatInt(reais/2, 10)},
		{filter.CapitalTo, strconv.FormatInt(2*reais+1, 10)},
		{filter.OpenedFrom, day(d.Opening, -rng.IntN(8))},
		{filter.OpenedTo, day(d.Opening, rng.IntN(8))},
		{filter.SinceFrom, day(d.SituacaoDay, -rng.IntN(8))},
		{filter.EstablishmentsFrom, strconv.Itoa(d.Branches)},
		{filter.PartnersFrom, strconv.Itoa(d.PartnerCount)},
		{filter.Motivo, d.Motivo},
	}
	if d.Bairro != "" {
		pairs = append(pairs, [2]string{filter.Bairro, d.Bairro}, [2]string{filter.CEP, d.CEP[:indextest.Pick(rng, 3, 4, 5, 6, 8)]})
	}
	if d.Telephone {
		pairs = append(pairs, [2]string{filter.Telephone, "sim"}, [2]string{filter.DDD, d.DDDs[0] + d.DDDs[1]})
	}
	if d.SimplesDay > 0 {
		pairs = append(pairs, [2]string{filter.Simples, "sim"}, [2]string{filter.SimplesFrom, day(d.SimplesDay, -1)})
	}
	if len(d.Partners) > 0 {
		pairs = append(pairs, [2]string{filter.PartnerAge, d.Partners[0].Age}, [2]string{filter.PartnerRole, d.Partners[0].Role})
	}
	return slices.DeleteFunc(pairs, func(p [2]string) bool { return !filter.Valid(p[0], p[1]) })
}
