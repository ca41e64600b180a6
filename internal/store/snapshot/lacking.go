package snapshot

import (
	"slices"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/change"
)

// negative are the filters by what a company does not have, by the part that must be whole for that to be known.
var negative = map[change.Part][]string{
	change.Companies: {filter.CapitalTo}, change.Establishments: {filter.EstablishmentsTo}, change.Partners: {filter.PartnersTo},
}

// positive are those by what it has, of the parts that other filters do not depend on.
var positive = map[change.Part][]string{
	change.Partners: {filter.PartnersFrom, filter.PartnerKind, filter.PartnerRole, filter.PartnerAge, filter.PartnerDigits, filter.PartnerRoot},
	change.Simples:  {filter.Simples, filter.SimplesFrom, filter.SimplesTo, filter.MEI, filter.MEIFrom, filter.MEITo},
}

// Lacking returns the parts that the load has not whole and that a query depends on: it finds fewer companies than there
// are, and its total is a lower bound. Every query depends on companies and establishments.
func (s *Snapshot) Lacking(q index.Query) []change.Part {
	return slices.DeleteFunc(s.Load.Lacking(), func(part change.Part) bool {
		of, few := positive[part]
		return few && !slices.ContainsFunc(of, q.Filters.Has) && (part != change.Partners || q.Text == "" || q.Scope == index.InNames)
	})
}

// lack returns the *registry.LackError of filters that only a whole part can answer: who has no partner in this load may
// have some in the file that it lacks.
func (s *Snapshot) lack(f filter.Set) error {
	var parts []change.Part
	for part, names := range negative {
		if slices.ContainsFunc(names, f.Has) {
			parts = append(parts, part)
		}
	}
	if f.Value(filter.Simples) == "nao" || f.Value(filter.MEI) == "nao" {
		parts = append(parts, change.Simples)
	}
	if parts == nil {
		return nil
	}
	return s.Load.Lack(parts...)
}
