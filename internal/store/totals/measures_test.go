package totals

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry/pack"
)

// item returns a record with the given values; its other fields are null.
func item(src *source.Source, values map[string]string) *pack.Item {
	it := &pack.Item{Fields: src.Fields, Values: make([]string, len(src.Fields))}
	for i, f := range src.Fields {
		it.Values[i] = values[f.Name]
	}
	return it
}

// TestDaysInForce adds sanctions without a beginning, without an end, without either, and one that
// ends before it begins.
func TestDaysInForce(t *testing.T) {
	t.Parallel()
	src, _ := source.Find("ceis")
	s := NewMeasures(&src.Facts)
	for _, days := range [][2]string{
		{"18/07/2024", "18/07/2026"},
		{"18/07/2024", "18/07/2024"},
		{"18/07/2024", ""},
		{"", "18/07/2024"},
		{"", ""},
		{"18/07/2024", "17/07/2024"},
		{"18/07/2024", "indeterminado"},
	} {
		s.Add(item(&src, map[string]string{"data_inicio_sancao": days[0], "data_final_sancao": days[1]}))
	}
	first, last := int64(record.MakeDate(2024, 7, 18)), int64(record.MakeDate(2026, 7, 18))
	want := []Span{{first, last}, {first, first}, {first, math.MaxInt64}, {math.MinInt64, first}, {math.MinInt64, math.MaxInt64}, {first, math.MaxInt64}}
	if diff := cmp.Diff(want, s.InForce()); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}

// TestSpans reads the periods of a register, whose records may have left it and come back, and records
// without any date.
func TestSpans(t *testing.T) {
	t.Parallel()
	day := func(y, m, d int) int64 { return int64(record.MakeDate(y, m, d)) }
	always := []Span{{math.MinInt64, math.MaxInt64}}
	for _, c := range []struct {
		source, field, published string
		want                     []Span
	}{
		{"mte_empregadores", "periodos", `[{"inicio":"05/04/2024","fim":"10/05/2024"},{"inicio":"09/04/2025","fim":null}]`, []Span{{day(2024, 4, 5), day(2024, 5, 10)}, {day(2025, 4, 9), math.MaxInt64}}},
		{"mte_ceac", "periodos_ceac", `[{"inicio":"05/04/2024","fim":"04/04/2024"}]`, nil},
		{"mte_ceac", "periodos_ceac", `[]`, always},
		{"mte_empregadores", "periodos", "", always},
		{"cepim", "motivo_impedimento", "OMISSAO", always},
		{"acordos_leniencia", "data_fim_acordo", "31/12/2027", []Span{{math.MinInt64, day(2027, 12, 31)}}},
	} {
		src, _ := source.Find(c.source)
		if diff := cmp.Diff(c.want, Spans(&src.Facts, item(&src, map[string]string{c.field: c.published}))); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.source, c.published, diff)
		}
		if !slices.Contains(src.FactFields(), c.field) {
			t.Errorf("%s: %s is not read with the facts", c.source, c.field)
		}
	}
}

// TestNothingAdded tells the sum of no amounts from a sum of 0.
func TestNothingAdded(t *testing.T) {
	t.Parallel()
	src, _ := source.Find("pgfn")
	s := NewMeasures(&src.Facts)
	s.Add(item(&src, map[string]string{"tipo_devedor": "SOLIDARIO", "valor_consolidado": "12.00"}))
	s.Add(item(&src, map[string]string{"tipo_devedor": "PRINCIPAL"}))
	if total, ok := s.Cents(); ok {
		t.Errorf("%d cents are the sum of nothing", total)
	}
	s.Add(item(&src, map[string]string{"tipo_devedor": "PRINCIPAL", "valor_consolidado": "0.00"}))
	if total, ok := s.Cents(); !ok || total != 0 {
		t.Errorf("%d cents, %v", total, ok)
	}
}

func TestCentsAreWholeAndBounded(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "99": 0, "100": 1, "-1": -1, "-100": -1, "-101": -2, "12345678": 123456,
		"1" + zeros(30): math.MaxInt64, "-1" + zeros(30): math.MinInt64,
	} {
		var s Sum
		n, ok := new(big.Int).SetString(text, 10)
		if !ok {
			t.Fatal(text)
		}
		s.total = *n
		if got := s.Cents(); got != want {
			t.Errorf("%s ten-thousandths: %d cents, want %d", text, got, want)
		}
	}
}

func zeros(n int) string {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil).String()[1:]
}

// TestMeasuresAreDeclaredWhole checks that every source declares the facts that its Measures is computed
// from, and that its records belong to establishments.
func TestMeasuresAreDeclaredWhole(t *testing.T) {
	t.Parallel()
	found := 0
	for _, src := range source.All() {
		measures := src.Facts.Measures
		if !measures.Any() {
			continue
		}
		found++
		if src.CompanyOnly || measures.Total && src.Facts.Amount == nil || measures.Year && src.Facts.Day == "" || measures.InForce && len(src.Facts.Dates) != 2 {
			t.Errorf("%s measures what it does not declare: %+v", src.ID, measures)
		}
		for _, name := range src.MeasuredFields() {
			if item(&src, map[string]string{name: "7"}).Value(name) != "7" {
				t.Errorf("%s has no field %s", src.ID, name)
			}
		}
		if len(src.MeasuredFields()) == 0 {
			t.Errorf("%s is read for nothing", src.ID)
		}
	}
	if found != 5 {
		t.Errorf("%d sources, want pgfn, ceis, cnep, pncp and bndes", found)
	}
}
