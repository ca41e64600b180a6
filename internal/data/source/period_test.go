package source

import (
	"strings"
	"testing"
	"time"
)

// TestParsePeriod checks that a source takes the periods that its publisher has, and nothing else:
// what an operator types becomes the published competencia.
func TestParsePeriod(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 26, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct{ source, period, want string }{ // want is "" for a refusal
		{"receita", "2026-09", "2026-09"},
		{"receita", "2026-11", "2026-11"},
		{"receita", "2026-12", ""},
		{"receita", "2026-9", ""},
		{"receita", "2026-13", ""},
		{"receita", "2026-00", ""},
		{"receita", "2026-09-30", ""},
		{"receita", "09/2026", ""},
		{"receita", "0026-09", ""},
		{"rntrc", "2026-10", "2026-10"},
		{"rntrc", "2026-10..2026-11", ""},
		{"habilitacao_aduaneira", "banana", ""},
		{"pncp", "2026-01", "2026-01"},
		{"bndes", "2026", ""},
		{"pgfn", "2026-06", "2026-06"},
		{"pgfn", "2026_trimestre_02", "2026-06"},
		{"pgfn", "2025_trimestre_04", "2025-12"},
		{"pgfn", "2026-05", ""},
		{"pgfn", "2026-12", ""},
		{"pgfn", "2026_trimestre_04", ""},
		{"pgfn", "2026_trimestre_05", ""},
		{"pgfn", "2026_trimestre_2", ""},
		{"ceis", "2026-09-30", "2026-09-30"},
		{"ceis", "2026-11-27", "2026-11-27"}, // where the sun is up already
		{"ceis", "2026-11-28", ""},
		{"ceis", "2026-02-30", ""},
		{"ceis", "2024-02-29", "2024-02-29"},
		{"ceis", "30/09/2026", ""},
		{"ceis", "20260930", ""},
		{"ceis", "2026-09", ""},
		{"ceis", " 2026-09-30", ""},
		{"ceis", "2026-09-30\n", ""},
		{"ceis", "２０２６-09-30", ""},
		{"ibama_autos", "2026-08-05", "2026-08-05"},
		{"mte_empregadores", "2026-09-04", "2026-09-04"},
		{"mte_empregadores", "2026-04", ""},
		{"mte_ceac", "2026_0012", "2026_0012"},
		{"mte_ceac", "2026_12", ""},
		{"mte_ceac", "2062_0012", ""},
		{"mte_ceac", "2026-09-30", ""},
	} {
		src := CompanyRegistry()
		if tt.source != src.ID {
			src, _ = Find(tt.source)
		}
		got, err := src.ParsePeriod(tt.period, now)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s, %q: %q, %v, want %q", tt.source, tt.period, got, err, tt.want)
		}
		if err != nil && !strings.Contains(err.Error(), "has not begun") && !strings.Contains(err.Error(), "such as 20") {
			t.Errorf("%s, %q: %v gives no example", tt.source, tt.period, err)
		}
	}
	for _, src := range append(All(), CompanyRegistry()) {
		if _, err := src.ParsePeriod("banana", now); err == nil || src.PeriodForm() == "" {
			t.Errorf("%s takes any period", src.ID)
		}
	}
}
