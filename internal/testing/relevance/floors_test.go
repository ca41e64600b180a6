package relevance

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	floorsFile   = "testdata/floors.txt"
	floorsHeader = `# What the index has reached, in each stratum: top-1, top-3, top-10 and MRR. Less is a failure of TestRelevance.
# Rewritten by -update, which only ever raises a floor. To lower one is to say that search got worse: do it by hand,
# with the reason in the commit.
`
)

// floor is the minimum that a stratum must reach, in ten-thousandths: top-1, top-3, top-10, MRR.
type floor [4]int

func floorOf(f *figures) floor {
	var out floor
	for i, v := range [...]float64{f.top1, f.top3, f.top10, f.mrr} {
		out[i] = int(math.Round(v * 10_000))
	}
	return out
}

// below says which figures of f are under the floor.
func (l floor) below(f floor) []string {
	var out []string
	for i, name := range [...]string{"top-1", "top-3", "top-10", "MRR"} {
		if f[i] < l[i] {
			out = append(out, fmt.Sprintf("%s %.4f, was %.4f", name, float64(f[i])/10_000, float64(l[i])/10_000))
		}
	}
	return out
}

func readFloors() (map[string]floor, error) {
	raw, err := os.ReadFile(floorsFile)
	if err != nil {
		return nil, err
	}
	out := map[string]floor{}
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var stratum string
		var v [4]float64
		if _, err := fmt.Sscan(line, &stratum, &v[0], &v[1], &v[2], &v[3]); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", floorsFile, line, err)
		}
		out[stratum] = floorOf(&figures{top1: v[0], top3: v[1], top10: v[2], mrr: v[3]})
	}
	return out, nil
}

// raiseFloors returns for each measured stratum the higher of its floor and its result.
func raiseFloors(old map[string]floor, measured []figures) map[string]floor {
	out := map[string]floor{}
	for i := range measured {
		stratum, now := measured[i].stratum, floorOf(&measured[i])
		before := old[stratum]
		for k := range now {
			now[k] = max(now[k], before[k])
		}
		out[stratum] = now
	}
	return out
}

// writeFloors writes the floors in the order of the report.
func writeFloors(floors map[string]floor, measured []figures) error {
	var b strings.Builder
	b.WriteString(floorsHeader)
	for i := range measured {
		stratum := measured[i].stratum
		fmt.Fprintf(&b, "%-13s", stratum)
		for _, v := range floors[stratum] {
			fmt.Fprintf(&b, " %.4f", float64(v)/10_000)
		}
		b.WriteByte('\n')
	}
	return os.WriteFile(floorsFile, []byte(b.String()), 0o644)
}

func TestFloorsOnlyRise(t *testing.T) {
	t.Parallel()
	old := map[string]floor{"exact": {9000, 9000, 9500, 9200}, "gone": {1, 1, 1, 1}}
	measured := []figures{{stratum: "exact", top1: 0.8, top3: 0.95, top10: 0.96, mrr: 0.87}, {stratum: "new", top1: 0.5}}
	want := map[string]floor{"exact": {9000, 9500, 9600, 9200}, "new": {5000, 0, 0, 0}}
	if diff := cmp.Diff(want, raiseFloors(old, measured)); diff != "" {
		t.Error(diff)
	}
	fallen := old["exact"].below(floorOf(&measured[0]))
	if diff := cmp.Diff([]string{"top-1 0.8000, was 0.9000", "MRR 0.8700, was 0.9200"}, fallen); diff != "" {
		t.Error(diff)
	}
}
