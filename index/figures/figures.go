package figures

import "math/big"

// Rankings are figures of places, added up when the index was built. They never change.
type Rankings struct {
	country        Sums
	ufs            map[string]*Sums
	municipalities map[string]*Sums
	since, until   int // AAAAMMDD
}

// Sums are the figures of one municipality, one UF or the country.
type Sums struct {
	Openings       []OpeningCount // by situação, then by year
	Closings       []ClosingCount // by year
	Opened, Closed int64          // establishments, in the twelve months of Rankings.Lately
	// Activities are the most frequent main activities of the active head offices, at most 20, those of the most companies
	// first; nil for the country.
	Activities      []ActivityCount
	ActiveCompanies int64 // active head offices
	// Capital is that of the active head offices, in cents, without what ImplausibleCompanies of them have: see
	// record.ImplausibleCapital. PublishedCapital is with it. Neither is to be changed.
	Capital, PublishedCapital *big.Int
	ImplausibleCompanies      int64
}

// OpeningCount is how many establishments of one situação were opened in one year.
type OpeningCount struct {
	Situacao string // 2 digits
	Year     int    // 0 unknown
	Count    int64
}

// ClosingCount is how many of the closed establishments were closed in one year.
type ClosingCount struct {
	Year  int // 0 unknown
	Count int64
}

// ActivityCount is how many active companies have an activity as their main one.
type ActivityCount struct {
	CNAE  string // 7 digits
	Count int64
}

// Lately returns the twelve months that end with the month of the load, as their first day and the day after the last,
// AAAAMMDD. Both are 0 when the load has no month.
func (r *Rankings) Lately() (since, until int) { return r.since, r.until }

// Country returns the figures of all UFs together.
func (r *Rankings) Country() Sums { return r.country }

// UF returns the figures of a UF, false when it has no establishment.
func (r *Rankings) UF(code string) (Sums, bool) { return figuresOf(r.ufs, code) }

// Municipality returns the figures of a municipality by its four digits, false when it has no establishment.
func (r *Rankings) Municipality(code string) (Sums, bool) {
	return figuresOf(r.municipalities, code)
}

func figuresOf(places map[string]*Sums, code string) (Sums, bool) {
	if f := places[code]; f != nil {
		return *f, true
	}
	return Sums{}, false
}
