package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/index"
)

func dice() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// invented3 is a log over three invented companies.
func invented3(t *testing.T) *queryLog {
	t.Helper()
	l, err := newQueryLog(drawFrom([]index.Doc{
		{
			RazaoSocial: "PADARIA ESTRELA LTDA", NomeFantasia: "ESTRELA", UF: "SP", Municipio: "7107", SituacaoCadastral: "02",
			PorteEmpresa: "01", CNAE: "1091102", Partners: []index.Partner{{Name: "ANA SOUZA"}},
		},
		{
			RazaoSocial: "METALURGICA AURORA SA", NomeFantasia: "AURORA", UF: "RJ", Municipio: "6001", SituacaoCadastral: "08",
			PorteEmpresa: "05", CNAE: "2512800", Partners: []index.Partner{{Name: "BRUNO LIMA"}},
		},
		{RazaoSocial: "SEM ENDERECO", CNAE: "2512800"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestParseSizes(t *testing.T) {
	t.Parallel()
	o, err := parseOptions([]string{"-only", "search-suite", "-sizes", "10,20"})
	if err != nil || !slices.Equal(o.sizes, []int{10, 20}) || !o.wants(partSuite) || o.wants(partSearch) {
		t.Errorf("options = %+v, %v", o, err)
	}
	o, err = parseOptions([]string{"-only", "search-suite", "-roots", "7"})
	if err != nil || !slices.Equal(o.sizes, []int{7}) {
		t.Errorf("sizes without -sizes = %+v, %v; want those of -roots", o, err)
	}
	for _, args := range [][]string{
		{"-sizes", "10"},
		{"-only", "search-suite", "-sizes", "10,x"},
		{"-only", "search-suite", "-sizes", "0"},
		{"-only", "search,search-suite"},
		{"-compare", "3000000"},
		{"-compare", "-1"},
	} {
		if _, err := parseOptions(args); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
}

func TestDiskNeeded(t *testing.T) {
	t.Parallel()
	o := &options{roots: 1_000_000, compare: 100_000}
	fresh, kept := o.diskNeeded(false), o.diskNeeded(true)
	if fresh-kept != 1_000_000*bytesPerRoot || kept != bytesSpare+100_000*bytesPerDoc {
		t.Errorf("needed are %d and, for a kept load, %d", fresh, kept)
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b time.Duration
		want string
	}{{30, 20, "1.5 ×"}, {2, 1000, "0.002 ×"}, {1, 0, ""}} {
		if got := times(test.a, test.b); got != test.want {
			t.Errorf("times(%d, %d) = %q, want %q", test.a, test.b, got, test.want)
		}
	}
}

func TestComparedSize(t *testing.T) {
	t.Parallel()
	for want, sizes := range [][]int{{500, 1000}, {100, 500, 1000}, {10, 20, 99, 15}} {
		o := &options{sizes: sizes, compare: 500}
		if got := o.comparedSize(); got != want {
			t.Errorf("sizes %v: compared at position %d, want %d", sizes, got, want)
		}
	}
}

func TestParseIO(t *testing.T) {
	t.Parallel()
	if got := parseIO([]byte("rchar: 9\nread_bytes: 4096\nwrite_bytes: 1\n")); got != 4096 {
		t.Errorf("read_bytes are %d, want 4096", got)
	}
	if got := parseIO([]byte("rchar: 9\n")); got != 0 {
		t.Errorf("without the line: %d, want 0", got)
	}
}

func TestEvictAllNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := evictAll(dir); err != nil {
		t.Errorf("a folder with a file: %v", err)
	}
	if err := evictAll(filepath.Join(dir, "missing")); err == nil {
		t.Error("a missing folder: no error")
	}
}

func TestMixtureKeepsShares(t *testing.T) {
	t.Parallel()
	one := func(name string) []askKind {
		return []askKind{text(name, func(*rand.Rand) string { return name })}
	}
	draw := mixture([]askClass{{"a", 80, nil, one("a")}, {"never", 0, nil, one("never")}, {"b", 20, nil, one("b")}})
	drawn, r := map[string]int{}, dice()
	for range 10_000 {
		class, query := draw(r)
		if class.name != query.Text {
			t.Fatalf("class %s gave the query of %s", class.name, query.Text)
		}
		drawn[class.name]++
	}
	if drawn["never"] != 0 || drawn["a"] < 7_700 || drawn["a"] > 8_300 {
		t.Errorf("drawn %v, want 80 to 20 and never the one without a share", drawn)
	}
}

func TestSharesOfTheMixture(t *testing.T) {
	t.Parallel()
	sum := 0
	for _, class := range invented3(t).classes() {
		sum += class.share
	}
	if sum != 100 {
		t.Errorf("the shares add up to %d, want 100: the report calls them percent", sum)
	}
}

func TestLogFilters(t *testing.T) {
	t.Parallel()
	l, r := invented3(t), dice()
	if len(l.sketches) != 2 {
		t.Fatalf("%d sketches, want those of the two companies that have everything", len(l.sketches))
	}
	for _, kind := range l.listingKinds() {
		if q := kind.next(r); q.Text != "" || q.Filters == (index.Filters{}) {
			t.Errorf("listing %q asks %+v, want filters and no text", kind.name, q)
		}
	}
	for _, kind := range l.totalKinds() {
		if q := kind.next(r); q.Limit != 0 {
			t.Errorf("total %q wants %d hits, want none", kind.name, q.Limit)
		}
	}
	five := l.sketches[0].five()
	want := index.Filters{UF: "SP", Municipio: "7107", Situacao: "02", Porte: "01", CNAE: "1091102"}
	if diff := cmp.Diff(want, five); diff != "" {
		t.Errorf("five filters (-want +got):\n%s", diff)
	}
}

func TestMisspelt(t *testing.T) {
	t.Parallel()
	r := dice()
	for range 100 {
		got := misspelt(r, "PADARIA LTDA")
		if size := len(got); size < len("PADARIA")-1 || size > len("PADARIA")+1 {
			t.Fatalf("misspelt is %q, want one letter more, less or swapped", got)
		}
	}
	if got := misspelt(r, "SOL"); got != "SOL" {
		t.Errorf("a short word became %q, want it left alone", got)
	}
}

func TestSearchPath(t *testing.T) {
	t.Parallel()
	q := index.Query{Text: "pão & café", Offset: 40, Filters: index.Filters{UF: "SP"}, Order: index.ByNewest, LiteralPlaces: true}
	if got, want := searchPath(q), "/busca?literal=1&ordem=recentes&pagina=3&q=p%C3%A3o+%26+caf%C3%A9&uf=SP"; got != want {
		t.Errorf("path is %s, want %s", got, want)
	}
}

// measured is a size whose figures are all known.
func measured(roots int, docs int64, ms int) *sizeRun {
	run := func(name string) queryRun {
		return queryRun{
			name: name, took: latencies{time.Duration(ms) * time.Millisecond}, thread: latencies{2 * time.Millisecond}, cpu: time.Second, found: 1,
		}
	}
	return &sizeRun{
		roots: roots, docs: docs, indexBytes: docs * 100, cold: &coldRun{took: run("").took}, mixture: run("mixture"),
		classes: []classRun{{"search", 60, []queryRun{run("one"), run("all of these")}}, {"export", 0, []queryRun{run("all")}}},
		http:    []lookupRun{{name: "/busca", conns: 8, wall: time.Second, took: run("").took}},
	}
}

func TestSuiteReport(t *testing.T) {
	t.Parallel()
	o, err := parseOptions([]string{"-only", "search-suite", "-sizes", "10,100,1000"})
	if err != nil {
		t.Fatal(err)
	}
	r := &suiteReport{options: o, sizes: []*sizeRun{measured(10, 11, 2), measured(100, 110, 3)}}
	r.skip("1,000 companies: no room")
	got := strings.Join(strings.Fields(r.markdown()), " ")
	for _, want := range []string{
		"Skipped: 1,000 companies: no room.",
		"search in the index, p99 | ≤ 2.000 ms | 2.000 ms, CPU 2.000 ms | **3.000 ms**, CPU 2.000 ms |",
		"through HTTP with records, 8 connections, slowest p99 |",
		"grew 10.0 times",
		"search: one | 2.000 / 2.000 | 3.000 / 3.000 | 1.5 × | 1.5 × |",
		"60 % search; the kinds",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the report lacks %q:\n%s", want, r.markdown())
		}
	}
	if err := r.nothing(); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("a run without sizes says %v, want why", err)
	}
}

// TestSuiteWithoutHTTP expects no word about requests that were not made.
func TestSuiteWithoutHTTP(t *testing.T) {
	t.Parallel()
	o, err := parseOptions([]string{"-only", "search-suite", "-http=false"})
	if err != nil {
		t.Fatal(err)
	}
	size := measured(10, 11, 2)
	size.http = nil
	r := &suiteReport{options: o, sizes: []*sizeRun{size}}
	if got := r.markdown(); strings.Contains(got, "HTTP") || !strings.Contains(got, "-http=false") {
		t.Errorf("the report of the index alone is\n%s", got)
	}
}

// TestMeasureQueries asks queries of which one keeps the processor busy.
func TestMeasureQueries(t *testing.T) {
	t.Parallel()
	const work = 3 * time.Millisecond
	asked := 0
	next := func(*rand.Rand) bool { asked++; return asked == 3 }
	run, err := measureQueries("one of three", next, 3, time.Minute, func(busy bool) (int, error) {
		for begin := threadCPU(); busy && threadCPU()-begin < work; {
		}
		return 1, nil
	})
	if err != nil || run.found != 3 || len(run.took) != 3 || len(run.thread) != 3 {
		t.Fatalf("%+v, %v", run, err)
	}
	if run.thread.max() < work || run.thread.percentile(50) >= work || run.took.max() < work {
		t.Errorf("by the clock %v, of CPU %v; want %v for the last alone", run.took, run.thread, work)
	}
}
