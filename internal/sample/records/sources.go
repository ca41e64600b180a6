// Package records declares what the public-record sources publish about the companies of a
// world.World, and about people, each in the format of its publisher: names of files, headers,
// encodings, separators, dates and amounts.
//
// A row is a function of its position alone: its facts are drawn from sequences of the position,
// and whom it is about is a company that is looked for until one fits (see find and crowd). Volumes
// are the national ones in proportion to the number of companies, with a minimum that lets each
// kind of row occur. Oddities of the real files (wrong check digits, CPFs in free text, lost zeros,
// repeated rows, …) recur at fixed positions, so that also the smallest sample has them.
//
// Which records a company has is skewed as in reality: most have none, a few have very many, and
// one giant has thousands in several sources.
package records

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// nationwide is the number of companies to which the national volumes belong.
const nationwide = 69_000_000

// The publishers' dialects. Windows-1252 is also used for those that publish ISO-8859-1.
var (
	pgfnDialect     = table.Dialect{End: "\n", Windows: true}
	cguDialect      = table.Dialect{Quoting: table.Always, End: "\r\n", Windows: true}
	mteDialect      = table.Dialect{Lead: "\r\n", Windows: true} // no line break behind the last row
	mteTextDialect  = table.Dialect{End: "\r\n", Windows: true}
	importerDialect = table.Dialect{Quoting: table.AsNeeded, End: "\r\n", Windows: true}
	ibamaDialect    = table.Dialect{Quoting: table.AsNeeded, End: "\n"}
	carrierDialect  = table.Dialect{Quoting: table.Always, PlainHeader: true, End: "\r\n", Windows: true}
	pncpDialect     = table.Dialect{End: "\n"}
	bndesDialect    = table.Dialect{Quoting: table.AsNeeded, End: "\r\n", Windows: true}
)

// sources makes the rows of all sources. It is immutable once made, so rows can be made
// concurrently.
type sources struct {
	*world.World
	quarter   time.Time    // last day of the newest quarter that has ended
	last      world.Day    // day on which the sources are fetched
	debts     int          // rows of pgfn
	bodies    []int        // indexes of public bodies that contract; the first has by far the most
	years     []noticeYear // of ibama_autos, ascending
	debtors   crowd
	suppliers crowd
	clients   crowd
	offenders crowd
}

// Files returns the tables of all sources as fetched on day, AAAA-MM-DD, "" for the last of the
// world's month. It must lie within half a year after the month began. Sources that are published
// by month or quarter are of the world's month. pgfn gets debts rows, or for 0 its proportional
// volume; every other source gets its proportional volume.
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

// volume returns the proportional number of rows of a table with nation rows nationwide, at least
// least.
func (s *sources) volume(nation, least int) int {
	return max(least, nation*s.Founders/nationwide)
}

// daily returns AAAAMMDD for the name of a daily file that was published before days ahead of the
// fetch.
func (s *sources) daily(before world.Day) string { return s.Compact(s.last - before) }

// files declares the tables of all sources, in the order in which they are written.
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
			{ // the text twin: the same rows, padded, below a title with the date
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

// agreementsLag is how many days before the fetch the leniency agreements were published.
const agreementsLag = 5

// timeOfDay returns HH:MM:SS in working hours.
func timeOfDay(d *dice) string {
	return table.Digits(7+d.N(12), 2) + ":" + table.Digits(d.N(60), 2) + ":" + table.Digits(d.N(60), 2)
}
