package assistant

import (
	"strings"
	"testing"

	"razao/internal/testing/fixture"
)

// TestMissingFilesAreNoAbsence asks about a load without partners, then without a file of companies.
func TestMissingFilesAreNoAbsence(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Without(t, "2026-08", "Socios0"))
	a := open(t, &l.Served)
	record, err := a.Record(t.Context(), RecordQuery{CNPJ: bakery})
	if err != nil || record.Disponibilidade != "parcial" || !strings.Contains(record.Lacunas, "Socios0.zip") || decoded(t, record)["lacunas"] != record.Lacunas {
		t.Errorf("%+v, %v", record, err)
	}
	network, err := a.Network(t.Context(), NetworkQuery{De: fixture.Bakery})
	if err != nil || network.Completa || network.Lacunas == "" {
		t.Errorf("%+v, %v", network, err)
	}
	found, err := a.Search(t.Context(), SearchQuery{Consulta: "padaria"})
	if err != nil || !found.TotalMinimo || found.Lacunas == "" {
		t.Errorf("%+v, %v", found, err)
	}
	l.Publish(t, fixture.Without(t, "2026-09", "Empresas1"))
	for _, number := range []string{"99999999", "99999999000191"} {
		if _, err := a.Record(t.Context(), RecordQuery{CNPJ: number}); !strings.Contains(Lacks(err), "Empresas1.zip") {
			t.Errorf("%s: %v", number, err)
		}
	}
}
