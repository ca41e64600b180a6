package relevance

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"razao/index"
	"razao/index/build"
	"razao/internal/data/cnpj"
)

var (
	update = flag.Bool("update", false, "raise the floors to what is measured")
	misses = flag.Bool("misses", false, "list the queries that did not find their company first")
)

const depth = 10 // hits that are looked at

// TestRelevance asks all judged queries and fails when a stratum, or the total, falls below its
// floor.
func TestRelevance(t *testing.T) {
	p, err := readPlanted()
	if err != nil {
		t.Fatal(err)
	}
	judgements, err := readJudgements(p)
	if err != nil {
		t.Fatal(err)
	}
	c := newCollection(t, p)
	judgements = append(judgements, c.described...)
	answers := make([]answer, len(judgements))
	var missed strings.Builder
	for i := range judgements {
		hits, latency := c.ask(t, &judgements[i])
		answers[i] = judge(&judgements[i], hits, latency)
		if answers[i].rank != 1 {
			c.describeMiss(&missed, &answers[i], hits)
		}
	}
	measured := measure(answers)
	t.Log("\n" + table(measured))
	if *misses {
		t.Log("\n" + missed.String())
	}
	compareWithFloors(t, measured)
}

func compareWithFloors(t *testing.T, measured []figures) {
	t.Helper()
	floors, err := readFloors()
	if err != nil && !(*update && errors.Is(err, fs.ErrNotExist)) {
		t.Fatal(err)
	}
	if *update {
		floors = raiseFloors(floors, measured)
		if err := writeFloors(floors, measured); err != nil {
			t.Fatal(err)
		}
	}
	for i := range measured {
		stratum := measured[i].stratum
		floor, ok := floors[stratum]
		if !ok {
			t.Errorf("%s has no floor: run with -update", stratum)
		}
		if fallen := floor.below(floorOf(&measured[i])); len(fallen) > 0 {
			t.Errorf("%s: %s", stratum, strings.Join(fallen, "; "))
		}
		delete(floors, stratum)
	}
	for stratum := range floors {
		t.Errorf("%s has a floor and no queries", stratum)
	}
}

// judge finds the rank of the first wanted hit.
func judge(j *judgement, hits []index.Hit, latency time.Duration) answer {
	a := answer{judgement: j, hits: len(hits), latency: latency}
	if j.nothing() {
		if len(hits) == 0 {
			a.rank = 1
		}
		return a
	}
	isWanted := func(h index.Hit) bool { return j.wanted[h.CNPJ] }
	if j.only && slices.ContainsFunc(hits, func(h index.Hit) bool { return !isWanted(h) }) {
		return a
	}
	a.rank = 1 + slices.IndexFunc(hits, isWanted)
	return a
}

// collection is the index of all companies, with their names for the report.
type collection struct {
	index     *index.Index
	names     map[cnpj.Full]string
	described []judgement // of described.txt
}

func newCollection(t *testing.T, p *planted) *collection {
	t.Helper()
	docs, err := readBackground()
	if err != nil {
		t.Fatal(err)
	}
	c := &collection{names: map[cnpj.Full]string{}}
	for i := range docs {
		c.names[docs[i].CNPJ] = docs[i].RazaoSocial + " / " + docs[i].NomeFantasia
	}
	docs = append(docs, p.docs...)
	for key, i := range p.byKey {
		if taken, ok := c.names[p.docs[i].CNPJ]; ok {
			t.Fatalf("%s has the number of %s", key, taken)
		}
		c.names[p.docs[i].CNPJ] = "*" + key
	}
	if c.described, err = readDescribed(docs); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "index")
	buildIndex(t, dir, docs)
	if c.index, err = index.Open(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.index.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func buildIndex(t *testing.T, dir string, docs []build.Doc) {
	t.Helper()
	b, err := build.New(dir, build.Options{Load: 1, Month: "2026-09"})
	if err != nil {
		t.Fatal(err)
	}
	w := b.Writer()
	for i := range docs {
		if err := w.Add(&docs[i]); err != nil {
			t.Fatal(errors.Join(err, b.Abort()))
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(errors.Join(err, b.Abort()))
	}
	if _, err := b.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// ask sends the query where a person's would go: half typed to completion, else to the search.
func (c *collection) ask(t *testing.T, j *judgement) ([]index.Hit, time.Duration) {
	t.Helper()
	start := time.Now()
	if j.completes() {
		hits, err := c.index.Suggest(context.Background(), j.query, depth)
		if err != nil {
			t.Fatalf("%q: %v", j.query, err)
		}
		return hits, time.Since(start)
	}
	q := index.Query{Text: j.query, Limit: depth}
	if j.stratum == "partners" {
		q.Scope = index.InPartners
	}
	results, err := c.index.Search(context.Background(), q)
	if err != nil {
		t.Fatalf("%q: %v", j.query, err)
	}
	return results.Hits, time.Since(start)
}

// describeMiss reports what was found instead.
func (c *collection) describeMiss(b *strings.Builder, a *answer, hits []index.Hit) {
	place := "not among the first"
	switch {
	case a.nothing():
		place = "but this came"
	case a.hits == 0:
		place = "nothing came"
	case a.rank > 0:
		place = fmt.Sprintf("at %d", a.rank)
	}
	fmt.Fprintf(b, "%-13s %q wants %s: %s\n", a.stratum, a.query, a.keys, place)
	for _, h := range hits[:min(len(hits), 3)] {
		fmt.Fprintf(b, "%15s%s %s\n", "", h.CNPJ, c.names[h.CNPJ])
	}
}
