package registry_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/people/contacts"
	"razao/internal/store/registry"
	"razao/internal/testing/pgtest"
)

func TestHiddenContactIsReadNowhere(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s, hiding := registry.NewStore(pool), contacts.NewStore(pool)
	small, large := company{"00000042", 2, 0}, company{"11222333", 120, 0}
	v := openView(t, s, write(t, s, small, large))
	hidden := map[string][]int{small.root: {1}, large.root: {0, 49, 50, 119}} // in each kind of row
	for root, positions := range hidden {
		for _, i := range positions {
			if _, err := hiding.Hide(t.Context(), number(t, root, i), "asked"); err != nil {
				t.Fatal(err)
			}
		}
	}
	follow(t, s)
	checkContacts(t, v, hidden, small, large)
	checkContacts(t, openView(t, s, write(t, s, small, large)), hidden, small, large) // a load that came later

	for root, positions := range hidden {
		for _, i := range positions {
			if err := hiding.Show(t.Context(), number(t, root, i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	follow(t, s)
	checkContacts(t, v, nil, small, large)
}

// follow brings the views of a store up to date with the hidden contacts, as servers do all the time.
func follow(t *testing.T, s *registry.Store) {
	t.Helper()
	numbers, err := s.HiddenContacts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.HideContacts(numbers)
}

// number returns the number of the establishment at a position.
func number(t *testing.T, root string, i int) cnpj.Full {
	t.Helper()
	r, err := cnpj.ParseRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	return cnpj.Join(r, order(i))
}

// checkContacts reads every establishment in every way that there is. The hidden ones must come
// without contact, all others as published.
func checkContacts(t *testing.T, v *registry.View, hidden map[string][]int, companies ...company) {
	t.Helper()
	var roots []cnpj.Root
	want := map[cnpj.Full]record.Establishment{}
	for _, c := range companies {
		root := number(t, c.root, 0).Root()
		roots = append(roots, root)
		for i := range c.establishments {
			e := published(root, i)
			want[e.CNPJ] = e
		}
		for _, i := range hidden[c.root] {
			e := published(root, i)
			want[e.CNPJ] = record.Establishment{
				CNPJ: e.CNPJ, NomeFantasia: e.NomeFantasia, UF: e.UF, Municipio: e.Municipio, CNAEFiscalPrincipal: e.CNAEFiscalPrincipal,
			}
		}
	}
	check := func(way string, got *record.Establishment) error {
		if diff := cmp.Diff(want[got.CNPJ], *got); diff != "" {
			t.Errorf("%s, %s:\n%s", way, got.CNPJ, diff)
		}
		return nil
	}
	heads, err := v.Heads(t.Context(), roots)
	if err != nil || len(heads) != len(roots) {
		t.Fatalf("%d heads, %v", len(heads), err)
	}
	for _, root := range roots {
		h, err := v.Head(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		heads = append(heads, h)
	}
	for _, h := range heads {
		for c := h.FirstEstablishments(); c.Next(); {
			_ = check("first", &c.Establishment)
		}
		err := v.Establishments(t.Context(), &h, registry.Range{Limit: h.Establishments}, func(e *record.Establishment) error {
			one, err := v.Establishment(t.Context(), &h, e.CNPJ.Order())
			if err != nil {
				return err
			}
			if got, isHidden := h.ContactHidden(e.CNPJ.Order()), want[e.CNPJ].CorreioEletronico == ""; got != isHidden {
				t.Errorf("%s: ContactHidden is %t", e.CNPJ, got)
			}
			return errors.Join(check("one", &one), check("range", e))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
