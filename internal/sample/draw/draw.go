// Package draw makes seeded random choices. A sequence is addressed by seed, topic and index, so
// any aspect of any invented thing can be derived on its own, in any order and on any goroutine,
// without generating what comes before.
//
// Sequences are PCG generators seeded through splitmix64. The bytes of every sample depend on the
// algorithms of this package, on the numbers of the topics and on how often each sequence is drawn
// from, so changing any of them changes all samples.
package draw

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// Topic selects one of the independent sequences of an index.
type Topic uint64

// The topics. Their numbers enter every sample: append new ones at the end.
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

// Dice is one sequence. The zero value is not seeded; use New. A Dice is not safe for concurrent
// use; copying it forks the sequence.
type Dice struct{ pcg rand.PCG }

// New returns the sequence of a topic and an index at its start.
func New(seed uint64, t Topic, index uint64) Dice {
	var d Dice
	d.pcg.Seed(mix(seed+uint64(t)*0x9e3779b97f4a7c15), mix(index))
	return d
}

// mix is one step of splitmix64; its finaliser makes neighbouring indexes unrelated.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// N returns a number from 0 to k-1; k must be positive. It scales by multiplication, whose bias is
// negligible for the k that occur.
func (d *Dice) N(k int) int {
	hi, _ := bits.Mul64(d.pcg.Uint64(), uint64(k))
	return int(hi)
}

// Permille returns true with probability p/1000.
func (d *Dice) Permille(p int) bool { return d.N(1000) < p }

// OneOf returns one of the texts, each with the same probability; repeat a text to weigh it.
func (d *Dice) OneOf(texts ...string) string { return texts[d.N(len(texts))] }

// Skewed returns a number from 0 to n-1 whose density falls from 0 on: the transform u^1.5 of a
// uniform u.
func (d *Dice) Skewed(n int) int {
	u := float64(d.pcg.Uint64()>>11) / (1 << 53)
	return int(u * math.Sqrt(u) * float64(n))
}

// Cents returns an amount in cents from low reais up. It first draws one of the given number of
// powers of ten, each with the same probability, and then uniformly within it, which is roughly
// log-uniform.
func (d *Dice) Cents(low, powers int) int {
	for range d.N(powers) {
		low *= 10
	}
	return low*100 + d.N(low*900)
}

// Rung returns the index of the interval that u falls into when intervals of the given widths
// follow each other from 0 on, and len(chances) when u lies beyond the last.
func Rung(u int, chances ...int) int {
	for i, share := range chances {
		if u < share {
			return i
		}
		u -= share
	}
	return len(chances)
}

// Ladder returns the text of the interval that u falls into, as Rung numbers them; "" beyond the
// last.
func Ladder(u int, chances []int, texts ...string) string {
	if i := Rung(u, chances...); i < len(texts) {
		return texts[i]
	}
	return ""
}

// Weighted picks indexes in proportion to weights in O(1), by Vose's alias method. It is immutable
// and safe for concurrent use.
type Weighted struct {
	keep  []uint32 // probability, in 2^-32, of keeping the column drawn
	other []uint16 // alias taken otherwise
}

// NewWeighted returns a Weighted of up to 65,536 weights, whose sum must be positive. It takes
// O(n).
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
	for _, i := range append(small, large...) { // left over by rounding: probability 1
		w.keep[i], w.other[i] = 1<<32-1, uint16(i)
	}
	return w
}

// Zipf returns n weights that fall as 1/(rank+3), the usual shape of word and name frequencies.
func Zipf(n int) []uint64 {
	w := make([]uint64, n)
	for i := range w {
		w[i] = 1_000_000_000 / uint64(i+3)
	}
	return w
}

// Pick returns an index, with one draw.
func (w *Weighted) Pick(d *Dice) int {
	u := d.pcg.Uint64()
	hi, lo := bits.Mul64(u, uint64(len(w.keep)))
	if uint32(lo>>32) <= w.keep[hi] {
		return int(hi)
	}
	return int(w.other[hi])
}

// Shuffle is a permutation of 0 to n-1 that needs no memory: it maps x to (a*x + b) mod n, with a
// prime to n.
type Shuffle struct{ a, b, n uint64 }

// NewShuffle returns a permutation that maps neighbours about step apart, so that images ascend in
// runs of about n/step. which selects one of many permutations with the same step.
func NewShuffle(seed uint64, n, step int, which uint64) Shuffle {
	d := New(seed, Order, which)
	a := uint64(max(step, 1))
	for gcd(a, uint64(n)) != 1 {
		a++
	}
	return Shuffle{a: a, b: uint64(d.N(n)), n: uint64(n)}
}

// At returns the image of x; x may exceed n, which wraps around.
func (s Shuffle) At(x int) int { return int((uint64(x)*s.a + s.b) % s.n) }

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
