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
}

// PlaceFigures are the figures of one municipality, one UF or the country.
type PlaceFigures struct {
	Openings        []OpeningCount // by situação, then by year
	ActiveCompanies int64          // active head offices
	Capital         *big.Int       // cents, of the active head offices whose capital is known; not to be changed
}

// OpeningCount is how many establishments of one situação were opened in one year.
type OpeningCount struct {
	Situacao string // 2 digits
	Year     int    // 0 unknown
	Count    int64
}

// Rankings returns the figures of places.
func (ix *Index) Rankings() *Rankings { return ix.rankings }

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
