package build_test

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"razao/index/build"
	"razao/index/folder"
	"razao/index/indextest"
)

var (
	benchDocs    = flag.Int("docs", 200_000, "documents of the benchmark's index")
	benchDir     = flag.String("dir", "", "where the benchmark builds; a temporary folder when empty")
	benchWorkers = flag.Int("workers", 2, "goroutines of the benchmark's build")
	benchEqual   = flag.Bool("equal", false, "all documents of the benchmark are active head offices of one size and capital")
)

// BenchmarkFinish orders, inverts, merges and checks an index, without the encoding of its documents.
func BenchmarkFinish(b *testing.B) {
	for b.Loop() {
		dir := filepath.Join(b.TempDir(), "index")
		if *benchDir != "" {
			dir = filepath.Join(*benchDir, "index")
		}
		var inverted time.Time
		builder, err := build.New(dir, build.Options{Workers: *benchWorkers, Progress: func(stage string, done, total int64) {
			if stage == "invert" && done == total {
				inverted = time.Now()
			}
		}})
		if err != nil {
			b.Fatal(err)
		}
		addGenerated(b, builder, *benchDocs)
		debug.FreeOSMemory()
		_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the peak begins anew
		start, cpu := time.Now(), cpuSeconds()
		m, err := builder.Finish(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		took, used := time.Since(start).Seconds(), cpuSeconds()-cpu
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(took, "finish-s")
		b.ReportMetric(inverted.Sub(start).Seconds(), "invert-s")
		b.ReportMetric(used*1e6/float64(*benchDocs), "CPU-s/Mdoc")
		b.ReportMetric(used/took, "cores")
		b.ReportMetric(peakMegabytes(), "peak-MB")
		b.Logf("content %x", contentSum(m))
		if err := os.RemoveAll(dir); err != nil {
			b.Fatal(err)
		}
	}
}

func addGenerated(b *testing.B, builder *build.Builder, docs int) {
	b.Helper()
	g, w := indextest.NewGenerator(1), builder.Writer()
	var d build.Doc
	for range docs {
		g.Next(&d)
		if *benchEqual {
			d.HeadOffice, d.SituacaoCadastral, d.PorteEmpresa, d.Branches, d.Capital, d.Opening = true, "02", "01", 1, 100_000, 20_200_101
		}
		if err := w.Add(&d); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}

// contentSum returns the checksum of everything that depends on the documents alone: all files but
// those that Bleve puts around a segment.
func contentSum(m folder.Manifest) []byte {
	h := sha256.New()
	for _, f := range m.Files {
		if !f.OfShard() || strings.HasSuffix(f.Path, ".zap") {
			h.Write([]byte(f.Path + f.SHA256))
		}
	}
	return h.Sum(nil)
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// peakMegabytes returns the peak resident set of the process (VmHWM), mapped files included; 0
// where /proc does not have it.
func peakMegabytes() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	line, _, _ := bytes.Cut(rest, []byte("kB"))
	kilobytes, _ := strconv.ParseFloat(string(bytes.TrimSpace(line)), 64)
	return kilobytes / 1000
}
