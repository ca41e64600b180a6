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
