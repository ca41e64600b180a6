package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"razao/lab/internal/load"
)

// bench is a run. The first program is the build to measure, the second the one to compare it with if
// there is one.
type bench struct {
	*options
	*load.Workspace
	servers []*load.Server // of the programs
	drawn   *load.Release
}

// labels are those of the builds in the report, in the order of the programs.
var labels = []string{"after", "before"}

// contender is one of those who take turns.
type contender struct {
	label  string
	server *load.Server
	kind   load.Kind
}

// result is what one turn measured.
type result struct {
	name   string
	values []value
}

type value struct {
	unit   string
	amount float64
}

// series collects the results of a part by label. The n-th results of two labels for a name were taken
// one after the other.
type series map[string][]result

// addAnswers adds what a closed loop measured.
func (s series) addAnswers(label, name string, got *load.Result) {
	m, used := &got.Answered, &got.Usage
	perRequest := func(d time.Duration) float64 { return d.Seconds() / float64(max(m.Requests, 1)) }
	s[label] = append(s[label], result{name, []value{
		{"cpu-sec/op", perRequest(used.Server + used.Postgres)},
		{"server-sec/op", perRequest(used.Server)},
		{"postgres-sec/op", perRequest(used.Postgres)},
		{"answers/s", float64(m.Requests) / used.Wall.Seconds()},
		{"p50-sec", m.Latencies.P50.Seconds()},
		{"p95-sec", m.Latencies.P95.Seconds()},
		{"p99-sec", m.Latencies.P99.Seconds()},
		{"body-B", m.BytesIn.Mean},
		{"memory-B", float64(used.Memory)},
	}})
}

// print lets benchstat show the results of one or two labels. Of two, a table of the ratios of the
// second to the first follows: each is of results that were taken one after the other, so that a
// drift of the machine cancels.
func (s series) print(ctx context.Context, title string, base, label string) (err error) {
	dir, err := os.MkdirTemp("", "razao-benchstat-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	args := []string{"tool", "benchstat"}
	for _, l := range []string{base, label} {
		if s[l] == nil {
			continue
		}
		var lines bytes.Buffer
		for _, r := range s[l] {
			fmt.Fprintf(&lines, "Benchmark%s 1", r.name)
			for _, v := range r.values {
				fmt.Fprintf(&lines, " %v %s", v.amount, v.unit)
			}
			lines.WriteByte('\n')
		}
		file := filepath.Join(dir, l)
		if err := os.WriteFile(file, lines.Bytes(), 0o600); err != nil {
			return err
		}
		args = append(args, l+"="+file)
	}
	fmt.Printf("\n# %s\n\n", title)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("benchstat: %w", err)
	}
	s.printRatios(base, label)
	return nil
}

// printRatios writes the ratios of pairs of results: their median, and in brackets the least and the
// most.
func (s series) printRatios(base, label string) {
	pairs := ratios(s[base], s[label])
	if len(pairs) == 0 {
		return
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(out, "\n%s / %s", label, base)
	for _, v := range pairs[0].values {
		fmt.Fprintf(out, "\t%s", v.unit)
	}
	for _, row := range pairs {
		fmt.Fprintf(out, "\n%s", row.name)
		for _, v := range row.values {
			fmt.Fprintf(out, "\t%s", v.text)
		}
	}
	fmt.Fprintln(out)
	_ = out.Flush() // of stdout nobody would learn
}

// ratioRow is a row of the table of ratios.
type ratioRow struct {
	name   string
	values []ratioCell
}

type ratioCell struct{ unit, text string }

// ratios pairs the results of two labels by name and order. A ratio to nothing is left out.
func ratios(base, others []result) (rows []ratioRow) {
	turns := map[string][][2]result{}
	for _, r := range base {
		if turns[r.name] == nil {
			rows = append(rows, ratioRow{name: r.name})
		}
		turns[r.name] = append(turns[r.name], [2]result{r})
	}
	seen := map[string]int{}
	for _, r := range others {
		if n := seen[r.name]; n < len(turns[r.name]) {
			turns[r.name][n][1] = r
			seen[r.name]++
		}
	}
	rows = slices.DeleteFunc(rows, func(row ratioRow) bool { return seen[row.name] < len(turns[row.name]) })
	for i := range rows {
		pairs := turns[rows[i].name]
		for v, first := range pairs[0][0].values {
			var all []float64
			for _, pair := range pairs {
				if before := pair[0].values[v].amount; before > 0 {
					all = append(all, pair[1].values[v].amount/before)
				}
			}
			rows[i].values = append(rows[i].values, ratioCell{first.unit, spread(all)})
		}
	}
	return rows
}

// spread formats the median of numbers with the least and the most.
func spread(all []float64) string {
	if len(all) == 0 {
		return "-"
	}
	slices.Sort(all)
	median := (all[(len(all)-1)/2] + all[len(all)/2]) / 2
	return fmt.Sprintf("%.2f (%.2f-%.2f)", median, all[0], all[len(all)-1])
}

// builds lets the builds take turns with a kind of request, at each number of connections.
func (b *bench) builds(ctx context.Context, out series, kinds ...load.Kind) error {
	for _, kind := range kinds {
		var contenders []contender
		for i, s := range b.servers {
			contenders = append(contenders, contender{labels[i], s, kind})
		}
		if err := b.compete(ctx, out, kind.Name, contenders...); err != nil {
			return err
		}
	}
	return nil
}

// compete warms the contenders up and measures them in turns, in alternating order (AB BA AB …), so that
// neither profits from its place.
func (b *bench) compete(ctx context.Context, out series, name string, contenders ...contender) error {
	for _, conns := range b.conns {
		say("%s, %d connections", name, conns)
		each := b.duration / time.Duration(b.turns)
		for turn := range b.turns + 1 {
			for i := range contenders {
				if turn%2 == 1 {
					i = len(contenders) - 1 - i
				}
				c := &contenders[i]
				got, err := c.server.Attack(ctx, &c.kind, load.Attack{Conns: conns, Duration: each, Seed: uint64(turn)})
				if err != nil {
					return err
				}
				if turn > 0 { // the first is to warm up
					out.addAnswers(c.label, fmt.Sprintf("%s/%d", name, conns), got)
				}
			}
		}
	}
	return nil
}

// title is that of a part, with what its figures are of.
func title(part, of string) string { return strings.ToUpper(part[:1]) + part[1:] + ": " + of }
