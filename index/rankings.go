package index

import (
	"context"
	"math/big"

	"razao/internal/cnpj"
)

// Rankings are figures of places, added up when the index was built. They never change.
type Rankings struct {
	index          *Index
	country        PlaceFigures
	ufs            map[string]*PlaceFigures
	municipalities map[string]*PlaceFigures
	since, until   int // AAAAMMDD
}

// PlaceFigures are the figures of one municipality, one UF or the country.
type PlaceFigures struct {
	Openings       []OpeningCount // by situação, then by year
	Closings       []ClosingCount // by year; nil in an index of before they were counted, as the next three
	Opened, Closed int64          // establishments, in the twelve months of Rankings.Lately
	// Activities are the most frequent main activities of the active head offices, at most 20, those of the most companies
	// first; nil for the country.
	Activities      []ActivityCount
	ActiveCompanies int64    // active head offices
	Capital         *big.Int // cents, of the active head offices whose capital is known; not to be changed
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

// Rankings returns the figures of places.
func (ix *Index) Rankings() *Rankings { return ix.rankings }

// Lately returns the twelve months that end with the month of the load, as their first day and the day after the last,
// AAAAMMDD. Both are 0 when the load has no month or the index is of before they were counted.
func (r *Rankings) Lately() (since, until int) { return r.since, r.until }

// Country returns the figures of all UFs together.
func (r *Rankings) Country() PlaceFigures { return r.country }

// UF returns the figures of a UF, false when it has no establishment.
func (r *Rankings) UF(code string) (PlaceFigures, bool) { return figuresOf(r.ufs, code) }

// Municipality returns the figures of a municipality by its four digits, false when it has no establishment.
func (r *Rankings) Municipality(code string) (PlaceFigures, bool) {
	return figuresOf(r.municipalities, code)
}

func figuresOf(places map[string]*PlaceFigures, code string) (PlaceFigures, bool) {
	if f := places[code]; f != nil {
		return *f, true
	}
	return PlaceFigures{}, false
}

// Top returns the n most important active head offices of a municipality or, when that is "", of a UF, or, when both
// are "", of the country.
func (r *Rankings) Top(ctx context.Context, uf, municipio string, n int) ([]cnpj.Full, error) {
	out := make([]cnpj.Full, 0, n)
	q := Query{Filters: Filters{UF: uf, Municipio: municipio, Situacao: situacaoAtiva, HeadOffice: Yes}}
	err := r.index.Each(ctx, q, n, func(number cnpj.Full) error {
		out = append(out, number)
		return nil
	})
	return out, err
}
