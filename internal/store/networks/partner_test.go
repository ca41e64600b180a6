package networks_test

import (
	"slices"
	"testing"

	"razao/internal/store/networks"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
)

// TestPartnershipsAgree asks for one person by name, with a document and without.
func TestPartnershipsAgree(t *testing.T) {
	t.Parallel()
	s := fixture.Acquire(t, fixture.Load(t).Live)
	want := []string{fixture.Bakery, fixture.Holding}
	for name, who := range map[string]networks.Person{
		"name and document": {Document: "***456789**", Name: "Inventada Marta"},
		"name alone":        {Name: "marta figueira"},
	} {
		all, complete, err := networks.Partnerships(t.Context(), s, who)
		if err != nil || !complete {
			t.Fatalf("%s: complete %v, %v", name, complete, err)
		}
		var got []string
		for i := range all {
			got = append(got, all[i].Root.String())
			if len(all[i].Partners) != 1 || all[i].Partners[0].NomeSocio != "MARTA FIGUEIRA INVENTADA" || !all[i].Office.HeadOffice() {
				t.Errorf("%s: %+v at %s", name, all[i].Partners, all[i].Office.CNPJ)
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: companies %v, want %v", name, got, want)
		}
	}
	for name, who := range map[string]networks.Person{
		"other digits":      {Document: "***456780**", Name: "marta figueira inventada"},
		"a word too many":   {Name: "marta figueira inventada souza"},
		"name of a company": {Name: "padaria"},
	} {
		if all, _, err := networks.Partnerships(t.Context(), s, who); len(all) > 0 || err != nil {
			t.Errorf("%s: %d companies, %v", name, len(all), err)
		}
	}
	owned, total, floor, err := networks.Holdings(t.Context(), s, actor(t, fixture.Holding).Root, registry.Range{Limit: 20})
	if err != nil || total != 1 || floor || len(owned) != 1 || owned[0].Root.String() != fixture.Bakery || owned[0].Partners[0].QualificacaoSocio != "22" {
		t.Errorf("holdings %+v, %d, %v, %v", owned, total, floor, err)
	}
}
