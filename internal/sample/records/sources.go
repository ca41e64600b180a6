// Package records writes what the public-record sources say about the companies of a world, and about people, each as
// its publisher does.
package records

import (
	"fmt"
	"slices"
	"strings"
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
	last      world.Day    // on which they were fetched
	debts     int          // rows of pgfn
	bodies    []int        // companies that contract for the state, the first by far the most
	years     []noticeYear // of ibama_autos
	debtors   crowd
	suppliers crowd
	clients   crowd
	offenders crowd
}

// Files returns the tables of all sources as they were on a day, AAAA-MM-DD, "" for the last of the month; those that are
// published by the month are of the world's. pgfn gets so many rows of debts; the others, and pgfn when debts is 0, get
// what the world's companies have of the national volume.
func Files(w *world.World, day string, debts int) ([]table.File, error) {
	if debts < 0 {
		return nil, fmt.Errorf("%d rows of pgfn", debts)
	}
	year, month := w.Month.Year(), w.Month.Month()
	last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC)
	if day != "" {
		var err error
		if last, err = time.Parse(time.DateOnly, day); err != nil || last.Before(w.Month) || last.After(w.Month.AddDate(0, 6, 0)) {
			return nil, fmt.Errorf("day %q is not of the form AAAA-MM-DD, within half a year from the month %s on", day, w.Month.Format("2006-01"))
		}
	}
	s := &sources{
		World: w, debts: debts, last: world.DayOf(last.Date()),
		quarter: time.Date(year, (month/3)*3+1, 0, 0, 0, 0, 0, time.UTC),
		bodies:  publicBodies(w),
		debtors: newCrowd(w, 11, 6), suppliers: newCrowd(w, 12, 50), clients: newCrowd(w, 13, 50), offenders: newCrowd(w, 14, 200),
	}
	if s.debts == 0 {
		s.debts = s.volume(49_700_000, 400)
	}
	s.years = s.noticeYears()
	return s.files(), nil
}

// volume returns the rows of a table with so many nationwide, and at least so many.
func (s *sources) volume(nation, least int) int {
	return max(least, nation*s.Founders/nationwide)
}

// daily returns the date in the names of files that are published every day, some days before they are fetched.
func (s *sources) daily(before world.Day) string { return s.Compact(s.last - before) }

// files declares the tables of all sources in the order in which they are written.
func (s *sources) files() []table.File {
	month := s.Month.Format
	cepim, agreements, effects := s.daily(2)+"_CEPIM", s.daily(agreementsLag)+"_Acordos", s.daily(agreementsLag)+"_Efeitos"
	employers := s.volume(579, 60)
	return slices.Concat(
		s.debtFiles(),
		[]table.File{
			s.sanctionFile(ceis),
			s.sanctionFile(cnep),
			{Folder: "cepim", Name: cepim + ".zip", Member: cepim + ".csv", Dialect: cguDialect, To: s.volume(3_526, 30), Row: s.impediment},
			{Folder: "acordos_leniencia", Name: agreements + ".zip", Member: agreements + ".csv", Dialect: cguDialect, To: s.signatures(), Row: s.agreement},
			{Folder: "acordos_leniencia", Name: agreements + ".zip", Member: effects + ".csv", Dialect: cguDialect, To: s.effects(), Row: s.effect},
			{Folder: "mte_empregadores", Name: "cadastro_de_empregadores.csv", Dialect: mteDialect, To: employers, Row: s.employer},
			{ // the same padded with blanks, which alone says how old the register is
				Folder: "mte_empregadores", Name: "cadastro_de_empregadores.txt", Dialect: mteTextDialect, To: employers, Row: s.employer,
				Join: padded, Header: s.employerTitle(), Footer: employerNotes, Uncounted: true,
			},
			{Folder: "mte_ceac", Name: month("2006_0001.csv"), Dialect: mteDialect, To: s.volume(40, 18), Row: s.adjustment},
			{
				Folder: "habilitacao_aduaneira", Name: "empresas-habilitadas.csv", Dialect: importerDialect, To: s.importers(), Row: s.importer,
				Modified: s.Month.AddDate(0, 0, 19),
			},
		},
		s.noticeFiles(),
		[]table.File{
			{
				Folder: "ibama_embargos", Name: "termo_embargo_csv.zip", Member: "termo_embargo.csv", Dialect: ibamaDialect,
				Piece: 512, To: s.embargoRows(), Titles: strings.Split(strings.TrimSpace(embargoTitles), ";"), Row: s.embargo,
			},
			{
				Folder: "rntrc", Name: month("transportadores_rntrc_01_2006.csv"), Dialect: carrierDialect, To: s.carriers(), Row: s.carrier,
				Loose: func(x int) bool { return x%250 == 16 },
			},
		},
		s.contractFiles(),
		[]table.File{
			{Folder: "bndes", Name: "operacoes-financiamento-operacoes-indiretas-automaticas.csv", Dialect: bndesDialect, To: s.automaticRows(), Row: s.automatic},
			{Folder: "bndes", Name: "operacoes-financiamento-operacoes-nao-automaticas.csv", Dialect: bndesDialect, To: s.volume(23_339, 36), Row: s.direct},
		},
	)
}

// agreementsLag is how many days the agreements of leniency are old when they are fetched.
const agreementsLag = 5

// timeOfDay returns one in working hours.
func timeOfDay(d *dice) string {
	return table.Digits(7+d.N(12), 2) + ":" + table.Digits(d.N(60), 2) + ":" + table.Digits(d.N(60), 2)
}
