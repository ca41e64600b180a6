package wording

import (
	"slices"
	"testing"

	"razao/internal/data/change"
	"razao/internal/store/registry/history"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

// TestEveryEventSaysWhatChanged also where both sides read the same as a whole, or have the same figures.
func TestEveryEventSaysWhatChanged(t *testing.T) {
	t.Parallel()
	street := func(kind, name string) []string {
		return []string{kind, name, "10", "", "CENTRO", "13024100", "SP", "6291", "", ""}
	}
	for name, c := range map[string]struct {
		event change.Event
		want  []string
	}{
		"records": {
			change.Event{Kind: change.SourceChanged, Before: []string{"2", "", ""}, After: []string{"2", "", "situacao_rntrc,cep"}},
			[]string{"Campos que mudaram: situacao_rntrc, cep"},
		},
		"records compared by an earlier version": {
			change.Event{Kind: change.SourceChanged, Before: []string{"2", "", ""}, After: []string{"2", "", ""}}, nil,
		},
		"an address in other fields": {
			change.Event{Kind: change.Address, Before: street("", "RUA DAS FLORES"), After: street("RUA", "DAS FLORES")},
			[]string{"Rua: não constava → RUA", "Rua: RUA DAS FLORES → DAS FLORES"},
		},
		"a code without a number": {
			change.Event{Kind: change.Contact, Before: []string{"19", "", "", "", "", "", ""}, After: []string{"11", "", "", "", "", "", ""}},
			[]string{"Telefone: 19 → 11"},
		},
	} {
		w := ChangeOf(fixture.Atlas(t), nil, &snapshot.Change{Event: c.event, Load: &history.Load{Source: "rntrc"}})
		if got := w.Lines(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
