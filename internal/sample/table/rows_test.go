package table

import "testing"

func TestDigits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n, width int
		want     string
	}{{0, 1, "0"}, {7, 2, "07"}, {42, 2, "42"}, {123, 2, "123"}, {5, 8, "00000005"}, {12345678, 8, "12345678"}} {
		if got := Digits(c.n, c.width); got != c.want {
			t.Errorf("Digits(%d, %d) = %s, want %s", c.n, c.width, got, c.want)
		}
	}
}
