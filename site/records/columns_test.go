package records

import (
	"slices"
	"testing"

	"razao/internal/data/source"
)

// TestColumnsNameFields requires columns for every source, and that declared facts name existing
// fields.
func TestColumnsNameFields(t *testing.T) {
	t.Parallel()
	for _, src := range source.All() {
		if len(columns[src.ID]) == 0 {
			t.Errorf("%s has no columns", src.ID)
		}
		for _, field := range src.FactFields() {
			if !slices.ContainsFunc(src.Fields, func(f source.Field) bool { return f.Name == field }) {
				t.Errorf("%s has no field %s", src.ID, field)
			}
		}
	}
}
