package figures

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTogetherAddsUp checks that every figure of the places is in their sum.
func TestTogetherAddsUp(t *testing.T) {
	t.Parallel()
	places := make([]Place, 3)
	for i := range places {
		n := int64(i + 1)
		places[i] = newPlace(Sums{
			Openings: []OpeningCount{{Situacao: "02", Year: 2025, Count: n}, {Situacao: "08", Year: 2024, Count: 10 * n}},
			Closings: []ClosingCount{{Year: 2026, Count: 100 * n}}, Opened: 2 * n, Closed: 3 * n, ActiveCompanies: 4 * n,
			Capital: big.NewInt(5 * n), PublishedCapital: big.NewInt(6 * n), ImplausibleCompanies: 7 * n,
		}, 2025)
		places[i].Population = 1000 * (i + 1)
	}
	sum := (&Places{Year: 2025}).Together("Região Sul", places)
	closings := int64(0)
	for _, c := range sum.Closings {
		closings += c.Count
	}
	got := []int64{
		sum.ActiveEstablishments, sum.ClosedEstablishments, sum.OpenedInYear, closings, sum.Opened, sum.Closed, sum.ActiveCompanies,
		sum.Capital.Int64(), sum.PublishedCapital.Int64(), sum.ImplausibleCompanies, int64(sum.Population),
	}
	if diff := cmp.Diff([]int64{6, 60, 6, 600, 12, 18, 24, 30, 36, 42, 6000}, got); diff != "" || sum.Name != "Região Sul" || sum.PerThousand() != 4 {
		t.Errorf("%s, %v per thousand (-want +got):\n%s", sum.Name, sum.PerThousand(), diff)
	}
	if places[0].Capital.Int64() != 5 {
		t.Error("a place was changed")
	}
}
