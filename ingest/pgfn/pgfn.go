// Package pgfn reads the debts that the Procuradoria-Geral da Fazenda Nacional publishes every quarter: one zip for each
// of its three systems, with one CSV file for each federative unit or numbered part.
package pgfn

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"razao/ingest/rows"
)

const id = "pgfn"

// PGFN returns the loader of the debts. A system may be missing, or be of another quarter than the others: the notes then
// say so, and the period is the newest one.
func PGFN() rows.Loader {
	return rows.Loader{Sources: []string{id}, Floor: floor, Read: read}
}

// floor refuses a load in which one system was cut short: the others would hide it in the sum.
func floor(f *rows.Figures) error {
	var short []string
	for _, s := range systems() {
		if rows := f.Marked[s.id]; rows < s.floor {
			short = append(short, fmt.Sprintf("%s has %d rows, at least %d are expected", s.id, rows, s.floor))
		}
	}
	if len(short) > 0 {
		return fmt.Errorf("systems of %s: %s", id, strings.Join(short, "; "))
	}
	return nil
}

func read(ctx context.Context, in *rows.Input, out *rows.Output) (rows.Facts, error) {
	parts, err := open(in)
	if err != nil {
		return rows.Facts{}, err
	}
	for _, p := range parts {
		table := p.table()
		if err := table.Read(ctx, in, p.file, out); err != nil {
			return rows.Facts{}, err
		}
	}
	return facts(parts), nil
}

// part is one file of a system.
type part struct {
	file   *rows.File
	system system
	period string // AAAA-MM, "" when no name says it
	old    bool   // in the layout that has the unit's UF instead of the debtor's
}

// open finds the files and looks at their headers, so that what does not fit is refused before hours of work.
func open(in *rows.Input) ([]part, error) {
	var parts []part
	for _, f := range in.Files {
		if !strings.HasSuffix(strings.ToLower(f.Name), ".csv") {
			continue
		}
		header, err := new(rows.Table).Header(f)
		if err != nil {
			return nil, err
		}
		p := part{file: f, system: systemOf(header), period: periodOf(f), old: slices.Contains(header, oldUF)}
		if err := fits(parts, p); err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		return nil, in.NoFile("Dados_abertos_Nao_Previdenciario.zip, Dados_abertos_Previdenciario.zip, Dados_abertos_FGTS.zip or their arquivo_lai_…_AAAAMM.csv")
	}
	return parts, nil
}

// fits refuses a part that would count debts twice.
func fits(parts []part, p part) error {
	for _, q := range parts {
		if q.file.Name == p.file.Name {
			return fmt.Errorf("%s is there twice, as %s and as %s: leave one of them", p.file.Name, q.file.Path, p.file.Path)
		}
		if q.system.id == p.system.id && q.period != p.period {
			return fmt.Errorf("%s and %s are both of the system %s, but of different quarters (%q and %q): leave one quarter",
				q.file.Path, p.file.Path, p.system.id, q.period, p.period)
		}
	}
	return nil
}

// facts says of when the systems are.
func facts(parts []part) rows.Facts {
	var f rows.Facts
	periods := map[string]string{}
	old := false
	for _, p := range parts {
		periods[p.system.id] = p.period
		f.Period = max(f.Period, p.period)
		old = old || p.old
	}
	var missing, dated []string
	differ := false
	for _, s := range systems() {
		period, ok := periods[s.id]
		switch {
		case !ok:
			missing = append(missing, s.title)
		case period == "":
			dated = append(dated, s.title+" sem competência informada")
		default:
			dated = append(dated, s.title+" de "+period)
		}
		differ = differ || ok && period != f.Period
	}
	if differ {
		f.Notes = append(f.Notes, "Os sistemas são de competências diferentes: "+strings.Join(dated, "; ")+".")
	}
	if len(missing) > 0 {
		f.Notes = append(f.Notes, "Sistemas ausentes desta carga: "+strings.Join(missing, "; ")+".")
	}
	if old {
		f.Notes = append(f.Notes, "Arquivos no leiaute anterior a 2022-12, que não informa a UF do devedor.")
	}
	return f
}
