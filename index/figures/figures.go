package figures

import "math/big"

// Rankings has the figures of all places of one index. It is immutable and safe for concurrent use.
type Rankings struct {
	country        Sums
	ufs            map[string]*Sums
	municipalities map[string]*Sums
	since, until   int // AAAAMMDD, until excluded
}

// Sums are the figures of one municipality, one UF or the country. Slices and big.Ints are shared
// with Rankings: callers must not change them.
type Sums struct {
	// Openings are sorted by situação, then by year; combinations without an establishment are left
	// out.
	Openings []OpeningCount
	// Closings are sorted by year; years without a closing are left out.
	Closings []ClosingCount
	// Opened and Closed count establishments in the twelve months of Rankings.Lately.
	Opened, Closed int64
	// Months are the thirteen months that end with the month of the load, oldest first: those twelve
	// and the one before, a year earlier than the last. It is nil when the load has no month.
	Months []MonthCount
	// Activities are the most frequent main activities of the active head offices, at most 20, most
	// frequent first, ties by code. It is nil for the country.
	Activities      []ActivityCount
	ActiveCompanies int64 // active head offices
	// Capital is the capital of the active head offices in cents, without the implausible amounts
	// (record.ImplausibleCapital). PublishedCapital includes them. Unknown capital counts as 0.
	// Both may exceed 64 bits.
	Capital, PublishedCapital *big.Int
	// ImplausibleCompanies is the number of active head offices whose capital is implausible.
	ImplausibleCompanies int64
}

// OpeningCount is the number of establishments opened in one year that have one situação today.
type OpeningCount struct {
	Situacao string // 2 digits, "" for unknown
	Year     int    // 0 for unknown
	Count    int64
}

// ClosingCount is the number of establishments closed (baixada) in one year that still are.
type ClosingCount struct {
	Year  int // 0 for unknown
	Count int64
}

// MonthCount is the number of establishments opened in one month, and of those closed (baixada) in it
// that still are.
type MonthCount struct{ Opened, Closed int64 }

// ActivityCount is the number of active head offices with one main activity.
type ActivityCount struct {
	CNAE  string // subclass, 7 digits
	Count int64
}

// Lately returns the twelve months that end with the month of the load as a half-open range of
// days, AAAAMMDD. Both are 0 when the load has no month.
func (r *Rankings) Lately() (since, until int) { return r.since, r.until }

// Country returns the sum of all UFs, "EX" (abroad) included.
func (r *Rankings) Country() Sums { return r.country }

// UF returns the figures of a UF by its two letters, false when it has no establishment.
func (r *Rankings) UF(code string) (Sums, bool) { return figuresOf(r.ufs, code) }

// Municipality returns the figures of a municipality by the four digits of the tax authority, false
// when it has no establishment.
func (r *Rankings) Municipality(code string) (Sums, bool) {
	return figuresOf(r.municipalities, code)
}

func figuresOf(places map[string]*Sums, code string) (Sums, bool) {
	if f := places[code]; f != nil {
		return *f, true
	}
	return Sums{}, false
}
