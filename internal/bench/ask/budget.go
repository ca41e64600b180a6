package ask

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"razao/internal/bench/report"
)

// budgetParts are what the CPU time of a server is spent on. A sample belongs to the part that has the
// innermost function of its stack that any part names; functions are named by the beginning of their
// full name.
var budgetParts = []struct {
	name      string
	functions []string
}{
	{"garbage", []string{"runtime.gcBgMarkWorker", "runtime.gcAssistAlloc", "runtime.bgsweep", "runtime.bgscavenge", "runtime.gcStart"}},
	{"log", []string{"razao/internal/web.writeEvent"}},
	{"ETag", []string{"razao/internal/web.ETag"}},
	{"compress", []string{"razao/internal/web.(*Sender).compress"}},
	{"PostgreSQL client", []string{"github.com/jackc/"}},
	{"key, admission", []string{"razao/internal/people/account.", "razao/internal/people/oauthserver.", "razao/internal/web.Guard"}},
	{"sources", []string{"razao/internal/store/registry.(*sourceView)", "razao/site/records.", "razao/internal/data/source"}},
	{"record", []string{"razao/internal/store/registry", "razao/internal/store/snapshot."}},
	{"index", []string{"razao/index"}},
	{"templates", []string{"razao/site/page.layout", "github.com/a-h/templ", "text/template."}},
	{"render", []string{"razao/internal/store/render.", "razao/api.(*v1Renderer)", "razao/internal/assist/assistant."}},
	{"rest of handler", []string{"razao/"}},
	{"HTTP write", []string{"net/http.(*response)", "net/http.(*chunkWriter)", "net/http.checkConnErrorWriter", "bufio.(*Writer)"}},
	{"HTTP read", []string{"net/http.(*conn).readRequest", "net/http.(*connReader)", "bufio.(*Reader)"}},
	{"HTTP rest", []string{"net/http.", "github.com/gin-gonic/"}},
	{"scheduler", []string{"runtime.mcall", "runtime.schedule", "runtime.sysmon", "runtime.mstart"}},
}

// budget is the fraction of CPU time by part, in the order of budgetParts, with what belongs to none
// at the end.
type budget []float64

// readBudget reads the CPU profile in a file.
func readBudget(file string) (b budget, err error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	p, err := profile.Parse(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return budgetOf(p), nil
}

func budgetOf(p *profile.Profile) budget {
	b, all := make(budget, len(budgetParts)+1), 0.0
	for _, sample := range p.Sample {
		cpu := float64(sample.Value[len(sample.Value)-1])
		b[partOf(sample)] += cpu
		all += cpu
	}
	for i := range b {
		b[i] /= max(all, 1)
	}
	return b
}

// partOf returns the number of the part that a sample belongs to.
func partOf(sample *profile.Sample) int {
	for _, location := range sample.Location { // the innermost first
		for _, line := range location.Line {
			for i := range budgetParts {
				if slices.ContainsFunc(budgetParts[i].functions, func(f string) bool { return strings.HasPrefix(line.Function.Name, f) }) {
					return i
				}
			}
		}
	}
	return len(budgetParts)
}

// budgets writes what the CPU time of each run's server is spent on, in µs for each request; nothing
// without profiles.
func budgets(p *report.Page, runs []*Run) {
	t := report.Table{Head: []string{"CPU of the server", "Connections"}}
	for _, part := range budgetParts {
		t.Head = append(t.Head, part.name)
	}
	t.Head = append(t.Head, "rest", "All")
	rows := 0
	for _, run := range runs {
		if run.budget == nil {
			continue
		}
		rows++
		each := run.each(run.server)
		cells := []string{run.name, report.Count(run.conns)}
		for _, share := range run.budget {
			cells = append(cells, report.Micros(time.Duration(share*float64(each))))
		}
		t.Row(append(cells, report.Micros(each))...)
	}
	if rows > 0 {
		p.Table(&t)
	}
}
