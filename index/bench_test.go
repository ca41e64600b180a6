package index

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
)

var (
	benchDocs  = flag.Int("docs", 200_000, "documents of the benchmarks' index")
	benchIndex = flag.String("index", "", "folder of the benchmarks' index: made when it is missing, and kept")
)

// BenchmarkIndex builds an index of synthetic documents and queries it:
//
//	go test ./index -run '^$' -bench . -benchtime 1x -docs 1000000
//
// CPU seconds include sorting, verifying and checksums, not the making of the documents.
func BenchmarkIndex(b *testing.B) {
	ix, log := openBenchmark(b)
	ctx := context.Background()
	for name, texts := range log.searches() {
		b.Run("search/"+name, func(b *testing.B) {
			cut := 0
			benchmarkQueries(b, texts, func(text string) error {
				r, err := ix.Search(ctx, Query{Text: text, Limit: 20})
				if r.TotalIsFloor && r.Total < MaxTotal {
					cut++
				}
				return err
			})
			b.ReportMetric(float64(cut), "cut")
		})
	}
	for name, queries := range log.listings() {
		b.Run("listing/"+name, func(b *testing.B) {
			benchmarkQueries(b, queries, func(q Query) error {
				_, err := ix.Search(ctx, q)
				return err
			})
		})
	}
	for _, n := range []int{1, 2, 5, 10} {
		b.Run(fmt.Sprintf("filters/%d", n), func(b *testing.B) {
			benchmarkQueries(b, filterQueries(n, 2000), func(q Query) error {
				_, err := ix.Search(ctx, q)
				return err
			})
		})
	}
	b.Run("facets", func(b *testing.B) {
		benchmarkQueries(b, log.listings()["five ways"][:200], func(q Query) error {
			_, err := ix.Facets(ctx, q)
			return err
		})
	})
	b.Run("facets of an UF", func(b *testing.B) {
		benchmarkQueries(b, []string{"uf=SP", "uf=MG", "uf=SP&situacao=02", "situacao=02", "uf=BA"}, func(address string) error {
			_, err := ix.Facets(ctx, Query{Filters: narrowed(address)})
			return err
		})
	})
	b.Run("export", func(b *testing.B) {
		benchmarkQueries(b, log.listings()["order"][:60], func(q Query) error {
			_, err := ix.Numbers(ctx, q, MaxTotal)
			return err
		})
	})
	for name, texts := range log.suggestions() {
		b.Run("suggest/"+name, func(b *testing.B) {
			benchmarkQueries(b, texts, func(text string) error {
				_, err := ix.Suggest(ctx, text, 10)
				return err
			})
		})
	}
}

// openBenchmark opens the index of -index, or builds one first.
func openBenchmark(b *testing.B) (*Index, queryLog) {
	dir := *benchIndex
	var log queryLog
	if _, err := os.Stat(dir); dir != "" && err == nil {
		log = rememberedLog()
	} else {
		dir = cmp.Or(dir, filepath.Join(b.TempDir(), "index"))
		b.Run("build", func(b *testing.B) { log = benchmarkBuild(b, dir) })
	}
	ix := open(b, dir)
	if err := errors.Join(ix.Warm(b.Context()), ix.WarmFacets(b.Context())); err != nil {
		b.Fatal(err)
	}
	return ix, log
}

func benchmarkBuild(b *testing.B, dir string) queryLog {
	var log queryLog
	n := *benchDocs
	for range b.N {
		g := indextest.NewGenerator(1)
		var d build.Doc
		before := cpuSeconds()
		for range n {
			g.Next(&d)
		}
		generating := cpuSeconds() - before

		g = indextest.NewGenerator(1)
		before = cpuSeconds()
		start := time.Now()
		builder, err := build.New(dir, build.Options{Workers: 2})
		if err != nil {
			b.Fatal(err)
		}
		w := builder.Writer()
		for i := range n {
			g.Next(&d)
			log.remember(&d, i)
			if err := w.Add(&d); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		added := time.Since(start)
		m, err := builder.Finish(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		seconds := cpuSeconds() - before - generating
		b.ReportMetric(float64(n)/seconds, "docs/CPU-s")
		b.ReportMetric(seconds*1e6/float64(n), "CPU-s/Mdoc")
		b.ReportMetric(added.Seconds(), "add-s")
		b.ReportMetric((time.Since(start) - added).Seconds(), "finish-s")
		b.ReportMetric(float64(m.Bytes())/float64(n), "bytes/doc")
		b.ReportMetric(float64(len(m.Shards)), "shards")
	}
	return log
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// benchmarkQueries reports percentiles over all queries, each asked once per round.
func benchmarkQueries[Q any](b *testing.B, texts []Q, ask func(Q) error) {
	var took []time.Duration
	before := cpuSeconds()
	for range b.N {
		for _, text := range texts {
			start := time.Now()
			if err := ask(text); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(start))
		}
	}
	b.ReportMetric(float64(len(took))/(cpuSeconds()-before), "queries/CPU-s")
	slices.Sort(took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e6, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e6, "p99-ms")
	b.ReportMetric(float64(took[len(took)-1].Nanoseconds())/1e6, "max-ms")
}

// rememberedLog is the log of an index that was built before.
func rememberedLog() queryLog {
	var log queryLog
	g := indextest.NewGenerator(1)
	var d build.Doc
	for i := 0; len(log.names) <= loggedNames && i < *benchDocs; i++ {
		g.Next(&d)
		log.remember(&d, i)
	}
	return log
}

const loggedNames = 2000

// queryLog holds what a sample of the documents could be asked for.
type queryLog struct {
	names, trades, partners, numbers []string
	filters                          []filter.Set // of the same documents
}

func (l *queryLog) remember(d *build.Doc, i int) {
	if i%199 != 0 || len(l.names) > loggedNames {
		return
	}
	l.names = append(l.names, strings.Clone(d.RazaoSocial))
	l.numbers = append(l.numbers, d.CNPJ.Masked())
	l.filters = append(l.filters, filter.Of(
		filter.UF, d.UF, filter.Municipio, d.Municipio, filter.Situacao, d.SituacaoCadastral, filter.Porte, d.PorteEmpresa,
		filter.CNAE, strings.Clone(d.CNAE), filter.YearFrom, fmt.Sprint(d.Opening/10_000-5), filter.YearTo, fmt.Sprint(d.Opening/10_000)))
	if d.NomeFantasia != "" {
		l.trades = append(l.trades, strings.Clone(d.NomeFantasia))
	}
	if len(d.Partners) > 0 {
		l.partners = append(l.partners, strings.Clone(d.Partners[0].Name))
	}
}

func (l *queryLog) searches() map[string][]string {
	out := map[string][]string{"name": l.names, "trade": l.trades, "partner": l.partners, "cnpj": l.numbers}
	for _, name := range l.names {
		words := strings.Fields(name)
		if len(words) < 3 {
			continue
		}
		out["two words"] = append(out["two words"], words[1]+" "+words[2])
		out["one word"] = append(out["one word"], words[1])
		out["begun"] = append(out["begun"], words[0]+" "+words[1]+" "+words[2][:2])
	}
	for _, number := range l.numbers {
		out["root"] = append(out["root"], number[:10])
		out["number prefix"] = append(out["number prefix"], number[:5])
	}
	out["common"] = strings.Split(strings.Repeat("comercio ltda,servicos,transportes comercio,construcoes ltda sa,de alimentos,", 100), ",")
	out["mixed"] = l.mixed(out)
	return out
}

// listings are queries without a text.
func (l *queryLog) listings() map[string][]Query {
	out := make(map[string][]Query)
	add := func(name string, q Query) {
		q.Limit = 20
		out[name] = append(out[name], q)
	}
	for i, f := range l.filters[:min(len(l.filters), 800)] {
		division, of := f.Value(filter.CNAE)[:2], func(names ...string) filter.Set {
			var s filter.Set
			for _, name := range names {
				s = s.Add(name, f.Value(name))
			}
			return s
		}
		five := f.With(filter.CNAE, division).Without(filter.Municipio)
		add("municipality and activity", Query{Filters: of(filter.Municipio, filter.Situacao).Add(filter.CNAE, division)})
		add("UF and activity", Query{Filters: of(filter.UF, filter.CNAE, filter.Situacao)})
		add("any activity", Query{Filters: of(filter.UF).Add(filter.CNAEAny, f.Value(filter.CNAE)[:5])})
		add("five ways", Query{Filters: five})
		add("deep", Query{Filters: of(filter.UF).Add(filter.Situacao, "02"), Offset: 9000})
		order := Order(1 + i%4)
		add("order", Query{Filters: of(filter.UF, filter.Situacao), Order: order})
		add("order of few", Query{Filters: of(filter.Municipio).Add(filter.CNAE, division), Order: order})
		add("order five ways", Query{
			Filters: five, Order: order,
		})
	}
	return out
}

// mixed takes every kind of query in turn.
func (l *queryLog) mixed(kinds map[string][]string) []string {
	var out []string
	for _, name := range []string{"name", "trade", "partner", "cnpj", "two words", "one word", "begun", "root", "common"} {
		out = append(out, kinds[name][:min(len(kinds[name]), 400)]...)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// suggestions are names typed letter by letter.
func (l *queryLog) suggestions() map[string][]string {
	out := map[string][]string{}
	for i, name := range l.names[:min(len(l.names), 500)] {
		if i%2 == 0 && len(l.trades) > i {
			name = l.trades[i]
		}
		for n := 1; n <= len(name); n++ {
			switch {
			case n < 4:
				out["1-3 letters"] = append(out["1-3 letters"], name[:n])
			case strings.Contains(name[:n], " "):
				out["after a word"] = append(out["after a word"], name[:n])
			default:
				out["4+ letters"] = append(out["4+ letters"], name[:n])
			}
		}
	}
	for _, name := range l.partners[:min(len(l.partners), 250)] {
		for n := strings.IndexByte(name, ' ') + 2; n > 1 && n <= len(name); n++ {
			out["partner"] = append(out["partner"], name[:n])
		}
	}
	for _, number := range l.numbers {
		out["number"] = append(out["number"], number[:4], number[:7], number[:10])
	}
	return out
}

// filterQueries are n random filters of all kinds at once, in random orders, each of which some
// establishment passes; companies are results, as on pages.
func filterQueries(n, queries int) []Query {
	g, rng := indextest.NewGenerator(1), rand.New(rand.NewPCG(uint64(n), 2))
	var d build.Doc
	var out []Query
	for i := 0; len(out) < queries && i < *benchDocs; i++ {
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
