package sample

import (
	"fmt"
	"time"
)

// nationwide is how many companies the volumes of the publishers are for.
const nationwide = 69_000_000

// sources invents what the public-record sources say about the companies of a generator, and about people.
type sources struct {
	*generator
	month     time.Time // first day
	quarter   time.Time // last day of the newest quarter that has ended
	last      day       // of the month
	debts     int       // rows of pgfn
	bodies    []int     // companies that contract for the state, the first by far the most
	debtors   crowd
	suppliers crowd
	clients   crowd
	offenders crowd
	sections  map[string]string // activity → its name in capitals
}

func newSources(g *generator, o Options) (*sources, error) {
	month, err := time.Parse("2006-01", o.Month)
	if err != nil {
		return nil, err
	}
	if o.Debts < 0 {
		return nil, fmt.Errorf("%d rows of pgfn", o.Debts)
	}
	s := &sources{generator: g, month: month, debts: o.Debts, bodies: g.publicBodies()}
	s.last = dayOf(month.Year(), month.Month()+1, 0)
	s.quarter = time.Date(month.Year(), (month.Month()/3)*3+1, 0, 0, 0, 0, 0, time.UTC)
	if s.debts == 0 {
		s.debts = s.inProportion(49_700_000, 400)
	}
	s.debtors = g.newCrowd(11, 6)
	s.suppliers = g.newCrowd(12, 50)
	s.clients = g.newCrowd(13, 50)
	s.offenders = g.newCrowd(14, 200)
	s.sections, err = activityNames()
	return s, err
}

// inProportion returns the rows of a table with so many nationwide, and at least so many.
func (s *sources) inProportion(nation, least int) int {
	return max(least, nation*s.n/nationwide)
}

// files returns the tables of all sources.
func (s *sources) files() []file {
	var files []file
	for _, of := range []struct {
		source string
		files  []file
	}{
		{"pgfn", s.debtFiles()},
		{"ceis", s.sanctionFiles(ceis)},
		{"cnep", s.sanctionFiles(cnep)},
		{"cepim", s.impedimentFiles()},
		{"acordos_leniencia", s.agreementFiles()},
		{"mte_empregadores", s.employerFiles()},
		{"mte_ceac", s.adjustmentFiles()},
		{"habilitacao_aduaneira", s.importerFiles()},
		{"ibama_autos", s.noticeFiles()},
		{"ibama_embargos", s.embargoFiles()},
		{"rntrc", s.carrierFiles()},
		{"pncp", s.contractFiles()},
		{"bndes", s.financingFiles()},
	} {
		for _, f := range of.files {
			f.folder, f.table = of.source, sourceTable
			if !f.repeats {
				f.source = of.source
			}
			files = append(files, f)
		}
	}
	return files
}

// daily returns the date in the names of files that are published every day, some days before the month's end.
func (s *sources) daily(before int) string { return string(s.append(nil, s.last-day(before))) }
