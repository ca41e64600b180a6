package build

import (
	"math/bits"

	"razao/index/term"
	"razao/internal/record"
)

const rootBits = 38 // of the 42 that a root has

// Rank returns the sort key of d; smaller is more important. From the highest bits: class (3), porte (2), number of
// establishments in powers of two (5), capital on a scale of 0.1 % steps (16), and the upper bits of the root, which
// keep equal companies from being one unsplittable heap. The second part makes the order total.
func (d *Doc) Rank() (hi, lo uint64) {
	hi = d.class()
	hi = hi<<2 | (3 - term.PorteRank(d.PorteEmpresa))
	hi = hi<<5 | uint64(31-min(bits.Len(uint(max(d.Branches, 1))), 31))
	hi = hi<<16 | (1<<16 - 1 - capitalStep(d.Capital))
	hi = hi<<rootBits | uint64(d.CNPJ.Root())>>(42-rootBits)
	return hi, uint64(d.CNPJ)
}

// class is 0 for active head offices, 1 for active branches, 2 and 3 for suspended and inapt ones, 4 and 5 for the rest.
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

// capitalStep is the capital as a number of 16 bits that rises with it: its length in bits and the ten bits after the first.
// One that no company has says nothing about its size.
func capitalStep(cents int64) uint64 {
	if cents <= 0 || record.ImplausibleCapital(record.Cents(cents)) {
		return 0
	}
	length := bits.Len64(uint64(cents))
	mantissa := uint64(cents) << (64 - length) << 1 >> 54
	return uint64(length)<<10 | mantissa
}

// rankBoundaries parts the key range at every class and porte, so that a first sorting pass spreads the documents.
func rankBoundaries() []uint64 {
	var out []uint64
	for i := uint64(1); i < 6<<2; i++ {
		out = append(out, i<<(5+16+rootBits))
	}
	return out
}
