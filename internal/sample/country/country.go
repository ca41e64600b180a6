// Package country derives the invented country that a sample is about: places, people, companies
// with their establishments, names and history. It is what the rows of all tables agree on.
//
// Nothing is stored per company or person. Each is a pure function of the seed and an index,
// computed from sequences of random choices ([Dice]) whenever it is asked for, so a country of 70
// million companies needs no more memory than one of ten, and its rows can be made in any order.
// Only word lists, places, activities and tables of weights are built once, in [New].
//
// Indexes of companies follow their age. Founders are the companies of the first release; later
// companies are appended month by month in the order in which they were opened. Time runs in months
// after the first release: from the month in which a company becomes known, one draw a month decides
// whether an event (closure, move, new partner, …) happens, and a company is derived by replaying
// its months. The first company opened after the first release has an event in every month, for
// demonstrations, and the same root in every series. A later release replays more months over the
// same companies, so the releases of one series are consistent.
package country

import "fmt"

// Country is the country in one month of a series of releases. It is immutable after New, and all
// methods are safe for concurrent use.
type Country struct {
	calendar
	Companies  int        // of this release; indexes 0 to Companies-1, oldest first
	Founders   int        // companies of the first release: the first indexes
	Months     int        // since the first release
	Activities []Activity // subclasses of CNAE, the most frequent first
	Frequent   Weighted   // indexes of Activities
	Cities     []City
	Population Weighted // indexes of Cities, weighted by inhabitants
	Abroad     []ForeignCity
	Giants     []Giant // a chain of pharmacies and a bank; the same one in a tiny country

	Surnames, Streets, Districts Lexicon

	men, women, brands Lexicon
	seed               uint64
	roots              numbering
	activities         map[string]int // indexes of Activities by code
	kinds              Weighted
	seats              Weighted // indexes of Cities, weighted by companies
	publications       []Day    // of each release, from the first to this one
	counts             []int    // companies of each release
}

// New returns the country of the release of month, in a series that began in month first with the
// given number of companies. Months are AAAA-MM. It is an error if there are too many companies, a
// month is malformed, or month precedes first.
func New(seed uint64, companies int, first, month string) (*Country, error) {
	if companies < 1 || companies > maxCompanies {
		return nil, fmt.Errorf("%d companies: between 1 and %d can be invented", companies, maxCompanies)
	}
	cal, err := newCalendar(month)
	if err != nil {
		return nil, err
	}
	c := &Country{
		calendar: *cal, seed: seed, Founders: companies,
		men: readLexicon("homens.txt", " "), women: readLexicon("mulheres.txt", " "), Surnames: readLexicon("sobrenomes.txt", " "),
		Streets: readLexicon("logradouros.txt", "|"), Districts: readLexicon("bairros.txt", "|"), brands: newLexicon(brandWords()),
	}
	if err := c.count(first); err != nil {
		return nil, err
	}
	if err := c.readActivities(); err != nil {
		return nil, err
	}
	if err := c.readPlaces(); err != nil {
		return nil, err
	}
	shares := make([]uint64, len(kinds))
	for i := range kinds {
		shares[i] = uint64(kinds[i].share)
	}
	c.kinds = newWeighted(shares)
	c.placeGiants()
	return c, nil
}

// Dice returns the sequence of a topic and an index.
func (c *Country) Dice(t Topic, index uint64) Dice { return newDice(c.seed, t, index) }

// GroupSize is how many companies form a group: the first of every GroupSize may hold others.
const GroupSize = 64

// Giant is a company with very many branches, as national chains and banks have.
type Giant struct{ Index, Branches, activity int }

func (c *Country) placeGiants() {
	c.Giants = []Giant{{c.Founders / 3, min(c.Founders/20, 5000), c.activities["4771701"]}}
	if bank := (Giant{c.Founders / 7, min(c.Founders/40, 500), c.activities["6422100"]}); bank.Index != c.Giants[0].Index {
		c.Giants = append(c.Giants, bank)
	}
}

// GiantOf returns the giant that company i is, or nil. Callers must not change it.
func (c *Country) GiantOf(i int) *Giant {
	for k := range c.Giants {
		if c.Giants[k].Index == i {
			return &c.Giants[k]
		}
	}
	return nil
}
