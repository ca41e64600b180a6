package draw

import "testing"

func TestShuffleIsAPermutation(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 10, 4096, 30_030} {
		for _, step := range []int{0, 1, n / 10, n * 618 / 1000} {
			s := NewShuffle(5, n, step, 1)
			seen := make([]bool, n)
			for x := range n {
				if i := s.At(x); seen[i] {
					t.Fatalf("n %d, step %d: %d occurs twice", n, step, i)
				} else {
					seen[i] = true
				}
			}
		}
	}
}

func TestWeightedFollowsItsWeights(t *testing.T) {
	t.Parallel()
	weights := []uint64{1, 0, 7, 2, 90}
	w := NewWeighted(weights)
	d := New(1, Number, 1)
	const throws = 200_000
	counts := make([]int, len(weights))
	for range throws {
		counts[w.Pick(&d)]++
	}
	for i, weight := range weights {
		want := throws * int(weight) / 100
		if diff := counts[i] - want; diff*diff > want*16+100 {
			t.Errorf("index %d is picked %d times, want about %d", i, counts[i], want)
		}
	}
}

func TestLadder(t *testing.T) {
	t.Parallel()
	for u, want := range map[int]string{0: "A", 2: "A", 3: "B", 4: "C", 9: "C", 10: ""} {
		if got := Ladder(u, []int{3, 1, 6}, "A", "B", "C"); got != want {
			t.Errorf("chance %d falls on %q, want %q", u, got, want)
		}
	}
}
