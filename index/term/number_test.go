package term

import (
	"fmt"
	"testing"
)

func TestNumbers(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]int{
		"7": 7, "007": 7, "2004": 2004, "sete": 7, "tres": 3, "three": 3, "primeira": 1, "1o": 1, "1st": 1, "third": 3, "vinte": 20, "forty": 40,
		"ii": 2, "iv": 4, "ix": 9, "x": -1, "xiv": 14, "xxxix": 39, "xxxx": -1, "iiii": -1, "vx": -1, "": -1, "km47": -1, "padaria": -1, "mil": -1,
		"99999999999999999999": -1,
	} {
		n, ok := Number(word)
		if !ok {
			n = -1
		}
		if n != want {
			t.Errorf("%q: %d, want %d", word, n, want)
		}
	}
}

// TestRomanNumerals reads back each numeral as others write it.
func TestRomanNumerals(t *testing.T) {
	t.Parallel()
	for tens, ten := range []string{"", "x", "xx", "xxx"} {
		for unit, one := range []string{"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"} {
			word := ten + one
			want := fmt.Sprint(10*tens+unit, len(word) > 1)
			if len(word) < 2 {
				want = "0 false"
			}
			if n, ok := roman(word); fmt.Sprint(n, ok) != want {
				t.Errorf("%q: %d, %v, want %s", word, n, ok, want)
			}
		}
	}
}
