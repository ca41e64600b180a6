package sample

import (
	"archive/zip"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/totals"
)

// TestChangesOfRecordsAreThosePlanted compares the records of four months, as the loaders of their sources read
// them, and checks that MUDANCAS.csv lists exactly whose differ.
func TestChangesOfRecordsAreThosePlanted(t *testing.T) {
	t.Parallel()
	o := Options{Roots: 6000, Seed: 6, First: "2026-06", Month: "2026-06"}
	before := load(t, o)
	events := map[string]int{}
	for _, month := range []string{"2026-07", "2026-08", "2026-09"} {
		o.Since, o.Month = o.Month, month
		after := load(t, o)
		planted := slices.DeleteFunc(readChanges(t, after.sum.Dir), func(row string) bool { return !strings.Contains(row, ";;fonte.") })
		var found []string
		for _, id := range []string{"pgfn", "ceis", "cnep"} {
			was, is := before.holdings(t, id), after.holdings(t, id)
			for root := range maps.Keys(was) {
				if is[root] == nil {
					is[root] = &held{}
				}
			}
			for root, now := range is {
				if event, former := now.since(was[root]); event != "" {
					found = append(found, fmt.Sprintf("%s;;fonte.%s.%s;;%s;%s", root, id, event, former, now.text()))
					events[id+"."+event]++
				}
			}
		}
		slices.Sort(found)
		if diff := cmp.Diff(planted, found); diff != "" {
			t.Errorf("%s: planted - found +: %s", month, diff)
		}
		before = after
	}
	for _, event := range []string{
		"pgfn.entrou", "pgfn.saiu", "pgfn.valor", "pgfn.alterado", "ceis.entrou", "ceis.saiu", "ceis.alterado", "cnep.entrou",
	} {
		if events[event] == 0 {
			t.Errorf("no %s: %v", event, events)
		}
	}
}

// TestRecordsLiveOn: what a source has published is in the next month byte for byte, but for the few records that have
// changed or left and for what is written anew in every edition; and so it is for few companies that something has changed.
func TestRecordsLiveOn(t *testing.T) {
	t.Parallel()
	o := Options{Roots: 20_000, Seed: 3, First: "2026-10", Month: "2026-12", Workers: 1}
	next := o
	next.Month = "2027-01"
	was, is := load(t, o), load(t, next)
	is.checkEmbargoes(t)
	rowsWere, rowsAre := rowsOfSources(t, o), rowsOfSources(t, next)
	for _, id := range source.IDs() {
		before, after := was.asTheyAre(id), is.asTheyAre(id)
		companies, changed, grown, left := len(before), 0, 0, 0
		for root, records := range before {
			switch {
			case len(after[root]) == 0:
				left++
			case len(without(records, after[root])) > 0:
				changed++
			case len(after[root]) > len(records):
				grown++
			}
		}
		// A fifth of the companies, those with many debts first; in small tables a few.
		if most := max(companies/5, 3); changed+left > most {
			t.Errorf("%s: of %d companies %d have changed and %d have left", id, companies, changed, left)
		}
		if id == "pncp_orgao" {
			continue // its contracts are those of pncp
		}
		rows, lost, added := 0, 0, 0
		for row, n := range rowsWere[id] {
			rows += n
			lost += max(0, n-rowsAre[id][row])
		}
		for row, n := range rowsAre[id] {
			added += max(0, n-rowsWere[id][row])
		}
		t.Logf("%-22s %6d rows, %4d not found again (%4.1f %%), %4d added; of %4d companies changed %3d (%4.1f %%), left %2d, grown %3d, new %2d",
			id, rows, lost, 100*float64(lost)/float64(rows), added, companies, changed, 100*float64(changed)/float64(companies), left, grown,
			len(after)-companies+left)
		if lost > max(rows*6/100, 5) {
			t.Errorf("%s: %d of %d rows are not as they were", id, lost, rows)
		}
		if added == 0 {
			t.Errorf("%s: nothing is new", id)
		}
	}
}

// editions are what publishers write anew in every edition: when IBAMA has extracted its rows, and the day of the
// information on agreements.
var editions = map[string]*regexp.Regexp{
	"ibama_autos":       regexp.MustCompile(`20\d\d-\d\d-\d\d 18:56:39`),
	"ibama_embargos":    regexp.MustCompile(`20\d\d-\d\d-\d\d 18:56:39`),
	"acordos_leniencia": regexp.MustCompile(`"26/12/2026"|"26/01/2027"`),
}

// rowsOfSources writes a sample and returns how often each source has each line, without what editions are written with.
func rowsOfSources(t *testing.T, o Options) map[string]map[string]int {
	t.Helper()
	dir := t.TempDir()
	if _, err := Write(t.Context(), dir, o); err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]int{}
	for _, path := range filesBelow(t, dir) {
		id := strings.Split(path, string(filepath.Separator))[0]
		if _, known := source.Find(id); !known || filepath.Ext(path) == ".txt" {
			continue
		}
		var text string
		if path = filepath.Join(dir, path); filepath.Ext(path) == ".zip" {
			text = everyMember(t, path)
		} else {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text = string(content)
		}
		if edition := editions[id]; edition != nil {
			text = edition.ReplaceAllString(text, "")
		}
		if all[id] == nil {
			all[id] = map[string]int{}
		}
		for line := range strings.Lines(text) {
			all[id][strings.TrimRight(line, "\r\n")]++
		}
	}
	return all
}

func everyMember(t *testing.T, path string) string {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	var text strings.Builder
	for _, member := range z.File {
		_, _ = text.Write(content(t, member))
	}
	return text.String()
}

// asTheyAre returns the records of a source by company, without fields of the edition.
func (l *loaded) asTheyAre(id string) map[cnpj.Root][]string {
	src, _ := source.Find(id)
	all := map[cnpj.Root][]string{}
	for i := range l.records[id] {
		r := &l.records[id][i]
		if r.Values == nil {
			continue // of a person
		}
		values := slices.Clone(r.Values)
		for n := range values {
			if src.Fields[n].Edition {
				values[n] = ""
			}
		}
		all[r.Owner.Root] = append(all[r.Owner.Root], fmt.Sprint(r.Owner, values))
	}
	return all
}

// held is what a source has about one company.
type held struct {
	records []string
	amounts bool
	total   totals.Amount
}

// holdings returns what was loaded of a source, by company.
func (l *loaded) holdings(t *testing.T, id string) map[cnpj.Root]*held {
	t.Helper()
	src, _ := source.Find(id)
	field := func(name string) int {
		return slices.IndexFunc(src.Fields, func(f source.Field) bool { return f.Name == name })
	}
	all := map[cnpj.Root]*held{}
	for i := range l.records[id] {
		r := &l.records[id][i]
		if r.Values == nil {
			continue // of a person
		}
		h := all[r.Owner.Root]
		if h == nil {
			h = &held{amounts: src.Facts.Amount != nil}
			all[r.Owner.Root] = h
		}
		h.records = append(h.records, fmt.Sprint(r.Owner, r.Values))
		slices.Sort(h.records)
		if h.amounts && (id != "pgfn" || strings.EqualFold(r.Values[field("tipo_devedor")], "principal")) {
			amount, ok := totals.ParseAmount(r.Values[field(src.Facts.Amount.Field)])
			if !ok {
				t.Errorf("%s: %v has no amount", id, r.Values)
			}
			h.total += amount
		}
	}
	return all
}

func (h *held) text() string {
	switch {
	case len(h.records) == 0:
		return ""
	case h.amounts:
		return fmt.Sprintf("%d|%d.%02d", len(h.records), h.total/10_000, h.total/100%100)
	}
	return fmt.Sprint(len(h.records))
}

// since returns the event that has made this of a former state, which may be nil, and that as text.
func (h *held) since(former *held) (event, text string) {
	if former == nil {
		former = &held{}
	}
	switch {
	case slices.Equal(former.records, h.records):
		return "", ""
	case len(former.records) == 0:
		event = "entrou"
	case len(h.records) == 0:
		event = "saiu"
	case former.total != h.total:
		event = "valor"
	default:
		event = "alterado"
	}
	return event, former.text()
}
