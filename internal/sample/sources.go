package sample

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"razao/internal/sample/country"
)

// nationwide is the number of companies to which the national volumes belong.
const nationwide = 69_000_000

// The publishers' dialects.
var (
	pgfnDialect     = dialect{end: "\n", windows: true}
	cguDialect      = dialect{quoting: always, end: "\r\n", windows: true}
	mteDialect      = dialect{lead: "\r\n", windows: true} // no line break behind the last row
	importerDialect = dialect{quoting: asNeeded, end: "\r\n", windows: true}
	ibamaDialect    = dialect{quoting: asNeeded, end: "\n"}
	carrierDialect  = dialect{quoting: always, end: "\r\n", windows: true}
	pncpDialect     = dialect{end: "\n"}
	bndesDialect    = dialect{quoting: asNeeded, end: "\r\n", windows: true}
)

// sources makes the rows of the public-record sources. A row is a function of its position alone:
// its facts are drawn from a sequence of the position, and whom it is about is a company that is
// looked for until one fits. Volumes are the national ones in proportion to the number of companies,
// with a minimum that shows what there is.
//
// Which records a company has is skewed as in reality: most have none, a few have very many, and
// one giant has thousands in several sources. A sources is immutable once made.
//
// In the months of a series the records of the first release live on, and others are added ([living]):
// they are made by the sources of the first release, so that what does not change stays as it was. Only
// what publishers write anew in every edition follows the day on which the sources are fetched.
type sources struct {
	*country.Country
	quarter time.Time   // last day of the newest quarter that has ended
	last    country.Day // day on which the sources are fetched
	debts   int         // rows of pgfn in the first release
	first   *sources    // those of the first release
	giant   company     // the one with thousands of records
	bodies  []company   // public bodies that contract; the first has by far the most
	years   []int       // first row of ibama_autos of each year from firstNotices on, and the end

	order country.Shuffle // of the founders, in which all sources draw
}

// newSources returns the sources as fetched on day, AAAA-MM-DD, "" for the last of the country's
// month. It must lie within half a year after the month began. Sources that are published by month or
// quarter are of the country's month. pgfn gets debts rows in the first release, or for 0 its
// proportional volume. first are the sources of the first release, nil if these are.
func newSources(c *country.Country, day string, debts int, first *sources) (*sources, error) {
	if debts < 0 {
		return nil, fmt.Errorf("%d rows of pgfn", debts)
	}
	year, month := c.Month.Year(), c.Month.Month()
	last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC)
	if day != "" {
		var err error
		if last, err = time.Parse(time.DateOnly, day); err != nil || last.Before(c.Month) || last.After(c.Month.AddDate(0, 6, 0)) {
			return nil, fmt.Errorf("day %q is not of the form AAAA-MM-DD, within half a year from the month %s on", day, c.Month.Format("2006-01"))
		}
	}
	s := &sources{
		Country: c, first: first, debts: debts, last: country.DayOf(last.Date()), giant: c.Company(c.Giants[0].Index),
		quarter: time.Date(year, (month/3)*3+1, 0, 0, 0, 0, 0, time.UTC),
		order:   c.Shuffled(c.Founders, 1, 10),
	}
	if s.debts == 0 {
		s.debts = s.volume(49_700_000, 400)
	}
	if first == nil {
		s.first = s
	}
	s.findBodies()
	s.spreadNotices()
	return s, nil
}

// files declares the tables of all sources.
func (s *sources) files() []file {
	return slices.Concat(
		s.debtFiles(), s.sanctionFiles(), s.labourFiles(), s.tradeFiles(), s.noticeFiles(), s.contractFiles(), s.financingFiles(),
	)
}

// changes appends what differs between the living records of two months.
func (s *sources) changes(r *rowBuffer, before, now int) {
	debts := s.first.debtTables()
	for _, tables := range [][]living{debts[:], {ceis.table(s.first)}, {cnep.table(s.first)}} {
		changesOf(r, s.Country, tables, before, now)
	}
}

// volume returns the proportional number of rows of a table with nation rows nationwide, at least
// least.
func (s *sources) volume(nation, least int) int { return max(least, nation*s.Founders/nationwide) }

// until returns the last day of a month of the series, on which its records can have come about.
func (s *sources) until(month int) country.Day {
	return country.DayOf(s.first.Month.AddDate(0, month+1, -1).Date())
}

// since draws the day on which a record came about: from first on or, of one that became known later in the series, in
// that month.
func (s *sources) since(d *dice, first country.Day, l life) country.Day {
	if l.known > 0 {
		first = s.until(l.known-1) + 1
	}
	return s.Between(d, min(first, s.until(l.known)), s.until(l.known))
}

// edit returns the sequence for what a record is after its changes.
func (s *sources) edit(table country.Topic, x int, l life) dice {
	return s.Dice(ofEdit, uint64(table)<<48|uint64(l.edits)<<40|uint64(x))
}

// daily returns AAAAMMDD for the name of a daily file that was published before days ahead of the
// fetch.
func (s *sources) daily(before country.Day) string { return s.Compact(s.last - before) }

// known returns a founder as the first release has it, so that what happens to companies later does
// not change whom the records of the series are about.
func (s *sources) known(i int) company {
	c := s.Company(i)
	return c.AsKnown()
}

// find draws companies in Brazil from one founder in oneIn until one fits, at most 500 times; then
// it returns the giant. The distribution is skewed: half of the draws go to all of them, half of the
// rest to their first tenth, and so on, so a few companies get very many records, and the same ones
// in several sources. With oneIn 1 all founders have the same chance, but companies that are not
// active always have a fifth of it.
func (s *sources) find(d *dice, oneIn int, fits func(*company) bool) company {
	for range 500 {
		part := max(1, s.Founders/oneIn)
		for tier := 1; oneIn > 1 && tier < 4 && d.Permille(500); tier++ {
			part = part/10 + 1
		}
		c := s.known(s.order.At(d.N(part)))
		if c.Abroad == 0 && (c.Status == country.Active || d.Permille(200)) && fits(&c) {
			return c
		}
	}
	return s.giant
}

// somewhere returns the head office of a company, or with probability branch/1000 one of its
// branches.
func (s *sources) somewhere(d *dice, c company, branch int) country.Establishment {
	k := 0
	if c.Branches > 0 && d.Permille(branch) {
		k = 1 + d.N(c.Branches)
	}
	return s.Establishment(&c, k)
}

// ofGiant reports whether a record is one of the giant's, whose share of total records is one in
// oneIn but at most most.
func ofGiant(d *dice, total, oneIn, most int) bool { return d.N(total) < min(total/oneIn, most) }

// findBodies looks for active public bodies among at most 60,000 companies, so that a large country
// takes no longer. If there is none, the giant stands in.
func (s *sources) findBodies() {
	for x := range min(60_000, s.Founders) {
		if c := s.Company(s.order.At(x)); c.Kind.Style == country.Public && c.Status == country.Active {
			s.bodies = append(s.bodies, c)
		}
	}
	if len(s.bodies) == 0 {
		s.bodies = []company{s.giant}
	}
}

// party is whom a record is about: an establishment, or if natural is set a person.
type party struct {
	establishment country.Establishment
	person        country.PersonID
	natural       bool
	city          int // index of Country.Cities
}

// at returns an establishment as a party.
func at(e country.Establishment) party { return party{establishment: e, city: e.City} }

// resident draws a person and where he lives.
func (s *sources) resident(d *dice) party {
	return party{natural: true, person: s.Anyone(d), city: s.Population.Pick(d)}
}

func (s *sources) nameOf(p *party) string {
	if p.natural {
		return s.Person(p.person)
	}
	return s.Name(p.establishment.Company)
}

// numberOf returns the CNPJ or CPF with punctuation.
func (s *sources) numberOf(p *party) string {
	if p.natural {
		cpf := s.CPF(p.person)
		return cpf[:3] + "." + cpf[3:6] + "." + cpf[6:9] + "-" + cpf[9:]
	}
	return p.establishment.Full.Masked()
}

// proceeding draws the number of an administrative proceeding.
func proceeding(d *dice) string {
	return country.Digits(d.N(100_000), 5) + "." + country.Digits(d.N(1_000_000), 6) + "/" + country.Digits(2010+d.N(16), 4) +
		"-" + country.Digits(d.N(100), 2)
}

// timeOfDay draws HH:MM:SS in working hours.
func timeOfDay(d *dice) string {
	return country.Digits(7+d.N(12), 2) + ":" + country.Digits(d.N(60), 2) + ":" + country.Digits(d.N(60), 2)
}

// reais formats whole reais.
func reais(cents int) string { return strconv.Itoa(cents / 100) }

// activityCode returns a CNAE subclass with punctuation.
func activityCode(code string) string { return code[:4] + "-" + code[4:5] + "/" + code[5:] }

// either returns yes or no. Both arguments are evaluated, so neither may draw from a sequence.
func either(which bool, yes, no string) string {
	if which {
		return yes
	}
	return no
}

// cut returns at most n bytes of a text.
func cut(s string, n int) string { return strings.TrimRight(s[:min(len(s), n)], " ") }
