package months

import (
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/journal"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
	"razao/internal/store/snapshot"
)

// row is a row of MUDANCAS.csv: root, order, event, day, before, after.
type row [6]string

func (r row) String() string { return strings.Join(r[:], ";") }

// living are the sources whose records change from month to month as MUDANCAS.csv says; the others are invented anew.
var living = []string{"fonte.pgfn.", "fonte.ceis.", "fonte.cnep."}

// planted reports whether MUDANCAS.csv lists an event with this code.
func planted(code string) bool {
	return !strings.HasPrefix(code, "fonte.") || slices.ContainsFunc(living, func(prefix string) bool { return strings.HasPrefix(code, prefix) })
}

// plant takes the rows of MUDANCAS.csv over, with dates as the records have them: one that is zero is none.
func (m *month) plant(t *testing.T, rows [][]string) {
	t.Helper()
	known := map[cnpj.Root]bool{}
	for _, columns := range rows {
		r := row(columns)
		for i := range r {
			parts := strings.Split(r[i], "|")
			for k := range parts {
				if parts[k] == "00000000" {
					parts[k] = ""
				}
			}
			r[i] = strings.Join(parts, "|")
		}
		root, err := cnpj.ParseRoot(r[0])
		if err != nil {
			t.Fatal(err)
		}
		m.planted = append(m.planted, m.name+";"+r.String())
		switch {
		case r[2] == "empresa.removida":
			m.removed = append(m.removed, root)
		case !strings.HasPrefix(r[2], "fonte."):
			known[root] = true
		}
	}
	m.roots = slices.Sorted(maps.Keys(known))
}

// check compares the history of the first n months, the n-th of which is in service, with what was planted in them: what a
// reader is told who comes for the first time, and what one is told who comes each time. again says that the companies were rolled back
// before; public records are not. Records of most months are deleted.
func (y *years) check(n int, again bool) {
	y.t.Helper()
	m := y.months[n-1]
	live := snapshot.Open(y.t.Context(), y.store, filepath.Join(y.p.Data, "index"), y.atlas, slog.New(slog.DiscardHandler))
	defer live.Close()
	snap, err := live.Acquire()
	if err != nil {
		y.t.Fatal(err)
	}
	defer snap.Release()
	if snap.Load.ID != m.load {
		y.t.Fatalf("load %d is served, want %d", snap.Load.ID, m.load)
	}
	y.checkOrigins(n)
	var want []string
	for i, m := range y.months {
		want = append(want, of(m.planted, i < n, true)...)
	}
	told, _ := y.told(snap, history.Position{})
	y.compare("told at once", want, told)
	events, next := y.told(snap, y.at)
	y.at = next
	withdrawn := func(e string) bool { return strings.HasPrefix(e, "withdrawn") }
	if n < len(y.months) { // rolled back
		if len(events) == 0 || slices.ContainsFunc(events, func(e string) bool { return !withdrawn(e) }) {
			y.t.Errorf("%s: after a rollback a reader is told %.1000q", m.name, events)
		}
	} else {
		y.compare("told since the last time", of(m.planted, true, !again), slices.DeleteFunc(events, withdrawn))
	}
	y.checkPages(snap, n)
}

// of returns the planted events of companies, those of public records, or both.
func of(planted []string, companies, records bool) []string {
	return slices.DeleteFunc(slices.Clone(planted), func(line string) bool {
		if strings.HasPrefix(strings.Split(line, ";")[3], "fonte.") {
			return !records
		}
		return !companies
	})
}

func (y *years) compare(what string, want, got []string) {
	y.t.Helper()
	if diff := gocmp.Diff(sorted(want), sorted(got)); diff != "" {
		y.t.Errorf("%s: planted - %s +: %.5000s", y.now().name, what, diff)
	}
}

func sorted(lines []string) []string {
	lines = slices.Clone(lines)
	slices.Sort(lines)
	return lines
}

// told returns what a reader at a position is told, as rows of MUDANCAS.csv after the month, and where the reader is then.
func (y *years) told(snap *snapshot.Snapshot, from history.Position) (events []string, next history.Position) {
	y.t.Helper()
	months := map[int64]string{} // by load
	for _, l := range journal.Loads(snap) {
		if l.Source != registry.Receita {
			months[l.ID] = y.monthOf(&l)
			continue
		}
		months[l.ID] = l.Period
	}
	for {
		page, err := journal.Walk(y.t.Context(), snap, journal.Query{From: from, Limit: 500})
		if err != nil {
			y.t.Fatal(err)
		}
		for _, w := range page.Withdrawn {
			events = append(events, "withdrawn "+w.Source+" "+w.Period)
		}
		for i := range page.Changes {
			if c := &page.Changes[i]; planted(c.Code()) {
				events = append(events, months[c.Load.ID]+";"+rowOf(c).String())
			}
		}
		if from = page.Next; !page.More {
			return events, from
		}
	}
}

// monthOf returns the month of the newest companies that were told before a load of public records.
func (y *years) monthOf(of *history.Load) (name string) {
	for _, m := range y.months {
		if m.load != 0 && m.load < of.ID {
			name = m.name
		}
	}
	return name
}

// rowOf writes an event as MUDANCAS.csv has it.
func rowOf(c *journal.Change) row {
	r := row{c.Root.String(), "", c.Code(), strings.ReplaceAll(c.Date.String(), "-", ""), sideOf(c, c.Before), sideOf(c, c.After)}
	if order, ok := c.OrderOf(); ok {
		r[1] = order.String()
	}
	switch c.Kind {
	case change.CompanyRemoved:
		r[4] = ""
	case change.Opened:
		r[5] = strings.ReplaceAll(c.Value(c.After, "data_inicio_atividade"), "-", "")
	}
	return r
}

// sideOf writes one side of an event.
func sideOf(c *journal.Change, side []string) string {
	if side == nil {
		return ""
	}
	values := slices.Clone(side)
	for i := range values {
		if len(values[i]) == len("2026-01-01") && strings.Count(values[i], "-") == 2 {
			values[i] = strings.ReplaceAll(values[i], "-", "")
		}
	}
	switch info := c.Kind.Info(); {
	case info.Part == change.Partners:
		values = append([]string{c.Partner.Type, c.Partner.Name, c.Partner.Document}, values...)
	case c.Kind == change.Capital:
		values[0] = strings.Replace(values[0], ".", ",", 1)
	case c.Kind == change.Address || c.Kind == change.Moved:
		values = values[:8] // no establishment of these companies is abroad
	case c.Kind == change.SourceChanged && values[1] != "":
		values = values[:2] // MUDANCAS.csv does not name the fields
	case info.Part == change.Records && values[1] == "":
		values = values[:1]
		if src, _ := source.Find(c.Load.Source); src.Facts.Amount != nil {
			values = append(values, "0.00") // none of its amounts may be added, which MUDANCAS.csv does not tell from 0
		}
	}
	return strings.Join(values, "|")
}

// checkOrigins compares the list of changes that the load in service keeps with what was planted: for every company that
// changed in the first n months, the load of its last change.
func (y *years) checkOrigins(n int) {
	y.t.Helper()
	want := map[cnpj.Root]int64{}
	for i, m := range y.months[:n] {
		for _, root := range m.roots {
			want[root] = m.load
		}
		for _, root := range m.removed {
			if want[root] = m.load; i < n-1 {
				delete(want, root)
			}
		}
	}
	got := map[cnpj.Root]int64{}
	id, err := y.store.CurrentID(y.t.Context())
	if err != nil {
		y.t.Fatal(err)
	}
	current, err := y.store.Snapshot(y.t.Context(), id)
	if err != nil {
		y.t.Fatal(err)
	}
	view, err := y.store.View(y.t.Context(), current)
	if err != nil {
		y.t.Fatal(err)
	}
	err = view.EachChange(y.t.Context(), func(root cnpj.Root, load int64) error {
		got[root] = load
		return nil
	})
	if err != nil {
		y.t.Fatal(err)
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		y.t.Errorf("loads that brought the records, want - got +: %.3000s", diff)
	}
}

// pagesOfAKind is how many companies with a change of one kind a month looks up on the website.
const pagesOfAKind = 8

// checkPages asks the server for some of the companies that changed in the n-th month: their pages tell that month.
func (y *years) checkPages(snap *snapshot.Snapshot, n int) {
	y.t.Helper()
	m := y.months[n-1]
	asked := map[string]int{}
	for _, line := range m.planted {
		r := strings.SplitN(line, ";", 5)
		kind := r[3]
		if asked[kind]++; asked[kind] > pagesOfAKind || kind == "empresa.removida" {
			continue
		}
		root, err := cnpj.ParseRoot(r[1])
		if err != nil {
			y.t.Fatal(err)
		}
		h, err := snap.Company(y.t.Context(), root)
		if err != nil {
			y.t.Fatal(err)
		}
		office, err := snap.HeadOffice(y.t.Context(), &h)
		if err != nil || office == nil {
			y.t.Fatalf("head office of %s: %v, %v", root.Masked(), office, err)
		}
		status, body := y.p.Get("/"+office.CNPJ.String(), "")
		_, section, found := strings.Cut(body, `id="mudancas"`)
		section, _, _ = strings.Cut(section, "</section>")
		year, name, _ := strings.Cut(m.name, "-")
		if told := strings.Contains(section, name+"/"+year) || strings.HasPrefix(kind, "fonte."); status != 200 || !found || !told {
			y.t.Errorf("the page of %s with %s: %d, no %s/%s in\n%.2000s", office.CNPJ, kind, status, name, year, section)
		}
	}
}
