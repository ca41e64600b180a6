package build

import (
	"math/bits"

	"razao/index/term"
	"razao/internal/data/record"
)

// rootBits is how many upper bits of the 42-bit root fit the first part of the sort key.
const rootBits = 38 // of the 42 that a root has

// Rank returns the sort key of the document: smaller is more important. hi has, from the highest
// bit: class (3 bits), porte (2), number of establishments as a power of two (5), capital on a
// logarithmic scale in steps of 0.1 % (16), and the upper bits of the root (38). The root spreads
// equal companies, which could not be split into buckets otherwise. lo, the CNPJ, makes the order
// total.
func (d *Doc) Rank() (hi, lo uint64) {
	hi = d.class()
	hi = hi<<2 | (3 - term.PorteRank(d.PorteEmpresa))
	hi = hi<<5 | uint64(31-min(bits.Len(uint(max(d.Branches, 1))), 31))
	hi = hi<<16 | (1<<16 - 1 - capitalStep(d.Capital))
	hi = hi<<rootBits | uint64(d.CNPJ.Root())>>(42-rootBits)
	return hi, uint64(d.CNPJ)
}

// class returns 0 for active head offices, 2 for suspended and inapt ones and 4 for all others; one
// more for branches.
func (d *Doc) class() uint64 {
	var c uint64
	switch d.SituacaoCadastral {
	case term.SituacaoAtiva:
	case term.SituacaoSuspensa, term.SituacaoInapta:
		c = 2
	default:
		c = 4
	}
	if !d.HeadOffice {
		c++
	}
	return c
}

// capitalStep maps capital to 16 bits that order like it, as a floating-point number: its bit
// length and the ten bits behind the leading one. Implausible capital counts as none.
func capitalStep(cents int64) uint64 {
	if cents <= 0 || record.ImplausibleCapital(record.Cents(cents)) {
		return 0
	}
	length := bits.Len64(uint64(cents))
	mantissa := uint64(cents) << (64 - length) << 1 >> 54
	return uint64(length)<<10 | mantissa
}

// rankBoundaries splits the key range at every class and porte, so that the first pass of the sort
// spreads the documents over buckets.
func rankBoundaries() []uint64 {
	var out []uint64
	for i := uint64(1); i < 6<<2; i++ {
		out = append(out, i<<(5+16+rootBits))
	}
	return out
}
