package ingest_test

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/index/flags"
	"razao/index/folder"
	"razao/index/segment"
	"razao/ingest"
	"razao/ingest/receita"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/sample"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/testing/fixture"
)

// openedFlags is the opened flags of the snapshot in service, by source, and the shards whose documents
// they number.
type openedFlags struct {
	sets   map[string]*flags.Set
	shards []*segment.Shard
}

func openedFlagsOf(t *testing.T, l *fixture.Loaded, snapshot registry.Snapshot) *openedFlags {
	t.Helper()
	dir := filepath.Join(l.IndexDir, snapshot.IndexName)
	m, err := folder.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	a := &openedFlags{sets: map[string]*flags.Set{}}
	if a.shards, err = segment.OpenAll(dir, m.Shards); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := segment.CloseAll(a.shards); err != nil {
			t.Error(err)
		}
	})
	for _, id := range source.IDs() {
		load, ok := snapshot.Loads[id]
		if !ok {
			a.sets[id] = &flags.Set{}
			continue
		}
		if a.sets[id], err = flags.Open(dir, &m, id, load); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// between returns the CNPJs of the establishments for which a source has a value of the measure in
// a range, or has one for their companies.
func (a *openedFlags) between(t *testing.T, id string, companies bool, m flags.Measure, from, to int64) []cnpj.Full {
	t.Helper()
	in := a.sets[id].Between
	if companies {
		in = a.sets[id].BetweenOfCompanies
	}
	var found []cnpj.Full
	for i, shard := range a.shards {
		docs := in(i, m, from, to)
		if docs == nil {
			continue
		}
		for _, doc := range docs.ToArray() {
			number, err := shard.CNPJ(doc)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, number)
		}
	}
	slices.Sort(found)
	return found
}

// comesTo is the sums of a source's records about an establishment, added up here, independently of
// the tally, from what the store returns.
type comesTo struct {
	total *big.Rat // nil: nothing is added
	years map[string]bool
	days  [][2]string // AAAAMMDD; "" where none is published
}

// recordsAbout walks the pages of a source about an establishment, or about its company.
func recordsAbout(t *testing.T, v *registry.View, id string, number cnpj.Full, company bool) []pack.Item {
	t.Helper()
	order := number.Order()
	document := registry.Document{Root: number.Root(), Order: &order}
	if company {
		document.Order = nil
	}
	var items []pack.Item
	for {
		page, _ := v.Select(t.Context(), id, document, registry.Selection{Range: registry.Range{From: len(items), Limit: 100}})
		if page.Err != nil {
			t.Fatal(page.Err)
		}
		items = append(items, page.Items...)
		if _, more := page.Next(); !more {
			return items
		}
	}
}

// added adds records up by the rules that pages print below their sums.
func added(id string, items []pack.Item) comesTo {
	c := comesTo{years: map[string]bool{}}
	contracts := map[string]bool{}
	add := func(amount string) {
		if n, ok := new(big.Rat).SetString(amount); ok {
			if c.total == nil {
				c.total = new(big.Rat)
			}
			c.total.Add(c.total, n)
		}
	}
	compact := func(day string) string { // DD/MM/AAAA
		if len(day) != 10 {
			return ""
		}
		return day[6:] + day[3:5] + day[:2]
	}
	for i := range items {
		value := items[i].Value
		switch id {
		case "pgfn":
			if strings.ToLower(value("tipo_devedor")) == "principal" {
				add(value("valor_consolidado"))
			}
		case "ceis", "cnep":
			c.days = append(c.days, [2]string{compact(value("data_inicio_sancao")), compact(value("data_final_sancao"))})
		case "pncp":
			if value("receita") != "true" && value("participacao") != `["subcontratado"]` {
				add(value("valor_global"))
			}
			if day := strings.Trim(value("data_assinatura"), `"`); len(day) == 10 {
				c.years[day[:4]] = true
			}
		case "bndes":
			key := value("numero_do_contrato") + " " + value("valor_contratado_reais")
			if value("numero_do_contrato") == "" || !contracts[key] {
				add(value("valor_contratado_reais"))
			}
			contracts[key] = true
			if day := value("data_da_contratacao"); len(day) == 10 {
				c.years[day[:4]] = true
			}
		}
	}
	return c
}

// cents rounds an amount down to whole cents.
func cents(reais *big.Rat) int64 {
	n := new(big.Rat).Mul(reais, big.NewRat(100, 1))
	return new(big.Int).Div(n.Num(), n.Denom()).Int64()
}

// checkMeasures compares the amounts, years and days in the flags with the records of every
// establishment that has any, and with those of every company.
func checkMeasures(t *testing.T, l *fixture.Loaded, snapshot registry.Snapshot) {
	t.Helper()
	for _, companies := range []bool{false, true} {
		checkMeasuresOf(t, l, snapshot, companies)
	}
}

func checkMeasuresOf(t *testing.T, l *fixture.Loaded, snapshot registry.Snapshot, companies bool) {
	t.Helper()
	a, view, owned := openedFlagsOf(t, l, snapshot), l.View(t), having(t, l, snapshot, companies)
	for _, id := range source.IDs() {
		all := map[cnpj.Full]comesTo{}
		for _, number := range owned[id] {
			all[number] = added(id, recordsAbout(t, view, id, number, companies))
		}
		scan := func(wanted func(c comesTo) bool) []cnpj.Full {
			var found []cnpj.Full
			for _, number := range slices.Sorted(maps.Keys(all)) {
				if wanted(all[number]) {
					found = append(found, number)
				}
			}
			return found
		}
		check := func(m flags.Measure, from, to int64, wanted func(c comesTo) bool) {
			t.Helper()
			if diff := cmp.Diff(scan(wanted), a.between(t, id, companies, m, from, to)); diff != "" {
				t.Errorf("%s of companies (%t), measure %d from %d to %d (-records +flags):\n%.800s", id, companies, m, from, to, diff)
			}
		}
		for _, bound := range amountsOf(all) {
			for _, r := range [][2]int64{{bound, bound}, {bound, math.MaxInt64}, {math.MinInt64, bound}, {bound + 1, bound + 100_000}} {
				check(flags.Total, r[0], r[1], func(c comesTo) bool {
					return c.total != nil && cents(c.total) >= r[0] && cents(c.total) <= r[1]
				})
			}
		}
		for year := 1999; year < 2028; year++ {
			check(flags.Year, int64(year), int64(year), func(c comesTo) bool { return c.years[fmt.Sprint(year)] })
			check(flags.Year, int64(year), math.MaxInt64, func(c comesTo) bool {
				return slices.ContainsFunc(slices.Collect(maps.Keys(c.years)), func(y string) bool { return y >= fmt.Sprint(year) })
			})
		}
		for _, day := range daysOf(t, all) {
			packed := int64(record.MakeDate(day.Year(), int(day.Month()), day.Day()))
			text := day.Format("20060102")
			check(flags.InForce, packed, packed, func(c comesTo) bool {
				return slices.ContainsFunc(c.days, func(span [2]string) bool { return span[0] <= text && (span[1] == "" || text <= span[1]) })
			})
		}
	}
}

// amountsOf returns sums that occur, and 0.
func amountsOf(all map[cnpj.Full]comesTo) []int64 {
	amounts := []int64{0}
	for _, c := range all {
		if c.total != nil {
			amounts = append(amounts, cents(c.total))
		}
	}
	slices.Sort(amounts)
	return slices.Compact(amounts)
}

// daysOf returns the first and last days of the records, their neighbours, and days far from all.
func daysOf(t *testing.T, all map[cnpj.Full]comesTo) []time.Time {
	t.Helper()
	days := []time.Time{time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC)}
	for _, c := range all {
		for _, span := range c.days {
			for _, text := range span {
				if text == "" {
					continue
				}
				day, err := time.Parse("20060102", text)
				if err != nil {
					t.Fatal(err)
				}
				days = append(days, day.AddDate(0, 0, -1), day, day.AddDate(0, 0, 1))
			}
		}
	}
	slices.SortFunc(days, time.Time.Compare)
	return slices.Compact(days)
}

// having returns, by source, the establishments of the index that have records.
func having(t *testing.T, l *fixture.Loaded, snapshot registry.Snapshot, companies bool) map[string][]cnpj.Full {
	t.Helper()
	owners := ownersOf(t, l, snapshot)
	a := openedFlagsOf(t, l, snapshot)
	out := map[string][]cnpj.Full{}
	for _, shard := range a.shards {
		view := shard.View()
		for doc := range view.Docs() {
			number, err := shard.CNPJ(doc)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range source.IDs() {
				if owners[id].has(number) || companies && owners[id].roots[number.Root()] {
					out[id] = append(out[id], number)
				}
			}
		}
		view.Release()
	}
	return out
}

// owned is who a source has records of: establishments, and their companies.
type owned struct {
	numbers map[cnpj.Full]bool
	roots   map[cnpj.Root]bool
	whole   bool // the source has records of companies only
}

func (o *owned) has(number cnpj.Full) bool {
	return o.numbers[number] || o.whole && o.roots[number.Root()]
}

// ownersOf returns, by source, whom the snapshot's load has records of, which it reads.
func ownersOf(t *testing.T, l *fixture.Loaded, snapshot registry.Snapshot) map[string]*owned {
	t.Helper()
	all := map[string]*owned{}
	for _, src := range source.All() {
		of := &owned{map[cnpj.Full]bool{}, map[cnpj.Root]bool{}, src.CompanyOnly}
		all[src.ID] = of
		load, ok := snapshot.Loads[src.ID]
		if !ok {
			continue
		}
		err := l.Store.EachRecord(t.Context(), &src, load, nil, func(root cnpj.Root, it *pack.Item) {
			order, own := it.Owner()
			if own {
				of.numbers[cnpj.Join(root, order)] = true
			}
			of.roots[root] = of.roots[root] || own || src.CompanyOnly
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func currentSnapshot(t *testing.T, l *fixture.Loaded) registry.Snapshot {
	t.Helper()
	id, err := l.Store.CurrentID(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Store.Snapshot(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMeasuresEqualTheRecords loads invented records of the sources whose amounts, years or days
// can be searched for, in the numbers and kinds of real files, and compares the flags of every
// establishment with its records.
func TestMeasuresEqualTheRecords(t *testing.T) {
	t.Parallel()
	files := t.TempDir()
	if _, err := sample.Write(t.Context(), files, sample.Options{Roots: 3000, Seed: 7, Month: "2026-10", Debts: 4000}); err != nil {
		t.Fatal(err)
	}
	l := fixture.Empty(t)
	release, err := receita.Find(filepath.Join(files, "receita"), "", receita.Accept{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Ingester.Receita(t.Context(), &release, ingest.Options{Force: true}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"pgfn", "ceis", "cnep", "pncp", "bndes"} {
		if _, err := l.Ingester.Source(t.Context(), id, filepath.Join(files, id), ingest.SourceOptions{Force: true}); err != nil {
			t.Fatal(err)
		}
	}
	snapshot := currentSnapshot(t, l)
	checkMeasures(t, l, snapshot)
	own, whole := having(t, l, snapshot, false), having(t, l, snapshot, true)
	for _, id := range []string{"pgfn", "ceis", "cnep", "pncp", "bndes"} {
		if len(own[id]) < 5 || len(whole[id]) <= len(own[id]) {
			t.Errorf("%d establishments have records of %s, %d belong to such companies", len(own[id]), id, len(whole[id]))
		}
	}
}
