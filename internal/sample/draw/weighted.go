package draw

import "math/bits"

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
