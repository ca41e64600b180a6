package country

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// Topic selects one of the independent sequences of an index. Its number enters every draw.
type Topic uint64

// The topics of this package; those of its users follow Topics.
const (
	ofNumber Topic = iota + 1
	ofCompany
	ofName
	ofBrand
	ofBranches
	ofEstablishment
	ofOwner
	ofPerson
	ofFamily
	ofOrder
	ofEvent
	ofEventDay
	ofMove
	ofRename
	ofDensity
	Topics
)

// Dice is one seeded sequence of random choices, addressed by seed, topic and index. So any aspect
// of anything invented can be derived on its own, in any order and on any goroutine. Use
// [Country.Dice]; a Dice is not safe for concurrent use, and copying it forks the sequence.
type Dice struct{ pcg rand.PCG }

func newDice(seed uint64, t Topic, index uint64) Dice {
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

// Cents returns an amount in cents from low reais up, roughly log-uniform: one of the given number
// of powers of ten, then uniformly within it.
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

// Weighted picks indexes in proportion to weights with one look-up: each index fills its share of
// the slots, at least one, and there are no more of them than the weights need, to stay in the
// processor's caches. It is immutable and safe for concurrent use.
type Weighted struct{ slots []uint16 }

func newWeighted(weights []uint64) Weighted {
	slots := uint64(min(64*len(weights), 1<<16))
	var total uint64
	for _, w := range weights {
		total += w
	}
	all := make([]uint16, 0, int(slots)+len(weights))
	for i, w := range weights {
		for range max(1, w*slots/total) {
			all = append(all, uint16(i))
		}
	}
	return Weighted{all}
}

// Pick draws an index.
func (w *Weighted) Pick(d *Dice) int { return int(w.slots[d.N(len(w.slots))]) }

// zipf returns n weights that fall as 1/(rank+3), the usual shape of word and name frequencies.
func zipf(n int) []uint64 {
	weights := make([]uint64, n)
	for i := range weights {
		weights[i] = 1e12 / uint64(i+3)
	}
	return weights
}

// Shuffle is a permutation of 0 to n-1, computed and not stored: x to a*x+b modulo n.
type Shuffle struct{ a, b, n uint64 }

// Shuffled returns a permutation of 0 to n-1 whose images ascend in runs of about run; with 1,
// neighbours are far apart. which selects one of many.
func (c *Country) Shuffled(n, run int, which uint64) Shuffle {
	step := n / run
	if run == 1 {
		step = int(float64(n) * 0.6180339887) // steps of the golden ratio spread most evenly
	}
	d := c.Dice(ofOrder, which)
	a := uint64(max(step, 1))
	for gcd(a, uint64(n)) != 1 {
		a++
	}
	return Shuffle{a: a, b: uint64(d.N(n)), n: uint64(n)}
}

// At returns the image of x.
func (s Shuffle) At(x int) int { return int((uint64(x)*s.a + s.b) % s.n) }

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
