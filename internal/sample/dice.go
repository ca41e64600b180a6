package sample

import (
	"math/bits"
	"math/rand/v2"
)

// topic separates the random sequences of one index, so that each aspect of a company can be derived alone.
type topic uint64

const (
	topicNumber topic = iota + 1
	topicTrap
	topicCompany
	topicName
	topicBrand
	topicBranches
	topicEstablishment
	topicAddress
	topicPartner
	topicPerson
	topicFamily
	topicSimples
	topicShuffle
	topicDebt
	topicDebtor
	topicSanction
	topicImpediment
	topicAgreement
	topicSignatory
	topicEmployer
	topicAdjustment
	topicImporter
	topicNotice
	topicEmbargo
	topicCarrier
	topicContract
	topicVersion
	topicFinancing
	topicBody
)

// dice is a deterministic source of choices.
type dice struct{ pcg rand.PCG }

func newDice(seed uint64, t topic, index uint64) dice {
	var d dice
	d.pcg.Seed(mix(seed+uint64(t)*0x9e3779b97f4a7c15), mix(index))
	return d
}

// mix is the finaliser of splitmix64: neighbouring indexes give unrelated sequences.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// n returns 0 to k-1.
func (d *dice) n(k int) int {
	hi, _ := bits.Mul64(d.pcg.Uint64(), uint64(k))
	return int(hi)
}

// permille is true p times in a thousand.
func (d *dice) permille(p int) bool { return d.n(1000) < p }

// weighted picks indexes in proportion to weights in constant time (Vose's alias method).
type weighted struct {
	keep  []uint32
	other []uint16
}

// newWeighted takes at most 65,536 weights with a positive sum.
func newWeighted(weights []uint64) weighted {
	n := len(weights)
	w := weighted{keep: make([]uint32, n), other: make([]uint16, n)}
	var total uint64
	for _, x := range weights {
		total += x
	}
	scaled := make([]float64, n)
	var small, large []int
	for i, x := range weights {
		scaled[i] = float64(x) * float64(n) / float64(total)
		if scaled[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		w.keep[s], w.other[s] = uint32(scaled[s]*(1<<32-1)), uint16(l)
		scaled[l] -= 1 - scaled[s]
		if scaled[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, i := range append(small, large...) { // left over by rounding: certain
		w.keep[i], w.other[i] = 1<<32-1, uint16(i)
	}
	return w
}

// zipf returns the weights of n ranks, the first the heaviest.
func zipf(n int) []uint64 {
	w := make([]uint64, n)
	for i := range w {
		w[i] = 1_000_000_000 / uint64(i+3)
	}
	return w
}

func (w *weighted) pick(d *dice) int {
	u := d.pcg.Uint64()
	hi, lo := bits.Mul64(u, uint64(len(w.keep)))
	if uint32(lo>>32) <= w.keep[hi] {
		return int(hi)
	}
	return int(w.other[hi])
}
