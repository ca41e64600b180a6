package flags_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"razao/index/build"
	"razao/index/flags"
	"razao/index/folder"
	"razao/index/indextest"
	"razao/internal/data/cnpj"
)

var benchDocs = flag.Int("docs", 100_000, "documents of the index")

// cpu returns the CPU seconds that the process has used.
func cpu(b *testing.B) float64 {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return float64(use.Utime.Nano()+use.Stime.Nano()) / 1e9
}

// BenchmarkFlags writes and reads the flags of sources with records of many and of few establishments:
//
//	go test ./index/flags -run '^$' -bench . -benchtime 3x -docs 1000000
//
// In the real registry pgfn has records of one establishment in thirteen, ceis of one in three thousand.
func BenchmarkFlags(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "index")
	builder, err := build.New(dir, build.Options{Workers: 2})
	if err != nil {
		b.Fatal(err)
	}
	w, g := builder.Writer(), indextest.NewGenerator(1)
	numbers := make([]cnpj.Full, *benchDocs)
	for i := range numbers {
		var d build.Doc
		g.Next(&d)
		numbers[i] = d.CNPJ
		if err := w.Add(&d); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	m, err := builder.Finish(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	for load, oneIn := range []int{3000, 13, 1} {
		rng := rand.New(rand.NewPCG(1, 1))
		var numbered []cnpj.Full
		for _, number := range numbers {
			if rng.IntN(oneIn) == 0 {
				numbered = append(numbered, number)
			}
		}
		slices.Sort(numbered)
		var records flags.Records
		for _, number := range slices.Compact(numbered) {
			total := rng.Int64N(1 << (10 + rng.IntN(25))) // cents
			records.Add(number, number, flags.Value{Measure: flags.Total, From: total, To: total})
		}
		b.Run(fmt.Sprintf("write/one_in_%d", oneIn), func(b *testing.B) { benchmarkWrite(b, dir, int64(load), &records) })
		b.Run(fmt.Sprintf("open/one_in_%d", oneIn), func(b *testing.B) {
			for b.Loop() {
				if _, err := flags.Open(dir, &m, "pgfn", int64(load)); err != nil {
					b.Fatal(err)
				}
			}
		})
		s, err := flags.Open(dir, &m, "pgfn", int64(load))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("between/one_in_%d", oneIn), func(b *testing.B) {
			found := uint64(0)
			for b.Loop() {
				found = 0
				for shard := range m.Shards {
					if docs := s.Between(shard, flags.Total, 100_000_00, math.MaxInt64); docs != nil {
						found += docs.GetCardinality()
					}
				}
			}
			b.ReportMetric(float64(found), "found")
		})
	}
}

func benchmarkWrite(b *testing.B, dir string, load int64, records *flags.Records) {
	before := cpu(b)
	for b.Loop() {
		w, err := flags.NewWriter(dir)
		if err != nil {
			b.Fatal(err)
		}
		if err := w.Write(context.Background(), "pgfn", load, records, 2); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((cpu(b)-before)/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(records.Len()), "owners")
	info, err := os.Stat(filepath.Join(dir, "sources", fmt.Sprintf("pgfn-%06d", load)))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size()), "bytes")
	m, err := folder.Read(dir)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(len(m.Shards)), "shards")
}
