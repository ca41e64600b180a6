package ingest

import (
	"slices"

	"razao/internal/data/change"
	"razao/internal/store/registry"
)

// unlike returns the figures that cannot be compared between a load and the former one, nil for none, because one of them
// was made without files that the other has: they would show the files.
func unlike(l, former *registry.Load) map[string]bool {
	if former == nil {
		return nil
	}
	differ := func(part change.Part) bool { return !slices.Equal(l.Lacks(part), former.Lacks(part)) }
	var names []string
	if differ(change.Companies) {
		names = append(names, "rows of Empresas read", companiesKept)
	}
	if differ(change.Establishments) {
		names = append(names, "rows of Estabelecimentos read", establishmentsKept)
	}
	if differ(change.Partners) {
		names = append(names, "rows of Socios read", partnersKept)
	}
	if differ(change.Simples) {
		names = append(names, "rows of Simples read", simplesKept)
	}
	if len(names) == 0 {
		return nil
	}
	if differ(change.Companies) || differ(change.Establishments) {
		names = append(names, partnersKept, simplesKept) // of companies that are in the load
	}
	all := map[string]bool{rowsRead: true}
	for _, name := range names {
		all[name] = true
	}
	return all
}
