// Package records writes what the public-record sources say about the companies of a world, and about people, each as
// its publisher does.
package records

import (
	"fmt"
	"slices"
	"time"

	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// nationwide is how many companies the volumes of the publishers are for.
const nationwide = 69_000_000

// The publishers' dialects.
var (
	pgfnDialect     = table.Dialect{End: "\n", Windows: true}
	cguDialect      = table.Dialect{Quoting: table.Always, End: "\r\n", Windows: true}
	mteDialect      = table.Dialect{Lead: "\r\n", Windows: true} // line breaks between the rows only: none stands at the end
	mteTextDialect  = table.Dialect{End: "\r\n", Windows: true}
	importerDialect = table.Dialect{Quoting: table.AsNeeded, End: "\r\n", Windows: true}
	ibamaDialect    = table.Dialect{Quoting: table.AsNeeded, End: "\n"}
	carrierDialect  = table.Dialect{Quoting: table.Always, PlainHeader: true, End: "\r\n", Windows: true}
	pncpDialect     = table.Dialect{End: "\n"}
	bndesDialect    = table.Dialect{Quoting: table.AsNeeded, End: "\r\n", Windows: true}
)

// sources invents the records. Every row follows from its position.
type sources struct {
	*world.World
	quarter   time.Time    // last day of the newest quarter that has ended
	last      world.Day    // of the month
	debts     int          // rows of pgfn
	bodies    []int        // companies that contract for the state, the first by far the most
	years     []noticeYear // of ibama_autos
	debtors   crowd
	suppliers crowd
	clients   crowd
	offenders crowd
}

// Files returns the tables of all sources: debts rows of pgfn, of the others and for 0 debts as many as the companies
// would have in proportion to the country.
func Files(w *world.World, debts int) ([]table.File, error) {
	if debts < 0 {
		return nil, fmt.Errorf("%d rows of pgfn", debts)
	}
	year, month := w.Month.Year(), w.Month.Month()
	s := &sources{
		World: w, debts: debts, last: world.DayOf(year, month+1, 0),
		quarter: time.Date(year, (month/3)*3+1, 0, 0, 0, 0, 0, time.UTC),
		bodies:  publicBodies(w),
		debtors: newCrowd(w, 11, 6), suppliers: newCrowd(w, 12, 50), clients: newCrowd(w, 13, 50), offenders: newCrowd(w, 14, 200),
	}
	if s.debts == 0 {
		s.debts = s.volume(49_700_000, 400)
	}
	s.years = s.noticeYears()
	var files []table.File
	for _, sheet := range s.sheets() {
		files = append(files, sheet.file())
	}
	return files, nil
}

// volume returns the rows of a table with so many nationwide, and at least so many.
func (s *sources) volume(nation, least int) int {
	return max(least, nation*s.Companies/nationwide)
}

// daily returns the date in the names of files that are published every day, some days before the month's end.
func (s *sources) daily(before world.Day) string { return s.Compact(s.last - before) }

// sheets returns the tables of all sources in the order in which they are written.
func (s *sources) sheets() []sheet {
	month := s.Month.Format
	cepim, agreements, effects := s.daily(2)+"_CEPIM", s.daily(17)+"_Acordos", s.daily(17)+"_Efeitos"
	employers := s.volume(579, 60)
	return slices.Concat(
		s.debtSheets(),
		[]sheet{
			s.sanctionSheet(ceis),
			s.sanctionSheet(cnep),
			{source: "cepim", name: cepim + ".zip", member: cepim + ".csv", dialect: cguDialect, to: s.volume(3_526, 30), row: s.impediment},
			{source: "acordos_leniencia", name: agreements + ".zip", member: agreements + ".csv", dialect: cguDialect, to: s.signatures(), row: s.agreement},
			{source: "acordos_leniencia", name: agreements + ".zip", member: effects + ".csv", dialect: cguDialect, to: s.effects(), row: s.effect},
			{source: "mte_empregadores", name: "cadastro_de_empregadores.csv", dialect: mteDialect, to: employers, row: s.employer},
			{ // the same padded with blanks, which alone says how old the register is
				source: "mte_empregadores", name: "cadastro_de_empregadores.txt", dialect: mteTextDialect, to: employers, row: s.employer,
				join: padded, header: s.employerTitle(), footer: employerNotes, repeats: true,
			},
			{source: "mte_ceac", name: month("2006_0001.csv"), dialect: mteDialect, to: s.volume(40, 18), row: s.adjustment},
			{
				source: "habilitacao_aduaneira", name: "empresas-habilitadas.csv", dialect: importerDialect, to: s.importers(), row: s.importer,
				modified: s.Month.AddDate(0, 0, 19),
			},
		},
		s.noticeSheets(),
		[]sheet{
			{
				source: "ibama_embargos", name: "termo_embargo_csv.zip", member: "termo_embargo.csv", dialect: ibamaDialect,
				piece: 512, to: s.embargoRows(), titles: embargoTitles, row: s.embargo,
			},
			{
				source: "rntrc", name: month("transportadores_rntrc_01_2006.csv"), dialect: carrierDialect, to: s.carriers(), row: s.carrier,
				loose: func(x int) bool { return x%250 == 16 },
			},
		},
		s.contractSheets(),
		[]sheet{
			{source: "bndes", name: "operacoes-financiamento-operacoes-indiretas-automaticas.csv", dialect: bndesDialect, to: s.automaticRows(), row: s.automatic},
			{source: "bndes", name: "operacoes-financiamento-operacoes-nao-automaticas.csv", dialect: bndesDialect, to: s.volume(23_339, 36), row: s.direct},
		},
	)
}
