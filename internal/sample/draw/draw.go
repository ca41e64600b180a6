// Package draw makes seeded choices: every topic and index has a sequence of its own, so that each aspect of an invented
// thing can be derived alone.
package draw

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// Topic separates the sequences of one index.
type Topic uint64

// The topics. Their numbers are part of every sample, so new ones go to the end.
const (
	Number Topic = iota + 1
	Trap
	Company
	Name
	Brand
	Branches
	Establishment
	Address
	Partner
	Person
	Family
	Simples
	Order
	Debt
	Debtor
	Sanction
	Impediment
	Agreement
	Signatory
	Employer
	Adjustment
	Importer
	Notice
	Embargo
	Carrier
	Contract
	Version
	Financing
	Event
	EventDay
	Move
	Rename
	Raise
	Density
)

// Dice is a deterministic source of choices.
type Dice struct{ pcg rand.PCG }

// New returns the sequence of a topic and an index.
func New(seed uint64, t Topic, index uint64) Dice {
	var d Dice
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

// N returns 0 to k-1.
func (d *Dice) N(k int) int {
	hi, _ := bits.Mul64(d.pcg.Uint64(), uint64(k))
	return int(hi)
}

// Permille is true p times in a thousand.
func (d *Dice) Permille(p int) bool { return d.N(1000) < p }

// OneOf picks one of the texts with equal chances; a text that stands twice has two.
func (d *Dice) OneOf(texts ...string) string { return texts[d.N(len(texts))] }

// Skewed returns 0 to n-1, small numbers more often.
func (d *Dice) Skewed(n int) int {
	u := float64(d.pcg.Uint64()>>11) / (1 << 53)
	return int(u * math.Sqrt(u) * float64(n))
}

// Cents returns a sum of money: low reais at least, evenly spread over so many powers of ten.
func (d *Dice) Cents(low, powers int) int {
	for range d.N(powers) {
		low *= 10
	}
	return low*100 + d.N(low*900)
}

// Rung returns the index of the share that chance u falls on, when each has so many chances; their number beyond the last.
func Rung(u int, chances ...int) int {
	for i, share := range chances {
		if u < share {
			return i
		}
		u -= share
	}
	return len(chances)
}

// Ladder returns the text whose share chance u falls on, "" beyond the last.
func Ladder(u int, chances []int, texts ...string) string {
	if i := Rung(u, chances...); i < len(texts) {
		return texts[i]
	}
	return ""
}

// Weighted picks indexes in proportion to weights in constant time (Vose's alias method).
type Weighted struct {
	keep  []uint32
	other []uint16
}

// NewWeighted takes at most 65,536 weights with a positive sum.
func NewWeighted(weights []uint64) Weighted {
	n := len(weights)
	w := Weighted{keep: make([]uint32, n), other: make([]uint16, n)}
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

// Zipf returns the weights of n ranks, the first the heaviest.
func Zipf(n int) []uint64 {
	w := make([]uint64, n)
	for i := range w {
		w[i] = 1_000_000_000 / uint64(i+3)
	}
	return w
}

// Pick returns an index.
func (w *Weighted) Pick(d *Dice) int {
	u := d.pcg.Uint64()
	hi, lo := bits.Mul64(u, uint64(len(w.keep)))
	if uint32(lo>>32) <= w.keep[hi] {
		return int(hi)
	}
	return int(w.other[hi])
}

// Shuffle is a permutation of 0 to n-1.
type Shuffle struct{ a, b, n uint64 }

// NewShuffle returns the permutation whose neighbours lie about step apart: ascending runs of n/step. Every number which
// gives another one.
func NewShuffle(seed uint64, n, step int, which uint64) Shuffle {
	d := New(seed, Order, which)
	a := uint64(max(step, 1))
	for gcd(a, uint64(n)) != 1 {
		a++
	}
	return Shuffle{a: a, b: uint64(d.N(n)), n: uint64(n)}
}

// At returns the number at a position, a multiple of n added to it or not.
func (s Shuffle) At(x int) int { return int((uint64(x)*s.a + s.b) % s.n) }

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
