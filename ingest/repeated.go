package ingest

import (
	"bytes"
	"cmp"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry/pack"
)

// repetition is how repeated rows of a company, establishment or option are counted: under rule each
// row left out, under note each choice between two rows that differed.
type repetition struct{ rule, note string }

var (
	repeatedCompany       = repetition{"empresa_repetida", "empresa_divergente"}
	repeatedEstablishment = repetition{"estabelecimento_repetido", "estabelecimento_divergente"}
	repeatedSimples       = repetition{"simples_repetido", "simples_divergente"}
)

// choose returns the one of two packed rows that is kept: that of the higher rank, of equal rank the
// one that says more (is longer), of equal length the last by its bytes. So the choice does not depend
// on the order of rows or files.
func (m *merger) choose(r repetition, kept, next []byte, rank func(row []byte) (int64, error)) ([]byte, error) {
	m.discard(r.rule, 1)
	if bytes.Equal(kept, next) {
		return kept, nil
	}
	m.out.counts.Marked[r.note]++
	before, err := rank(kept)
	if err != nil {
		return nil, err
	}
	after, err := rank(next)
	if err != nil {
		return nil, err
	}
	if cmp.Or(cmp.Compare(before, after), cmp.Compare(len(kept), len(next)), bytes.Compare(kept, next)) < 0 {
		return next, nil
	}
	return kept, nil
}

// rankCompany ranks companies with a name over those without: in some months a blank row accompanies a
// good one.
func rankCompany(row []byte) (int64, error) {
	return int64(min(row[0], 1)), nil // the packed form begins with the length of the name
}

// rankEstablishment ranks establishments of a root by the date of their status.
func rankEstablishment(root cnpj.Root) func(row []byte) (int64, error) {
	return func(row []byte) (int64, error) {
		var e record.Establishment
		err := pack.DecodeEstablishment(row, root, &e)
		return int64(e.DataSituacaoCadastral), err
	}
}

// rankSimples ranks options by the last of their dates.
func rankSimples(row []byte) (int64, error) {
	var s record.Simples
	err := pack.DecodeSimples(row, &s)
	return int64(max(s.DataOpcaoPeloSimples, s.DataExclusaoSimples, s.DataOpcaoPeloMEI, s.DataExclusaoMEI)), err
}
