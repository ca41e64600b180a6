package journal_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/index"
	"razao/index/filter"
	"razao/index/flags"
	"razao/internal/data/cnpj"
	"razao/internal/store/journal"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

// changesOf returns the events of a company, with all values.
func changesOf(t *testing.T, s *snapshot.Snapshot, root string) []string {
	t.Helper()
	r, err := cnpj.ParseRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	h, err := s.Company(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	changes, err := journal.Of(t.Context(), s, &h)
	if err != nil {
		t.Fatal(err)
	}
	return texts(changes)
}

func texts(changes []journal.Change) (lines []string) {
	for i := range changes {
		c := &changes[i]
		lines = append(lines, strings.Join(slices.Concat([]string{c.Code()}, c.Before, []string{">"}, c.After, []string{"withheld:"}, c.Withheld), " "))
	}
	return lines
}

// feed returns the whole feed.
func feed(t *testing.T, s *snapshot.Snapshot, q journal.Query) []string {
	t.Helper()
	var lines []string
	for q.Limit = 5; ; {
		page, err := journal.Walk(t.Context(), s, q)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, texts(page.Changes)...)
		if q.From = page.Next; !page.More {
			return lines
		}
	}
}

// moved publishes two months: all establishments get another CEP and e-mail, a MEI another name and
// trade name as well.
func moved(t *testing.T) *fixture.Loaded {
	t.Helper()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	l.Publish(t, fixture.Published(t, "2026-09",
		"13024100", "13024999", "contato@padaria.exemplo", "novo@padaria.exemplo", "joana@bolos.exemplo", "outra@bolos.exemplo",
		"JOANA FICTICIA DA SILVA", "JOANA FICTICIA DE SOUZA", "BOLOS DA JOANA", "DOCES DA JOANA", "SEGREDO", "SIGILO"))
	return l
}

// TestHistoryOfNaturalPersons: visitors learn which fields changed, and no value, before or after.
func TestHistoryOfNaturalPersons(t *testing.T) {
	t.Parallel()
	l := moved(t)
	s := fixture.Acquire(t, l.Live)
	secrets := []string{"13024", "bolos.exemplo", "JOANA", "SEGREDO", "SIGILO"}
	all := strings.Join(changesOf(t, s, fixture.MEI), "\n")
	for _, secret := range secrets {
		if !strings.Contains(all, secret) {
			t.Errorf("the API does not tell %s: %s", secret, all)
		}
	}
	visitors := s.ForVisitors()
	seen := strings.Join(changesOf(t, visitors, fixture.MEI), "\n")
	mei := strings.Join(feed(t, visitors, journal.Query{Filters: filter.Of(filter.MEI, "sim")}), "\n")
	for _, secret := range secrets {
		if strings.Contains(seen, secret) || strings.Contains(mei, secret) {
			t.Errorf("visitors are told %s: %s\n%s", secret, seen, mei)
		}
	}
	for _, field := range []string{"cep", "correio_eletronico", "razao_social", "nome_fantasia", "logradouro"} {
		if !strings.Contains(seen, field) || !strings.Contains(mei, field) {
			t.Errorf("visitors do not learn that %s changed: %s\n%s", field, seen, mei)
		}
	}
	if bakery := strings.Join(changesOf(t, visitors, fixture.Bakery), "\n"); !strings.Contains(bakery, "13024999") || !strings.Contains(bakery, "novo@padaria") {
		t.Errorf("a company's own contact is not told: %s", bakery)
	}
}

// TestHiddenContactsVanishFromTheHistory, of everybody and at once, and return when they are shown
// again.
func TestHiddenContactsVanishFromTheHistory(t *testing.T) {
	t.Parallel()
	l := moved(t)
	s := fixture.Acquire(t, l.Live)
	number, err := cnpj.ParseFull("12ABC34501DE35")
	if err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		lines := slices.Concat(changesOf(t, s, fixture.Letters), changesOf(t, s.ForVisitors(), fixture.Letters))
		for _, line := range lines {
			if strings.Contains(line, "13024") || strings.Contains(line, "padaria.exemplo") {
				n++
			}
		}
		return n
	}
	if got := count(); got != 4 {
		t.Fatalf("%d lines with the contact, want address and contact twice", got)
	}
	before := len(feed(t, s, journal.Query{}))
	l.Hide(t, number)
	if got := count(); got != 0 {
		t.Errorf("hidden: %d lines with the contact", got)
	}
	if after := len(feed(t, s, journal.Query{})); after != before-2 {
		t.Errorf("the feed has %d events instead of %d; two are hidden", after, before)
	}
	l.Show(t, number)
	if got := count(); got != 4 {
		t.Errorf("shown again: %d lines", got)
	}
}

// TestFeedByFilters: filters ask what the establishment of an event is now, or any of the company.
func TestFeedByFilters(t *testing.T) {
	t.Parallel()
	l := moved(t)
	s := fixture.Acquire(t, l.Live)
	all := feed(t, s, journal.Query{})
	contacts := feed(t, s, journal.Query{Events: []string{"estabelecimento.contato"}})
	if len(contacts) == 0 || len(contacts) >= len(all) || slices.ContainsFunc(contacts, func(l string) bool { return !strings.HasPrefix(l, "estabelecimento.contato") }) {
		t.Errorf("of %d events %d are of contacts: %q", len(all), len(contacts), contacts[:min(3, len(contacts))])
	}
	closed := feed(t, s, journal.Query{Filters: filter.Of(filter.Situacao, "08")})
	open := feed(t, s, journal.Query{Filters: filter.Of(filter.Situacao, "02")})
	if len(closed) == 0 || len(open) == 0 || len(closed)+len(open) < len(all)-2 {
		t.Errorf("%d events of closed establishments and %d of open ones, of %d", len(closed), len(open), len(all))
	}
	if none := feed(t, s, journal.Query{Filters: filter.Of(filter.UF, "AC")}); len(none) > 0 {
		t.Errorf("in Acre: %q", none)
	}
}

// TestFiltersAskOfBothSides: who follows the active ones of a state is told of those that close or move away, and may ask for one side.
func TestFiltersAskOfBothSides(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	l.Publish(t, fixture.Published(t, "2026-09",
		`"12345678";"0003";"57";"2";"";"02"`, `"12345678";"0003";"57";"2";"";"08"`, // closes
		`"1310100";"SP";"7107"`, `"1310100";"DF";"9701"`, // move
		"ESTRELA DO SUL LTDA", "ESTRELA DO NORTE LTDA"))
	l.Publish(t, fixture.Published(t, "2026-10",
		`"12345678";"0003";"57";"2";"";"02"`, `"12345678";"0003";"57";"2";"";"08"`,
		`"1310100";"SP";"7107"`, `"1310100";"AC";"0139"`,
		"ESTRELA DO SUL LTDA", "ESTRELA DO NORTE LTDA", "contato@padaria.exemplo", "novo@padaria.exemplo"))
	s := fixture.Acquire(t, l.Live)
	count := func(side journal.Side, event string, pairs ...string) int {
		q := journal.Query{Side: side, Events: []string{event}}
		if pairs[0] == "" {
			q.Text, pairs = pairs[1], pairs[2:]
		}
		q.Filters = filter.Of(pairs...)
		n := len(feed(t, s, q))
		if q.Text == "" {
			q.Limit = 3
			if walked := pages(t, s, journal.WalkAll, q); len(walked)-1 != n {
				t.Errorf("%q: walked %q, selected %d", pairs, walked, n)
			}
		}
		return n
	}
	for _, tt := range []struct {
		event                 string
		pairs                 []string
		either, before, after int
	}{
		{"estabelecimento.baixado", []string{filter.UF, "SP", filter.Situacao, "02"}, 1, 1, 0},
		{"estabelecimento.baixado", []string{filter.Situacao, "08"}, 1, 0, 1},
		{"estabelecimento.baixado", []string{filter.Situacao, "02", filter.UF, "AC"}, 0, 0, 0},
		{"estabelecimento.baixado", []string{filter.Situacao, "02", filter.Porte, "03"}, 1, 1, 0},
		{"estabelecimento.municipio", []string{filter.UF, "DF"}, 2, 1, 1}, // to it, and from it
		{"estabelecimento.municipio", []string{filter.Municipio, "9701"}, 2, 1, 1},
		{"estabelecimento.municipio", []string{filter.UF, "SP"}, 1, 1, 0},
		{"estabelecimento.municipio", []string{filter.UF, "AC"}, 1, 0, 1},
		{"empresa.nome", []string{filter.UF, "SP", filter.Situacao, "02"}, 1, 1, 1},
		{"estabelecimento.baixado", []string{"", "padaria", filter.Situacao, "02"}, 1, 1, 0},
	} {
		for side, want := range map[journal.Side]int{journal.EitherSide: tt.either, journal.BeforeSide: tt.before, journal.AfterSide: tt.after} {
			if got := count(side, tt.event, tt.pairs...); got != want {
				t.Errorf("%s with %q on side %d: %d, want %d", tt.event, tt.pairs, side, got, want)
			}
		}
	}
}

// TestRecordsAreOfCompanies: who follows companies by their records is told of all their establishments, as the search lists them.
func TestRecordsAreOfCompanies(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	l.Publish(t, fixture.Published(t, "2026-09", `"12345678";"0003";"57";"2";"";"02"`, `"12345678";"0003";"57";"2";"";"08"`))
	l.Records(t, "rntrc", "bndes")
	s := fixture.Acquire(t, l.Live)
	for _, records := range []filter.Set{filter.Of(filter.Source, "rntrc"), filter.Of(filter.LoansFrom, "1")} {
		own, err := s.Numbers(t.Context(), index.Query{Filters: records.Add(filter.HeadOffice, "filial")}, 10)
		if err != nil || len(own) > 0 {
			t.Fatalf("branches have records of their own: %v, %v", own, err)
		}
		for _, words := range []string{"", "padaria"} {
			if got := feed(t, s, journal.Query{Text: words, Filters: records, Events: []string{"estabelecimento.baixado"}}); len(got) != 1 {
				t.Errorf("%v, %q: %q", records, words, got)
			}
		}
	}
}

// TestFeedByWords: events of what a search finds, and no walk over everything where it finds too much.
func TestFeedByWords(t *testing.T) {
	t.Parallel()
	s := fixture.Acquire(t, moved(t).Live)
	all, found := feed(t, s, journal.Query{}), feed(t, s, journal.Query{Text: "padaria"})
	if len(found) == 0 || len(found) >= len(all) {
		t.Errorf("%d of %d events", len(found), len(all))
	}
	for _, line := range found {
		if !slices.Contains(all, line) {
			t.Errorf("only by words: %s", line)
		}
	}
	if none := feed(t, s, journal.Query{Text: "padaria", Filters: filter.Of(filter.UF, "AC")}); len(none) > 0 {
		t.Errorf("in Acre: %q", none)
	}
	if _, err := journal.WalkAll(t.Context(), s, journal.Query{Text: "padaria", Limit: 10}); !errors.Is(err, journal.ErrTooWide) {
		t.Errorf("too wide: %v", err)
	}
}

// TestSelectedChangesAreThoseWalked: what the index selects gives the same pages, position by position,
// as a walk over everything, and pages of any size the same events.
func TestSelectedChangesAreThoseWalked(t *testing.T) {
	t.Parallel()
	l := moved(t)
	l.Publish(t, fixture.Published(t, "2026-10", "13024100", "13024888", "PADARIA", "CONFEITARIA"))
	s := fixture.Acquire(t, l.Live)
	path := filepath.Join(l.IndexDir, "000003", filepath.FromSlash(flags.Path(registry.Receita, 3)))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	live := snapshot.Open(t.Context(), l.Store, l.IndexDir, fixture.Atlas(t), slog.New(slog.DiscardHandler))
	t.Cleanup(live.Close)
	damaged := fixture.Acquire(t, live)
	if n, _ := changed(t, s); n == 0 {
		t.Fatal("the index does not know what the load changed")
	}
	if _, err := changed(t, damaged); err == nil {
		t.Fatal("damaged flags are read")
	}
	for _, f := range []filter.Set{
		filter.Of(filter.UF, "SP"), filter.Of(filter.Situacao, "02"), filter.Of(filter.Situacao, "08"), filter.Of(filter.HeadOffice, "filial"),
		filter.Of(filter.MEI, "sim"), filter.Of(filter.UF, "AC"), filter.Of(filter.PartnersFrom, "1"),
	} {
		for _, events := range [][]string{nil, {"empresa.nome"}, {"estabelecimento.endereco", "estabelecimento.contato"}} {
			for _, limit := range []int{7, 1000} {
				selected := pages(t, s, journal.Walk, journal.Query{Filters: f, Events: events, Limit: limit})
				walked := pages(t, s, journal.WalkAll, journal.Query{Filters: f, Events: events, Limit: limit})
				if diff := cmp.Diff(walked, selected); diff != "" {
					t.Errorf("%v, %q, %d a page: %s", f, events, limit, diff)
				}
				without := pages(t, damaged, journal.Walk, journal.Query{Filters: f, Events: events, Limit: limit})
				if diff := cmp.Diff(walked, without); diff != "" {
					t.Errorf("%v, %q, %d a page, with damaged flags: %s", f, events, limit, diff)
				}
			}
		}
	}
}

// changed returns how many establishments the index knows to be of companies that changed.
func changed(t *testing.T, s *snapshot.Snapshot) (int, error) {
	t.Helper()
	numbers, err := s.Numbers(t.Context(), index.Query{Filters: filter.Of(filter.Changed, "sim")}, 1000)
	return len(numbers), err
}

// pages returns the positions and events of a whole walk.
func pages(t *testing.T, s *snapshot.Snapshot, walk func(context.Context, *snapshot.Snapshot, journal.Query) (journal.Page, error), q journal.Query) (lines []string) {
	t.Helper()
	for {
		page, err := walk(t.Context(), s, q)
		if err != nil {
			t.Fatal(err)
		}
		for i := range page.Changes {
			c := &page.Changes[i]
			lines = append(lines, fmt.Sprintf("%d %s %d %s", c.Load.Seq, c.Root, c.Index, c.Code()))
		}
		if q.From = page.Next; !page.More {
			return append(lines, fmt.Sprint(page.Next))
		}
	}
}
