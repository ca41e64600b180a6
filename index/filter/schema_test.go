package filter

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"razao/internal/data/openapi"
)

// schemaOf decodes the schema of a filter.
func schemaOf(t *testing.T, f *Filter, excluding bool) (s struct {
	Type, Pattern, Format string
	Enum                  []string
	Minimum, Maximum      int
	MinLength, MaxLength  int
},
) {
	t.Helper()
	raw, err := openapi.Marshal(f.Schema(excluding))
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSchemasSayWhatIsTaken compares the schemas with what filters take: enumerations are complete, and patterns match what the
// filter takes and nothing else, of texts made of few characters.
func TestSchemasSayWhatIsTaken(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	texts := func(alphabet string, n int) (all []string) {
		for range n {
			var b strings.Builder
			for range random.IntN(17) {
				b.WriteByte(alphabet[random.IntN(len(alphabet))])
			}
			all = append(all, b.String())
		}
		return all
	}
	candidates := slices.Concat(texts("0123456789", 3000), texts("01.-", 3000), texts("0AUVEXS", 2000), []string{"sim", "nao", "", "1799", "1800", "2054", "2055", "999999999999999.99"})
	for _, a := range "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		for _, b := range "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
			candidates = append(candidates, string(a)+string(b), string(a))
		}
	}
	for year := range 10000 {
		candidates = append(candidates, fmt.Sprintf("%04d", year))
	}
	for _, f := range All() {
		s := schemaOf(t, f, false)
		for _, value := range slices.Concat(candidates, s.Enum) {
			switch {
			case s.Enum != nil && slices.Contains(s.Enum, value) != f.takes(value):
				t.Errorf("%s: %q is in the schema or taken, not both", f.Name, value)
			case s.Pattern != "" && regexp.MustCompile(s.Pattern).MatchString(value) != f.takes(value):
				t.Errorf("%s: %q matches %s or is taken, not both", f.Name, value, s.Pattern)
			}
		}
		if s.Type == "integer" && (!f.takes(strconv.Itoa(s.Maximum)) || f.takes(strconv.Itoa(s.Maximum+1)) || s.Minimum > 0 && (!f.takes(strconv.Itoa(s.Minimum)) || f.takes(strconv.Itoa(s.Minimum-1)))) {
			t.Errorf("%s is from %d to %d", f.Name, s.Minimum, s.Maximum)
		}
		if s.Type == "string" && s.Enum == nil && s.Pattern == "" && s.Format == "" && s.MinLength == 0 {
			t.Errorf("%s is any text", f.Name)
		}
	}
}

// TestSchemasOfExcludedValues has "-" before values where reading takes it, and only there.
func TestSchemasOfExcludedValues(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{UF: true, Porte: true, HeadOffice: true, CEP: true, SourceAll: false, CapitalFrom: false, YearTo: false, ContractsYear: true} {
		s := schemaOf(t, Named(name), true)
		got := strings.HasPrefix(s.Pattern, "^-?") || slices.ContainsFunc(s.Enum, func(value string) bool { return strings.HasPrefix(value, "-") })
		if got != want {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
