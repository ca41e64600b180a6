package relevance

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/index/term"
	"razao/internal/store/reconcile"
)

// The benchmarks are pairs of names that are of one company or not, in the columns of nomenklatura's name_bench:
// nomenklatura.csv is theirs, an outside judge, and brasil.csv is lists.txt in that form, for others to measure themselves. The files
// that end in -razao.csv have how alike the names of each pair are, and figures.txt what that comes to.
const benchmarks = "testdata/benchmarks"

// thresholds are from which likeness on names count as the same: where a search for better ones ends, and where a
// name is enough for a match.
var thresholds = []float64{0.8, 0.9}

var (
	benchmarkColumns = []string{"case_group", "schema", "name1", "name2", "is_match", "quality", "category", "notes"}
	runColumns       = append(benchmarkColumns[:len(benchmarkColumns):len(benchmarkColumns)], "score")
)

// namePair is a line of a benchmark.
type namePair struct {
	columns  []string // benchmarkColumns
	match    bool
	likeness float64
}

func newPair(columns []string) namePair {
	return namePair{columns, columns[4] == "true", reconcile.Likeness(columns[2], columns[3])}
}

// TestBenchmarks compares what both benchmarks measure with what they have measured; -update writes it.
func TestBenchmarks(t *testing.T) {
	t.Parallel()
	ours, err := listedPairs()
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := benchmarkPairs("nomenklatura.csv")
	if err != nil {
		t.Fatal(err)
	}
	compareWithFile(t, "brasil.csv", inCSV(t, benchmarkColumns, ours, func(p *namePair) []string { return p.columns }))
	report := fmt.Sprintf("%-13s%10s%7s%7s%7s%7s%10s%7s%7s\n", "", "threshold", "right", "wrong", "missed", "apart", "precision", "recall", "F1")
	for name, pairs := range map[string][]namePair{"nomenklatura": theirs, "brasil": ours} {
		compareWithFile(t, name+"-razao.csv", inCSV(t, runColumns, pairs, func(p *namePair) []string {
			return append(p.columns[:len(p.columns):len(p.columns)], strconv.FormatFloat(p.likeness, 'f', 4, 64))
		}))
	}
	for _, threshold := range thresholds {
		report += figuresAt("nomenklatura", theirs, threshold) + figuresAt("brasil", ours, threshold)
	}
	compareWithFile(t, "figures.txt", report)
}

// listedPairs returns the lines of lists.txt with the name of the company that is meant, and with those that have nearly the name.
func listedPairs() (pairs []namePair, err error) {
	p, err := readPlanted()
	if err != nil {
		return nil, err
	}
	lists, err := readLists(p)
	if err != nil {
		return nil, err
	}
	for i := range lists {
		l := &lists[i]
		add := func(key string, match bool) {
			d := &p.docs[p.byKey[strings.TrimSuffix(key, "*")]]
			name := d.RazaoSocial
			if wordsOf(l.name, d.NomeFantasia) > wordsOf(l.name, name) {
				name = d.NomeFantasia
			}
			pairs = append(pairs, newPair([]string{"razao_listas", "Company", l.name, name, strconv.FormatBool(match), "", l.stratum, l.place}))
		}
		if len(l.wanted) > 0 && !l.doubt {
			add(strings.Fields(l.keys)[0], true)
		}
		for _, key := range l.others {
			add(key, false)
		}
	}
	return pairs, nil
}

// wordsOf returns how many words of a listed name another has.
func wordsOf(listed, other string) (n int) {
	words := term.Words(other)
	for _, word := range term.Words(listed) {
		if slices.Contains(words, word) {
			n++
		}
	}
	return n
}

// benchmarkPairs reads a benchmark.
func benchmarkPairs(file string) (pairs []namePair, err error) {
	f, err := os.Open(filepath.Join(benchmarks, file))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = len(benchmarkColumns)
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, row := range rows[1:] {
		pairs = append(pairs, newPair(row))
	}
	return pairs, nil
}

// figuresAt says how well a likeness from a threshold on tells which names are the same.
func figuresAt(name string, pairs []namePair, threshold float64) string {
	var right, wrong, missed, apart int
	for i := range pairs {
		switch p := &pairs[i]; {
		case p.likeness >= threshold && p.match:
			right++
		case p.likeness >= threshold:
			wrong++
		case p.match:
			missed++
		default:
			apart++
		}
	}
	share := func(of, all int) float64 { return float64(of) / float64(all) }
	return fmt.Sprintf("%-13s%10.2f%7d%7d%7d%7d%10.3f%7.3f%7.3f\n", name, threshold, right, wrong, missed, apart,
		share(right, right+wrong), share(right, right+missed), share(2*right, 2*right+wrong+missed))
}

func inCSV(t *testing.T, heading []string, pairs []namePair, columns func(*namePair) []string) string {
	t.Helper()
	var b strings.Builder
	w := csv.NewWriter(&b)
	rows := [][]string{heading}
	for i := range pairs {
		rows = append(rows, columns(&pairs[i]))
	}
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// compareWithFile compares a text with a file of the benchmarks, or writes it.
func compareWithFile(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join(benchmarks, file)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: %s", file, diff)
	}
}
