package company

import (
	"fmt"
	"slices"
	"testing"

	"razao/internal/data/record"
	"razao/internal/testing/fixture"
)

// TestMorePartners counts partners who changed only in what the page does not show, such as the
// document of the representative, neither among the rows nor beyond them.
func TestMorePartners(t *testing.T) {
	t.Parallel()
	_, snap := newHandlers(t, fixture.Load(t).Live)
	const unseen, beyond = partnerChangesShown + 5, 2
	var before, after []record.Partner
	for i := range unseen + partnerChangesShown + beyond {
		b := record.Partner{IdentificadorSocio: "2", NomeSocio: fmt.Sprintf("SOCIA INVENTADA %d", i), CNPJCPFSocio: "***456789**"}
		a := b
		if i < unseen {
			a.RepresentanteLegal = "***123456**"
		} else {
			a.NomeRepresentante = "REPRESENTANTE INVENTADO"
		}
		before, after = append(before, b), append(after, a)
	}
	for name, tt := range map[string]struct {
		n    int // of the pairs, from the first
		rows int
		more int64
	}{
		"all":             {len(before), partnerChangesShown, beyond},
		"none beyond":     {unseen + partnerChangesShown, partnerChangesShown, 0},
		"none to be seen": {unseen, 0, 0},
	} {
		f := differ{snap: snap, changes: &changes{}}
		f.partners(before[:tt.n], slices.Clone(after[:tt.n]))
		if len(f.Rows) != tt.rows || f.MorePartners != tt.more {
			t.Errorf("%s: %d rows and %d more, want %d and %d", name, len(f.Rows), f.MorePartners, tt.rows, tt.more)
		}
	}
}
