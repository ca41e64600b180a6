package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
)

func TestPercentile(t *testing.T) {
	t.Parallel()
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(100 - i)
	}
	tests := []struct {
		name string
		took []time.Duration
		p    int
		want time.Duration
	}{
		{"none", nil, 99, 0},
		{"one", []time.Duration{7}, 50, 7},
		{"median of two is the smaller", []time.Duration{9, 3}, 50, 3},
		{"half of a hundred", hundred, 50, 50},
		{"99 of a hundred", slices.Clone(hundred), 99, 99},
		{"largest", slices.Clone(hundred), 100, 100},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := newLatencies(slices.Clone(test.took)).percentile(test.p); got != test.want {
				t.Errorf("percentile %d is %d, want %d", test.p, got, test.want)
			}
		})
	}
}

func TestParseStat(t *testing.T) {
	t.Parallel()
	line := "4711 (postgres: a) b) S 42 4711 4711 0 -1 4194560 999 888 1 0 250 50 1000 200 20 0 1 0 100 1 2"
	want := procStat{parent: 42, own: 3 * time.Second, reaped: 12 * time.Second}
	got, err := parseStat([]byte(line))
	if err != nil || got != want {
		t.Errorf("parseStat = %+v, %v; want %+v", got, err, want)
	}
	for _, bad := range []string{"", "1 (x) S 1 2"} {
		if got, err := parseStat([]byte(bad)); err == nil {
			t.Errorf("parseStat(%q) = %+v, want an error", bad, got)
		}
	}
}

func TestParseMemory(t *testing.T) {
	t.Parallel()
	text := []byte("Name:\tx\nVmRSS:\t  1234 kB\nPss:      9 kB\nPss_Anon: 1 kB\n")
	for name, want := range map[string]int64{"VmRSS:": 1234 << 10, "Pss:": 9 << 10, "Missing:": 0} {
		if got := parseMemory(text, name); got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
}

func TestFamilyCountsItself(t *testing.T) {
	t.Parallel()
	own := family{os.Getpid()}
	if members := own.members(); members[0] != os.Getpid() {
		t.Errorf("members begin with %d, want %d", members[0], os.Getpid())
	}
	if own.memory() <= 0 || ownMemory() <= 0 {
		t.Errorf("memory of this process is %d and %d, want more than nothing", own.memory(), ownMemory())
	}
}

func TestMeterKnowsWhereStagesEnd(t *testing.T) {
	t.Parallel()
	var ended []string
	m := startMeter(family{os.Getpid()}, func(stage string) { ended = append(ended, stage) })
	for _, r := range []struct {
		stage       string
		done, total int64
	}{
		{"read", 1, 3}, {"read", 3, 3}, {"read", 2, 3}, // the last one is late
		{"merge", 1, 2}, // without its end
		{"key", 0, 1}, {"key", 1, 1},
	} {
		m.report(r.stage, r.done, r.total)
	}
	var names []string
	for _, s := range m.finish() {
		names = append(names, s.name)
	}
	want := []string{"read", "merge", "key", stageVerify}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("stages (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, ended); diff != "" {
		t.Errorf("ends (-want +got):\n%s", diff)
	}
}

// wireField appends a field with a length.
func wireField(dst []byte, number protowire.Number, data []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(dst, number, protowire.BytesType), data)
}

func wireNumber(dst []byte, number protowire.Number, value uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(dst, number, protowire.VarintType), value)
}

// invented is a profile of a loading program: 30 ms of tokenising, 10 ms of unpacking for it, 40 ms of packing, 20 ms of
// the collector.
func invented() []byte {
	texts := []string{
		"", "runtime.memmove", "razao/index.(*Writer).Add", "razao/ingest.(*merger).index",
		"razao/registry.AppendRows", "runtime.gcBgMarkWorker",
	}
	var out []byte
	for id := range texts {
		if id == 0 {
			continue
		}
		out = wireField(out, 5, wireNumber(wireNumber(nil, 1, uint64(id)), 2, uint64(id)))
		location := wireNumber(nil, 1, uint64(id))
		out = wireField(out, 4, wireField(location, 4, wireNumber(nil, 1, uint64(id))))
	}
	// A location with an inlined function: memmove in Add.
	inlined := wireNumber(nil, 1, 9)
	inlined = wireField(inlined, 4, wireNumber(nil, 1, 1))
	inlined = wireField(inlined, 4, wireNumber(nil, 1, 2))
	out = wireField(out, 4, inlined)
	for _, s := range []struct {
		stack []uint64
		ms    uint64
	}{{[]uint64{9, 3}, 30}, {[]uint64{1, 3}, 10}, {[]uint64{4}, 40}, {[]uint64{1, 5}, 20}} {
		var packed, sample []byte
		for _, location := range s.stack {
			packed = protowire.AppendVarint(packed, location)
		}
		sample = wireField(sample, 1, packed)
		sample = wireNumber(wireNumber(sample, 2, 1), 2, s.ms*uint64(time.Millisecond))
		out = wireField(out, 2, sample)
	}
	for _, text := range texts {
		out = wireField(out, 6, []byte(text))
	}
	return out
}

func zipped(data []byte) *bytes.Buffer {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(data) // a bytes.Buffer takes everything
	_ = z.Close()
	return &out
}

func TestProfile(t *testing.T) {
	t.Parallel()
	p, err := parseProfile(zipped(invented()))
	if err != nil {
		t.Fatal(err)
	}
	if want := 100 * time.Millisecond; p.total != want {
		t.Errorf("total is %s, want %s", p.total, want)
	}
	top := p.top(1)[0]
	if want := (spent{"runtime.memmove", 60 * time.Millisecond, 60 * time.Millisecond}); *top != want {
		t.Errorf("top is %+v, want %+v", *top, want)
	}
	var ours []string
	for _, s := range p.topOfOurs(9) {
		ours = append(ours, fmt.Sprintf("%s %s", s.function, s.cum))
	}
	want := []string{"razao/ingest.(*merger).index 40ms", "razao/registry.AppendRows 40ms", "razao/index.(*Writer).Add 30ms"}
	if diff := cmp.Diff(want, ours); diff != "" {
		t.Errorf("ours (-want +got):\n%s", diff)
	}
	if got, want := splitMerge(p), (mergeSplit{decode: 0.125, words: 0.375}); got != want {
		t.Errorf("splitMerge = %+v, want %+v", got, want)
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"razao/internal/extsort.Run[go.shape.struct { rows []uint8 }].func1.1": "razao/internal/extsort.Run.func1.1",
		"slices.SortFunc[go.shape.[]uint32,go.shape.uint32]":                   "slices.SortFunc",
		"runtime.memmove": "runtime.memmove",
	} {
		if got := plain(name); got != want {
			t.Errorf("plain(%s) = %s, want %s", name, got, want)
		}
	}
}

func TestProfileDamaged(t *testing.T) {
	t.Parallel()
	whole := invented()
	for name, data := range map[string]*bytes.Buffer{
		"not zipped":    bytes.NewBuffer(whole),
		"cut short":     zipped(whole[:len(whole)-3]),
		"without names": zipped(whole[:bytes.Index(whole, []byte("runtime.memmove"))-4]),
	} {
		if p, err := parseProfile(data); err == nil {
			t.Errorf("%s: %d samples, want an error", name, len(p.samples))
		}
	}
}

func TestUseIsSharedBetweenStoreAndIndex(t *testing.T) {
	t.Parallel()
	in := &ingested{
		stages: []stage{
			{name: stageRead, client: 10 * time.Second, bothPeak: 5},
			{name: stageMerge, client: 20 * time.Second, server: 3 * time.Second, bothPeak: 7},
			{name: stageKey, client: time.Second, server: 2 * time.Second},
			{name: stageIndexOrder, client: 30 * time.Second, bothPeak: 9},
		},
		split: mergeSplit{words: 0.25, decode: 0.25},
	}
	want := use{storeClient: 21 * time.Second, postgres: 5 * time.Second, indexClient: 40 * time.Second, storePeak: 7}
	if got := in.use(); got != want {
		t.Errorf("use = %+v, want %+v", got, want)
	}
}

func TestClient(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("x", 200<<10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			fmt.Fprint(w, body)
		case "/small":
			fmt.Fprint(w, "ok")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	c, err := dial(context.Background(), server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.conn.Close() })
	for path, want := range map[string]int{"/large": len(body), "/small": 2} {
		if got, err := c.send([]byte(path), nil, nil); err != nil || got != want {
			t.Errorf("%s: %d bytes, %v; want %d", path, got, err, want)
		}
	}
	if _, err := c.send([]byte("/missing"), []byte("X-More: 1\r\n"), nil); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("/missing: error %v, want one that names the status", err)
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "bench")
	made, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := made.setLoaded(); err != nil {
		t.Fatal(err)
	}
	if err := made.close(true); err != nil {
		t.Fatal(err)
	}
	again, err := openFolder(dir)
	if err != nil || !again.hasDatabase() {
		t.Fatalf("the kept folder: %v, want it to hold a load", err)
	}
	if err := again.close(false); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the folder of a former run: %v, want it left alone", err)
	}

	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "letter.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openFolder(foreign); err == nil {
		t.Error("a folder with other files was taken, want an error")
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"PADARIA", "ESTRELA"}, wordsOf("41.330.504 PADARIA DE ESTRELA LTDA")); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"SOL", "LUA"}, commonWords([]string{"LUA SOL", "SOL MAR", "SOL LUA"}, 2)); diff != "" {
		t.Errorf("common words (-want +got):\n%s", diff)
	}
	for n, want := range map[int]string{2: "ÁG", 9: "ÁGUA"} {
		if got := beginning("ÁGUA", n); got != want {
			t.Errorf("the first %d letters are %q, want %q", n, got, want)
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	tab := table{head: []string{"Etapa", "µs"}}
	tab.row("é", "1,234")
	p := &page{}
	p.table(&tab)
	want := "| Etapa |    µs |\n|-------|------:|\n| é     | 1,234 |\n\n"
	if diff := cmp.Diff(want, p.text.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := count(n); got != want {
			t.Errorf("count(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestParseOptions(t *testing.T) {
	t.Parallel()
	o, err := parseOptions([]string{"-roots", "5", "-conns", "8", "-only", "search,ingest"})
	if err != nil {
		t.Fatal(err)
	}
	if !o.wants(partSearch) || !o.wants(partIngest) || o.wants(partLookup) || !slices.Equal(o.conns, []int{8}) {
		t.Errorf("options = %+v", o)
	}
	if o, err = parseOptions([]string{"-only", "mcp"}); err != nil || !o.wants(partMCP) || !o.needsSources() || o.wants(partIngest) {
		t.Errorf("options = %+v, %v", o, err)
	}
	for _, args := range [][]string{{"-only", "mcp,search"}, {"-roots", "0"}, {"-conns", "1,x"}, {"-only", "all"}, {"-keep"}, {"more"}} {
		if _, err := parseOptions(args); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
}
