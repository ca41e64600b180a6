package ask

import (
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"razao/internal/bench/report"
)

// TestBudget expects each sample in the part of its innermost known function, inlined ones included.
func TestBudget(t *testing.T) {
	t.Parallel()
	sample := func(cpu int64, names ...string) *profile.Sample {
		s := &profile.Sample{Value: []int64{1, cpu}}
		for _, location := range names { // functions that are inlined into another share its location
			l := &profile.Location{}
			for name := range strings.SplitSeq(location, " < ") {
				l.Line = append(l.Line, profile.Line{Function: &profile.Function{Name: name}})
			}
			s.Location = append(s.Location, l)
		}
		return s
	}
	got := budgetOf(&profile.Profile{Sample: []*profile.Sample{
		sample(10, "runtime.memmove", "github.com/jackc/pgx/v5.(*Conn).Query", "razao/internal/people/account.(*Meter).count", "net/http.(*conn).serve"),
		sample(20, "runtime.mallocgc < razao/internal/people/account.(*Meter).count", "razao/api.(*API).keyed", "net/http.(*conn).serve"),
		sample(30, "runtime.gcAssistAlloc", "text/template.(*state).walk", "net/http.(*conn).serve"),
		sample(40, "runtime.futex", "unknown"),
	}})
	want := map[string]float64{"PostgreSQL client": 0.1, "key, admission": 0.2, "garbage": 0.3}
	for i, part := range budgetParts {
		if got[i] != want[part.name] {
			t.Errorf("%s: %v, want %v", part.name, got[i], want[part.name])
		}
	}
	if rest := got[len(budgetParts)]; rest != 0.4 {
		t.Errorf("rest: %v", rest)
	}
	p := &report.Page{}
	run := &Run{name: "v1", conns: 8, took: report.Latencies{time.Millisecond}, server: 200 * time.Microsecond, budget: got}
	budgets(p, []*Run{{name: "without a profile"}, run})
	if text := p.String(); !strings.Contains(text, "60.0 µs") || !strings.Contains(text, "200.0 µs") || strings.Contains(text, "without") {
		t.Errorf("the table is\n%s", text)
	}
}
