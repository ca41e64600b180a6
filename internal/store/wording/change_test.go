package wording

import (
	"slices"
	"testing"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/journal"
	"razao/internal/store/registry/history"
	"razao/internal/store/registry/pack"
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
		"records that are gone": {
			change.Event{Kind: change.SourceOut, Before: []string{"3", "47256"}},
			[]string{"Registros: 3 → não consta mais", "Total: R$" + ptbr.NBSP + "47.256,00 → não consta mais"},
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
		w := ChangeOf(fixture.Atlas(t), nil, &journal.Change{Event: c.event, Load: &history.Load{Source: "rntrc"}})
		if got := w.Lines; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestChangeNamesWhoAndWhere: what is not published any more has no page, and a company without a name its number.
func TestChangeNamesWhoAndWhere(t *testing.T) {
	t.Parallel()
	const root = 12_345_678
	h := &pack.Head{Root: root, Company: record.Company{RazaoSocial: "PADARIA ESTRELA LTDA"}}
	office := cnpj.Join(root, 3)
	page := Link{"Padaria Estrela Ltda.", "/" + h.Root.String()}
	for name, c := range map[string]struct {
		kind                   change.Kind
		head                   *pack.Head
		company, establishment Link
	}{
		"company":               {change.Name, h, page, Link{}},
		"establishment":         {change.TradeName, h, page, Link{office.Masked(), "/" + office.String()}},
		"removed establishment": {change.Removed, h, page, Link{Text: office.Masked()}},
		"gone company":          {change.CompanyRemoved, nil, Link{Text: "CNPJ " + h.Root.Masked()}, Link{}},
		"of a gone company":     {change.TradeName, nil, Link{Text: "CNPJ " + h.Root.Masked()}, Link{Text: office.Masked()}},
		"without a name":        {change.Name, &pack.Head{Root: root}, Link{"CNPJ " + h.Root.Masked(), page.URL}, Link{}},
	} {
		event := change.Event{Kind: c.kind, Order: office.Order(), Before: make([]string, len(c.kind.Info().Fields))}
		w := ChangeOf(fixture.Atlas(t), nil, &journal.Change{Event: event, Root: root, Company: c.head, Load: &history.Load{Source: "receita", Period: "2026-09"}})
		if w.Company != c.company || w.Establishment != c.establishment || w.Source != "Cadastro do CNPJ" || w.Seen != "09/2026" {
			t.Errorf("%s: %+v", name, w)
		}
	}
}
