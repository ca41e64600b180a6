package indextest

import (
	"cmp"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"razao/index/build"
	"razao/index/flags"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/data/source"
)

// Build makes an index of docs in a temporary folder and returns its path. It fails the test when
// the builder leaves its work folder behind.
func Build(t testing.TB, docs []build.Doc, o build.Options) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "index")
	b, err := build.New(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	w := b.Writer()
	for i := range docs {
		if err := w.Add(&docs[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir + ".tmp"); err == nil {
		t.Errorf("%s.tmp is left", dir)
	}
	return dir
}

// SourcesOf returns the sources that have records of a document, as a mask: bit i is source i of
// source.IDs. One document in ten has one or two; it depends on the CNPJ alone.
func SourcesOf(d *build.Doc) uint16 {
	dice := rand.New(rand.NewPCG(uint64(d.CNPJ), 10))
	if dice.IntN(10) > 0 {
		return 0
	}
	// pgfn, ceis, cnep, cepim, pncp and bndes
	first, second := Pick(dice, 0, 1, 2, 3, 11, 13), Pick(dice, 0, 1, 2, 3, 11, 13)
	return 1<<first | 1<<second
}

// ValuesOf returns what the records of a source about a document add up to; nil for one in five and
// for sources without measures. Sanctions are in force around today.
func ValuesOf(d *build.Doc, source string) []flags.Value {
	dice := rand.New(rand.NewPCG(uint64(d.CNPJ), uint64(len(source))))
	if dice.IntN(5) == 0 {
		return nil
	}
	cents, year := int64(1+dice.IntN(1e9)), int64(2015+dice.IntN(10))
	switch source {
	case "pgfn":
		return []flags.Value{{Measure: flags.Total, From: cents, To: cents}}
	case "pncp", "bndes":
		return []flags.Value{{Measure: flags.Total, From: cents, To: cents}, {Measure: flags.Year, From: year, To: year}, {Measure: flags.Year, From: 2024, To: 2024}}
	case "ceis", "cnep":
		today := time.Now()
		from, to := today.AddDate(0, 0, dice.IntN(40)-30), today.AddDate(0, 0, dice.IntN(40)-10)
		if to.Before(from) {
			return nil
		}
		return []flags.Value{{Measure: flags.InForce, From: dateOf(from), To: dateOf(to)}}
	}
	return nil
}

// CompanyIn reports whether a source has records of any of a company's establishments, and what all these add up to.
func CompanyIn(docs []build.Doc, id string) (known bool, values []flags.Value) {
	sum, summed := flags.Value{Measure: flags.Total}, false
	for i := range docs {
		if SourcesOf(&docs[i])>>slices.Index(source.IDs(), id)&1 == 0 {
			continue
		}
		known = true
		for _, v := range ValuesOf(&docs[i], id) {
			if v.Measure != flags.Total {
				values = append(values, v)
				continue
			}
			sum.From, summed = sum.From+v.From, true
		}
	}
	if sum.To = sum.From; summed {
		values = append(values, sum)
	}
	return known, values
}

func dateOf(t time.Time) int64 { return int64(record.MakeDate(t.Year(), int(t.Month()), t.Day())) }

// Flag writes the flags of all sources into the index of docs in dir, as SourcesOf and ValuesOf
// have them, and returns the loads by source id.
func Flag(t testing.TB, dir string, docs []build.Doc) map[string]int64 {
	t.Helper()
	w, err := flags.NewWriter(dir)
	if err != nil {
		t.Fatal(err)
	}
	docs = slices.Clone(docs)
	slices.SortFunc(docs, func(a, b build.Doc) int { return cmp.Compare(a.CNPJ, b.CNPJ) })
	loads := map[string]int64{}
	for bit, id := range source.IDs() {
		var records flags.Records
		begin := 0
		for i := range docs {
			if SourcesOf(&docs[i])>>bit&1 == 1 {
				records.Add(docs[i].CNPJ, docs[i].CNPJ, ValuesOf(&docs[i], id)...)
			}
			if root := docs[i].CNPJ.Root(); i == len(docs)-1 || docs[i+1].CNPJ.Root() != root {
				if known, values := CompanyIn(docs[begin:i+1], id); known {
					records.AddCompany(root, values...)
				}
				begin = i + 1
			}
		}
		loads[id] = int64(bit + 10)
		if err := w.Write(t.Context(), id, loads[id], &records, 2); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return loads
}

// Synthetic returns n documents, always the same ones. They do not share partners with a generator.
func Synthetic(n int) []build.Doc {
	g := NewGenerator(1)
	docs := make([]build.Doc, n)
	for i := range docs {
		g.Next(&docs[i])
		docs[i].Partners = append([]build.Partner(nil), docs[i].Partners...)
	}
	return docs
}

// CompareRank orders documents by rank, the order of an index.
func CompareRank(a, b *build.Doc) int {
	aHi, aLo := a.Rank()
	bHi, bLo := b.Rank()
	return cmp.Or(cmp.Compare(aHi, bHi), cmp.Compare(aLo, bLo))
}

// Varied returns n documents like Synthetic, with the gaps and oddities of real ones: unknown
// dates, unknown or implausible capital, closing dates, companies among the partners. It is
// deterministic.
func Varied(n int) []build.Doc {
	docs := Synthetic(n)
	rng := rand.New(rand.NewPCG(8, 8))
	for i := range docs {
		d := &docs[i]
		if rng.IntN(20) == 0 {
			d.Opening = 0
		}
		if rng.IntN(20) == 0 {
			d.Capital = -1
		}
		if i%97 == 0 {
			d.Capital = 99_999_999_999_900 + int64(i%3)
		}
		if d.SituacaoCadastral == "08" && rng.IntN(10) > 0 {
			d.Closing = (2015+rng.IntN(12))*10_000 + (1+rng.IntN(12))*100 + 1 + rng.IntN(28)
		}
		if d.HeadOffice && rng.IntN(8) == 0 {
			holding := docs[rng.IntN(20)].CNPJ.Root()
			d.Partners = []build.Partner{{Name: "HOLDING", Document: cnpj.Join(holding, order(1+rng.IntN(3))).String()}}
		}
	}
	return docs
}

// Regroup renumbers docs in place so that each company has one to four establishments, the first
// one its head office, with roots from 0.
func Regroup(docs []build.Doc, rng *rand.Rand) {
	for i, root := 0, cnpj.Root(0); i < len(docs); root++ {
		for n := range min(1+rng.IntN(4), len(docs)-i) {
			docs[i].CNPJ, docs[i].HeadOffice = cnpj.Join(root, cnpj.Order(n+1)), n == 0
			i++
		}
	}
}
