package relevance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/index"
	"razao/internal/data/cnpj"
)

const total = "total"

// answer is the result of a query.
type answer struct {
	*judgement
	rank    int // of the first wanted hit, from 1; 0 when none is among the first ten
	hits    int
	latency time.Duration
}

// score is 1 for the best rank, 0 for none. A query that must find nothing scores 1 when it does.
func (a *answer) score(depth int) float64 {
	if a.rank >= 1 && a.rank <= depth {
		return 1
	}
	return 0
}

func (a *answer) reciprocal() float64 {
	if a.rank == 0 {
		return 0
	}
	return 1 / float64(a.rank)
}

// figures are the measurements of a stratum. floors.txt bounds the first four.
type figures struct {
	stratum                string
	top1, top3, top10, mrr float64 // shares of the queries
	queries                int
	empty                  float64 // share of the queries that found nothing at all
	p50, p99               time.Duration
}

// measure returns the figures of each stratum in order of appearance, then the total. Queries that
// must find nothing would flatter the total, and those for which nothing else may be found are of
// another kind: neither is part of it.
func measure(answers []answer) []figures {
	var strata []string
	by := map[string][]answer{}
	for _, a := range answers {
		if by[a.stratum] == nil {
			strata = append(strata, a.stratum)
		}
		by[a.stratum] = append(by[a.stratum], a)
		if !a.nothing() && !a.only {
			by[total] = append(by[total], a)
		}
	}
	var out []figures
	for _, s := range append(strata, total) {
		out = append(out, figuresOf(s, by[s]))
	}
	return out
}

func figuresOf(stratum string, answers []answer) figures {
	f := figures{stratum: stratum, queries: len(answers)}
	var latencies []time.Duration
	for i := range answers {
		a := &answers[i]
		f.top1 += a.score(1)
		f.top3 += a.score(3)
		f.top10 += a.score(10)
		f.mrr += a.reciprocal()
		if a.hits == 0 {
			f.empty++
		}
		latencies = append(latencies, a.latency)
	}
	n := float64(max(len(answers), 1))
	f.top1, f.top3, f.top10, f.mrr, f.empty = f.top1/n, f.top3/n, f.top10/n, f.mrr/n, f.empty/n
	slices.Sort(latencies)
	f.p50, f.p99 = quantile(latencies, 50), quantile(latencies, 99)
	return f
}

func quantile(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*percent+99)/100-1] // the nearest rank
}

// table is the report, in Markdown.
func table(all []figures) string {
	var b strings.Builder
	b.WriteString("| stratum | queries | top-1 | top-3 | top-10 | MRR | nothing found | p50 | p99 |\n")
	b.WriteString("|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, f := range all {
		fmt.Fprintf(&b, "| %s | %d | %.1f %% | %.1f %% | %.1f %% | %.3f | %.1f %% | %.2f ms | %.2f ms |\n",
			f.stratum, f.queries, f.top1*100, f.top3*100, f.top10*100, f.mrr, f.empty*100, milliseconds(f.p50), milliseconds(f.p99))
	}
	return b.String()
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func TestMeasure(t *testing.T) {
	t.Parallel()
	named := func(stratum string, wanted ...cnpj.Full) *judgement {
		j := &judgement{stratum: stratum, wanted: map[cnpj.Full]bool{}}
		for _, w := range wanted {
			j.wanted[w] = true
		}
		return j
	}
	hits := []index.Hit{{CNPJ: 1}, {CNPJ: 2}, {CNPJ: 3}, {CNPJ: 4}}
	got := measure([]answer{
		judge(named("name", 1), hits, 4*time.Millisecond),
		judge(named("name", 4, 9), hits, 3*time.Millisecond),
		judge(named("name", 2, 3), hits, 2*time.Millisecond),
		judge(named("name", 1), nil, time.Millisecond),
		judge(named("noise"), nil, time.Millisecond),
		judge(named("noise"), hits, time.Millisecond),
	})
	name := figures{
		stratum: "name", queries: 4, top1: 0.25, top3: 0.5, top10: 0.75, mrr: (1 + 0.25 + 0.5) / 4, empty: 0.25,
		p50: 2 * time.Millisecond, p99: 4 * time.Millisecond,
	}
	want := []figures{
		name,
		{stratum: "noise", queries: 2, top1: 0.5, top3: 0.5, top10: 0.5, mrr: 0.5, empty: 0.5, p50: time.Millisecond, p99: time.Millisecond},
		name,
	}
	want[2].stratum = total
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(figures{})); diff != "" {
		t.Error(diff)
	}
}
