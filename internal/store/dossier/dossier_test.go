package dossier_test

import (
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/store/dossier"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/testing/fixture"
)

// TestRead adds up several sources of several companies, all establishments of each, as the sources say one by one.
func TestRead(t *testing.T) {
	t.Parallel()
	s := fixture.Acquire(t, fixture.SharedRecords(t).Live)
	var companies []*pack.Head
	for _, text := range []string{fixture.Bakery, fixture.Holding, fixture.Letters} {
		root, err := cnpj.ParseRoot(text)
		if err != nil {
			t.Fatal(err)
		}
		h, err := s.Company(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		companies = append(companies, &h)
	}
	all := dossier.Read(t.Context(), s, companies, dossier.Subjects()...)
	for i, h := range companies {
		for subject, sources := range map[dossier.Subject][]string{
			dossier.Debts: {"pgfn"}, dossier.Sanctions: {"ceis", "cnep"}, dossier.Labour: {"mte_empregadores", "mte_ceac"},
			dossier.Environment: {"ibama_autos", "ibama_embargos"}, dossier.Contracts: {"pncp"},
		} {
			var want dossier.Figure
			for _, id := range sources {
				f := dossier.FigureOf(t.Context(), s, id, h)
				want.Records, want.Cents, want.InForce = want.Records+f.Records, want.Cents+f.Cents, want.InForce+f.InForce
			}
			got := all[i][subject]
			if got.Records != want.Records || got.Cents != want.Cents || got.InForce != want.InForce || !got.Whole || got.Err != nil || (got.Status == registry.Found) != (want.Records > 0) {
				t.Errorf("%s, %s: %+v, want %+v", h.Root, subject, got, want)
			}
		}
	}
	if bakery, letters := all[0], all[2]; !bakery.Has(dossier.Debts) || !bakery.Has(dossier.Sanctions) || letters.Has(dossier.Debts) || letters.Has(dossier.Sanctions) {
		t.Errorf("bakery %v, letters %v", bakery, letters)
	}
}

// TestWithoutALoad: of two sources one without a load says that not all is known, and what the other has stays.
func TestWithoutALoad(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	l.Records(t, "cnep")
	s := fixture.Acquire(t, l.Live)
	root, err := cnpj.ParseRoot(fixture.Bakery)
	if err != nil {
		t.Fatal(err)
	}
	h, err := s.Company(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if f := dossier.Read(t.Context(), s, []*pack.Head{&h}, dossier.Sanctions)[0][dossier.Sanctions]; f.Status != registry.Unavailable || f.Records == 0 || f.Whole {
		t.Errorf("%+v", f)
	}
}
