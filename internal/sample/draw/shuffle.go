package draw

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

// Scattered returns a permutation whose neighbours are far apart: steps of the golden ratio spread best.
func Scattered(seed uint64, n int, which uint64) Shuffle {
	return NewShuffle(seed, n, int(float64(n)*0.6180339887), which)
}

// At returns the number at a position, a multiple of n added to it or not.
func (s Shuffle) At(x int) int { return int((uint64(x)*s.a + s.b) % s.n) }

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
