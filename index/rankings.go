package index

import (
	"context"

	"razao/index/figures"
	"razao/index/filter"
	"razao/index/term"
	"razao/internal/data/cnpj"
)

// Rankings returns the figures of places, which the index was built with. They are read-only.
func (ix *Index) Rankings() *figures.Rankings { return ix.rankings }

// Top returns the n most important active head offices in a municipality (the tax authority's
// code), or in a UF if municipio is "", or in the country if both are "".
func (ix *Index) Top(ctx context.Context, uf, municipio string, n int) ([]cnpj.Full, error) {
	out := make([]cnpj.Full, 0, n)
	q := Query{Filters: filter.Of(filter.UF, uf, filter.Municipio, municipio, filter.Situacao, term.SituacaoAtiva, filter.HeadOffice, "matriz")}
	err := ix.Each(ctx, q, n, func(number cnpj.Full) error {
		out = append(out, number)
		return nil
	})
	return out, err
}
