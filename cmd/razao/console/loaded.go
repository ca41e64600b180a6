package console

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"razao/internal/store/registry"
)

// WriteLoaded writes a summary of a load that has just gone into service.
func WriteLoaded(w io.Writer, l *registry.Load) {
	fmt.Fprintf(w, "load %d: %s %s is being served\n", l.ID, l.Source, l.Period)
	c := &l.Counts
	if l.Source == registry.Receita {
		fmt.Fprintf(w, "  %d companies, %d establishments (%d active), %d partners, %d Simples rows\n",
			c.Companies, c.Establishments, c.ActiveEstablishments, c.Partners, c.Simples)
		fmt.Fprintf(w, "  %d rows read, %d loaded, %d discarded, %d rejected\n", l.RowsRead, l.RowsLoaded, l.RowsDiscarded, l.RowsRejected)
	} else {
		fmt.Fprintf(w, "  %d rows read, %d records of %d CNPJs, %d rows left out, %d rejected\n",
			l.RowsRead, c.Records, c.Owners, l.RowsDiscarded, l.RowsRejected)
	}
	writeSorted(w, "left out, ", c.Discarded)
	writeSorted(w, "without value because unreadable, ", c.Repaired)
	writeSorted(w, "", c.Marked)
	if missing := l.Provenance.Faltantes; len(missing) > 0 {
		fmt.Fprintf(w, "  partial: without %s\n", strings.Join(missing, ", "))
	}
	for _, note := range l.Provenance.Observacoes {
		fmt.Fprintf(w, "  %s\n", note)
	}
}

// writeSorted writes counts with a prefix, sorted by name.
func writeSorted(w io.Writer, what string, counts map[string]int64) {
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "  %s%s: %d\n", what, name, counts[name])
	}
}
