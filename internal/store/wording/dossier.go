package wording

import (
	"razao/internal/data/ptbr"
	"razao/internal/store/dossier"
	"razao/internal/store/registry"
	"razao/internal/store/totals"
)

// subjects are the words for what is asked about companies.
var subjects = map[dossier.Subject]struct {
	title        string    // of a column
	records      [2]string // one, several
	money, inUse bool      // the records have amounts; those in force count
}{
	dossier.Debts:       {"Dívida ativa", [2]string{"inscrição", "inscrições"}, true, false},
	dossier.Sanctions:   {"Sanções (CEIS e CNEP)", [2]string{"sanção", "sanções"}, false, true},
	dossier.Labour:      {"Listas do trabalho", [2]string{"registro", "registros"}, false, false},
	dossier.Environment: {"Ibama", [2]string{"auto ou embargo", "autos e embargos"}, false, false},
	dossier.Contracts:   {"Contratos públicos", [2]string{"contrato", "contratos"}, true, false},
}

// SubjectTitle names a subject, as the heading of a column.
func SubjectTitle(s dossier.Subject) string { return subjects[s].title }

// Figure says what there is of a company about a subject, "" for nothing: 3 inscrições, R$ 1.234,00.
func Figure(s dossier.Subject, f dossier.Figure) string {
	of := subjects[s]
	count := ptbr.Counted(f.Records, of.records[0], of.records[1])
	switch {
	case of.inUse && f.InForce > 0 && f.Status == registry.Found:
		return ptbr.Count(f.InForce) + " em vigor"
	case of.inUse && f.InForce > 0: // one of two sources did not answer
		return "ao menos " + ptbr.Count(f.InForce) + " em vigor"
	case f.Status == registry.Failed:
		return "não foi possível consultar agora"
	case f.Status == registry.Unavailable:
		return "sem carga"
	case f.Records > totals.MostAdded && !f.Whole:
		return count + ", sem soma"
	case of.inUse || f.Records == 0:
		return ""
	case of.money:
		return count + ", " + ptbr.Money(f.Cents)
	}
	return count
}
