package snapshot_test

import (
	"errors"
	"slices"
	"testing"

	"razao/index"
	"razao/index/figures"
	"razao/index/filter"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/networks"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

func root(t *testing.T, text string) cnpj.Root {
	t.Helper()
	r, err := cnpj.ParseRoot(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func company(t *testing.T, s *snapshot.Snapshot, text string) *pack.Head {
	t.Helper()
	h, err := s.Company(t.Context(), root(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return &h
}

// contactOf joins the fields that ClearContact clears.
func contactOf(e *record.Establishment) string {
	return e.TipoLogradouro + e.Logradouro + e.Numero + e.Complemento + e.Bairro + e.CEP + e.DDD1 + e.Telefone1 + e.DDD2 + e.Telefone2 +
		e.DDDFax + e.Fax + e.CorreioEletronico
}

// everyEstablishment asks all queries that answer with establishments of a company.
func everyEstablishment(t *testing.T, s *snapshot.Snapshot, text string) map[string]record.Establishment {
	t.Helper()
	ctx := t.Context()
	h := company(t, s, text)
	got := map[string]record.Establishment{}
	err := s.Establishments(ctx, h, registry.Range{Limit: 1}, func(e *record.Establishment) error {
		got["establishments"] = *e
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	first := got["establishments"].CNPJ
	if got["establishment"], err = s.Establishment(ctx, h, first.Order()); err != nil {
		t.Fatal(err)
	}
	found, err := s.Find(ctx, index.Query{Text: first.String(), Limit: 1})
	if err != nil || len(found.Matches) != 1 {
		t.Fatalf("find: %d matches, %v", len(found.Matches), err)
	}
	got["find"] = found.Matches[0].Establishment
	suggested, err := s.Suggest(ctx, first.String(), 1)
	if err != nil || len(suggested) != 1 {
		t.Fatalf("suggest: %d matches, %v", len(suggested), err)
	}
	got["suggest"] = suggested[0].Establishment
	for m, err := range s.Read(ctx, []cnpj.Full{first}) {
		if err != nil {
			t.Fatal(err)
		}
		got["export"] = m.Establishment
	}
	return got
}

func TestVisitorsDoNotSeeContactsOfIndividuals(t *testing.T) {
	t.Parallel()
	s := fixture.Acquire(t, fixture.Load(t).Live)
	for query, e := range everyEstablishment(t, s.ForVisitors(), fixture.MEI) {
		if contact := contactOf(&e); contact != "" || e.Municipio == "" || e.NomeFantasia == "" {
			t.Errorf("%s: contact %q of %+v", query, contact, e)
		}
	}
	for query, e := range everyEstablishment(t, s, fixture.MEI) {
		if contactOf(&e) == "" {
			t.Errorf("%s: the API does not get what is published", query)
		}
	}
	for query, e := range everyEstablishment(t, s.ForVisitors(), fixture.Bakery) {
		if contactOf(&e) == "" {
			t.Errorf("%s: the contact of a company is taken away", query)
		}
	}
}

func TestPartnersAloneAreNoCompany(t *testing.T) {
	t.Parallel()
	s := fixture.Acquire(t, fixture.Load(t).Live)
	for _, text := range []string{"99999991", "99999992", "99999993"} { // partners, Simples, nothing
		if _, err := s.Company(t.Context(), root(t, text)); !registry.IsAbsent(err) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if office, err := s.HeadOffice(t.Context(), company(t, s, fixture.Homeless)); office != nil || err != nil {
		t.Errorf("a company without an establishment: %v, %v", office, err)
	}
	if office, err := s.HeadOffice(t.Context(), company(t, s, fixture.Letters)); err != nil || office == nil || office.CNPJ.Order().String() != "01DE" {
		t.Errorf("head office %+v, %v", office, err)
	}
}

// TestAnIndexAheadIsTrouble deletes a company from the records that the index still names.
func TestAnIndexAheadIsTrouble(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	if _, err := l.Pool.Exec(t.Context(), `DELETE FROM load_000001.record WHERE root = $1`, int64(root(t, fixture.Bakery))); err != nil {
		t.Fatal(err)
	}
	s := fixture.Acquire(t, l.Live)
	_, errs := s.Find(t.Context(), index.Query{Text: "padaria estrela", Limit: 5})
	_, _, partners := networks.Partnerships(t.Context(), s, networks.Person{Document: "***456789**", Name: "marta figueira inventada"})
	_, _, _, holdings := networks.Holdings(t.Context(), s, root(t, fixture.Holding), registry.Range{Limit: 20})
	for query, err := range map[string]error{"find": errs, "partnerships": partners, "holdings": holdings} {
		if !errors.Is(err, snapshot.ErrIndexAhead) || registry.IsAbsent(err) {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestPlacesAreAddedUpOnce(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	s := fixture.Acquire(t, l.Live)
	places, err := s.Places()
	if err != nil {
		t.Fatal(err)
	}
	seen, err := s.ForVisitors().Places()
	if err != nil || places != seen || places.Year != 2025 || len(places.States) != 27 {
		t.Errorf("%d states, openings of %d", len(places.States), places.Year)
	}
	for i := range places.Municipalities {
		m := &places.Municipalities[i]
		if one := places.Of(m.UF, m.Municipality.RFB); one.ActiveEstablishments != m.ActiveEstablishments || one.Capital.Cmp(m.Capital) != 0 {
			t.Errorf("%s: %d establishments alone, %d among all", m.Name, one.ActiveEstablishments, m.ActiveEstablishments)
		}
	}
	byCompanies := figures.Ranked(places.Municipalities, func(a, b *figures.Place) int { return 0 })
	if first := byCompanies[0]; first.Name != "Campinas" && first.Name != "São Paulo" || first.ActiveCompanies == 0 {
		t.Errorf("first %s with %d companies", first.Name, first.ActiveCompanies)
	}
	l.Ingest(t)
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if next, err := fixture.Acquire(t, l.Live).Places(); err != nil || next == places {
		t.Error("another snapshot has the figures of the former")
	}
}

func TestOnceKeepsValuesAndNotErrors(t *testing.T) {
	t.Parallel()
	s := fixture.Acquire(t, fixture.Load(t).Live)
	calls := 0
	trouble := errors.New("trouble")
	make := func() (int, error) {
		if calls++; calls == 1 {
			return 0, trouble
		}
		return calls, nil
	}
	if _, err := snapshot.Once(s, "key", make); !errors.Is(err, trouble) {
		t.Errorf("got %v", err)
	}
	for range 3 {
		if got, err := snapshot.Once(s.ForVisitors(), "key", make); got != 2 || err != nil {
			t.Errorf("got %d, %v", got, err)
		}
	}
	for i := range 2000 {
		if _, err := snapshot.Once(s, i, func() (int, error) { return i, nil }); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := snapshot.Once(s, "key", make); got != 3 || err != nil {
		t.Errorf("after many other keys: got %d, %v", got, err)
	}
}

// TestHeadOfficeOfAnotherOrder looks for a company whose head office moved from 0001, which is a closed branch now, and for one without
// a head office: by the root, by a partner, and by what only partners have.
func TestHeadOfficeOfAnotherOrder(t *testing.T) {
	t.Parallel()
	const moved, headless = "10000001", "10000002"
	l := fixture.Empty(t)
	row := func(of string, order cnpj.Order, head bool, situacao string) []string {
		return fixture.EstablishmentRow(cnpj.Join(root(t, of), order), head, map[int]string{5: situacao})
	}
	l.Publish(t, fixture.Network(t, []string{moved, headless},
		[][]string{fixture.PersonRow(moved, "111222", "LIDIA DESLOCADA"), fixture.PersonRow(headless, "333444", "NINA DESLOCADA")},
		row(moved, 1, false, "08"), row(moved, 2, true, "02"), row(moved, 3, false, "02"), row(headless, 1, false, "02"), row(headless, 2, false, "02")))
	s := fixture.Acquire(t, l.Live)
	number := func(of string, order cnpj.Order) cnpj.Full { return cnpj.Join(root(t, of), order) }
	same := func(what string, found []snapshot.Match, err error, want ...cnpj.Full) {
		t.Helper()
		var got []cnpj.Full
		for i := range found {
			got = append(got, found[i].Establishment.CNPJ)
		}
		if slices.Sort(got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v; %v", what, got, want, err)
		}
	}
	for of, want := range map[string]cnpj.Full{moved: number(moved, 2), headless: number(headless, 1)} {
		suggested, err := s.Suggest(t.Context(), of, 5)
		same("suggestions for "+of, suggested, err, want)
		office, err := s.HeadOffice(t.Context(), company(t, s, of))
		if err != nil || office.CNPJ != want {
			t.Errorf("head office of %s: %v, %v", of, office, err)
		}
		for order := index.ByRank; order <= index.ByOldest; order++ {
			found, err := s.Find(t.Context(), index.Query{Text: of, ByCompany: true, Order: order, Limit: 5})
			same("companies "+of, found.Matches, err, want)
		}
	}
	found, err := s.Find(t.Context(), index.Query{Text: moved, Filters: filter.Of(filter.Situacao, "08"), ByCompany: true, Limit: 5})
	same("of those that closed", found.Matches, err, number(moved, 1))
	found, err = s.Find(t.Context(), index.Query{Text: moved, Limit: 5})
	same("establishments", found.Matches, err, number(moved, 1), number(moved, 2), number(moved, 3))
	for _, byCompany := range []bool{false, true} {
		found, err = s.Find(t.Context(), index.Query{Filters: filter.Of(filter.PartnerRole, "49"), ByCompany: byCompany, Limit: 5})
		same("with such a partner", found.Matches, err, number(moved, 2), number(headless, 1))
		found, err = s.Find(t.Context(), index.Query{Text: "deslocada", Scope: index.InPartners, ByCompany: byCompany, Limit: 5})
		same("of the partners", found.Matches, err, number(moved, 2), number(headless, 1))
	}
}

// TestDebtsOfCompanies filters by debts of several establishments, which are added up where results are companies, and only there.
func TestDebtsOfCompanies(t *testing.T) {
	t.Parallel()
	const large, small = "10000001", "10000002"
	number := func(of string, order cnpj.Order) cnpj.Full { return cnpj.Join(root(t, of), order) }
	l := fixture.Empty(t)
	var offices [][]string
	for of, n := range map[string]cnpj.Order{large: 3, small: 1} {
		for order := range n {
			offices = append(offices, fixture.EstablishmentRow(number(of, order+1), order == 0, nil))
		}
	}
	l.Publish(t, fixture.Network(t, []string{large, small}, nil, offices...))
	l.Source(t, "pgfn", sourcefiles.Debts(t, []sourcefiles.Debt{
		{CNPJ: number(large, 1).String(), Cents: 600_00}, {CNPJ: number(large, 2).String(), Cents: 600_00}, {CNPJ: number(small, 1).String(), Cents: 900_00},
	}), "")
	s := fixture.Acquire(t, l.Live)
	companies, establishments, ofCompanies := index.Query{ByCompany: true}, index.Query{}, index.Query{CompanyRecords: true}
	for _, c := range []struct {
		name    string
		q       index.Query
		filters filter.Set
		want    []cnpj.Full
	}{
		{"companies", companies, filter.Of(filter.DebtFrom, "1000"), []cnpj.Full{number(large, 1)}},
		{"establishments", establishments, filter.Of(filter.DebtFrom, "1000"), nil},
		{"establishments of companies", ofCompanies, filter.Of(filter.DebtFrom, "1000"), []cnpj.Full{number(large, 1), number(large, 2), number(large, 3)}},
		{"companies, at most", companies, filter.Of(filter.DebtTo, "1000"), []cnpj.Full{number(small, 1)}},
		{"establishments, at most", establishments, filter.Of(filter.DebtTo, "1000"), []cnpj.Full{number(large, 1), number(large, 2), number(small, 1)}},
		{"head offices, at most", ofCompanies, filter.Of(filter.DebtTo, "1000", filter.HeadOffice, "matriz"), []cnpj.Full{number(small, 1)}},
		{"companies without", companies, filter.Of(filter.Source, "-pgfn"), nil},
		{"establishments without", establishments, filter.Of(filter.Source, "-pgfn"), []cnpj.Full{number(large, 3)}},
	} {
		c.q.Filters, c.q.Limit = c.filters, 10
		found, err := s.Find(t.Context(), c.q)
		var got []cnpj.Full
		for i := range found.Matches {
			got = append(got, found.Matches[i].Establishment.CNPJ)
		}
		if slices.Sort(got); err != nil || !slices.Equal(got, c.want) || found.Total != len(c.want) {
			t.Errorf("%s: %v, want %v; %v", c.name, got, c.want, err)
		}
	}
}
