package snapshot_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

// contactValues returns pairs of a filter by contact and the value of an establishment for it, as
// people write it.
func contactValues(e *record.Establishment) []string {
	values := []string{
		filter.Bairro, e.Bairro, filter.CEP, e.CEP, filter.DDD, e.DDD1, filter.DDD, e.DDD2,
		filter.Domain, strings.ToLower(e.CorreioEletronico[strings.IndexByte(e.CorreioEletronico, '@')+1:]),
	}
	if len(e.CEP) == 8 {
		values = append(values, filter.CEP, e.CEP[:3], filter.CEP, e.CEP[:5])
	}
	if e.Telefone1+e.Telefone2 != "" {
		values = append(values, filter.Telephone, "sim", filter.Phone, e.DDD1+e.Telefone1)
	}
	if e.CorreioEletronico != "" {
		values = append(values, filter.Email, "sim", filter.Address, strings.ToLower(e.CorreioEletronico))
	}
	if e.Logradouro != "" {
		values = append(values, filter.Street, e.TipoLogradouro+" "+e.Logradouro)
	}
	if number := strings.TrimLeft(e.Numero, "0"); number != "" {
		values = append(values, filter.House, number)
	}
	return values
}

// checkContacts filters by every contact in the records. Only establishments whose contact is shown
// to visitors may be found, and all of them must be.
func checkContacts(t *testing.T, s *snapshot.Snapshot, when string, hidden ...cnpj.Full) {
	t.Helper()
	asked := map[filter.Set][]cnpj.Full{}
	individuals := 0
	every, err := s.Numbers(t.Context(), index.Query{}, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	for m, err := range s.Read(t.Context(), every) {
		if err != nil {
			t.Fatal(err)
		}
		if m.Individual() {
			individuals++
		}
		values := contactValues(&m.Establishment)
		for i := 0; i < len(values); i += 2 {
			set := filter.Of(values[i], values[i+1])
			if set.Empty() {
				continue
			}
			if shown := !m.Individual() && !slices.Contains(hidden, m.Establishment.CNPJ); shown && !slices.Contains(asked[set], m.Establishment.CNPJ) {
				asked[set] = append(asked[set], m.Establishment.CNPJ)
			} else if !shown {
				asked[set] = append([]cnpj.Full{}, asked[set]...)
			}
		}
	}
	if len(asked) < 10 || individuals == 0 {
		t.Fatalf("%d contacts, %d individuals", len(asked), individuals)
	}
	for set, want := range asked {
		got, err := s.Numbers(t.Context(), index.Query{Filters: set}, 10_000)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%s, %s: %v (-shown +found)\n%s", when, set, err, diff)
		}
	}
}

// TestFiltersFindNoHiddenContact checks that filters find no contact of a natural person and none
// that is hidden on request, from the next query on and without a new index.
func TestFiltersFindNoHiddenContact(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	s := fixture.Acquire(t, l.Live)
	checkContacts(t, s, "as published")
	number := fixture.Full(t, fixture.City)
	l.Hide(t, number)
	checkContacts(t, s, "hidden", number)
	l.Show(t, number)
	checkContacts(t, s, "shown again")
}

// TestUnknownHiddenContactsAreTrouble: when it cannot be told what is hidden, what was stays hidden, and
// the operator is told.
func TestUnknownHiddenContactsAreTrouble(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	s := fixture.Acquire(t, l.Live)
	number := fixture.Full(t, fixture.City)
	l.Hide(t, number)
	if _, err := l.Pool.Exec(t.Context(), `ALTER TABLE hidden_contact RENAME TO away`); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err == nil || l.Live.Trouble() == nil {
		t.Error("nobody is told")
	}
	checkContacts(t, s, "the table is away", number)
	if _, err := l.Pool.Exec(t.Context(), `ALTER TABLE away RENAME TO hidden_contact`); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err != nil || l.Live.Trouble() != nil {
		t.Errorf("it is still trouble: %v", err)
	}
}
