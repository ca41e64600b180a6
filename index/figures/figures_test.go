package figures_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/figures"
	"razao/index/folder"
	"razao/index/indextest"
	"razao/index/term"
	"razao/internal/data/record"
)

// place is what the figures hold of a place, added up from the documents.
type place struct {
	Openings            map[string]int64 // by situação and year
	Closings            map[int]int64
	Activities          map[string]int64
	Opened, Closed      int64            // within twelve months
	Months              map[string]int64 // by kind and month, of thirteen
	Active, Implausible int64
	Capital, Published  *big.Int
}

// placesOf adds up all places; "" is the country. The twelve months end before until.
func placesOf(docs []build.Doc, since, until int) map[string]*place {
	all := map[string]*place{}
	for i := range docs {
		d := &docs[i]
		for _, code := range []string{"", d.UF, d.Municipio} {
			p := all[code]
			if p == nil {
				p = &place{
					Openings: map[string]int64{}, Closings: map[int]int64{}, Activities: map[string]int64{}, Months: map[string]int64{},
					Capital: new(big.Int), Published: new(big.Int),
				}
				all[code] = p
			}
			p.Openings[fmt.Sprint(d.SituacaoCadastral, d.Opening/10_000)]++
			if d.Opening >= since && d.Opening < until {
				p.Opened++
			}
			p.move("opened", d.Opening, since, until)
			if d.SituacaoCadastral == "08" {
				p.Closings[d.Closing/10_000]++
				if d.Closing >= since && d.Closing < until {
					p.Closed++
				}
				p.move("closed", d.Closing, since, until)
			}
			if d.HeadOffice && d.SituacaoCadastral == term.SituacaoAtiva {
				p.Active++
				p.Activities[d.CNAE]++
				amount := big.NewInt(max(d.Capital, 0))
				p.Published.Add(p.Published, amount)
				if record.ImplausibleCapital(record.Cents(d.Capital)) {
					p.Implausible++
				} else {
					p.Capital.Add(p.Capital, amount)
				}
			}
		}
	}
	return all
}

// move counts an opening or closing in its month, if that is one of the twelve or the one before.
func (p *place) move(kind string, day, since, until int) {
	before := time.Date(since/10_000, time.Month(since/100%100)-1, 1, 0, 0, 0, 0, time.UTC)
	if day >= before.Year()*10_000+int(before.Month())*100 && day < until {
		p.Months[fmt.Sprint(kind, day/100)]++
	}
}

// readPlace puts what was read in the form of placesOf. Activities are compared apart: only the most
// frequent ones are kept.
func readPlace(s *figures.Sums, until int) *place {
	p := &place{
		map[string]int64{}, map[int]int64{}, nil, s.Opened, s.Closed, map[string]int64{}, s.ActiveCompanies, s.ImplausibleCompanies, s.Capital, s.PublishedCapital,
	}
	for i, m := range s.Months {
		month := time.Date(until/10_000, time.Month(until/100%100-len(s.Months)+i), 1, 0, 0, 0, 0, time.UTC).Format("200601")
		for kind, n := range map[string]int64{"opened": m.Opened, "closed": m.Closed} {
			if n > 0 {
				p.Months[kind+month] = n
			}
		}
	}
	for _, o := range s.Openings {
		p.Openings[fmt.Sprint(o.Situacao, o.Year)] += o.Count
	}
	for _, c := range s.Closings {
		p.Closings[c.Year] += c.Count
	}
	return p
}

// TestFiguresEqualTheOracle compares the figures of all places with sums over the documents, past what
// 64 bits hold.
func TestFiguresEqualTheOracle(t *testing.T) {
	t.Parallel()
	docs := indextest.Varied(6000)
	for i := range docs {
		switch i % 6 {
		case 0:
			docs[i].Capital = 1<<62 + int64(i)
		case 3:
			docs[i].Capital = 400_000_000_000_00 + int64(i)
		}
	}
	dir := indextest.Build(t, docs, build.Options{Month: "2024-02", BucketBytes: 64 << 10})
	r, err := figures.Read(dir, int64(len(docs)))
	if err != nil {
		t.Fatal(err)
	}
	if since, until := r.Lately(); since != 20230301 || until != 20240301 {
		t.Fatalf("lately is from %d to before %d", since, until)
	}
	for code, want := range placesOf(docs, 20230301, 20240301) {
		sums, ok := r.Country(), true
		switch len(code) {
		case 2:
			sums, ok = r.UF(code)
		case 4:
			sums, ok = r.Municipality(code)
		}
		if !ok {
			t.Errorf("there is no %q", code)
			continue
		}
		if frequent := mostFrequent(want.Activities); code != "" && !slices.Equal(sums.Activities, frequent) {
			t.Errorf("%q: activities %v, want %v", code, sums.Activities, frequent)
		}
		want.Activities = nil
		if diff := gocmp.Diff(want, readPlace(&sums, 20240301), gocmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })); diff != "" {
			t.Errorf("%q: %.600s", code, diff)
		}
		if code == "" && (len(sums.Months) != 13 || len(want.Months) < 20) {
			t.Errorf("the country has %d months, with openings and closings in %d", len(sums.Months), len(want.Months))
		}
		if !slices.IsSortedFunc(sums.Closings, func(a, b figures.ClosingCount) int { return cmp.Compare(a.Year, b.Year) }) {
			t.Errorf("%q: closings %v are not in order", code, sums.Closings)
		}
	}
	if _, ok := r.UF("XX"); ok {
		t.Error("there are figures of XX")
	}
	if _, err := figures.Read(dir, 100); !errors.Is(err, folder.ErrDamaged) {
		t.Errorf("more than there are documents: %v", err)
	}
}

func mostFrequent(counts map[string]int64) []figures.ActivityCount {
	var all []figures.ActivityCount
	for code, count := range counts {
		all = append(all, figures.ActivityCount{CNAE: code, Count: count})
	}
	slices.SortFunc(all, func(a, b figures.ActivityCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.CNAE, b.CNAE))
	})
	return all[:min(len(all), 20)]
}

// TestLately reads the twelve months of empty indexes.
func TestLately(t *testing.T) {
	t.Parallel()
	for month, want := range map[string][2]int{
		"2026-12": {20260101, 20270101}, "2026-01": {20250201, 20260201}, "2024-02": {20230301, 20240301}, "teste": {},
	} {
		dir := t.TempDir()
		if _, err := figures.Read(dir, 0); !errors.Is(err, folder.ErrDamaged) {
			t.Fatalf("figures that nobody wrote: %v", err)
		}
		if err := figures.NewTotals(month).Write(dir); err != nil {
			t.Fatal(err)
		}
		r, err := figures.Read(dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		if since, until := r.Lately(); [2]int{since, until} != want {
			t.Errorf("%s: %d to %d, want %v", month, since, until, want)
		}
	}
}
