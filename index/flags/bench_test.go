package flags_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"razao/index/build"
	"razao/index/flags"
	"razao/index/folder"
	"razao/index/indextest"
)

var benchDocs = flag.Int("docs", 100_000, "documents of the index")

// BenchmarkFlags writes and reads the flags of sources with records of many and of few establishments:
//
//	go test ./index/flags -run '^$' -bench . -benchtime 3x -docs 1000000
func BenchmarkFlags(b *testing.B) {
	docs := indextest.Synthetic(*benchDocs)
	dir := indextest.Build(b, docs, build.Options{Workers: 2})
	m, err := folder.Read(dir)
	if err != nil {
		b.Fatal(err)
	}
	slices.SortFunc(docs, func(x, y build.Doc) int { return int(x.CNPJ - y.CNPJ) })
	for load, oneIn := range []int{3000, 13, 1} {
		rng := rand.New(rand.NewPCG(1, 1))
		var records flags.Records
		for i := range docs {
			if rng.IntN(oneIn) == 0 {
				cents := rng.Int64N(1 << (10 + rng.IntN(25)))
				records.Add(docs[i].CNPJ, docs[i].CNPJ, flags.Value{Measure: flags.Total, From: cents, To: cents})
			}
		}
		w := writer(b, dir)
		b.Run(fmt.Sprintf("write/one_in_%d", oneIn), func(b *testing.B) {
			for b.Loop() {
				if err := w.Write(b.Context(), "pgfn", int64(load), &records, 2); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(flags.Size(dir, "pgfn", int64(load))), "bytes")
		})
		var s *flags.Set
		b.Run(fmt.Sprintf("open/one_in_%d", oneIn), func(b *testing.B) {
			for b.Loop() {
				if s, err = flags.Open(dir, &m, "pgfn", int64(load)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("between/one_in_%d", oneIn), func(b *testing.B) {
			for b.Loop() {
				for shard := range m.Shards {
					s.Between(shard, flags.Total, 100_000_00, math.MaxInt64)
				}
			}
		})
	}
}
