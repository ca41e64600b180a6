// Package pgfn loads pgfn, the debts in dívida ativa that the Procuradoria-Geral da Fazenda
// Nacional publishes every quarter: the whole live stock, in one zip
// per system.
//
//	Dados_abertos_Nao_Previdenciario.zip  nao_previdenciario (SIDA), six parts, nine rows in ten
//	Dados_abertos_Previdenciario.zip      previdenciario
//	Dados_abertos_FGTS.zip                fgts
//
// A zip holds CSV files, numbered parts or one per state in older quarters, named
// arquivo_lai_…_AAAAMM.csv after the month that ends the quarter. They are ISO-8859-1 with
// semicolons and LF, without quotes or escapes: a quote is a character, and a row is a line. So
// rows can be cut at line breaks and parsed on all processors; see rows.Table.
//
// CPF_CNPJ is a punctuated CNPJ or a masked CPF, whose rows are dropped ("nao_cnpj"). Dates are
// DD/MM/AAAA in the file and AAAAMMDD in the record; 01/01/1000 means unknown. Amounts have a
// decimal point and, below one real, no digit before it (.22). TIPO_CREDITO exists only in
// previdenciario, ENTIDADE_RESPONSAVEL and UNIDADE_INSCRICAO only in fgts, and the header tells the
// system. Until 2022 T3 the debtor's UF was missing.
//
// There is one row for each inscription and debtor. Co-debtors repeat the full amount, so amounts
// of different rows must not be added blindly (source.Facts says which may be).
package pgfn

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"razao/ingest/rows"
)

const id = "pgfn"

// PGFN returns the loader of pgfn. It reads every CSV file of the input (.csv or .csv.gz), one after
// the other, each on all workers. The period is the last month of the newest quarter. Notes say which systems are
// missing or of another quarter; Floor refuses a missing one unless the operator forces the load.
// Two quarters of one system, or one file twice, are an error: debts would count twice.
func PGFN() rows.Loader {
	return rows.Loader{Sources: []string{id}, Floor: floor, Read: read}
}

// floor is the loader's Floor: it refuses a load in which one system is missing or cut short, which
// the sum of all rows would hide.
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

// part is one CSV file of a system.
type part struct {
	file   *rows.File
	system system
	period string // AAAA-MM, "" when neither name nor path says it
	old    bool   // layout until 2022 T3: UF of the unit instead of the debtor's
}

// open returns the parts of an input. It reads all headers first, so that a file that does not fit
// is refused before hours of work.
func open(in *rows.Input) ([]part, error) {
	var parts []part
	for _, f := range in.Files {
		if !strings.HasSuffix(f.PlainName(), ".csv") {
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

// fits returns an error if p would count debts of parts again.
func fits(parts []part, p part) error {
	for _, q := range parts {
		if name := p.file.PlainName(); q.file.PlainName() == name {
			return fmt.Errorf("%s is there twice, as %s and as %s: leave one of them", name, q.file.Path, p.file.Path)
		}
		if q.system.id == p.system.id && q.period != p.period {
			return fmt.Errorf("%s and %s are both of the system %s, but of different quarters (%q and %q): leave one quarter",
				q.file.Path, p.file.Path, p.system.id, q.period, p.period)
		}
	}
	return nil
}

// facts returns the period of the load, and notes about systems that are missing, of different
// quarters or in the old layout.
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
